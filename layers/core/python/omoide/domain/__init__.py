"""Pure rules of memory: records, similarity, ranking, decay."""

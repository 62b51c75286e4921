"""Records, uses, keys and rate windows in one DynamoDB table (through PynamoDB)."""

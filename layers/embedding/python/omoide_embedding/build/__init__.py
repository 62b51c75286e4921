"""Building model folders from published weights; never imported at run time."""

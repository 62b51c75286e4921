"""Count that memories were returned to an agent."""

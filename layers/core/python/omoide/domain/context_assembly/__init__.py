"""From ranked memories to a text of at most so many tokens that an agent can be given as it is."""

"""memex's shape: agents and users instead of namespaces, importance 0..2."""

"""Sets of tools, so that a client's context is not flooded; each set is one file here.

The file's name, with hyphens, is the set's name; it defines ``TOOLS``.
"""

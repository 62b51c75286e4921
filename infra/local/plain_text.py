"""Text that cannot steer a terminal."""

import unicodedata

_UNPRINTED = frozenset({"Cc", "Cf", "Co", "Cs"})


def plain(text: str) -> str:
    """The text without control characters, so that a memory cannot steer the terminal."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        c if c in "\n\t" or unicodedata.category(c) not in _UNPRINTED else " " for c in text
    )

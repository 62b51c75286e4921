"""One pattern that finds any of many phrases, in scripts with and without spaces."""

import re
from collections.abc import Sequence

_WORD_BEGINS = r"\b"


def any_phrase(patterns: Sequence[str]) -> re.Pattern[str]:
    r"""Return a pattern of all, which tries those that begin with ``\b`` at word edges only.

    Args:
        patterns: Alternatives, or several of them joined by ``|`` of which all or none begin with
            ``\b``.
    """
    words = [p.removeprefix(_WORD_BEGINS) for p in patterns if p.startswith(_WORD_BEGINS)]
    others = [p for p in patterns if not p.startswith(_WORD_BEGINS)]
    at_words = [rf"\b(?=\w)(?:{'|'.join(words)})"] if words else []
    return re.compile("|".join([*at_words, *others]))

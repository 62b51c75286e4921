"""The one analysis of text into terms, shared by every engine, the ranking and the comparison."""

import hashlib
import re
import threading
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from enum import IntFlag
from functools import lru_cache
from typing import Protocol, cast

import numpy as np
import Stemmer
from numpy.typing import NDArray

from omoide.domain.scoring_data import MAX_OWN_TERMS, TermCounts
from omoide.domain.stop_words import STOP_WORDS

_KANA = "\u3040-\u30ff\u31f0-\u31ff"
_HAN = "\u2e80-\u2fdf\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
_HANGUL = "\u1100-\u11ff\u3130-\u318f\uac00-\ud7af"
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
_MARKS = "\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670\u0900-\u0dff"
_RUNS = re.compile(
    f"(?P<cjk>[{_HAN}{_KANA}]+)|(?P<hangul>[{_HANGUL}]+)|(?P<unspaced>[{_UNSPACED}]+)"
    f"|(?P<word>(?:[^\\W_{_HAN}{_KANA}{_HANGUL}{_UNSPACED}]|[{_MARKS}])+)"
)
_ALONE = re.compile(f"[{_HAN}{_HANGUL}{_UNSPACED}]")
_QUESTION_MARKS = "?？؟"
_CLOSING = "\"'`”’»」』)）]］}｝*_~ \t\r\n"
_TERM_CACHE_SIZE = 65_536


class Script(IntFlag):
    """Scripts a text can be written in; digits and symbols belong to none."""

    LATIN = 1
    KANA = 2
    HAN = 4
    HANGUL = 8
    CYRILLIC = 16
    GREEK = 32
    ARABIC = 64
    OTHER = 128


_SCRIPTS = (
    (Script.KANA, re.compile(f"[{_KANA}]+")),
    (Script.HAN, re.compile(f"[{_HAN}]+")),
    (Script.HANGUL, re.compile(f"[{_HANGUL}]+")),
    (Script.LATIN, re.compile("[a-zA-Z\u00aa\u00ba\u00c0-\u024f\u1e00-\u1eff]+")),
    (Script.CYRILLIC, re.compile("[\u0400-\u052f]+")),
    (Script.GREEK, re.compile("[\u0370-\u03ff\u1f00-\u1fff]+")),
    (Script.ARABIC, re.compile("[\u0600-\u06ff\u0750-\u077f]+")),
)
_LETTERS = re.compile(r"[^\W\d_]+")
_MINIMUM_SHARE = 0.1


def fold(text: str) -> str:
    """Return the text as it is compared: NFKC, case and width folded.

    Half-width kana become full-width with their voice marks composed; the long vowel mark stays.
    """
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def scripts_of(text: str) -> Script:
    """Return the scripts that make up at least a tenth of the letters of the text."""
    folded = unicodedata.normalize("NFKC", text)
    found = [(script, _characters(pattern, folded)) for script, pattern in _SCRIPTS]
    known = sum(count for _, count in found)
    total = max(known, _characters(_LETTERS, folded))
    scripts = Script(0)
    for script, count in [*found, (Script.OTHER, total - known)]:
        if count and count >= _MINIMUM_SHARE * total:
            scripts |= script
    return scripts


def _characters(pattern: re.Pattern[str], text: str) -> int:
    return sum(map(len, pattern.findall(text)))


def asks(text: str) -> bool:
    """Whether the text contains a question mark."""
    return any(mark in text for mark in _QUESTION_MARKS)


def is_question(text: str) -> bool:
    """Whether the text ends in a question mark, closing quotes and brackets not counted."""
    return text.rstrip(_CLOSING).endswith(tuple(_QUESTION_MARKS))


def terms_of(text: str) -> Iterator[str]:
    """Yield the terms of a text in order, stop words left out.

    Latin words are stemmed (Snowball, English) without diacritics, numbers and codes stay as they
    are, and text runs break where the script changes. Scripts written without spaces and Hangul
    give their bigrams and, save kana, also their single characters; a run of one character gives
    that character.
    """
    for kind, run in _runs(text):
        if kind == "word":
            if run not in STOP_WORDS:
                yield _stem(run)
            continue
        for term in _bigrams(run):
            if term not in STOP_WORDS:
                yield term
        if len(run) > 1:
            for character in _ALONE.findall(run):
                if character not in STOP_WORDS:
                    yield character


def analyse(text: str, *, limit: int = MAX_OWN_TERMS) -> TermCounts:
    """Return the terms of a text to be stored.

    Args:
        text: The text.
        limit: Distinct terms kept, the most frequent first, then the first in the text.
    """
    counted = Counter(map(term_key, terms_of(text)))
    kept = counted.most_common(limit) if len(counted) > limit else list(counted.items())
    kept.sort()
    return TermCounts(
        keys=np.array([key for key, _ in kept], dtype=np.uint64),
        counts=np.array([min(count, 255) for _, count in kept], dtype=np.uint8),
    )


def query_terms(text: str) -> NDArray[np.uint64]:
    """Return the ``(q,)`` distinct terms a query looks for, in order of appearance."""
    terms = dict.fromkeys(map(term_key, terms_of(text)))
    return np.array(list(terms), dtype=np.uint64)


def _runs(text: str) -> Iterator[tuple[str, str]]:
    for match in _RUNS.finditer(fold(text)):
        yield match.lastgroup or "word", match.group()


def _bigrams(run: str) -> list[str]:
    return [run[i : i + 2] for i in range(len(run) - 1)] or [run]


@lru_cache(maxsize=_TERM_CACHE_SIZE)
def term_key(term: str) -> int:
    """Return the 64-bit key of a term (BLAKE2b of its UTF-8 form)."""
    digest = hashlib.blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big")


@lru_cache(maxsize=_TERM_CACHE_SIZE)
def _stem(word: str) -> str:
    if not word.isascii():
        word = "".join(c for c in unicodedata.normalize("NFKD", word) if not _is_accent(c))
    return _stemmer().stemWord(word)


def _is_accent(character: str) -> bool:
    return "\u0300" <= character <= "\u036f"


class _WordStemmer(Protocol):
    def stemWord(self, word: str) -> str: ...  # noqa: N802


_make_stemmer = cast(
    Callable[[str, int], object],
    Stemmer.Stemmer,  # pyright: ignore[reportUnknownMemberType]
)
_stemmers = threading.local()


def _stemmer() -> _WordStemmer:
    """Return the English stemmer of this thread: one must not be shared between threads."""
    stemmer: _WordStemmer | None = getattr(_stemmers, "english", None)
    if stemmer is None:
        stemmer = cast(_WordStemmer, _make_stemmer("english", 0))
        _stemmers.english = stemmer
    return stemmer

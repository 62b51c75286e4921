"""Names, quotations and identifiers in a query."""

import re
import unicodedata
from collections.abc import Iterable, Iterator

from omoide.domain.analysis import fold
from omoide.domain.stop_words import STOP_WORDS

_MAX_ENTITY = 64
_HONORIFIC = "さん|様|さま|君|くん|ちゃん|氏|先生|先輩|部長|課長|社長"
_CAPITALISED = r"[A-ZÀ-ÞΑ-ΩА-Я][0-9A-Za-zÀ-ɏΑ-ώА-яЁё_'’.-]*"
_PATTERNS = (
    r"(?P<quoted>\"[^\"]+\"|“[^”]+”|「[^」]+」|『[^』]+』|«[^»]+»|《[^》]+》)",
    r"(?P<address>(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,8}|https?://[^\s、。]+|(?<!\w)[@#][\w-]+)",
    r"(?P<identifier>(?<![\w./-])(?=[\w./-]{0,63}\d)(?=[\w./-]{0,63}[A-Za-z])"
    r"[A-Za-z0-9][A-Za-z0-9_./-]{0,62}[A-Za-z0-9](?![A-Za-z0-9_]))",
    rf"(?P<run>\b{_CAPITALISED}(?:[ \u00a0](?:(?:of|the|de|la|van|von|der|and|&)[ ])?"
    rf"{_CAPITALISED})*)",
    rf"(?P<person>[々一-龥]{{1,4}}(?={_HONORIFIC})|[ぁ-ゖ]{{2,6}}(?=さん|くん|ちゃん))",
    r"(?P<katakana>[ァ-ヺー]{2,}(?:・[ァ-ヺー]+)*)",
)
_ANY = re.compile("|".join(_PATTERNS))
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th|am|pm|s|h|d|m|w|y|x|k)?", re.IGNORECASE)
_SENTENCE = re.compile(r"(?:^|[.!?。！？:]\s*|\n\s*)[\"“(]?$")
_OPENING_WORDS = (
    "tell show find list give get search look recall remember remind please explain describe "
    "summarize summarise let help name compare check hey hi hello ok okay yes no can could "
    "would should will may might must did does do is are was were has have had any all some "
    "everything anything something someone anyone which whose whom who what when where why "
    "how since before after until during today yesterday tomorrow tonight last next this that "
    "these those and or but if then also first my our your his her their its i'm i've i'd "
    "i'll we've thanks thank about"
)
_OPENERS = frozenset(_OPENING_WORDS.split())
_WORDS_OF_TIME = (
    "monday tuesday wednesday thursday friday saturday sunday january february march april "
    "may june july august september october november december christmas easter halloween"
)
_TIMES = frozenset(_WORDS_OF_TIME.split())
_NO_PEOPLE = frozenset({"お客", "皆", "お母", "お父", "お兄", "お姉", "奥", "神", "王"})


def entities_of(query: str, times: Iterable[str] = ()) -> tuple[str, ...]:
    """Return names, quotations and identifiers of a query, in their order, each once.

    Args:
        query: Any text.
        times: Words of time in it, which are no names ("May 5").
    """
    no_names = {word for time in times for word in fold(time).split()}
    found: dict[str, str] = {}
    text = unicodedata.normalize("NFKC", query)
    for match in _ANY.finditer(text):
        for entity in _read(text, match):
            folded = fold(entity)
            if 1 < len(entity) <= _MAX_ENTITY and folded not in no_names:
                found.setdefault(folded, entity)
    return tuple(found.values())


def _read(query: str, match: re.Match[str]) -> Iterator[str]:
    text = match[0]
    if match.lastgroup == "quoted":
        yield text[1:-1].strip()
    elif match.lastgroup == "run":
        is_first = _SENTENCE.search(query, 0, match.start()) is not None
        yield from _name(text, is_first=is_first)
    elif match.lastgroup == "person":
        if text not in _NO_PEOPLE:
            yield text
    elif match.lastgroup != "identifier" or _ORDINAL.fullmatch(text) is None:
        yield text


def _name(run: str, *, is_first: bool) -> Iterator[str]:
    """The run without what is capitalised for other reasons, and without a possessive."""
    words = [re.sub(r"['’]s$|[.'’-]+$", "", word) for word in run.split()]
    while words and (words[0].lower() in _OPENERS or words[0].lower() in STOP_WORDS):
        words = words[1:]
        is_first = False
    if not words or (is_first and len(words) == 1 and words[0].lower() in _OPENERS):
        return
    if len(words) == 1 and words[0].lower() in _TIMES:
        return
    yield " ".join(words)

"""Which language a text is written in, told by its script and its most frequent words."""

import re

_WORDS = {
    "en": "the and of to is in that it you for with was are this my not have i do what",
    "de": "der die das und ist nicht ein eine ich mit auf für den dem sich wir wie auch von zu",
    "fr": "le la les et est une des du que pas je dans pour avec qui sur vous nous ce au",
    "es": "el los las y es una que no en por con para del se yo como está pero muy al",
    "pt": "o os as e é um uma que não em por com para do da se eu como está mas ao",
    "it": "il lo gli e è una che non di per con del della si io come sono ma anche nel",
    "nl": "de het een en is niet ik van met voor dat op zijn wij aan ook maar naar bij te",
}
_FREQUENT = {language: frozenset(words.split()) for language, words in _WORDS.items()}
_WORD = re.compile(r"[^\W\d_]+")
_KANA = re.compile("[\u3041-\u30ff\u31f0-\u31ff\uff66-\uff9f]")
_BY_SCRIPT = (
    ("ko", re.compile("[\u1100-\u11ff\u3130-\u318f\uac00-\ud7af]")),
    ("zh", re.compile("[\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003134f]")),
    ("ru", re.compile("[\u0400-\u052f]")),
    ("el", re.compile("[\u0370-\u03ff\u1f00-\u1fff]")),
    ("ar", re.compile("[\u0600-\u06ff\u0750-\u077f]")),
    ("he", re.compile("[\u0590-\u05ff]")),
    ("th", re.compile("[\u0e00-\u0e7f]")),
    ("hi", re.compile("[\u0900-\u097f]")),
)
_UKRAINIAN = re.compile("[іїєґІЇЄҐ]")
_LATIN = re.compile("[A-Za-z\u00c0-\u024f\u1e00-\u1eff]")
_SAMPLE_CHARACTERS = 2_000
_MINIMUM_SHARE = 0.2


def detect_language(text: str) -> str | None:
    """Return the language of a text as a BCP-47 tag, or None where nothing tells.

    Kana make a text Japanese, Han without kana Chinese; a script of one widespread language is
    taken for that language; Latin text needs at least one frequent word of a language, and more
    of them than of any other. Only the first 2,000 characters are looked at.
    """
    sample = text[:_SAMPLE_CHARACTERS]
    counts = {language: len(pattern.findall(sample)) for language, pattern in _BY_SCRIPT}
    kana, latin = len(_KANA.findall(sample)), len(_LATIN.findall(sample))
    if kana:
        counts["ja"] = kana + counts.pop("zh")
    total = latin + sum(counts.values())
    language = max(counts, key=lambda name: counts[name])
    # A word of Latin script takes about three times the characters of one of Han or kana.
    if total and counts[language] >= _MINIMUM_SHARE * total:
        return "uk" if language == "ru" and _UKRAINIAN.search(sample) else language
    return _of_latin_words(sample)


def _of_latin_words(text: str) -> str | None:
    words = [word.casefold() for word in _WORD.findall(text)]
    hits = {name: sum(w in frequent for w in words) for name, frequent in _FREQUENT.items()}
    ranked = sorted(hits, key=lambda name: -hits[name])
    best, second = ranked[0], ranked[1]
    return best if hits[best] > hits[second] else None

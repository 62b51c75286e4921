"""Numbers written in English words, in Han characters and in Korean."""

import re

_UNITS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
    "nineteen",
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_WORDS = {
    **{word: value for value, word in enumerate(_UNITS)},
    **{word: 10 * value for value, word in enumerate(_TENS, start=2)},
    "a": 1,
    "an": 1,
    "couple": 2,
    "few": 3,
    "several": 4,
    "dozen": 12,
}
VAGUE_WORDS = ("couple", "few", "several", "dozen")

ORDINALS = (
    *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"),
    *("tenth", "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth"),
    *("seventeenth", "eighteenth", "nineteenth", "twentieth"),
)
_ORDINAL_VALUES = {
    **{word: value for value, word in enumerate(ORDINALS, start=1)},
    **{f"twenty-{word}": value for value, word in enumerate(ORDINALS[:9], start=21)},
    "thirtieth": 30,
    "thirty-first": 31,
}

_DIGITS = {
    "〇": 0,
    "零": 0,
    "两": 2,
    "兩": 2,
    **{digit: value for value, digit in enumerate("一二三四五六七八九", start=1)},
}
_POWERS = {"十": 10, "百": 100, "千": 1000}
_NATIVE_KOREAN = {
    "한": 1,
    "하나": 1,
    "두": 2,
    "둘": 2,
    "세": 3,
    "석": 3,
    "네": 4,
    "넉": 4,
    "다섯": 5,
    "여섯": 6,
    "일곱": 7,
    "여덟": 8,
    "아홉": 9,
    "열": 10,
}

HAN_NUMBER = "(?:[0-9]{1,4}|[〇零一二三四五六七八九十百千两兩]{1,7})"
ENGLISH_NUMBER = (
    r"(?:\d{1,4}|(?:a )?couple(?: of)?|(?:a )?few|several|(?:a )?dozen|"
    + "|".join(f"{ten}(?:[- ](?:{'|'.join(_UNITS[1:10])}))?" for ten in _TENS)
    + f"|{'|'.join(reversed(_UNITS[1:]))}|an?)"
)
KOREAN_NUMBER = f"(?:[0-9]{{1,4}}|{'|'.join(sorted(_NATIVE_KOREAN, key=len, reverse=True))})"
_FILLERS = re.compile(r"\b(?:a (?=couple|few|dozen)|of)\b")


def english_number(text: str) -> int:
    """Return the value of what `ENGLISH_NUMBER` matched, of "a few" as well."""
    if text.isdigit():
        return int(text)
    words = _FILLERS.sub("", text).replace("-", " ").split()
    return sum(_WORDS[word] for word in words)


def english_ordinal(text: str) -> int:
    """Return 3 of "3rd", "third" and "3"; -1 of "last".

    Raises:
        KeyError: It is none.
    """
    if text == "last":
        return -1
    digits = re.match(r"\d+", text)
    return int(digits.group()) if digits else _ORDINAL_VALUES[text.replace(" ", "-")]


def han_number(text: str) -> int:
    """Return the value of 12, 十二, 一二, 二〇二四 or 千九百九十."""
    if text.isascii():
        return int(text)
    if not any(power in text for power in _POWERS):
        return int("".join(str(_DIGITS[digit]) for digit in text))
    total, digit = 0, 0
    for character in text:
        if character in _POWERS:
            total += max(digit, 1) * _POWERS[character]
            digit = 0
        else:
            digit = _DIGITS[character]
    return total + digit


def korean_number(text: str) -> int:
    """Return the value of 3 or 세."""
    return int(text) if text.isdigit() else _NATIVE_KOREAN[text]

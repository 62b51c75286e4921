"""English names of months, weekdays and the like."""

from omoide.domain.time_words.mention import Part

MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_SHORT_MONTHS = {
    "jan": 1,
    "feb": 2,
    "mar": 3,
    "apr": 4,
    "jun": 6,
    "jul": 7,
    "aug": 8,
    "sep": 9,
    "sept": 9,
    "oct": 10,
    "nov": 11,
    "dec": 12,
}
MONTH_NUMBERS = {name: number for number, name in enumerate(MONTHS, start=1)} | _SHORT_MONTHS
MONTH = f"(?:{'|'.join(MONTHS)}|(?:{'|'.join(sorted(_SHORT_MONTHS, reverse=True))})\\b\\.?)"
CLEAR_MONTH = "(?:january|february|july|september|october|november|december)"
"""Names that are no other word and no given name."""

WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_SHORT_WEEKDAYS = {
    "mon": 0,
    "tue": 1,
    "tues": 1,
    "wed": 2,
    "thu": 3,
    "thur": 3,
    "thurs": 3,
    "fri": 4,
    "sat": 5,
    "sun": 6,
}
WEEKDAY_NUMBERS = {name: number for number, name in enumerate(WEEKDAYS)} | _SHORT_WEEKDAYS
WEEKDAY = f"(?:{'|'.join(WEEKDAYS)})"
SHORT_WEEKDAY = f"(?:{'|'.join(sorted(_SHORT_WEEKDAYS, reverse=True))})"

SEASONS = {"spring": 0, "summer": 1, "autumn": 2, "fall": 2, "winter": 3}
SEASON = f"(?:{'|'.join(SEASONS)})"

DIRECTIONS = {
    "last": -1,
    "past": -1,
    "previous": -1,
    "this past": -1,
    "this last": -1,
    "this": 0,
    "current": 0,
    "this current": 0,
    "next": 1,
    "coming": 1,
    "this coming": 1,
    "upcoming": 1,
    "this upcoming": 1,
}
DIRECTION = f"(?:{'|'.join(sorted(DIRECTIONS, key=len, reverse=True))})"
HOURS = {
    "morning": (5, 12),
    "afternoon": (12, 18),
    "evening": (18, 24),
    "night": (18, 30),
    "noon": (12, 13),
    "lunchtime": (11, 14),
    "midnight": (0, 1),
}
PARTS = {
    "early": Part.EARLY,
    "mid": Part.MIDDLE,
    "late": Part.LATE,
    "middle": Part.MIDDLE,
    "beginning": Part.BEGINNING,
    "start": Part.BEGINNING,
    "end": Part.END,
    "first half": Part.FIRST_HALF,
    "second half": Part.SECOND_HALF,
    "latter half": Part.SECOND_HALF,
    "first part": Part.EARLY,
    "latter part": Part.LATE,
}
LONG_PARTS = "|".join(name for name in PARTS if name not in ("early", "mid", "late"))

HOLIDAY_NAMES = {
    r"new year'?s eve": "new_year_eve",
    r"new year'?s(?: day)?|(?<!happy )new year": "new_year",
    r"martin luther king(?: jr\.?)? day|mlk day": "martin_luther_king",
    r"valentine'?s(?: day)?": "valentine",
    r"presidents'? day": "presidents",
    r"st\.? patrick'?s day|saint patrick'?s day": "st_patrick",
    r"april fools'?(?: day)?": "april_fools",
    r"earth day": "earth",
    r"may day": "may_day",
    r"golden week": "golden_week",
    r"mother'?s day": "mothers",
    r"memorial day": "memorial",
    r"father'?s day": "fathers",
    r"independence day": "independence",
    r"bastille day": "bastille",
    r"obon": "obon",
    r"labou?r day": "labor",
    r"halloween": "halloween",
    r"veterans'? day": "veterans",
    r"thanksgiving(?: day)?": "thanksgiving",
    r"black friday": "black_friday",
    r"christmas eve": "christmas_eve",
    r"christmas(?: day)?|xmas": "christmas",
    r"boxing day": "boxing",
    r"good friday": "good_friday",
    r"easter monday": "easter_monday",
    r"easter(?: sunday)?": "easter",
}

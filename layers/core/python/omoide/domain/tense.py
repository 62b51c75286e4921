"""Which state of things a query asks for: the one that holds now, or one before it.

"Where do I live?" and "where do I live now?" want the newest truth, "where did I live before Lyon?"
the one before, and "where was I living?" may want either. How to do a thing is asked of the
present. Told from the everyday words of time and the tense of the verb; a window of time in the
query says more and is looked at first.
"""

import re
from enum import StrEnum

from omoide.domain.analysis import fold
from omoide.domain.time_words.questions import asks_now, asks_past


class Tense(StrEnum):
    """Which state of things is asked for."""

    OPEN = "open"
    """Nothing tells: the newest, as a rule."""
    NOW = "now"
    """The one that holds now."""
    ONCE = "once"
    """The one before the present one."""
    PAST = "past"
    """The verb is in the past tense: the question may be about any."""


_ONCE = re.compile(
    r"\b(?:before(?! (?:i|we) (?:go|leave|start|send))|previous(?:ly)?|former(?:ly)?|prior"
    r"|original(?:ly)?|a while (?:back|ago)|once|at first|in the beginning|used to|first)\b"
    r"|\b(?:vorher|früher\w*|zuvor|ehemalig\w*|bevor|ursprünglich\w*|damals)\b"
    r"|\b(?:avant|auparavant|autrefois|ancien(?:ne)?s?|précédent\w*|initialement)\b"
    r"|\b(?:antes|anterior(?:mente|es)?|antiguo|antigua|solía|originalmente)\b"
    r"|\b(?:раньше|прежде|прежн\w+|бывш\w+|до этого|изначально)\b"
    r"|\b(?:trước đây|trước kia|trước khi|hồi trước|từng|ban đầu)\b"
    r"|(?<![名一目人手午駅建年月日週分腕直事自板])前(?:は|の(?![日週月年])|に(?![話決聞言相教伝書])|って)|する前|した前|る前"
    r"|以前|もともと|元々|当初|最初|初め|かつて|昔|旧"
    r"|之前|以前|从前|原来|原先|当初|最初|曾经"
    r"|이전|예전|전에|원래|처음"
)
_PAST = re.compile(
    r"\b(?:was|were|did|had)\b"
    r"|\b(?:war|waren|hatte\w*|wurde\w*)\b|\b(?:était|étais|étaient|avais|avait)\b"
    r"|\b(?:era|eran|estaba\w*|tenía\w*|fue)\b|\b(?:был[аио]?)\b"
    r"|(?:[いしっ]た|[まで]した|だった|かった|んだ)(?:の|か|かな|のか|のは(?:何|いつ|どこ|誰|どれ))?"
    r"[?？。!\s]*$"
    r"|(?:었|았|했|였)(?:나요?|어요?|습니까|지|니)?[?？.\s]*$"
)

_HOW_TO = re.compile(
    r"\bhow (?:do|to|can|could|should|would) (?!.{0,30}\bused to\b)"
    r"|(?:には|方法|手順|やり方|仕方)(?:は)?[?？。\s]*$"
    r"|\b(?:wie (?:kann|muss|soll)|comment (?:faire|puis)|cómo (?:puedo|se|hago))\b"
    r"|\bкак (?:мне|нужно)\b|怎么(?:做|办|样才)|如何|방법|어떻게 (?:하|해)"
)

_PLAN = re.compile(
    r"\b(?:plan(?:s|ned|ning)?|schedule[ds]?|upcoming|agenda|deadlines?|due|appointments?)\b"
    r"|予定|締め?切り?|期限|スケジュール|计划|安排|截止|계획|일정|마감|예정"
    r"|\b(?:pläne|termine|geplant|projets?|rendez-vous|planes|citas|планы|kế hoạch|lịch)\b"
)


def asks_plan(query: str) -> bool:
    """Whether the query asks for what is to come: recorded before the time it speaks of."""
    return _PLAN.search(fold(query)) is not None


def tense_of(query: str) -> Tense:
    """Return which state of things the query asks for."""
    text = fold(query)
    if asks_now(query):
        return Tense.NOW
    if _HOW_TO.search(text):
        return Tense.OPEN
    if asks_past(query) or _ONCE.search(text):
        return Tense.ONCE
    return Tense.PAST if _PAST.search(text) else Tense.OPEN

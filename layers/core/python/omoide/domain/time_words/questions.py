"""What a query asks of time without naming one: when, what was, what is, or what came first."""

from enum import StrEnum

from omoide.domain.phrases import any_phrase


class Order(StrEnum):
    """Which of several events is asked for."""

    FIRST = "first"
    LAST = "last"


_VERB = (
    "did|do|does|was|were|is|are|am|will|would|has|have|had|should|shall|can|could|might|must"
    "|exactly|precisely"
)
_UNIT = "day|date|time|year|month|week|weekday|season|century|decade"
_WHEN = (
    rf"\bwhen(?:'s|'d)?(?: the [a-z]+)? (?:{_VERB})\b",
    r"\bwhen'(?:s|d|ll)\b|\bwhen ?(?:$|[?.!])",
    r"\b(?:tell me|know|recall|sure|remind me|asking|wonder(?:ing)?|find out|since) when\b",
    rf"\b(?:what|which) (?:\w+ )?(?:{_UNIT})\b(?! (?:zone|off|management|trip))",
    r"\bhow long ago\b|\bhow long (?:has|have) it been since\b|\bwhat's the date\b",
    r"\bthe date (?:of|when|that|on which)\b|\b(?:at|around) what (?:time|age)\b",
    "いつ(?!も|で?も|か(?!ら)|の間|しか|まで(?:も|た)|だって|ぞや)",
    "何[日年月](?!間)|何曜日?|何時(?!間)|(?:日付|日時|時期|年月日)(?:は|を|が|いつ)",
    "何(?:日|年|か月|ヶ月|週間)前|どの(?:日|年|月|週|時期)",
    "什么时候|什麼時候|何时|何時|几月|几号|哪天|哪年|哪一天|哪一年",
    "언제(?!나|든|까지나)|며칠|몇 ?[월년시]",
)
_NOT_WHEN = (
    r"\b(?:remember|recall) when (?:i|we|you|he|she|they|it|the|my|our)\b",
    r"\b(?:what|which) time of\b|\bwhat a (?:day|time|year|week)\b",
)
_PAST = (
    r"\bused to\b|\bdid .{1,30} use to\b|\b(?:my|your|his|her|its|our|their|the) old\b",
    r"\b(?:previous|former|prior|original)(?:ly)?\b(?! to\b| knowledge| english)|\bearlier\b",
    r"\bback (?:then|when|in)\b|\bin the past\b|\b(?:at the|at that|those) (?:time|days)\b",
    r"\bbefore (?:that|this|then|the (?:change|move|update|switch))\b|\bbefore ?(?:$|[?.!])",
    r"\bbefore (?:i|we|you|he|she|they|it) (?:changed|moved|switched|became|started|joined|left)\b",
    r"\bno longer\b|\bnot any ?more\b|\bonce (?:was|were|had|lived|worked)\b|\bat first\b",
    "(?<![日月年時週末曜])以前(?=[はのに住使、も勤好])|昔(?!話|々)|かつて|当時|もともと|元々|元は|もとは",
    "(?<![一-龥お])前(?:は|の(?![日週月年金土火水木方回]))|旧(?!暦|友|姓)|その頃|あの頃|過去[には]|従来",
    "初めは|はじめは|最初は",
    "(?<![年月天周日])以前|从前|曾经|曾經|过去(?!的?[0-9一二三])|原来|原來",
    "예전|이전에는|옛날|과거에",
)
_NOW = (
    r"\b(?:now(?:adays)?|currently|presently|still|at present|at the moment|these days)\b"
    r"(?<!by now)",
    r"\b(?:current|present|latest|newest|most recent|up[- ]to[- ]date)\b",
    r"\bas of (?:now|today)\b|\bany ?more ?(?:$|[?.!])",
    "今(?=[はのも、でどこ何誰だ住使働勤まい]|現在|$)(?!まで|い[たっ])|今でも|今も|現在|現時点|現行",
    "(?<![ぁ-ゖ])いま(?=[はのもでどだ、])|最新|目下|まだ(?!まだ)|最近の|このところ",
    "现在|現在|目前|如今|最近|지금|현재|요즘|최신|아직",
)
_FIRST = (
    r"\b(?:first|earliest|initial(?:ly)?|oldest|originally)\b"
    r"(?! ?(?:names?|aid|class|floor|of all|lady|hand|half|quarter|language|person|impression"
    r"|place|prize|rate|week|day of|monday|tuesday|wednesday|thursday|friday|saturday|sunday"
    r"|things? first))",
    "最初(?!から最後|は)|初めて|はじめて|一番初め|いちばん最初|初回",
    "第一次|首次|最早|처음|맨 먼저|최초",
)
_LAST_THING = (
    "time|one|thing|event|meeting|conversation|session|visit|trip|call|message|update|change"
    "|version|talk|chat|book|movie|film|purchase|order|discussion|place|person"
)
_LAST_DID = (
    "saw|see|met|meet|went|go|spoke|speak|talked|talk|visited|visit|discussed|discuss|used|use"
    "|heard|hear|had|mentioned|mention|updated|update|changed|change|bought|buy|ate|eat"
)
_LAST = (
    rf"\b(?:last|final) (?:{_LAST_THING})\b|\blast (?:{_LAST_DID})\b",
    r"\b(?:most recent|latest|newest)(?:ly)?\b",
    "最後(?!まで)|直近(?!の?[0-9一二三四五六七八九十])|一番最近|いちばん最近|前回|最新|こないだ",
    "この前(?!の[月火水木金土日])|上次|上一次|最后一次|最後一次|最近一次",
    "마지막|지난번|저번에|가장 최근|최신",
)


_ASKS_WHEN, _TELLS_WHEN = any_phrase(_WHEN), any_phrase(_NOT_WHEN)
_ASKS_PAST, _ASKS_NOW = any_phrase(_PAST), any_phrase(_NOW)
_ASKS_FIRST, _ASKS_LAST = any_phrase(_FIRST), any_phrase(_LAST)


def asks_when(query: str) -> bool:
    """Whether the query asks for a time, in English, Japanese, Chinese or Korean.

    "When did we meet?" does; "what did I say when we met?" does not.
    """
    text = query.lower()
    return _ASKS_WHEN.search(text) is not None and _TELLS_WHEN.search(text) is None


def asks_past(query: str) -> bool:
    """Whether the query asks for what once was so ("used to", 以前は), outdated facts included."""
    return _ASKS_PAST.search(query.lower()) is not None


def asks_now(query: str) -> bool:
    """Whether the query asks for what is so now ("currently", 今は)."""
    return _ASKS_NOW.search(query.lower()) is not None


def order_asked(query: str) -> Order | None:
    """Return whether the query asks for the first or the last of several events."""
    text = query.lower()
    if _ASKS_LAST.search(text) is not None:
        return Order.LAST
    return Order.FIRST if _ASKS_FIRST.search(text) is not None else None

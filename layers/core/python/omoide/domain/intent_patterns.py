"""Words of a query that hint at types of memories and at urgency, in four languages."""

from collections.abc import Iterator

from omoide.domain.memory import MemoryType
from omoide.domain.phrases import any_phrase

_PROCEDURAL = (
    r"\bhow (?:do|can|could|should|would|to|am i|are we|is .{1,40} (?:done|made|set up))\b"
    r"(?! (?:you|he|she|they|i|we) (?:feel|like|know|think))(?! (?:long|old|much|many|often))",
    r"\bhow did (?:i|we) (?:do|make|fix|solve|set|install|deploy|build|configure|get)\b",
    r"\bhow does .{1,60} (?:work|get)\b",
    r"\b(?:steps?|procedures?|instructions?|walk me through|recipes?|workflows?|tutorial|way to)\b",
    r"\b(?:install|configure|set ?up|deploy|fix|build|run)ing\b",
    "やり方|仕方|方法|手順|手続き|使い方|作り方|書き方|直し方|行き方|どうやって|どうすれば|どのように",
    "設定の仕方|怎么做|怎麼做|怎么办|如何|步骤|步驟|做法|어떻게|방법|절차|순서",
)
_EPISODIC = (
    r"\b(?:did|have|had) (?:i|we|you|he|she|they|it)\b|\bdid [a-z]+ (?:say|tell|go|do|meet|buy)\b",
    r"\bwhat happened\b|\blast time\b|\b(?:do you )?remember (?:when|the time)\b|\bevents?\b",
    r"\b(?:was|were) (?:i|we) (?:at|in|doing|talking)\b|\bwhere were\b|\btalked about\b",
    "いつ(?!も|か)|何があった|なにがあった|(?:した|った|んだ|いた|きた|ました)(?:っけ|の|か|時|とき|[?？]|$)",
    "出来事|思い出|発生|发生|什么时候|什麼時候|去过|去過|说过|說過|었(?:나|어|지|는지|습니까)|했(?:나|어|지|던)|언제",
)
_SEMANTIC = (
    r"\b(?:prefer(?:s|red|ences?)?|favou?rites?|likes?|loves?|hates?|dislikes?|enjoys?|allerg\w+)\b",
    r"\b(?:what|who|where|which) (?:is|are|was|does|do)\b|\bwhat's\b|\bwho's\b|\bnames? of\b",
    r"\b(?:birthday|address|phone number|email|job|hobby|hobbies|opinion|belief|fact|definition)\b",
    "好き|嫌い|好み|苦手|得意|お気に入り|アレルギー|名前|住所|誕生日|電話番号|趣味|とは|職業|仕事は",
    "喜欢|喜歡|讨厌|討厭|爱好|愛好|过敏|過敏|偏好|名字|生日|是谁|是誰|是什么|是什麼",
    "좋아하|싫어하|선호|취미|알레르기|이름|생일|주소|누구|무엇인",
)
_PROSPECTIVE = (
    r"\bremind(?:s|ers?|ed)?\b|\bto-?dos?\b|\bto do list\b|\bfollow up\b|\bscheduled?\b",
    r"\b(?:need|have|supposed|going|planning) to\b|\bplans? for\b|\bappointments?\b",
    r"\bdeadlines?\b|\bdue\b|\bupcoming\b",
    r"\bdon'?t (?:let me )?forget\b|\bshould i\b|\bwhat's next\b|\bpromised?\b",
    "リマインド|リマインダー|忘れないで|忘れずに|予定|締め切り|締切|期限|やること|やるべき|タスク|すべき",
    "しなければ|しなきゃ|しないといけ|約束|今後|提醒|待办|待辦|截止|计划|計劃|安排|预约|預約",
    "알려 ?줘|할 ?일|마감|예정|일정|약속|잊지",
)
_URGENT = (
    r"\b(?:urgent(?:ly)?|asap|quick(?:ly)?|immediately|right away|hurry|fast|emergency|briefly)\b",
    r"\bin a hurry\b|\bright now\b|\bno time\b|\btl;?dr\b",
    "急ぎ|急いで|至急|今すぐ|すぐに|早く|手短に|緊急|大至急|ざっと|紧急|緊急|马上|馬上|赶快|尽快|盡快",
    "급해|급한|급히|빨리|당장|긴급|서둘러",
)
_THOROUGH = (
    r"\b(?:thorough(?:ly)?|in depth|in-depth|detailed|in detail|comprehensive(?:ly)?|everything)\b",
    r"\b(?:deep dive|exhaustive(?:ly)?|complete (?:list|overview|history)|all (?:of )?the)\b",
    r"\btake your time\b|\bcareful(?:ly)?\b",
    "詳しく|詳細|徹底的|じっくり|すべて|全て|全部|ゆっくり|余すところ|详细|詳細|彻底|徹底|深入|所有",
    "자세히|상세|철저|모두|전부|천천히",
)


_HINTS = {
    MemoryType.EPISODIC: any_phrase(_EPISODIC),
    MemoryType.SEMANTIC: any_phrase(_SEMANTIC),
    MemoryType.PROCEDURAL: any_phrase(_PROCEDURAL),
    MemoryType.PROSPECTIVE: any_phrase(_PROSPECTIVE),
}
_IS_URGENT, _IS_THOROUGH = any_phrase(_URGENT), any_phrase(_THOROUGH)


def hinted_types(query: str) -> Iterator[MemoryType]:
    """Yield the types that the words of a query hint at."""
    text = query.lower()
    for kind, pattern in _HINTS.items():
        if pattern.search(text) is not None:
            yield kind


def is_urgent(query: str) -> bool:
    """Whether an answer is wanted fast."""
    return _IS_URGENT.search(query.lower()) is not None


def is_thorough(query: str) -> bool:
    """Whether an answer is wanted thoroughly."""
    return _IS_THOROUGH.search(query.lower()) is not None

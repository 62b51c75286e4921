"""What the words of a message say of the moment: a plan of one's own, or small talk.

Patterns for English and Japanese. They say nothing of other languages, where the match alone
decides.
"""

import re
from collections.abc import Mapping
from enum import StrEnum

_JAPANESE = re.compile("[\u3041-\u3096\u30a1-\u30fa]")


class Cue(StrEnum):
    """What a message does."""

    OWN = "own"
    """Speaks of one's own affairs or intentions."""

    PLAN = "plan"
    """Prepares, arranges or makes something for which it matters who asks."""

    TIME = "time"
    """Names a time."""

    NAME = "name"
    """Names somebody or something."""

    WORLD = "world"
    """Asks what is the same for everybody."""

    REMARK = "remark"
    """Remarks on the weather, the day, things in general."""

    EDIT = "edit"
    """Directs the work at hand."""

    ANSWER = "answer"
    """Agrees, thanks, greets or declines."""


def cues_of(text: str) -> frozenset[Cue]:
    """What the words of a message say."""
    patterns = _JAPANESE_CUES if _JAPANESE.search(text) else _ENGLISH_CUES
    return frozenset(cue for cue, pattern in patterns.items() if pattern.search(text))


def _words(*alternatives: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(alternatives)})\b", re.IGNORECASE)


def _any(*alternatives: str) -> re.Pattern[str]:
    return re.compile("|".join(alternatives))


_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
_ENGLISH_CUES: Mapping[Cue, re.Pattern[str]] = {
    Cue.OWN: _words(
        r"my|our|mine|ours|we|us|i['\u2019](?:ll|m|ve|d)|i (?:am|need|want|have)",
        r"(?:should|shall|can|could|may|do|did|am|will) (?:i|we)",
    ),
    Cue.PLAN: _words(
        r"plan(?:s|ned|ning)?|draft(?:s|ing)?|prepar\w+|pack(?:ing)?|book(?:ing)?|invit\w+",
        r"arrang\w+|organi[sz]\w+|schedul\w+|sign(?:ing)? up|fill(?:ing)? (?:in|out)",
        r"look(?:ing)? for|thinking (?:of|about)|getting ready|ready for|set(?:ting)? up",
        r"shopping|buy(?:ing)?|order(?:ing)?|send(?:ing)?|export\w*|presents?|gifts?|tickets?",
        r"ideas?|tips?|picks?|recommend\w*|suggest\w*|invoices?|meetings?|appointments?|trips?",
        r"fly(?:ing)?|travel\w*|visit\w*|arriv\w+|mov(?:e|ing)|call(?:ing)?|phon(?:e|ing)",
        r"e?mail\w*|reply(?:ing)?|announce\w*|budget\w*|birthday|anniversary|wedding|dinner|lunch",
        r"interview\w*|deploy\w*|release\w*|writ(?:e|ing)|find|choos(?:e|ing)|renew\w*|cancel\w*",
    ),
    Cue.TIME: _words(
        r"today|tonight|tomorrow|next|this (?:morning|afternoon|evening|week|month|year)|weeks?",
        r"months?|summer|winter|spring|autumn|weekend|soon|(?:mon|tues|wednes|thurs|fri|satur|sun)"
        "day",
        _MONTHS,
    ),
    Cue.NAME: re.compile(r"(?<=[a-z,] )[A-Z][a-z]{2,}|\w['\u2019]s\b"),
    Cue.WORLD: _words(
        r"what['\u2019]s|what (?:is|are|was|does|do you call|language)|who|how many|how tall",
        r"how (?:do|does|did) (?:you|one|people|a|an|the)|how long (?:do|does) (?:you|it|a|an)",
        r"does \w+ have|explain|define|difference between|plural|spell(?:ed|ing|t)?|capital of",
        r"i wonder|in the world|mean(?:s|ing)?|jokes?|random|convert|translate|synonyms?",
    ),
    Cue.REMARK: _words(
        r"lol|(?:ha){2,}h?|hilarious|such|lovely|pretty|beautiful|gorgeous|weird(?:ly)?|funny",
        r"typical|strange|worst|never understood|somewhere|in general|everybody|everyone|eh",
        r"weather|rain\w*|pouring|snow\w*|cold|hot|freezing|dark|tired|sleepy|what a",
    ),
    Cue.EDIT: _words(
        r"run|rerun|open|fix|undo|redo|revert|grep|paste|copy|change|make (?:that|it)|shorter",
        r"longer|slower|start (?:again|over)|scrap|leave it|keep it|bullets?|fonts?|lint|tests?",
        r"files?|directory|terminal|tab|errors?|build|functions?|lines?|tables?|that|again",
        r"previous|last|one more time|format",
    ),
    Cue.ANSWER: re.compile(
        r"^\W*(?:ok(?:ay)?|yes|yep|yeah|yup|no|nope|nah|thanks?|thank you|cheers|sure|right|cool"
        r"|nice|great|got it|good|perfect|never ?mind|sorry|wait|hm+|ugh|wow|hi|hello|hey|bye"
        r"|not bad|exactly|go on|continue|what a)\b",
        re.IGNORECASE,
    ),
}
_JAPANESE_CUES: Mapping[Cue, re.Pattern[str]] = {
    Cue.OWN: _any(
        "たい|ようか|ようと|うかな|うか迷|すれば|したら|ばいい|どうする|べき|の[方ほ]う?がいい",
        r"[でて]も?いい(?:の|です)?(?:か|かな|\?|？|。|$)|教えて",
        "私|僕|俺|うち|母|父|妻|夫|息子|娘|祖父|祖母|家族",
        "誘われ|届い|頼まれ|求められ|聞かれ|言われ",
    ),
    Cue.PLAN: _any(
        "準備|予定|予約|段取り|手配|下書き|買い物|買っ|買お|リスト|計画|土産|プレゼント|贈|祝|相談",
        "連絡|電話|メール|会議|打ち合わせ|旅行|出張|申告|申し込|締め切り|入会|書類|報告|見積",
        "スケジュール|メニュー|献立|案内|点検|検診|病院|歯医者|引っ越し|面接|送って|作って|作ろう",
        "決め|考えて|考えたい|立てて|飲み",
    ),
    Cue.TIME: _any(
        r"今[日夜朝晩週月年]|明日|明後日|来[週月年]|[月火水木金土日]曜|\d+[月日時]|朝|夕方|夜|午[前後]",
        "そろそろ|一週間|今から|[春夏秋冬]",
    ),
    Cue.NAME: _any(r"さん|くん|ちゃん|様|先生|課長|部長|[\u30a1-\u30faー]{3,}"),
    Cue.WORLD: _any(
        r"って(?:何|なに|どう|いう|英語|漢字|どんな)|とは|英語[でに]|違い|読み方|意味|首都|だっけ",
        r"漢字|式を|コマンド|のかな|なのか|いくつ|何[本個人度歳]|翻訳|訳して|コツは|由来",
    ),
    Cue.REMARK: _any(
        r"(?:な|なあ|なぁ|よね|だね|そう)(?:、.{0,5})?[。!！]?$",
        "最高|天気|雨|雪|眠|疲れ|寒|暑|笑|癒|気持ちがいい|和む|かわい|ほんとに",
    ),
    Cue.EDIT: _any(
        "ファイル|見出し|コメント|太字|関数|引数|ログ|テスト|ビルド|コミット|句読点|元に戻|もう一度",
        "[一二三四五六七八九十0-9０-９]行|続け|進め|止め|開い|まとめて|外して|表示して|エラー|そっち",
        "上のほう|末尾|英語にして|頼む",
    ),
    Cue.ANSWER: re.compile(
        "^(?:はい|うん|ええ|いや|いえ|OK|了解|りょ|そう|どうも|どういた|ありがと|お疲れ|おつかれ"
        "|おはよ|こん[にば]|おやすみ|ただいま|おかえり|ごめん|すみ|なるほど|ふむ|へえ|あは|よし|よく"
        "|以上|また明日|わかっ|分かっ|それで)"
    ),
}

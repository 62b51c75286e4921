"""Whether a text tells that something has changed.

A memory that tells of a change ("moved to", "no longer", 変更, 改为) is likely to outdate an older
one on the same thing. The words are the everyday verbs and adverbs of change of each language, not
those of any data set; a text without them may outdate as well: they only add to the evidence.
"""

import re

from omoide.domain.analysis import fold

_SPACED = {
    "en": r"chang(?:e[sd]?|ing)|switch(?:es|ed|ing)?|mov(?:es|ed|ing)|relocat\w+|migrat\w+"
    r"|transferr?\w*|replac\w+|upgrad\w+|downgrad\w+|updat\w+|renam\w+|renew\w+"
    r"|rais(?:es?|ed|ing)|rises?|rose|risen|increas\w+|lower(?:s|ed|ing)|reduc\w+"
    r"|dropp\w+|extend\w+|postpon\w+|reschedul\w+|revis\w+|quit|quits|stopp\w+|stops"
    r"|gave up|given up|cancel\w+|no longer|not any ?more|anymore|instead|from now on"
    r"|now|nowadays|these days|became|becomes|took over|taken over|turned out|retir\w+"
    r"|resign\w+|promot\w+|new|used to|converted|as of|started|starting",
    "de": r"geändert|änder\w+|verändert|gewechselt|wechsel\w+|umgezogen|umzug|umgestellt"
    "|umgestiegen|ersetzt|verlegt|verschoben|erhöht|gesenkt|gestiegen|gesunken"
    "|gekündigt|aufgehört|abgeschafft|statt|stattdessen|nicht mehr|keine? mehr"
    "|ab sofort|jetzt|nun|neue[nmrs]?|inzwischen|mittlerweile|aktualisiert|umbenannt"
    "|künftig|seit",
    "fr": r"chang\w+|remplac\w+|déménag\w+|déplac\w+|pass(?:é|er|ons|ée) (?:à|de)|augment\w+"
    r"|baiss\w+|report(?:é|er|ée)|annul\w+|arrêt\w+|ne \w+(?: \w+)? plus|n'\w+ plus"
    "|désormais|dorénavant|maintenant|au lieu|à la place|nouveau|nouvelle|nouvel"
    r"|mis à jour|renomm\w+|quitt\w+",
    "es": r"cambi\w+|reemplaz\w+|sustitu\w+|mud(?:ó|é|amos|aron|ado)|traslad\w+"
    r"|pas(?:ó|amos|é|aron) a|sub(?:ió|ieron|ido)|baj(?:ó|aron|ado)|aument\w+|reduj\w+"
    r"|aplaz\w+|pospus\w+|cancel\w+|dej(?:ó|é|amos|aron|ado) de|ya no|ahora|a partir de"
    r"|en lugar de|en vez de|nuev[oa]s?|actualiz\w+|renombr\w+",
    "pt": r"mud(?:ou|amos|aram|ei|ado|ança)|substitu\w+|troc(?:ou|amos|aram|ado)"
    r"|pass(?:ou|amos|aram) a|subiu|baixou|aument\w+|reduzi\w+|adi(?:ou|ado|amos)"
    "|deix(?:ou|ei|amos|aram) de|já não|agora|a partir de|em vez de|nov[oa]s?"
    r"|atualiz\w+",
    "it": r"cambi\w+|sostitui\w+|trasferi\w+|spost\w+|aument\w+|diminui\w+|rimand\w+|annull\w+"
    r"|smess\w+|non \w+ più|ora|adesso|al posto|invece|nuov[oaie]|aggiorn\w+"
    "|d'ora in poi",
    "nl": r"veranderd\w*|gewijzigd|wijzig\w+|verhuis\w+|overgestapt|vervangen|verplaatst"
    "|verhoogd|verlaagd|gestegen|gedaald|uitgesteld|geannuleerd|gestopt|niet meer"
    r"|geen \w+ meer|voortaan|nu|nieuwe?|in plaats van|bijgewerkt",
    "ru": r"измен\w+|смен\w+|переех\w+|перен[её]с\w*|перешл\w+|переш[её]л|замен\w+|повыс\w+"
    r"|повыш\w+|сниз\w+|сниж\w+|подня\w+|подорож\w+|отмен\w+|прекра\w+|бросил\w*"
    r"|больше не|теперь|отныне|вместо|нов(?:ый|ая|ое|ые|ого|ой|ом|ую)|обнов\w+"
    r"|переимен\w+|уволил\w+|вырос\w*",
    "vi": "đổi|chuyển|thay|dời|nâng|tăng|giảm|hủy|huỷ|ngừng|không còn|từ nay|bây giờ|hiện nay"
    "|mới|thay vì|cập nhật|hoãn",
}
_UNSPACED = {
    "ja": "変更|変わ[っりる]|変え|替え|換え|代わ[っりる]|切り?替|移[しっ行転]|引っ?越"
    "|転[居職勤校]|異動|更新|改[めまっ訂定]|刷新|統一|一本化|廃止|撤廃|中止"
    "|やめ[たてる]|辞め|止め[たてる]|終了|解約|退[会職]|値[上下]|上が[っりる]"
    "|下が[っりる]|引き[上下]|増え|減[っらり]|延期|前倒し|繰り[上下]|代わりに|もはや"
    r"|もう\w*ない|今後は|これからは|新しく|新た|になった|になりました|ことにした"
    "|ことになった",
    "zh": "改[为成用到在]|换[成了到]|变[成更为]|更[换新改]|搬[到家去]|迁[移到]|调整|升级|不再"
    "|取消|停[止用]|涨|降[到价低]|提高|延[期长]|推迟|提前|辞[职了]|跳槽|起改|现在|如今"
    "|改名|新的|代替",
    "ko": "바뀌|바뀐|바꿨|바꾸|변경|옮[기겼긴]|이사|이직|전환|교체|갱신|업그레이드|업데이트"
    "|중단|그만두|끊었|폐지|취소|올랐|오른|내렸|인상|인하|늘었|줄었|연기|미뤘|더 이상"
    "|이제|앞으로|부터는|대신|새로",
}
_WORDS = re.compile(
    rf"\b(?:{'|'.join(_SPACED.values())})\b|{'|'.join(_UNSPACED.values())}",
)


def tells_change(text: str) -> bool:
    """Whether the text tells that something is no longer as it was."""
    return _WORDS.search(fold(text)) is not None

"""What the task at hand says of how freely memories may be chosen."""

import re

from omoide.domain.ranking.options import DEFAULT_EXPLORATION

MAX_TASK_CONTEXT = 2_000
CREATIVE_EXPLORATION = 0.2
DEBUG_EXPLORATION = 0.02

_CREATIVE = (
    r"creativ\w*|brainstorm\w*|ideas?|ideation|imagin\w*|inspir\w*"
    r"|創造|創作|発想|アイデア|アイディア|ブレスト|ブレインストーミング|ひらめき|企画"
)
_DEBUG = (
    r"debug\w*|fix(?:es|ed|ing)?|errors?|bugs?|incidents?|failures?|outages?|troubleshoot\w*"
    r"|デバッグ|不具合|バグ|エラー|障害|修正|原因"
)
_TASK = re.compile(
    rf"(?<![a-z])(?:(?P<creative>{_CREATIVE})|(?P<debug>{_DEBUG}))(?![a-z])", re.IGNORECASE
)


def exploration_of(task_context: str) -> float:
    """How much a seldom recalled memory is favoured, 0..1: .2 to create, .02 to debug, else .05.

    The first telling word decides, in English or Japanese.
    """
    told = _TASK.search(task_context)
    if told is None:
        return DEFAULT_EXPLORATION
    return CREATIVE_EXPLORATION if told["creative"] else DEBUG_EXPLORATION

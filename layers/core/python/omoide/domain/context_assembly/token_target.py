"""Whose tokens a budget is in."""

from enum import StrEnum


class TokenTarget(StrEnum):
    """A family of tokenizers."""

    MODEL = "model"
    O200K = "o200k"
    CL100K = "cl100k"
    CLAUDE = "claude"


TOKEN_FACTORS = {
    TokenTarget.MODEL: 1.0,
    TokenTarget.O200K: 1.3,
    TokenTarget.CL100K: 1.7,
    TokenTarget.CLAUDE: 1.9,
}
"""Tokens of the target for each token of the default embedding model, rounded up.

Measured on blocks of ten memories: English, Japanese with English, and Korean; the largest ratio of
any block was 1.29 for o200k, 1.68 for cl100k and 1.80 for Claude's published tokenizer (English
alone: 1.03, 1.05 and 1.11). Claude's later tokenizers are not published.
"""

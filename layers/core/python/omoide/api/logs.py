"""The log of the functions: ids and codes, never the text of a memory."""

import sys
from typing import TextIO, cast

from aws_lambda_powertools import Logger


class _StandardError:
    """Whatever ``sys.stderr`` is at the time: stdout belongs to programs that speak on it."""

    def write(self, text: str) -> int:
        return sys.stderr.write(text)

    def flush(self) -> None:
        sys.stderr.flush()


logger = Logger(
    service="omoide", stream=cast("TextIO", _StandardError()), utc=True, use_rfc3339=True
)
"""Writes one JSON object per line."""

"""One line a request: what was asked, how it went, how long it took; never texts or queries."""

import json
import logging
import sys
import time
from dataclasses import dataclass
from enum import StrEnum

_log = logging.getLogger(__name__)


class LogFormat(StrEnum):
    """How a log line looks."""

    TEXT = "text"
    JSON = "json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """One answered request.

    Attributes:
        method: Of the request.
        route: The manifest's path template, so that ids and typing errors stay out.
        operation: The function, or what the server itself answered.
        status: Of the answer.
        took_ms: From the first byte of the request to the answer.
        sent_bytes: Length of the body of the answer.
        request_id: In the answer's header and in errors.
    """

    method: str
    route: str
    operation: str
    status: int
    took_ms: float
    sent_bytes: int
    request_id: str


def log_access(access: Access) -> None:
    """Write the line."""
    _log.info(
        "%s %s %d %.1fms %dB %s",
        access.method,
        access.route,
        access.status,
        access.took_ms,
        access.sent_bytes,
        access.request_id,
        extra={"access": access},
    )


class JsonLines(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """Render a record; an access as its fields."""
        line: dict[str, object] = {
            "time": _instant(record.created),
            "level": record.levelname.lower(),
            "logger": record.name,
        }
        access = getattr(record, "access", None)
        if isinstance(access, Access):
            line |= {name: getattr(access, name) for name in Access.__slots__}
            line["took_ms"] = round(access.took_ms, 3)
        else:
            line["message"] = record.getMessage()
        return json.dumps(line, ensure_ascii=False)


class TextLines(logging.Formatter):
    """``time level message``."""

    def format(self, record: logging.LogRecord) -> str:
        """Render a record."""
        return f"{_instant(record.created)} {record.levelname.lower():7} {record.getMessage()}"


def set_up_logging(log_format: LogFormat) -> None:
    """Send the program's and the server's log lines to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if log_format is LogFormat.JSON else TextLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("infra").setLevel(logging.INFO)
    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)


def _instant(seconds: float) -> str:
    whole = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))
    return f"{whole}.{int(seconds % 1 * 1000):03d}Z"

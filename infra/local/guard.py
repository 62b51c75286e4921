"""What keeps web pages and strangers away from a server on the loopback interface.

A page in a browser can send requests to 127.0.0.1. It cannot choose ``Host`` (but a name of its own
may resolve to 127.0.0.1), cannot leave out ``Origin`` on a foreign POST, and cannot send
``application/json`` without asking first.
"""

import ipaddress
from collections import Counter
from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

from omoide.api.errors import MalformedHeaderError, UnsupportedMediaTypeError
from omoide.api.json_body import BATCH_LIMIT, JSON_LIMIT
from omoide.domain.errors import FieldProblem, ForbiddenError

_LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "[::1]"})
_BODY_TYPES = frozenset({"application/json", "multipart/form-data"})

_SINGLE = ("host", "origin", "authorization", "content-type", "content-length")
_BATCHES = frozenset({"store_memories", "import_memories", "ingest_document"})


def is_loopback(host: str) -> bool:
    """Whether an address to bind to can be reached from this machine only."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def require_single(headers: Sequence[tuple[str, str]]) -> None:
    """Refuse fields given twice, of which programs on the way may each read another one.

    Args:
        headers: By lower-case name.

    Raises:
        MalformedHeaderError: A field that decides about the request is given more than once.
    """
    counts = Counter(name for name, _ in headers)
    for name in _SINGLE:
        if counts[name] > 1:
            raise MalformedHeaderError.repeated(name.title())


class Guard:
    """Checks the headers of a request.

    Args:
        port: The port the server listens on.
        is_loopback: Whether it listens on a loopback address. If not, its names are unknown and a
            key is required: any ``Host`` is taken, and ``Origin`` must be the same.
    """

    def __init__(self, *, port: int, is_loopback: bool) -> None:
        self._port = port
        self._is_loopback = is_loopback
        own = frozenset(f"{name}:{port}" for name in _LOOPBACK_NAMES)
        self._own_hosts = own | _LOOPBACK_NAMES if port == 80 else own

    def check(self, headers: Mapping[str, str], *, has_body: bool) -> None:
        """Refuse what the headers give away.

        Args:
            headers: By lower-case name.
            has_body: Whether a body follows.

        Raises:
            ForbiddenError: A foreign ``Host`` or ``Origin``.
            UnsupportedMediaTypeError: A body a form of a web page could send.
        """
        host = headers.get("host", "").lower()
        if self._is_loopback and host not in self._own_hosts:
            problem = "must be localhost, 127.0.0.1 or [::1] with the port of this server"
            raise ForbiddenError(f"Host: {problem}", details=_about("Host", problem))
        origin = headers.get("origin")
        if origin is not None and not self._is_own(origin.lower(), host):
            problem = "requests of other web sites are refused"
            raise ForbiddenError(f"Origin: {problem}", details=_about("Origin", problem))
        if has_body and media_type(headers) not in _BODY_TYPES:
            problem = "must be application/json or multipart/form-data"
            raise UnsupportedMediaTypeError(
                f"Content-Type: {problem}", details=_about("Content-Type", problem)
            )

    def _is_own(self, origin: str, host: str) -> bool:
        try:
            parts = urlsplit(origin)
        except ValueError:
            return False
        if parts.scheme not in {"http", "https"}:
            return False
        return parts.netloc == host or (parts.scheme == "http" and parts.netloc in self._own_hosts)


def media_type(headers: Mapping[str, str]) -> str:
    """The media type of a body without its parameters, lower case."""
    return headers.get("content-type", "").partition(";")[0].strip().lower()


def body_limit(operation: str, headers: Mapping[str, str]) -> int:
    """Bytes a body may have: more for batches and uploads."""
    is_large = operation in _BATCHES or media_type(headers) == "multipart/form-data"
    return BATCH_LIMIT if is_large else JSON_LIMIT


def _about(field: str, problem: str) -> list[FieldProblem]:
    return [FieldProblem(field=field, problem=problem)]

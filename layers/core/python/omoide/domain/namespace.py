"""Names of namespaces: what is allowed, the canonical spelling, percent-encoded components."""

import re
import unicodedata

from omoide.domain.errors import InvalidRequestError

MAX_NAMESPACE_BYTES = 1_100

_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")
_TEMPLATE = re.compile(r"\{[^{}]*\}|\$\{|\{\{|<[^<>]+>|%\([^()]*\)s")
_SPACING = {"Cc", "Zs", "Zl", "Zp"}
_STEPS = {".", ".."}
"""Segments that clients and proxies resolve as steps in a path."""

_DIRECTIONS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Characters that turn the direction of writing, so that a name reads as another (Unicode
Standard Annex 9, explicit formatting characters)."""


def encode_component(text: str) -> str:
    """One segment of a namespace that stands for any text.

    ``/``, ``%``, control characters and spaces become percent-encoded UTF-8, as does a segment
    that would read as a wildcard of a scope pattern (``*``, ``**``). Letters of every script stay.

    Raises:
        InvalidRequestError: The text is empty or holds a lone surrogate; names ``namespace``.
    """
    if not text:
        raise InvalidRequestError.of("namespace", "has an empty segment")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InvalidRequestError.of("namespace", "holds a lone surrogate") from None
    text = unicodedata.normalize("NFC", text)
    is_wildcard = text in {"*", "**"}
    return "".join(_escape(c) if is_wildcard or _must_encode(c) else c for c in text)


def decode_component(segment: str) -> str:
    """The text that a segment stands for; the inverse of `encode_component` up to NFC.

    Raises:
        InvalidRequestError: A ``%`` is not followed by two hexadecimal digits, or the bytes are
            not UTF-8; names ``namespace``.
    """
    if "%" in _ESCAPE.sub("", segment):
        raise InvalidRequestError.of("namespace", "a % must begin a percent-encoded byte")
    try:
        raw = segment.encode()
        return re.sub(rb"%([0-9A-Fa-f]{2})", lambda m: bytes.fromhex(m[1].decode()), raw).decode()
    except UnicodeError:
        raise InvalidRequestError.of("namespace", "is not valid UTF-8") from None


def canonical_namespace(text: str) -> str:
    """Check a namespace and spell it the one way it is stored: NFC, encoded only where needed.

    Raises:
        InvalidRequestError: It is empty, too long, has an empty segment, a raw space, control
            character or wildcard, a broken percent-encoding, a segment that is ``.`` or ``..`` or
            turns the direction of writing, encoded or not, or is a template that was never
            filled in; names ``namespace``.
    """
    segments = [_canonical_segment(segment) for segment in text.split("/")]
    namespace = "/".join(segments)
    if len(namespace.encode()) > MAX_NAMESPACE_BYTES:
        raise InvalidRequestError.of(
            "namespace", f"is longer than {MAX_NAMESPACE_BYTES:,} bytes of UTF-8"
        )
    return namespace


def agent_namespace(agent_id: str, user_id: str) -> str:
    """The namespace of memex's ``agent_id`` and ``user_id``.

    Raises:
        InvalidRequestError: See `canonical_namespace`.
    """
    agent, user = encode_component(agent_id), encode_component(user_id)
    return canonical_namespace(f"agent/{agent}/user/{user}")


def _canonical_segment(segment: str) -> str:
    if not segment:
        raise InvalidRequestError.of("namespace", "has an empty segment")
    if segment in {"*", "**"}:
        raise InvalidRequestError.of("namespace", "a wildcard names no namespace")
    if any(unicodedata.category(c) in _SPACING for c in segment):
        raise InvalidRequestError.of(
            "namespace", "spaces and control characters must be percent-encoded"
        )
    decoded = decode_component(segment)
    if _TEMPLATE.search(segment) or _TEMPLATE.search(decoded):
        raise InvalidRequestError.of("namespace", "is a template that was not filled in")
    if decoded in _STEPS:
        raise InvalidRequestError.of("namespace", "a segment must not be . or ..")
    if _DIRECTIONS.search(decoded):
        raise InvalidRequestError.of(
            "namespace", "holds a character that turns the direction of writing"
        )
    return encode_component(decoded)


def _must_encode(character: str) -> bool:
    return character in "/%" or unicodedata.category(character) in _SPACING


def _escape(character: str) -> str:
    return "".join(f"%{byte:02X}" for byte in character.encode())

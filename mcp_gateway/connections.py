"""Connections to the HTTP API over the network."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import httpx

TIMEOUT_S = 60.0
"""Longest wait for one answer; the first may have to wait until the embedding model is loaded."""

CONNECT_TIMEOUT_S = 5.0
"""Longest wait for a connection."""

_LOOPBACK = ("127.0.0.1", "localhost", "::1")


def connect(url: str) -> "httpx.AsyncClient":
    """Return a client of the API at an address; nothing is sent yet.

    A proxy of the environment is used for other machines only: what goes to this one stays on it.

    Args:
        url: Such as ``http://127.0.0.1:8000``.
    """
    import httpx

    return httpx.AsyncClient(
        base_url=url,
        timeout=httpx.Timeout(TIMEOUT_S, connect=CONNECT_TIMEOUT_S),
        follow_redirects=False,
        trust_env=httpx.URL(url).host not in _LOOPBACK,
    )

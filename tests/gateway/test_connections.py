"""Connections of the gateway to the API."""

import pytest

from mcp_gateway.connections import connect


@pytest.mark.parametrize(
    ("url", "uses_proxy"),
    [
        ("http://127.0.0.1:8000", False),
        ("http://localhost:8000", False),
        ("http://[::1]:8000", False),
        ("https://memory.example.com", True),
    ],
)
def test_what_goes_to_this_machine_passes_no_proxy(
    url: str, uses_proxy: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY"):
        monkeypatch.setenv(name, "http://proxy.test:3128")
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)

    client = connect(url)

    assert client.trust_env is uses_proxy
    assert not client.follow_redirects

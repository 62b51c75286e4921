"""The API of a running server."""

import click
import httpx

_TIMEOUT_S = 60.0


class RemoteApi:
    """Speaks HTTP.

    Args:
        url: Base URL, such as ``http://127.0.0.1:8000``.
        key: API key sent along.
    """

    def __init__(self, url: str, key: str | None) -> None:
        if key is not None and not (key.strip().isascii() and key.strip().isprintable()):
            raise click.UsageError("--key holds characters that no key has.")
        headers = {"authorization": f"Bearer {key.strip()}"} if key is not None else {}
        self._url = url.rstrip("/")
        self._client = httpx.Client(headers=headers, timeout=_TIMEOUT_S, follow_redirects=False)

    def send(self, method: str, target: str, body: bytes | None) -> tuple[int, bytes]:
        """Send a request; returns status and body.

        Raises:
            click.ClickException: No server answers there.
        """
        headers = {"content-type": "application/json"} if body is not None else {}
        try:
            answer = self._client.request(
                method, f"{self._url}{target}", content=body, headers=headers
            )
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise click.ClickException(
                f"--url: no answer from {self._url} ({type(error).__name__}); is the server up? "
                "`omoide serve` starts one"
            ) from None
        return answer.status_code, answer.content

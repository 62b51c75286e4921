"""The API in this process, on a data folder."""

import os
import threading

import click

from functions import composition
from infra.local.dispatcher import Dispatcher
from omoide.domain.errors import OmoideError
from omoide.settings import Settings


class LocalApi:
    """Runs the functions here; what they refuse is told by the command, not logged as well.

    Args:
        data: Data folder; None means the setting.
        key: API key sent along.
        embeds: Whether to begin loading the embedding model at once, beside the imports.

    Raises:
        click.ClickException: A setting does not fit.
    """

    def __init__(self, *, data: str | None, key: str | None, embeds: bool) -> None:
        try:
            composition.configure(Settings.load(data=data))
        except OmoideError as error:
            raise click.ClickException(str(error)) from None
        os.environ.setdefault("POWERTOOLS_LOG_LEVEL", "ERROR")
        if embeds:
            threading.Thread(target=_load_model, daemon=True).start()
        self._dispatcher = Dispatcher()
        self._headers = [("content-type", "application/json")]
        if key is not None:
            self._headers.append(("authorization", f"Bearer {key}"))

    def send(self, method: str, target: str, body: bytes | None) -> tuple[int, bytes]:
        """Send a request; returns status and body."""
        path, _, query = target.partition("?")
        answer = self._dispatcher.dispatch(method, path, query, self._headers, body or b"")
        return answer.status, answer.body


def _load_model() -> None:
    """Load ahead; the request itself reports what is wrong."""
    try:
        composition.embedder().count_tokens("a")
    except OmoideError:
        return

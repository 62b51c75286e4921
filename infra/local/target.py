"""What a command works on: a data folder in this process, or a server."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import Concatenate, ParamSpec, Protocol, TypeVar, cast
from urllib.parse import urlencode

import click
from click.core import ParameterSource

P = ParamSpec("P")
R = TypeVar("R")
Json = dict[str, object]

_NOT_FOUND = "Not found, or not visible with this key."


class Api(Protocol):
    """The HTTP API, wherever it runs."""

    def send(self, method: str, target: str, body: bytes | None) -> tuple[int, bytes]:
        """Send a request; returns status and body."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """The options every command on memories has.

    Attributes:
        data: Data folder; None means the setting.
        url: Base URL of a server; None means in this process.
        key: API key sent along.
        namespace: Namespace; None means the default one.
        as_json: Whether to print JSON.
    """

    data: str | None
    url: str | None
    key: str | None
    namespace: str | None
    as_json: bool

    def open(self, *, embeds: bool = False) -> "Calls":
        """Connect.

        Args:
            embeds: Whether the command needs the embedding model, which then begins to load.
        """
        if self.url is not None:
            from infra.local.remote_api import RemoteApi

            return Calls(RemoteApi(self.url, self.key))
        from infra.local.local_api import LocalApi

        return Calls(LocalApi(data=self.data, key=self.key, embeds=embeds))


class WrongValueError(click.ClickException):
    """A value the API refuses: the call is wrong."""

    exit_code = 2


class Calls:
    """Calls of the API that end the command with a message when refused."""

    def __init__(self, api: Api) -> None:
        self._api = api

    def call(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, object] | None = None,
        body: Mapping[str, object] | None = None,
    ) -> Json:
        """Send a request; fields that are None are left out.

        Returns:
            The JSON of the answer, empty for an answer without body.

        Raises:
            click.ClickException: Refused: names the field, exit code 1, or 2 for a wrong value.
        """
        pairs = [(name, value) for name, value in (query or {}).items() if value is not None]
        asked = urlencode(pairs, doseq=True, errors="surrogateescape")
        target = f"{path}?{asked}" if pairs else path
        content = None
        if body is not None:
            given = {name: value for name, value in body.items() if value is not None}
            content = json.dumps(given).encode()
        status, answer = self._api.send(method, target, content)
        if status >= 400:
            raise failure(status, answer)
        return cast("Json", json.loads(answer)) if answer else {}


def failure(status: int, answer: bytes) -> click.ClickException:
    """The exception that tells an error answer."""
    try:
        error = cast("Json", json.loads(answer)["error"])
    except (ValueError, KeyError, TypeError):
        return click.ClickException(f"the server answered {status} in another shape than ours")
    details = cast("list[dict[str, str]]", error.get("details") or [])
    problems = [f"{one['field']}: {one['problem']}" for one in details]
    told = "; ".join(problems) or _message(error)
    is_wrong = error["code"] in {"VALIDATION_ERROR", "MALFORMED_BODY"}
    return WrongValueError(told) if is_wrong else click.ClickException(told)


def _message(error: Json) -> str:
    from omoide.domain.errors import NotFoundError

    message = str(error["message"])
    return _NOT_FOUND if message == str(NotFoundError()) else message


def target_options(
    function: Callable[Concatenate[Target, P], R],
) -> Callable[..., R]:
    """Give a command `--data`, `--url`, `--key`, `--namespace` and `--json`."""
    with_namespace = click.option(
        "-n", "--namespace", metavar="NAME", help="Namespace; else the default one."
    )
    return with_namespace(_connected(function))


def id_options(function: Callable[Concatenate[Target, P], R]) -> Callable[..., R]:
    """The same for a command that names memories by their ids, which need no namespace."""
    with_namespace = click.option(
        "-n",
        "--namespace",
        metavar="NAME",
        help="Not used: an id names one memory of all namespaces.",
    )
    return with_namespace(_connected(function))


def service_options(function: Callable[Concatenate[Target, P], R]) -> Callable[..., R]:
    """The same without `--namespace`, for what belongs to none."""
    return _connected(function)


def place_of(data: str | None, url: str | None, key: str | None) -> tuple[str | None, str | None]:
    """The server and the key a command speaks with, None for a data folder in this process.

    ``--data`` on the command line wins over a server of the environment, whose key goes with it.

    Raises:
        click.UsageError: Both were given on the command line.
    """
    if data is None or url is None:
        return url, key
    context = click.get_current_context()
    if context.get_parameter_source("url") is ParameterSource.COMMANDLINE:
        raise click.UsageError("--data and --url exclude each other.")
    is_own_key = context.get_parameter_source("key") is ParameterSource.COMMANDLINE
    return None, key if is_own_key else None


def _connected(function: Callable[Concatenate[Target, P], R]) -> Callable[..., R]:
    @click.option(
        "--data",
        metavar="DIR",
        help="Data folder; wins over OMOIDE_URL "
        "(default: OMOIDE_DATA, else the user's data folder).",
    )
    @click.option("--url", envvar="OMOIDE_URL", metavar="URL", help="Speak to this server instead.")
    @click.option(
        "--key", envvar="OMOIDE_KEY", metavar="KEY", help="API key, omo_... (OMOIDE_KEY)."
    )
    @click.option("--json", "as_json", is_flag=True, help="Print JSON.")
    @wraps(function)
    def command(**options: object) -> R:
        data = cast("str | None", options.pop("data"))
        given = (cast("str | None", options.pop(name)) for name in ("url", "key"))
        url, key = place_of(data, *given)
        target = Target(
            data=data,
            url=url,
            key=key,
            namespace=cast("str | None", options.pop("namespace", None)),
            as_json=bool(options.pop("as_json")),
        )
        return cast("Callable[..., R]", function)(target, **options)

    return command

"""`make emulate`: the whole stack on this machine, without Docker and without an account.

With ``-- COMMAND`` it runs that against the stack instead of staying. ``EMULATOR=localstack``
deploys to a LocalStack that runs already, at ``LOCALSTACK_HOST``.
"""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from infra.local.emulated_stack import EmulatedStack, deploy_with_key, running_stack
from infra.local.emulator import EmulatorError
from infra.local.opensearch_node import (
    HOME_VARIABLE,
    URL_VARIABLE,
    NodeError,
    free_ports,
    running_node,
)
from infra.packaging.target import PackagingError

DEFAULT_PORT = 4566
EMULATORS = ("ministack", "localstack")
PID_VARIABLE = "OMOIDE_EMULATOR_PID"
"""The emulator, for a command that kills functions: they are its children."""

STATE_VARIABLE = "OMOIDE_EMULATOR_STATE"
"""The folder of the emulator's files, functions and all."""

_LOCALSTACK_PATIENCE_S = 5.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Start, print address and key, stay until interrupted, stop."""
    parser = argparse.ArgumentParser(prog="make emulate", description=__doc__)
    parser.add_argument(
        "--port", type=int, default=DEFAULT_PORT, help="default 4566; 0: a free one"
    )
    parser.add_argument("--search", choices=("opensearch", "exact"), default="opensearch")
    parser.add_argument("--state", type=Path, help="keep the state there; else it goes at the end")
    parser.add_argument("command", nargs="*", help="run against the stack; then it stops")
    given = parser.parse_args(arguments)
    former = signal.signal(signal.SIGTERM, _interrupt)
    try:
        _require_known_emulator()
        with _folder(given.state) as folder, _index(given.search, folder) as url:
            sys.stderr.write("deploying; this takes a minute or two\n")
            with _stack(folder, given.port or free_ports(1)[0], url) as stack:
                if given.command:
                    environment = os.environ | variables(stack, url, folder)
                    return subprocess.run(given.command, env=environment, check=False).returncode
                sys.stdout.write(_told(stack))
                sys.stdout.flush()
                signal.pause()
    except (EmulatorError, NodeError, PackagingError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    except KeyboardInterrupt:
        sys.stderr.write("stopped\n")
    finally:
        signal.signal(signal.SIGTERM, former)
    return 0


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Everything ends as it does after Ctrl+C: in order, the last one started first."""
    raise KeyboardInterrupt


def variables(stack: EmulatedStack, opensearch_url: str | None, folder: Path) -> dict[str, str]:
    """What a command against the stack finds in its environment.

    Args:
        stack: The stack.
        opensearch_url: Its index; None without one.
        folder: What was started here keeps its files there.
    """
    found = stack.environment | {"OMOIDE_URL": stack.url, "OMOIDE_KEY": stack.key}
    if stack.emulator_pid is not None:
        found |= {PID_VARIABLE: str(stack.emulator_pid), STATE_VARIABLE: str(folder)}
    if opensearch_url is not None:
        found[URL_VARIABLE] = opensearch_url
        if not os.environ.get(URL_VARIABLE):
            found[HOME_VARIABLE] = str(_node_home(folder))
    return found


def _told(stack: EmulatedStack) -> str:
    return (
        f"URL    {stack.url}\n"
        f"key    {stack.key}\n"
        f"AWS    AWS_ENDPOINT_URL={stack.emulator_url} OMOIDE_TABLE={stack.table}\n"
        "Ctrl+C stops it.\n"
    )


@contextmanager
def _stack(
    folder: Path, port: int, opensearch_url: str | None
) -> Generator[EmulatedStack, None, None]:
    if _emulator() == "localstack":
        yield deploy_with_key(localstack_url(), folder, opensearch_url=opensearch_url)
        return
    with running_stack(folder, port=port, opensearch_url=opensearch_url) as stack:
        yield stack


def _emulator() -> str:
    return os.environ.get("EMULATOR", "ministack")


def _require_known_emulator() -> None:
    """Fail before anything is started: an OpenSearch node takes a while."""
    if _emulator() not in EMULATORS:
        raise EmulatorError(f"EMULATOR: must be {' or '.join(EMULATORS)} (it is {_emulator()!r})")
    if _emulator() == "localstack":
        _require_answer(localstack_url())


def _require_answer(url: str) -> None:
    try:
        with urllib.request.urlopen(  # noqa: S310
            f"{url}/_localstack/health", timeout=_LOCALSTACK_PATIENCE_S
        ):
            return
    except (urllib.error.URLError, OSError) as error:
        raise EmulatorError(
            f"no LocalStack answers at {url} ({error}): start one with `docker compose --file "
            "infra/local/localstack.compose.yaml up`, or tell where it is with LOCALSTACK_HOST"
        ) from error


def localstack_url() -> str:
    """Where a LocalStack answers, by ``LOCALSTACK_HOST`` or as by default."""
    from localstack_client.config import (  # pyright: ignore[reportMissingTypeStubs]
        get_service_endpoint,
    )

    return str(get_service_endpoint("lambda"))


@contextmanager
def _folder(given: Path | None) -> Generator[Path, None, None]:
    if given is not None:
        given.mkdir(parents=True, exist_ok=True)
        yield given.resolve()
        return
    with tempfile.TemporaryDirectory(prefix="omoide-emulator-") as made:
        yield Path(made)


@contextmanager
def _index(search: str, folder: Path) -> Generator[str | None, None, None]:
    if search == "exact":
        yield None
        return
    with running_node(_node_home(folder)) as url:
        yield url


def _node_home(folder: Path) -> Path:
    return folder / "opensearch"


if __name__ == "__main__":
    sys.exit(main())

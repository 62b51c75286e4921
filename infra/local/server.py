"""The HTTP server of a laptop: one or more processes around `infra.local.app.LocalApp`."""

import errno
import logging
import multiprocessing
import os
import signal
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from types import FrameType

import uvicorn
from uvicorn.supervisors import Multiprocess

from functions import composition
from infra.local.access_log import LogFormat, set_up_logging
from infra.local.app import LocalApp
from infra.local.dispatcher import Dispatcher
from infra.local.guard import Guard, is_loopback
from infra.local.metrics import metrics, share_between_processes
from infra.local.observation import ObservedEmbedder
from omoide.domain.errors import InvalidRequestError, ModelUnavailableError, OmoideError
from omoide.settings import Settings

GRACE_S = 30
"""Seconds that requests in flight may take after the signal to stop."""

_BACKLOG = 2048
_LEAST_THREADS = 2
_MOST_THREADS = 8
_log = logging.getLogger(__name__)


class PortTakenError(OmoideError):
    """Another program listens on the port."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServeOptions:
    """How a server runs.

    Attributes:
        settings: Of every process.
        log_format: Of log lines.
    """

    settings: Settings
    log_format: LogFormat = LogFormat.TEXT


def bind(host: str, port: int) -> socket.socket:
    """Take the port.

    Raises:
        PortTakenError: Somebody else has it.
        OSError: The address cannot be bound to.
    """
    address = host.strip("[]")
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((address, port))
        listener.listen(_BACKLOG)
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            raise PortTakenError(
                f"port {port} on {host} is taken, perhaps by another `omoide serve`: "
                f"stop that program, or choose another port, such as --port {port + 10}"
            ) from error
        raise
    return listener


def refuse_open_door(settings: Settings) -> None:
    """Refuse to serve other machines without keys.

    Raises:
        InvalidRequestError: The address is reachable from outside and keys are not required, or
            there is none.
    """
    if is_loopback(settings.host):
        return
    if not settings.require_key:
        raise InvalidRequestError.of(
            "--host", f"{settings.host} can be reached by other machines: add --require-key"
        )
    composition.configure(settings)
    try:
        has_key = any(key.revoked_at is None for key in composition.key_store().all())
    finally:
        composition.close()
    if not has_key:
        raise InvalidRequestError.of(
            "--require-key", "there is no key yet: `omoide keys create --admin` makes one"
        )


def refuse_unfit_data(settings: Settings) -> None:
    """Open the data folder once, so that what can never work is told before serving.

    A model that cannot be loaded is no reason: lexical search goes on without it.

    Raises:
        IncompatibleDataError: The folder belongs to a newer program or to another model.
        UnavailableError: It cannot be made or opened.
    """
    composition.configure(settings)
    try:
        composition.records()
    except ModelUnavailableError:
        return
    finally:
        composition.close()


def serve(options: ServeOptions, listener: socket.socket) -> None:
    """Serve until SIGTERM or SIGINT; requests in flight finish first.

    Args:
        options: How to run.
        listener: A bound socket, from `bind`.
    """
    port = int(listener.getsockname()[1])
    many = options.settings.workers > 1
    with share_between_processes() if many else nullcontext():
        set_up_logging(options.log_format)
        config = uvicorn.Config(
            partial(create_app, options, port),
            factory=True,
            workers=options.settings.workers,
            log_config=None,
            access_log=False,
            server_header=False,
            date_header=False,
            backlog=_BACKLOG,
            timeout_graceful_shutdown=GRACE_S,
            lifespan="on",
            proxy_headers=False,
        )
        if many:
            Multiprocess(config, sockets=[listener]).run()
        else:
            _serve_here(config, listener)


def threads_per_process(workers: int, cores: int) -> int:
    """How many requests a process works on at once.

    The embedding model and SQLite release the interpreter's lock, Python itself does not: one
    thread for each core a process can hope for, two at least so that a short request passes a
    long one, and no more, since they would only wait for each other.
    """
    return min(_MOST_THREADS, max(_LEAST_THREADS, cores // workers))


def create_app(options: ServeOptions, port: int) -> LocalApp:
    """Make the application of one process."""
    settings = options.settings
    set_up_logging(options.log_format)
    dispatcher = Dispatcher(require_key=settings.require_key)
    threads = threads_per_process(settings.workers, os.cpu_count() or 1)
    return LocalApp(
        dispatcher=dispatcher,
        guard=Guard(port=port, is_loopback=is_loopback(settings.host)),
        pool=ThreadPoolExecutor(max_workers=threads, thread_name_prefix="request"),
        writers=ThreadPoolExecutor(max_workers=threads, thread_name_prefix="writer"),
        start=partial(_start, settings, dispatcher),
        stop=composition.close,
    )


def _start(settings: Settings, dispatcher: Dispatcher) -> None:
    _stop_with_parent()
    _wire(settings)
    threading.Thread(target=warm_up, args=(dispatcher,), daemon=True, name="warm-up").start()


def _wire(settings: Settings) -> None:
    """Wire the process, its embedding model measured."""
    composition.configure(settings)
    embedder = ObservedEmbedder(composition.embedder(), metrics())
    composition.configure(settings, embedder=embedder)


def warm_up(dispatcher: Dispatcher) -> None:
    """Load what the first request would wait for; `/health/ready` tells when it is done."""
    began = time.perf_counter()
    dispatcher.preload()
    try:
        composition.embedder().embed_query("warm up")
    except OmoideError as error:
        _log.warning("the embedding model is not available: %s", error)
    except Exception as error:  # noqa: BLE001 - the first request will tell
        _log.error("the embedding model failed: %s", type(error).__name__)
    else:
        _log.info("ready after %.1f s", time.perf_counter() - began)


def _serve_here(config: uvicorn.Config, listener: socket.socket) -> None:
    """Run in this process; uvicorn raises the signals it got again when it is done."""
    for one in (signal.SIGINT, signal.SIGTERM):
        signal.signal(one, _ignore)
    uvicorn.Server(config).run(sockets=[listener])


def _stop_with_parent() -> None:
    """End this worker when its supervisor is gone, however it went."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def wait() -> None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=wait, daemon=True, name="parent-watch").start()


def _ignore(number: int, frame: FrameType | None) -> None:
    """The server has stopped already."""

"""The adapters behind the ports, each imported when something first needs it."""

from pathlib import Path
from typing import TYPE_CHECKING

from functions.composition.process import once, settings
from functions.wiring import DataFolder, Records
from omoide.ports.clock import Clock, Entropy
from omoide.ports.embedder import Embedder
from omoide.ports.keys import KeyStore
from omoide.ports.memory_index import MemoryIndex
from omoide.ports.namespace_weights import NamespaceWeights
from omoide.ports.rate_limiter import RateLimiter
from omoide.ports.reranker import Reranker
from omoide.ports.shown_memories import ShownMemories
from omoide.ports.use_log import UseLog
from omoide.settings import SettingError

if TYPE_CHECKING:
    from omoide.services.limit_requests import LimitRequests


@once
def clock() -> Clock:
    """The time of day."""
    from omoide.adapters.system.clock import SystemClock

    return SystemClock()


@once
def entropy() -> Entropy:
    """Randomness."""
    from omoide.adapters.system.clock import SystemEntropy

    return SystemEntropy()


@once
def embedder() -> Embedder:
    """The embedding model, loaded with the first text; without one, a stand-in that says why."""
    from omoide.adapters.absent.embedder import AbsentEmbedder
    from omoide.domain.errors import ModelUnavailableError
    from omoide_embedding.embedder import OnnxEmbedder
    from omoide_embedding.model_folder import built_model_folder

    named = Path(settings().model).expanduser()
    folder = named if named.is_dir() else built_model_folder(settings().model)
    cache_bytes = settings().embedding_cache << 20
    try:
        return OnnxEmbedder(folder, threads=settings().embedding_threads, cache_bytes=cache_bytes)
    except ModelUnavailableError as error:
        return AbsentEmbedder(str(error))


@once
def namespace_weights() -> NamespaceWeights | None:
    """Weights of namespaces, where the settings name a file of them and there is a model.

    Raises:
        SettingError: The file does not fit.
    """
    from omoide.adapters.weights_file import WeightsFile
    from omoide.domain.errors import IncompatibleDataError, ModelUnavailableError

    if not settings().weights:
        return None
    path = Path(settings().weights).expanduser()
    try:
        return WeightsFile(path, model_id=embedder().profile.model_id)
    except ModelUnavailableError:
        return None
    except IncompatibleDataError as error:
        raise SettingError(f"OMOIDE_WEIGHTS: {error}") from error


@once
def reranker() -> Reranker | None:
    """The cross-encoder, where the settings name one.

    Raises:
        SettingError: The folder does not hold one.
    """
    from omoide.domain.errors import ModelUnavailableError
    from omoide_embedding.cross_encoder import CrossEncoder

    if not settings().reranker:
        return None
    folder_path = Path(settings().reranker).expanduser()
    try:
        return CrossEncoder(folder_path, threads=settings().embedding_threads)
    except ModelUnavailableError as error:
        raise SettingError(f"OMOIDE_RERANKER: {error}") from error


@once
def folder() -> DataFolder:
    """The adapters that keep memories, in a table where one is set; else as `open_folder` does.

    Without a model a folder that is there opens as the one it is: reads go on, searches find
    by words, stores are refused.
    """
    if settings().table:
        from functions.composition.cloud import CloudFolder

        return CloudFolder(
            settings(), model=lambda: embedder().profile, clock=clock(), entropy=entropy()
        )
    from omoide.adapters.embedded import open_folder, read_binding
    from omoide.domain.errors import ModelUnavailableError

    try:
        model = embedder().profile
    except ModelUnavailableError:
        model = read_binding(settings().data)
        if model is None:
            raise
    return open_folder(
        settings().data,
        revision=model.revision,
        model_id=model.model_id,
        dims=model.dims,
        clock=clock(),
        entropy=entropy(),
    )


def records() -> Records:
    """The records."""
    return folder().records


def index() -> MemoryIndex:
    """The search engine."""
    return folder().index


def uses() -> UseLog:
    """The access counters."""
    return folder().uses


def key_store() -> KeyStore:
    """The API keys."""
    return folder().keys


def shown() -> ShownMemories:
    """What sessions were shown."""
    return folder().shown


def limiter() -> RateLimiter:
    """The counters of requests."""
    return folder().limiter


@once
def limit() -> "LimitRequests":
    """The rate limits of the settings."""
    from omoide.services.limit_requests import LimitRequests

    return LimitRequests(
        limiter=limiter(),
        writes_per_minute=settings().writes_per_minute,
        searches_per_minute=settings().searches_per_minute,
        agent_writes_per_minute=settings().agent_writes_per_minute or None,
        agent_searches_per_minute=settings().agent_searches_per_minute or None,
    )

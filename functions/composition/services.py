"""The services, each made of its ports once per configuration."""

from typing import TYPE_CHECKING

from functions.composition.parts import (
    clock,
    embedder,
    entropy,
    index,
    key_store,
    limit,
    namespace_weights,
    records,
    reranker,
    shown,
    uses,
)
from functions.composition.process import once
from functions.wiring import WritePorts

if TYPE_CHECKING:
    from omoide.services.authenticate_key import AuthenticateKey
    from omoide.services.check_readiness import CheckReadiness
    from omoide.services.count_memories import CountMemories
    from omoide.services.delete_memory import DeleteMemory
    from omoide.services.get_memory import GetMemory
    from omoide.services.list_memories import ListMemories
    from omoide.services.manage_keys import CreateKey, ListKeys, RevokeKey
    from omoide.services.retrieve_context import RetrieveContext
    from omoide.services.search_memories import SearchMemories
    from omoide.services.store_memories import StoreMemories
    from omoide.services.store_memory import StoreMemory
    from omoide.services.surface_memories import SurfaceMemories
    from omoide.services.update_memory import UpdateMemory


@once
def store_memory() -> "StoreMemory":
    """The service that stores one memory."""
    from omoide.services.store_memory import StoreMemory

    return StoreMemory(**_writing(), uses=uses(), entropy=entropy())


@once
def store_memories() -> "StoreMemories":
    """The service that stores a batch."""
    from omoide.services.store_memories import StoreMemories

    return StoreMemories(**_writing(), uses=uses(), entropy=entropy())


@once
def get_memory() -> "GetMemory":
    """The service that reads one memory."""
    from omoide.services.get_memory import GetMemory

    return GetMemory(records=records(), uses=uses(), clock=clock())


@once
def update_memory() -> "UpdateMemory":
    """The service that changes one memory."""
    from omoide.services.update_memory import UpdateMemory

    return UpdateMemory(**_writing(), uses=uses())


@once
def delete_memory() -> "DeleteMemory":
    """The service that deletes one memory."""
    from omoide.services.delete_memory import DeleteMemory

    return DeleteMemory(**_writing())


@once
def list_memories() -> "ListMemories":
    """The service that lists memories."""
    from omoide.services.list_memories import ListMemories

    return ListMemories(records=records(), uses=uses(), keys=key_store(), clock=clock())


@once
def count_memories() -> "CountMemories":
    """The service that counts memories."""
    from omoide.services.count_memories import CountMemories

    return CountMemories(records=records())


@once
def search_memories() -> "SearchMemories":
    """The service that searches memories."""
    from omoide.services.rerank import Rerank
    from omoide.services.search_memories import SearchMemories

    model = reranker()
    return SearchMemories(
        records=records(),
        index=index(),
        uses=uses(),
        embedder=embedder(),
        limit=limit(),
        clock=clock(),
        weights=namespace_weights(),
        rerank=None if model is None else Rerank(records=records(), reranker=model),
    )


@once
def retrieve_context() -> "RetrieveContext":
    """The service that retrieves what matters as a text."""
    from omoide.services.retrieve_context import RetrieveContext

    return RetrieveContext(
        search=search_memories(),
        embedder=embedder(),
        uses=uses(),
        keys=key_store(),
        limit=limit(),
        clock=clock(),
    )


@once
def surface_memories() -> "SurfaceMemories":
    """The service that surfaces what a moment calls for."""
    from omoide.services.surface_memories import SurfaceMemories

    return SurfaceMemories(
        search=search_memories(),
        embedder=embedder(),
        uses=uses(),
        keys=key_store(),
        shown=shown(),
        limit=limit(),
        clock=clock(),
    )


@once
def authenticate_key() -> "AuthenticateKey":
    """The service that knows whose key it is."""
    from omoide.services.authenticate_key import AuthenticateKey

    return AuthenticateKey(keys=key_store())


@once
def create_key() -> "CreateKey":
    """The service that makes keys."""
    from omoide.services.manage_keys import CreateKey

    return CreateKey(keys=key_store(), clock=clock(), entropy=entropy())


@once
def list_keys() -> "ListKeys":
    """The service that lists keys."""
    from omoide.services.manage_keys import ListKeys

    return ListKeys(keys=key_store())


@once
def revoke_key() -> "RevokeKey":
    """The service that revokes keys."""
    from omoide.services.manage_keys import RevokeKey

    return RevokeKey(keys=key_store(), clock=clock())


def _writing() -> WritePorts:
    return {
        "records": records(),
        "lookups": records(),
        "embedder": embedder(),
        "limit": limit(),
        "clock": clock(),
    }


def check_health() -> "CheckReadiness":
    """The check whether memories can be read."""
    from omoide.services.check_readiness import CheckReadiness

    return CheckReadiness(records=records)


def check_readiness() -> "CheckReadiness":
    """The check of every part; it loads the model."""
    from omoide.services.check_readiness import CheckReadiness

    return CheckReadiness(records=records, index=index, embedder=embedder)

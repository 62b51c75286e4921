"""What the OpenAPI document and the operations page say of each operation."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import BaseModel

from omoide.api.dse.context import DseRetrieveAnswer, DseRetrieveRequest
from omoide.api.dse.models import DseMemory, DseStoreRequest, DseUpdateRequest
from omoide.api.memex.models import (
    MemexCount,
    MemexCountQuery,
    MemexDeleteQuery,
    MemexMemory,
    MemexSearchAnswer,
    MemexSearchRequest,
    MemexStoreRequest,
)
from omoide.api.native.context_models import RetrieveAnswer, RetrieveRequest
from omoide.api.native.key_models import KeyRequest
from omoide.api.native.memory_model import NativeMemory
from omoide.api.native.page_models import (
    BatchAnswer,
    Count,
    CreatedKeyAnswer,
    HealthAnswer,
    KeyList,
    MemoryPage,
    ReadinessAnswer,
    ServiceAnswer,
)
from omoide.api.native.query_models import CountQuery, DeleteQuery, ListQuery
from omoide.api.native.search_models import SearchAnswer, SearchRequest
from omoide.api.native.store_models import BatchRequest, StoreAnswer, StoreRequest
from omoide.api.native.surface_models import SurfaceAnswer, SurfaceRequest
from omoide.api.native.update_models import UpdateRequest

Model = type[BaseModel]
Example = Mapping[str, object]

_BODY = (400, 413, 415)


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationDoc:
    """The contract of one operation.

    Attributes:
        summary: One line.
        description: What a caller should know besides; Markdown.
        tag: Group of operations.
        body: Models of the request body, one for each shape.
        examples: Bodies by the name of their shape.
        query: Models of the query parameters, one for each shape.
        headers: Request headers it reads.
        answers: Models by status; none for an empty answer.
        errors: Statuses with the error shape.
    """

    summary: str
    description: str = ""
    tag: str
    body: tuple[Model, ...] = ()
    examples: Mapping[str, Example] = field(default_factory=dict[str, Example])
    query: tuple[Model, ...] = ()
    headers: tuple[str, ...] = ()
    answers: Mapping[int, tuple[Model, ...]]
    errors: tuple[int, ...]


_OWN, _MEMEX, _DSE = "native", "memex", "DSE"
_PAIR = {"agent_id": "support-bot", "user_id": "customer-42"}

OPERATION_DOCS: Mapping[str, OperationDoc] = {
    "store_memory": OperationDoc(
        summary="Store one memory.",
        description="The same text again is the same memory: the answer is 200 with the outcome "
        "`duplicate` and the old id. In memex's shape every store makes a memory.",
        tag="memories",
        body=(StoreRequest, MemexStoreRequest, DseStoreRequest),
        examples={
            _OWN: {"content": "Mika drinks oolong in the afternoon.", "tags": ["tea"]},
            _MEMEX: {**_PAIR, "content": "Prefers short answers.", "importance": 1.2},
            _DSE: {"namespace": "user:default", "content_text": "会議は毎週火曜日の午前十時から。"},
        },
        headers=("Idempotency-Key",),
        answers={
            201: (StoreAnswer, MemexMemory, DseMemory),
            200: (StoreAnswer,),
        },
        errors=(*_BODY, 401, 403, 404, 409, 422, 429, 503),
    ),
    "store_memories": OperationDoc(
        summary="Store up to 100 memories; a bad one fails alone.",
        description="Together at most 32,768 characters of content. Each result has the status "
        "it would have had alone.",
        tag="memories",
        body=(BatchRequest,),
        examples={
            _OWN: {
                "memories": [
                    {"content": "The blue van needs new tyres."},
                    {"content": "Deploys happen on Thursdays.", "memory_type": "procedural"},
                ]
            }
        },
        headers=("Idempotency-Key",),
        answers={200: (BatchAnswer,)},
        errors=(*_BODY, 401, 403, 422, 429, 503),
    ),
    "search_memories": OperationDoc(
        summary="Find the memories that matter for a query.",
        description="By meaning and by words, across languages. Nothing is hidden by a threshold "
        "unless `min_score` asks for one.",
        tag="memories",
        body=(SearchRequest, MemexSearchRequest),
        examples={
            _OWN: {"query": "午後に何を飲みますか", "top_k": 5},
            _MEMEX: {**_PAIR, "query": "how does the user like answers", "top_k": 5},
        },
        answers={200: (SearchAnswer, MemexSearchAnswer)},
        errors=(*_BODY, 401, 403, 422, 429, 503),
    ),
    "retrieve_context": OperationDoc(
        summary="Retrieve what matters as a text within a budget of tokens.",
        description="`text` can be given to an agent as it is: memories are data between two "
        "tags that no memory can close. Short and very relevant memories are whole, others in "
        "short, the rest by reference, and whatever room is left makes them whole. "
        "docs/context.md tells how.",
        tag="memories",
        body=(RetrieveRequest, DseRetrieveRequest),
        examples={
            _OWN: {"query": "午後に何を飲みますか", "token_budget": 800},
            _DSE: {"query": "定例会議はいつですか", "namespace": "user:default"},
        },
        answers={200: (RetrieveAnswer, DseRetrieveAnswer)},
        errors=(*_BODY, 401, 403, 422, 429, 503),
    ),
    "surface_memories": OperationDoc(
        summary="Surface what a moment of a conversation calls for, unasked.",
        description="Send what was just said. Most moments call for nothing: `items` is empty and "
        "`text` too. What a session was shown is not shown to it again for 7 days. "
        "`reminders` is a place for those that are due; there are none yet.",
        tag="memories",
        body=(SurfaceRequest,),
        examples={_OWN: {"context": "母の誕生日に何を贈ろうかな", "session_id": "chat-42"}},
        answers={200: (SurfaceAnswer,)},
        errors=(*_BODY, 401, 403, 422, 429, 503),
    ),
    "list_memories": OperationDoc(
        summary="List memories, newest first, page by page.",
        description="Pages are stable while memories are written. `agent_id` and `user_id` "
        "without `namespace` mean the namespace of memex's pair.",
        tag="memories",
        query=(ListQuery,),
        answers={200: (MemoryPage,)},
        errors=(401, 403, 422, 503),
    ),
    "count_memories": OperationDoc(
        summary="Count the memories of a namespace, of every status.",
        tag="memories",
        query=(CountQuery, MemexCountQuery),
        answers={200: (Count, MemexCount)},
        errors=(401, 403, 422, 503),
    ),
    "get_memory": OperationDoc(
        summary="Read one memory.",
        description="Reading is not recalling: it counts no access.",
        tag="memories",
        answers={200: (NativeMemory, DseMemory)},
        errors=(401, 403, 404, 422, 503),
    ),
    "update_memory": OperationDoc(
        summary="Change fields of one memory.",
        description="What is absent stays. `If-Match` with the version that was seen refuses the "
        "change when somebody else was faster. Every earlier version is kept.",
        tag="memories",
        body=(UpdateRequest, DseUpdateRequest),
        examples={
            _OWN: {"content": "Mika drinks hojicha in the afternoon.", "pinned": True},
            _DSE: {"importance_score": 0.9, "is_archived": False},
        },
        headers=("If-Match", "Idempotency-Key"),
        answers={200: (NativeMemory, DseMemory)},
        errors=(*_BODY, 401, 403, 404, 409, 422, 429, 503),
    ),
    "delete_memory": OperationDoc(
        summary="Delete one memory.",
        description="It is gone from reads and searches at once. With memex's `agent_id` it must "
        "belong to that agent.",
        tag="memories",
        query=(DeleteQuery, MemexDeleteQuery),
        answers={204: ()},
        errors=(401, 403, 404, 409, 422, 429, 503),
    ),
    "create_key": OperationDoc(
        summary="Make an API key; its token is in this answer alone.",
        description="A key can be given what its maker administers, and no more.",
        tag="keys",
        body=(KeyRequest,),
        examples={_OWN: {"name": "support bot", "scopes": ["write:team/support/**"]}},
        answers={201: (CreatedKeyAnswer,)},
        errors=(*_BODY, 401, 403, 422, 503),
    ),
    "list_keys": OperationDoc(
        summary="List the keys that the caller administers.",
        tag="keys",
        answers={200: (KeyList,)},
        errors=(401, 403, 422, 503),
    ),
    "revoke_key": OperationDoc(
        summary="Revoke an API key, at once and for good.",
        tag="keys",
        answers={204: ()},
        errors=(401, 403, 404, 422, 503),
    ),
    "get_service": OperationDoc(
        summary="Say what this is.",
        tag="service",
        answers={200: (ServiceAnswer,)},
        errors=(403,),
    ),
    "get_health": OperationDoc(
        summary="Say that it is alive, and whether it can remember.",
        description="Always 200; `db` tells whether the records can be read.",
        tag="service",
        answers={200: (HealthAnswer,)},
        errors=(403,),
    ),
    "get_readiness": OperationDoc(
        summary="Say whether every part works, and which does not.",
        tag="service",
        answers={200: (ReadinessAnswer,), 503: (ReadinessAnswer,)},
        errors=(403,),
    ),
}
"""By the name of the function."""

"""Between memex's words and the services'.

A pair of agent and user is the namespace ``agent/<agent_id>/user/<user_id>``; importance 0..2 is
half of that here. memex knows no duplicates, so nothing is compared at a store.
"""

from omoide.api.fields import show_time
from omoide.api.memex.models import MemexSearchRequest, MemexStoreRequest
from omoide.domain.errors import InvalidRequestError
from omoide.domain.memory import MemoryType
from omoide.domain.memory_filter import MemoryFilter
from omoide.domain.memory_view import MemoryView
from omoide.domain.namespace import agent_namespace, canonical_namespace, encode_component
from omoide.domain.ranking.options import RankingProfile, SearchMode
from omoide.services.count_memories import Counted
from omoide.services.new_memory import Dedupe, NewMemory, Stored
from omoide.services.search_memories import SearchAnswer
from omoide.services.search_query import SearchQuery

IMPORTANCE_SCALE = 2.0
SCORE_DIGITS = 4

Json = dict[str, object]


def namespace_of(agent_id: str, user_id: str) -> str:
    """The namespace of an agent's memories of a user.

    Raises:
        InvalidRequestError: One of them cannot be part of a namespace, such as a template that
            was not filled in; names it.
    """
    for name, value in (("agent_id", agent_id), ("user_id", user_id)):
        try:
            canonical_namespace(encode_component(value))
        except InvalidRequestError as error:
            raise InvalidRequestError.of(name, error.details[0].problem) from None
    return agent_namespace(agent_id, user_id)


def to_new_memory(request: MemexStoreRequest) -> NewMemory:
    """The memory a request wants stored."""
    return NewMemory(
        content=request.content,
        namespace=namespace_of(request.agent_id, request.user_id),
        memory_type=MemoryType(request.memory_type),
        importance=request.importance / IMPORTANCE_SCALE,
        agent_id=request.agent_id,
        user_id=request.user_id,
        dedupe=Dedupe.OFF,
    )


def to_query(request: MemexSearchRequest) -> SearchQuery:
    """The search a request asks for."""
    types = () if request.memory_type is None else (MemoryType(request.memory_type),)
    return SearchQuery(
        query=request.query,
        namespace=namespace_of(request.agent_id, request.user_id),
        top_k=request.top_k,
        mode=SearchMode.SEMANTIC,
        profile=RankingProfile.ALPHA,
        alpha=request.alpha,
        where=MemoryFilter(memory_types=types, statuses=()),
    )


def show_memory(view: MemoryView, agent_id: str, user_id: str, score: float | None = None) -> Json:
    """A memory; with the score of a search, rounded as memex does."""
    memory = view.memory
    return {
        "id": memory.id,
        "agent_id": memory.agent_id or agent_id,
        "user_id": memory.user_id or user_id,
        "content": memory.content,
        "importance": memory.importance * IMPORTANCE_SCALE,
        "memory_type": memory.memory_type,
        "created_at": show_time(memory.created_at),
        "score": None if score is None else round(score, SCORE_DIGITS),
    }


def show_stored(stored: Stored, request: MemexStoreRequest) -> Json:
    """The answer to a store."""
    return show_memory(stored.view, request.agent_id, request.user_id)


def show_search(answer: SearchAnswer, request: MemexSearchRequest) -> Json:
    """What a search found."""
    results = [
        show_memory(result.view, request.agent_id, request.user_id, result.score)
        for result in answer.results
    ]
    return {"results": results, "query": request.query, "total": len(results)}


def show_count(counted: Counted, agent_id: str, user_id: str) -> Json:
    """How many memories an agent has of a user."""
    return {"agent_id": agent_id, "user_id": user_id, "count": counted.count}

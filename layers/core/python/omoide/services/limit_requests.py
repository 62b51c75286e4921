"""Rate limits: how many requests a caller may make in a minute."""

from dataclasses import dataclass

from omoide.domain.principal import Principal
from omoide.ports.rate_limiter import RateLimiter, RequestKind


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitRequests:
    """Counts the requests of keys and, where set, of agents of memex's shape.

    Attributes:
        limiter: Where they are counted.
        writes_per_minute: Limit of a key.
        searches_per_minute: Limit of a key.
        agent_writes_per_minute: Limit of an agent; None does not count agents.
        agent_searches_per_minute: Limit of an agent; None does not count agents.
    """

    limiter: RateLimiter
    writes_per_minute: int = 600
    searches_per_minute: int = 1_200
    agent_writes_per_minute: int | None = None
    agent_searches_per_minute: int | None = None

    def __call__(self, principal: Principal, kind: RequestKind) -> None:
        """Count one request.

        Raises:
            RateLimitedError: Too many in the last minute.
        """
        is_write = kind is RequestKind.WRITE
        agent_limit = self.agent_writes_per_minute if is_write else self.agent_searches_per_minute
        if principal.limited_agent is not None and agent_limit is not None:
            subject = f"{principal.key_id}/{principal.limited_agent}"
            self.limiter.check(subject, kind, agent_limit)
        if principal.is_limited:
            key_limit = self.writes_per_minute if is_write else self.searches_per_minute
            self.limiter.check(principal.key_id, kind, key_limit)

"""Count the memories of a namespace."""

from dataclasses import dataclass

from omoide.domain.principal import Principal, Right
from omoide.ports.memory_records import MemoryRecords
from omoide.services.addressing import address_namespace


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """How many memories a namespace holds."""

    namespace: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CountMemories:
    """Counts the undeleted memories of every status."""

    records: MemoryRecords

    def __call__(self, principal: Principal, namespace: str | None) -> Counted:
        """Count a namespace; None means the principal's default one.

        Raises:
            InvalidRequestError: The namespace is malformed.
            ForbiddenError: The principal may not read it.
        """
        place = address_namespace(principal, namespace, Right.READ)
        return Counted(namespace=place, count=self.records.count(place))

"""What a process holds of namespaces, within a budget of memory."""

from collections import OrderedDict
from typing import Generic, TypeVar

V = TypeVar("V")


class Held(Generic[V]):
    """Views by namespace; over the budget those that were longest unused are let go.

    The newest stays, however large it is. Not safe to use from several threads at once.

    Args:
        budget_bytes: Of all of them.
    """

    def __init__(self, budget_bytes: int) -> None:
        self._budget_bytes = budget_bytes
        self._views: OrderedDict[str, tuple[V, int]] = OrderedDict()
        self._held_bytes = 0

    def __len__(self) -> int:
        """How many are held."""
        return len(self._views)

    def use(self, namespace: str) -> V | None:
        """The view of a namespace, which is the one used last from now on; None without one."""
        if namespace not in self._views:
            return None
        self._views.move_to_end(namespace)
        return self._views[namespace][0]

    def put(self, namespace: str, view: V, size: int) -> None:
        """Hold a view of so many bytes in the place of the one before."""
        self.drop(namespace)
        self._views[namespace] = (view, size)
        self._held_bytes += size
        while self._held_bytes > self._budget_bytes and len(self._views) > 1:
            self.drop(next(iter(self._views)))

    def drop(self, namespace: str) -> None:
        """Let a view go, if there is one."""
        _, size = self._views.pop(namespace, (None, 0))
        self._held_bytes -= size

    def clear(self) -> None:
        """Let all go."""
        self._views.clear()
        self._held_bytes = 0

"""What goes over the wire to DynamoDB: watched, and made to fail, inside of botocore."""

from collections import Counter
from collections.abc import Callable
from typing import Any, cast

from tests.contract.table_folder import connection

_EVENT = "before-call.dynamodb"
Parameters = dict[str, Any]


class _Refusal:
    """The response of a service that refuses a request."""

    status_code = 400


class _Success:
    """The response of a service that answers."""

    status_code = 200


class Wire:
    """Every request of this process to DynamoDB, from `watch` to `close`.

    Attributes:
        requests: Name and parameters of each request, in order.
    """

    def __init__(self) -> None:
        self.requests: list[tuple[str, Parameters]] = []
        self._planned: dict[str, list[Callable[[], Any]]] = {}
        self._client: Any = cast("Any", connection()).client
        self._client.meta.events.register("provide-client-params.dynamodb", self._see)
        self._client.meta.events.register(_EVENT, self._meddle)

    def close(self) -> None:
        """Let everything pass from now on."""
        self._client.meta.events.unregister("provide-client-params.dynamodb", self._see)
        self._client.meta.events.unregister(_EVENT, self._meddle)

    @property
    def counts(self) -> "Counter[str]":
        """How many requests there were of each operation."""
        return Counter(name for name, _ in self.requests)

    def of(self, operation: str) -> list[Parameters]:
        """The parameters of the requests of an operation."""
        return [parameters for name, parameters in self.requests if name == operation]

    def items(self) -> list[dict[str, Any]]:
        """Every item of the table."""
        found: list[dict[str, Any]] = self._client.scan(TableName="memories")["Items"]
        return found

    def put(self, item: dict[str, Any]) -> None:
        """Write an item as another program would."""
        self._client.put_item(TableName="memories", Item=item)

    def drop_table(self) -> None:
        """Delete the table."""
        self._client.delete_table(TableName="memories")

    def refuse(self, operation: str, code: str, *, times: int = 1, **more: Any) -> None:
        """Let DynamoDB answer the next requests of an operation with an error."""
        answer = {"Error": {"Code": code, "Message": "no"}, "ResponseMetadata": {}, **more}
        self._plan(operation, times, lambda: (_Refusal(), answer))

    def answer(self, operation: str, answer: dict[str, Any], *, times: int = 1) -> None:
        """Answer the next requests of an operation in DynamoDB's place."""
        self._plan(operation, times, lambda: (_Success(), dict(answer)))

    def cancel(self, *reasons: str, times: int = 1) -> None:
        """Let DynamoDB cancel the next transactions."""
        told = [{"Code": reason} for reason in reasons]
        self.refuse(
            "TransactWriteItems",
            "TransactionCanceledException",
            times=times,
            CancellationReasons=told,
        )

    def lose(self, operation: str, error: Exception, *, times: int = 1) -> None:
        """Let the next requests of an operation be lost on the way."""

        def fail() -> None:
            raise error

        self._plan(operation, times, fail)

    def interfere(self, operation: str, action: Callable[[], object]) -> None:
        """Do something just before the next request of an operation, which then goes on."""

        def act() -> None:
            action()

        self._plan(operation, 1, act)

    def _plan(self, operation: str, times: int, act: Callable[[], Any]) -> None:
        self._planned.setdefault(operation, []).extend([act] * times)

    def _see(self, params: Parameters, model: Any, **_: Any) -> None:
        self.requests.append((model.name, dict(params)))

    def _meddle(self, model: Any, **_: Any) -> Any:
        planned = self._planned.get(model.name)
        return planned.pop(0)() if planned else None

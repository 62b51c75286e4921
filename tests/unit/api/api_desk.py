"""Calls functions as API Gateway does, on a folder in memory."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, cast

from functions import composition
from functions.manifest import API_FUNCTIONS, ApiFunction
from omoide.adapters.fake.clock import FakeClock, FakeEntropy
from omoide.adapters.fake.embedder import FakeEmbedder
from omoide.adapters.fake.folder import FakeFolder
from omoide.api.principals import to_authorizer
from omoide.domain.principal import LOCAL_PRINCIPAL, Principal, Scope
from omoide.settings import Settings

FUNCTIONS: Mapping[str, ApiFunction] = {function.name: function for function in API_FUNCTIONS}
REQUEST_ID = "request-1"
UNKNOWN_ID = "0190a5e4-0000-7000-8000-00000000dead"


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """As much of a Lambda context as is looked at."""

    function_name: str
    aws_request_id: str = "invocation-1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a function answered."""

    status: int
    text: str
    headers: dict[str, str]

    @property
    def json(self) -> Any:
        return json.loads(self.text)

    @property
    def error(self) -> Any:
        return self.json["error"]

    @property
    def fields(self) -> list[str]:
        """The fields an error names."""
        return [detail["field"] for detail in self.error["details"]]


@dataclass(slots=True, kw_only=True)
class ApiDesk:
    """The functions over fakes."""

    folder: FakeFolder
    embedder: FakeEmbedder
    clock: FakeClock
    principal: Principal | None = LOCAL_PRINCIPAL
    headers: dict[str, str] = field(default_factory=dict[str, str])

    def event(self, name: str, body: object = None, **how: Any) -> dict[str, Any]:
        """The proxy event of a call.

        Args:
            name: The function.
            body: Sent as it is when it is a text, else as JSON; None sends none.
            how: ``path``: path parameters; ``query``: query parameters, lists for repeated ones;
                ``headers``: further headers; ``method``: another method of the function.
        """
        function = FUNCTIONS[name]
        path: dict[str, str] = how.get("path") or {}
        query: dict[str, Any] = how.get("query") or {}
        many: dict[str, list[str]] = {name: _texts(value) for name, value in query.items()}
        headers: dict[str, str] = {"Content-Type": "application/json"} if body is not None else {}
        context: dict[str, Any] = {"requestId": REQUEST_ID}
        if self.principal is not None:
            context["authorizer"] = to_authorizer(self.principal)
        return {
            "resource": function.path,
            "path": function.path.format(**path) if path else function.path,
            "httpMethod": how.get("method", function.method),
            "headers": {**headers, **self.headers, **how.get("headers", {})},
            "queryStringParameters": {k: v[-1] for k, v in many.items()} or None,
            "multiValueQueryStringParameters": many or None,
            "pathParameters": path or None,
            "requestContext": context,
            "body": body if body is None or isinstance(body, str) else json.dumps(body),
            "isBase64Encoded": False,
        }

    def call(self, name: str, body: object = None, **how: Any) -> Answer:
        """Call a function; see `event`."""
        return self.send(name, self.event(name, body, **how))

    def send(self, name: str, event: dict[str, Any]) -> Answer:
        """Give an event to a function."""
        handler = import_module(f"functions.api.{name}.handler").handler
        result = handler(event, Context(function_name=name))
        headers = {name: ", ".join(v) for name, v in result["multiValueHeaders"].items()}
        return Answer(status=result["statusCode"], text=result["body"], headers=headers)

    def store(self, content: str, **fields: Any) -> Any:
        """Store a memory in the native shape."""
        answer = self.call("store_memory", {"content": content, **fields})
        assert answer.status in {200, 201}, answer.text
        return answer.json

    def one(self, memory_id: str) -> dict[str, str]:
        """The path parameters of a memory."""
        return {"memory_id": memory_id}


def _texts(value: Any) -> list[str]:
    return cast("list[str]", value) if isinstance(value, list) else [str(value)]


def open_desk(settings: Settings | None = None) -> ApiDesk:
    """Wire the functions to fakes."""
    clock, embedder = FakeClock(), FakeEmbedder()
    entropy = FakeEntropy()
    folder = FakeFolder(clock=clock, entropy=entropy)
    composition.configure(
        settings or Settings.load({}),
        folder=folder,
        embedder=embedder,
        clock=clock,
        entropy=entropy,
    )
    return ApiDesk(folder=folder, embedder=embedder, clock=clock)


def principal(*scopes: str, namespace: str = "team/a", shape: str = "native") -> Principal:
    """A key's principal."""
    return Principal(
        key_id="key",
        scopes=tuple(Scope.parse(scope) for scope in scopes),
        default_namespace=namespace,
        shape=shape,
    )

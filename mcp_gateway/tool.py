"""What a tool is: a name, typed arguments, a typed answer and one call of the API."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, cast

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_core import from_json

from mcp_gateway.api_client import Api
from mcp_gateway.errors import ApiError

_ArgumentsT = TypeVar("_ArgumentsT", bound=BaseModel)


class Arguments(BaseModel):
    """Base of native tools' arguments: unknown names are refused, null means absent."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)

    def given(self, *without: str) -> dict[str, object]:
        """Return the arguments that were given, ready for a JSON body.

        Args:
            without: Names to leave out.
        """
        return self.model_dump(mode="json", exclude_none=True, exclude=set(without))


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a tool answers.

    Attributes:
        text: A short rendering for the agent.
        structured: The typed answer, None for tools of prose.
    """

    text: str
    structured: BaseModel | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool(Generic[_ArgumentsT]):
    """One tool.

    Attributes:
        name: As the client calls it.
        title: For a person.
        description: For the agent: when to use it, what it takes, what comes back.
        arguments: Model of the arguments.
        answer: Model of the structured answer, None for prose.
        run: Does it.
        read_only: Changes nothing.
        destructive: May remove or overwrite what is stored.
        idempotent: The same call again changes nothing more.
    """

    name: str
    title: str
    description: str
    arguments: type[_ArgumentsT]
    answer: type[BaseModel] | None
    run: Callable[[Api, _ArgumentsT], Awaitable[Answer]]
    read_only: bool = False
    destructive: bool = False
    idempotent: bool = False

    async def call(self, api: Api, arguments: dict[str, object]) -> Answer:
        """Run the tool.

        Raises:
            ApiError: The arguments do not fit, or the API refused.
        """
        return await self.run(api, self._parse(arguments))

    def _parse(self, arguments: dict[str, object]) -> _ArgumentsT:
        try:
            return self.arguments.model_validate(arguments)
        except ValidationError as error:
            repaired = {name: _unquoted(value) for name, value in arguments.items()}
            if repaired == arguments:
                raise ApiError.of_arguments(error) from error
            try:
                return self.arguments.model_validate(repaired)
            except ValidationError:
                raise ApiError.of_arguments(error) from error


AnyTool = Tool[Any]
"""A tool whatever its arguments."""


def _unquoted(value: object) -> object:
    """Undo what language models often do: a list or an object sent as its JSON text."""
    if not isinstance(value, str) or value[:1] not in ("[", "{"):
        return value
    try:
        return cast("object", from_json(value))
    except ValueError:
        return value

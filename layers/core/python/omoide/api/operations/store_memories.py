"""POST /v1/memories/batch: store up to 100 memories at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from aws_lambda_powertools.event_handler import Response

from omoide.api.call import ApiCall
from omoide.api.json_body import BATCH_LIMIT, check_strings
from omoide.api.native import to_answers, to_commands
from omoide.api.native.store_models import BatchEnvelope, BatchItem
from omoide.api.responses import json_response
from omoide.api.shapes import Shape
from omoide.api.validation import validate
from omoide.domain.errors import InvalidRequestError, OmoideError
from omoide.domain.memory import JsonValue
from omoide.domain.principal import Principal
from omoide.services.new_memory import NewMemory, Stored


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreManyCall:
    """Memories to be stored; an item that cannot be read stands as its error.

    Attributes:
        principal: Who stores them.
        items: In the order of the request.
        operation_id: Makes each item an idempotent call.
        request_id: Told in the errors of items.
    """

    principal: Principal
    items: Sequence[NewMemory | OmoideError]
    operation_id: str | None
    request_id: str

    def answer(self, results: list[Stored | OmoideError]) -> Response[str]:
        """What became of each item."""
        return json_response(200, to_answers.show_batch(results, self.request_id))


def read(call: ApiCall) -> StoreManyCall:
    """Read the request.

    Raises:
        OmoideError: The batch as a whole cannot be accepted.
    """
    principal = call.principal
    body = call.read_object(limit=BATCH_LIMIT, checks_strings=False)
    request = call.read_body(BatchEnvelope, body, shape=Shape.NATIVE)
    return StoreManyCall(
        principal=principal,
        items=[_read_item(item) for item in request.memories],
        operation_id=call.operation_id(request.operation_id),
        request_id=call.request_id,
    )


def _read_item(item: object) -> NewMemory | OmoideError:
    if not isinstance(item, dict):
        return InvalidRequestError.of("body", "must be a JSON object")
    fields = cast("dict[str, JsonValue]", item)
    try:
        check_strings(fields)
        return to_commands.to_new_memory(validate(BatchItem, fields))
    except InvalidRequestError as error:
        return error

"""The answer that is one memory, with its version as ``ETag``."""

from aws_lambda_powertools.event_handler import Response

from omoide.api.dse import mapping as dse
from omoide.api.native import to_answers
from omoide.api.responses import json_response
from omoide.api.shapes import Shape
from omoide.domain.memory_view import MemoryView


def memory_response(view: MemoryView, shape: Shape) -> Response[str]:
    """A memory in our own shape or DSE's."""
    shown = dse.show_memory(view) if shape is Shape.DSE else to_answers.show_memory(view)
    return json_response(200, shown, {"ETag": f'"{view.memory.version}"'})

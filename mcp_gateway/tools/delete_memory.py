"""The tool delete_memory."""

from mcp_gateway.answers import DeletedMemory
from mcp_gateway.api_client import Api
from mcp_gateway.tool import Answer, Arguments, Tool
from mcp_gateway.tools.parameters import MemoryId


class DeleteMemoryArguments(Arguments):
    """Which memory."""

    memory_id: MemoryId


async def delete_memory(api: Api, arguments: DeleteMemoryArguments) -> Answer:
    """Delete one memory for good."""
    memory_id = str(arguments.memory_id)
    await api.call("DELETE", f"/v1/memories/{memory_id}")
    return Answer(
        text=f"Deleted memory {memory_id}.", structured=DeletedMemory(id=memory_id, deleted=True)
    )


TOOL = Tool(
    name="delete_memory",
    title="Delete a memory",
    description="Forget one memory for good, by its id, with its history. Use it for what should "
    "never have been stored or what the user wants forgotten; a wrong memory is better corrected "
    "with update_memory.",
    arguments=DeleteMemoryArguments,
    answer=DeletedMemory,
    run=delete_memory,
    destructive=True,
    idempotent=True,
)
"""Delete a memory."""

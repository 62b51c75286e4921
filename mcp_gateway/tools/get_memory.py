"""The tool get_memory."""

from mcp_gateway.answers import Memory, read_answer
from mcp_gateway.api_client import Api
from mcp_gateway.rendering import render_memory
from mcp_gateway.tool import Answer, Arguments, Tool
from mcp_gateway.tools.parameters import MemoryId


class GetMemoryArguments(Arguments):
    """Which memory."""

    memory_id: MemoryId


async def get_memory(api: Api, arguments: GetMemoryArguments) -> Answer:
    """Return one memory in full."""
    answer = await api.call("GET", f"/v1/memories/{arguments.memory_id}")
    memory = read_answer(Memory, answer)
    return Answer(text=render_memory(memory), structured=memory)


TOOL = Tool(
    name="get_memory",
    title="Get a memory",
    description="Read one memory in full by its id, with its present version.",
    arguments=GetMemoryArguments,
    answer=Memory,
    run=get_memory,
    read_only=True,
    idempotent=True,
)
"""Read a memory by id."""

"""The tool count_memories."""

from mcp_gateway.answers import MemoryCount, read_answer
from mcp_gateway.api_client import Api
from mcp_gateway.rendering import escape
from mcp_gateway.tool import Answer, Arguments, Tool
from mcp_gateway.tools.parameters import Namespace


class CountMemoriesArguments(Arguments):
    """Where to count."""

    namespace: Namespace = None


async def count_memories(api: Api, arguments: CountMemoriesArguments) -> Answer:
    """Count the memories of a namespace."""
    query = {} if arguments.namespace is None else {"namespace": arguments.namespace}
    answer = await api.call("GET", "/v1/memories/count", query=query)
    counted = read_answer(MemoryCount, answer)
    noun = "memory" if counted.count == 1 else "memories"
    return Answer(
        text=f"{counted.count} {noun} in {escape(counted.namespace)}.", structured=counted
    )


TOOL = Tool(
    name="count_memories",
    title="Count memories",
    description="How many memories a namespace holds, of every status.",
    arguments=CountMemoriesArguments,
    answer=MemoryCount,
    run=count_memories,
    read_only=True,
    idempotent=True,
)
"""Count memories."""

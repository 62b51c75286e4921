"""The native tools: what an agent needs to remember and recall."""

from mcp_gateway.tool import AnyTool
from mcp_gateway.tools import (
    count_memories,
    delete_memory,
    get_memory,
    retrieve_context,
    search_memories,
    store_memory,
    surface_memories,
    update_memory,
)

TOOLS: tuple[AnyTool, ...] = (
    store_memory.TOOL,
    search_memories.TOOL,
    retrieve_context.TOOL,
    surface_memories.TOOL,
    get_memory.TOOL,
    update_memory.TOOL,
    delete_memory.TOOL,
    count_memories.TOOL,
)
"""In the order clients list them."""

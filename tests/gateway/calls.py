"""Reading the answers of tools."""

from typing import Any

from mcp import Client
from mcp.types import CallToolResult, TextContent


def text_of(result: CallToolResult) -> str:
    """The one text of an answer."""
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


async def succeed(client: Client, tool: str, **arguments: Any) -> tuple[dict[str, Any], str]:
    """Call a tool that works; its structured answer and its text."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, text_of(result)
    return result.structured_content or {}, text_of(result)


async def fail(client: Client, tool: str, **arguments: Any) -> str:
    """Call a tool that refuses; the text of the error."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error, text_of(result)
    assert result.structured_content is None
    return text_of(result)

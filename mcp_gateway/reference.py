"""The tool reference of the documentation, written from the tools themselves.

``python -m mcp_gateway.reference`` prints it; a test holds ``docs/mcp.md`` to it.
"""

import sys
from collections.abc import Sequence
from typing import cast

from mcp_gateway.schemas import JsonObject, plain_schema
from mcp_gateway.selection import DEFAULT_TOOLSETS, known_toolsets, select_tools
from mcp_gateway.tool import AnyTool


def render_reference(toolsets: Sequence[str]) -> str:
    """Return the reference of some toolsets as Markdown.

    Args:
        toolsets: Their names, each described alone.
    """
    return "\n".join(_toolset(name) for name in toolsets)


def all_toolsets() -> list[str]:
    """Return every toolset, the default ones first."""
    return [*DEFAULT_TOOLSETS, *(name for name in known_toolsets() if name not in DEFAULT_TOOLSETS)]


def _toolset(name: str) -> str:
    tools = select_tools([name]).values()
    return "\n".join([f"### Toolset `{name}`", "", *(_tool(tool) for tool in tools)])


def _tool(tool: AnyTool) -> str:
    lines = [f"#### `{tool.name}`", "", tool.description, "", _hints(tool), ""]
    lines += ["| argument | type | |", "|---|---|---|", *_rows(plain_schema(tool.arguments)), ""]
    if tool.answer is not None:
        members = _members(plain_schema(tool.answer))
        lines += [f"Answers {', '.join(f'`{member}`' for member in members)}.", ""]
    else:
        lines += ["Answers prose.", ""]
    return "\n".join(lines)


def _hints(tool: AnyTool) -> str:
    hints = {
        "read-only": tool.read_only,
        "destructive": tool.destructive,
        "idempotent": tool.idempotent,
    }
    return f"Annotations: {', '.join(name for name, holds in hints.items() if holds) or 'none'}."


def _rows(schema: JsonObject, prefix: str = "") -> list[str]:
    required = cast("list[str]", schema.get("required", []))
    rows: list[str] = []
    for name, member in _members(schema).items():
        told = str(member.get("description", ""))
        if name in required and not prefix:
            told = f"Required. {told}".strip()
        rows.append(f"| `{prefix}{name}` | {_type(member)} | {told} |")
        if "properties" in member:
            rows += _rows(member, f"{prefix}{name}.")
    return rows


def _members(schema: JsonObject) -> dict[str, JsonObject]:
    return cast("dict[str, JsonObject]", schema.get("properties", {}))


def _type(member: JsonObject) -> str:
    if "enum" in member:
        return " \\| ".join(f"`{value}`" for value in cast("list[str]", member["enum"]))
    if member.get("type") == "array":
        return f"list of {_type(cast('JsonObject', member.get('items', {})))}"
    return str(member.get("format") or member.get("type", "any"))


if __name__ == "__main__":
    sys.stdout.write(render_reference(all_toolsets()))

"""Which toolsets a server offers, and under which names."""

import importlib
import pkgutil
from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from mcp_gateway import toolsets
from mcp_gateway.tool import AnyTool

DEFAULT_TOOLSETS = ("core",)
"""What is offered when nothing is chosen."""

_COMPAT = "compat-"


def known_toolsets() -> tuple[str, ...]:
    """Return the names of all toolsets: one per file of `mcp_gateway.toolsets`."""
    return tuple(
        module.name.replace("_", "-") for module in pkgutil.iter_modules(toolsets.__path__)
    )


def parse_toolsets(text: str) -> tuple[str, ...]:
    """Return the toolsets named in a comma separated list, each once, in its order.

    Raises:
        ValueError: A name is unknown, or none is given; the message names the known ones.
    """
    names = tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    unknown = [name for name in names if name not in known_toolsets()]
    if unknown or not names:
        wrong = f"unknown toolset {', '.join(unknown)}" if unknown else "no toolset given"
        raise ValueError(f"{wrong}; known are: {', '.join(known_toolsets())}")
    return names


def select_tools(names: Sequence[str]) -> dict[str, AnyTool]:
    """Return the tools of some toolsets by the name they are called by.

    A set alone, or the first to use a name, keeps its own names. A tool of a later set whose
    name is taken gets its set's name as prefix: beside ``core``, memex's ``store_memory`` is
    ``memex_store_memory``.
    """
    selected: dict[str, AnyTool] = {}
    for toolset in names:
        for tool in _tools_of(toolset):
            name = tool.name
            if name in selected:
                name = f"{toolset.removeprefix(_COMPAT).replace('-', '_')}_{name}"
            selected[name] = replace(tool, name=name)
    return selected


def _tools_of(toolset: str) -> tuple[AnyTool, ...]:
    module = importlib.import_module(f"{toolsets.__name__}.{toolset.replace('-', '_')}")
    return cast("tuple[AnyTool, ...]", module.TOOLS)

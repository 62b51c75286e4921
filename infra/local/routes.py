"""Which function owns a path: the manifest's routes, computed once."""

from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import unquote

from functions.manifest import ApiFunction


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A function found for a request.

    Attributes:
        function: Its row of the manifest.
        path: The template of the route, such as ``/v1/memories/{memory_id}``.
        parameters: Path parameters by name, percent-decoded.
    """

    function: ApiFunction
    path: str
    parameters: dict[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class NoMatch:
    """No function takes this method at this path.

    Attributes:
        allowed: Methods the path takes, sorted; empty when nothing lives there.
    """

    allowed: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Template:
    path: str
    segments: tuple[str, ...]
    is_greedy: bool
    methods: dict[str, ApiFunction]

    def bind(self, segments: list[str]) -> dict[str, str] | None:
        """Parameters when the template fits these segments."""
        count = len(self.segments)
        if len(segments) != count and not (self.is_greedy and len(segments) > count):
            return None
        if self.is_greedy:
            segments = [*segments[: count - 1], "/".join(segments[count - 1 :])]
        bound: dict[str, str] = {}
        for mine, given in zip(self.segments, segments, strict=True):
            if mine.startswith("{"):
                if not given:
                    return None
                bound[mine.strip("{}+")] = unquote(given, errors="surrogateescape")
            elif mine != given:
                return None
        return bound


class RouteTable:
    """The routes of a manifest.

    A path without parameters is one dictionary look-up; otherwise templates are tried in order of
    how much of them is fixed, so ``/v1/memories/count`` wins over ``/v1/memories/{memory_id}``.
    """

    def __init__(self, functions: Iterable[ApiFunction]) -> None:
        self._fixed: dict[str, dict[str, ApiFunction]] = {}
        templates: dict[str, dict[str, ApiFunction]] = {}
        for function in functions:
            for route in function.routes:
                kind = templates if "{" in route.path else self._fixed
                kind.setdefault(route.path, {})[route.method] = function
        self._templates = sorted(
            (
                _Template(
                    path=path,
                    segments=tuple(path.split("/")),
                    is_greedy=path.endswith("+}"),
                    methods=methods,
                )
                for path, methods in templates.items()
            ),
            key=lambda t: (t.is_greedy, -sum(not s.startswith("{") for s in t.segments)),
        )

    def find(self, method: str, path: str) -> Match | NoMatch:
        """Return the function of a percent-encoded path, or what the path allows instead."""
        fixed = self._fixed.get(path)
        if fixed is not None:
            function = fixed.get(method)
            if function is not None:
                return Match(function=function, path=path, parameters={})
            return NoMatch(allowed=tuple(sorted(fixed)))
        segments = path.split("/")
        for template in self._templates:
            parameters = template.bind(segments)
            if parameters is not None:
                function = template.methods.get(method)
                if function is not None:
                    return Match(function=function, path=template.path, parameters=parameters)
                return NoMatch(allowed=tuple(sorted(template.methods)))
        return NoMatch(allowed=())

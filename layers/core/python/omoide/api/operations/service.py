"""GET /, /health and /health/ready: what this is, and how it is."""

from aws_lambda_powertools.event_handler import Response

from omoide import __version__
from omoide.api.responses import json_response
from omoide.services.check_readiness import RECORDS, Readiness


def service_response() -> Response[str]:
    """Name, version and where the documentation is."""
    return json_response(200, {"service": "omoide", "version": __version__, "docs": "/docs"})


def health_response(readiness: Readiness) -> Response[str]:
    """Always 200, as memex does: it is alive, and ``db`` says whether it can remember."""
    problem = next((part.problem for part in readiness.parts if part.name == RECORDS), None)
    health = {
        "status": "ok" if problem is None else "degraded",
        "db": "ok" if problem is None else f"error: {problem}",
        "version": __version__,
    }
    return json_response(200, health)


def readiness_response(readiness: Readiness) -> Response[str]:
    """200 when every part works, else 503 naming those that do not."""
    parts = [
        {"name": part.name, "is_ready": part.problem is None, "problem": part.problem}
        for part in readiness.parts
    ]
    answer = {
        "status": "ready" if readiness.is_ready else "unavailable",
        "parts": parts,
        "version": __version__,
    }
    return json_response(200 if readiness.is_ready else 503, answer)

"""How to read a report, and what limits its numbers."""

import os

from infra.local.bench.report import Latency, Report


def remarks(report: Report, *, has_load: bool) -> list[str]:
    """Sentences about the report.

    Args:
        report: What was measured.
        has_load: Whether the load profile was run.
    """
    lines = [
        "Memories beyond the stored texts: encodings of 5,000 real texts, moved a little with a",
        "fixed seed and committed below the embedder, 500 to a transaction; queries are new ones,",
        "encoded by the model. Caches are off but for the last load run; results of searches are",
        "never cached. A ratio is the median over that of the model for a query of 12 tokens,",
        "measured in turns with the calls: other work on the machine slows both.",
    ]
    searches = [one for one in report.latencies if one.name.startswith("search, in-process")]
    lines += [_limit(search) for search in searches]
    for run in report.throughputs:
        spent = (os.cpu_count() or 1) * 1000 / run.requests_per_s
        lines.append(
            f"load, {run.name}: {spent:.1f} ms of this machine's cores a request, the load "
            "generator's own work included."
        )
    if not has_load:
        lines.append("The load profile was not run: it needs locust (requirements/dev.txt).")
    return lines


def _limit(search: Latency) -> str:
    share = 1 / max(1.0, search.ratio or 1.0)
    limit = "the model limits it" if share > 0.5 else "the search itself limits it"
    return f"{search.name}: {share:.0%} of the median is the model; {limit}."

"""`python -m infra.local.evaluation.deployed`: retrieval quality through a running API.

Stores LoCoMo dev through the API and asks its questions there, as any client would, so that what is
deployed can be compared with the figures of a data folder:

    make emulate ARGS="-- .venv/bin/python -m infra.local.evaluation.deployed"

What differs from a data folder: memories are created now and not when they happened, and each
answer counts as a recall. Both move a score by a few hundredths of it at most.
"""

import json
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import click
import httpx

from infra.local.evaluation.evaluation_set import Corpus, EvaluationSet, LabelledQuery
from infra.local.evaluation.locomo import read_locomo
from infra.local.evaluation.measuring import MeasuredQuery
from infra.local.evaluation.metrics import measure
from infra.local.evaluation.report import Report, report
from infra.local.evaluation.settings_compared import WHOLE
from infra.local.progress import show_progress
from infra.local.rendering import print_json

FILE = "locomo_dev.json"
FIELDS = ("content", "speaker", "session_id", "turn")
_TIMEOUT_S = 120.0
_TOP_K = 10
_BATCH = 25
"""Memories to a request, so that it ends well within the time a gateway waits."""

_TOO_MANY = 429
_PATIENCE = 20

Advanced = Callable[[int], None]


class DeployedError(click.ClickException):
    """The API refuses a request of the evaluation."""


class DeployedApi:
    """The API and a place in it that is this run's own.

    Args:
        http: Connections; know address and key.
        place: Namespaces of the run begin so.
    """

    def __init__(self, http: httpx.Client, place: str) -> None:
        self._http = http
        self._place = place

    def store(self, corpus: Corpus, advanced: Advanced) -> dict[str, str]:
        """Store the memories of a corpus; return their labels by id.

        Raises:
            DeployedError: One is refused.
        """
        labels: dict[str, str] = {}
        for batch in _batches(corpus.memories, _BATCH):
            bodies = [
                {name: getattr(one.memory, name) for name in FIELDS}
                | {
                    "namespace": self._namespace(corpus),
                    "event_time": _stamp(one.memory.event_time),
                    "memory_type": one.memory.memory_type,
                    "dedupe": one.memory.dedupe,
                }
                for one in batch
            ]
            answer = self._post("/v1/memories/batch", {"memories": bodies})
            if answer["failed"]:
                raise DeployedError(f"{answer['failed']} memories of a batch are refused")
            ids = [result["memory"]["id"] for result in answer["results"]]
            labels |= dict(zip(ids, (one.label for one in batch), strict=True))
            advanced(len(batch))
        return labels

    def found(
        self, corpus: Corpus, query: LabelledQuery, labels: Mapping[str, str]
    ) -> tuple[list[str], bool]:
        """Labels of what a query finds, best first, and whether the answer trusts itself little.

        Raises:
            DeployedError: It is refused, or answered without the index.
        """
        times = [one.memory.event_time for one in corpus.memories if one.memory.event_time]
        body = {
            "query": query.text,
            "namespace": self._namespace(corpus),
            "top_k": _TOP_K,
            "as_of": _stamp(query.as_of or max(times)),
        }
        answer = self._post("/v1/memories/search", body)
        for _ in range(_PATIENCE):
            if not answer["degraded"]:
                break
            time.sleep(1)
            answer = self._post("/v1/memories/search", body)
        else:
            raise DeployedError("searches have to do without the index")
        return [labels[one["id"]] for one in answer["results"]], answer["low_confidence"]

    def _namespace(self, corpus: Corpus) -> str:
        return f"{self._place}/{corpus.name}"

    def _post(self, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        while True:
            answer = self._http.post(path, json={k: v for k, v in body.items() if v is not None})
            if answer.status_code == _TOO_MANY:
                time.sleep(int(answer.headers.get("Retry-After", "1")))
                continue
            if answer.status_code >= 300:
                raise DeployedError(f"{path} answered {answer.status_code}: {answer.text[:300]}")
            return json.loads(answer.content)


def evaluate_deployed(api: DeployedApi, evaluation: EvaluationSet, advanced: Advanced) -> Report:
    """Store everything, then ask everything.

    Args:
        api: Where.
        evaluation: What.
        advanced: Told how many memories and queries more are done.
    """
    stored = [(corpus, api.store(corpus, advanced)) for corpus in evaluation.corpora]
    measured: list[MeasuredQuery] = []
    for corpus, labels in stored:
        for query in corpus.queries:
            found, low_confidence = api.found(corpus, query, labels)
            measures = measure(found, query.relevant, low_confidence=low_confidence)
            measured.append(
                MeasuredQuery(variant=WHOLE, corpus=corpus.name, query=query, measures=measures)
            )
            advanced(1)
    return report(evaluation, "as deployed", measured)


@click.command()
@click.option("--url", envvar="OMOIDE_URL", required=True, help="Base URL of the API.")
@click.option("--key", envvar="OMOIDE_KEY", required=True, help="An admin key.")
@click.option(
    "--data",
    envvar="OMOIDE_EVAL_DATA",
    required=True,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help=f"Folder with {FILE}.",
)
@click.option("--conversations", type=click.IntRange(1), help="Only the first so many.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def main(url: str, key: str, data: Path, conversations: int | None, as_json: bool) -> None:
    """Store LoCoMo dev through an API, ask its questions there, print the figures."""
    evaluation = read_locomo(data / FILE)
    evaluation = replace(evaluation, corpora=evaluation.corpora[:conversations])
    headers = {"Authorization": f"Bearer {key}"}
    steps = evaluation.memory_count + evaluation.query_count
    with (
        httpx.Client(base_url=url, headers=headers, timeout=_TIMEOUT_S, trust_env=False) as http,
        show_progress(f"{evaluation.name}: memories and queries", steps) as advanced,
    ):
        api = DeployedApi(http, f"evaluation/{uuid.uuid4()}")
        told = evaluate_deployed(api, evaluation, advanced)
    if as_json:
        print_json(told.as_json())
    else:
        click.echo(told.table())


def _batches(items: Sequence[Any], size: int) -> Iterator[Sequence[Any]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]


def _stamp(time_: datetime | None) -> str | None:
    return None if time_ is None else time_.isoformat()


if __name__ == "__main__":
    main()

import json
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from functions import composition
from functions.manifest import API_FUNCTIONS
from omoide.adapters.fake.embedder import FakeEmbedder
from omoide.adapters.fake.folder import FakeFolder
from omoide.domain.errors import ModelUnavailableError
from omoide.domain.principal import LOCAL_PRINCIPAL
from omoide.services.search_query import SearchQuery
from omoide.services.store_memory import NewMemory
from omoide.settings import Settings
from tests.unit.api.api_desk import ApiDesk

CHECKOUT = Path(__file__).resolve().parents[3]
HEAVY = (
    *("apsw", "boto3", "httpx", "mcp", "numkong", "onnxruntime", "opensearchpy"),
    *("pynamodb", "starlette", "tokenizers", "uvicorn"),
)


def loaded_after(code: str) -> set[str]:
    """Heavy modules a fresh interpreter has after running some code."""
    told = "import json, sys; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\n{told}"],
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return set(json.loads(done.stdout)) & set(HEAVY)


def test_importing_every_handler_loads_no_model_and_opens_no_database() -> None:
    imports = "\n".join(f"import functions.api.{one.name}.handler" for one in API_FUNCTIONS)

    assert loaded_after(imports) == set()


def test_counting_loads_the_database_but_no_model(tmp_path: Path) -> None:
    code = f"""
from functions import composition
from omoide.domain.principal import LOCAL_PRINCIPAL
from omoide.settings import Settings
composition.configure(Settings.load(data={str(tmp_path / "data")!r}))
composition.count_memories()(LOCAL_PRINCIPAL, None)
composition.close()
"""

    assert loaded_after(code) == {"apsw"}


def test_a_service_is_made_once_also_when_asked_for_at_once(desk: ApiDesk) -> None:
    made: list[Any] = []
    ready = threading.Barrier(8, timeout=10)

    def ask() -> None:
        ready.wait()
        made.append(composition.search_memories())

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=10)

    assert len(made) == 8
    assert all(service is made[0] for service in made)
    assert made[0].index is desk.folder.index


class ClosingFolder(FakeFolder):
    """Remembers that it was closed."""

    closed = 0

    def close(self) -> None:
        self.closed += 1


def test_wiring_anew_closes_what_was_open() -> None:
    first, second = ClosingFolder(), ClosingFolder()
    composition.configure(Settings.load({}), folder=first, embedder=FakeEmbedder())
    before = composition.count_memories()

    composition.configure(Settings.load({}), folder=second, embedder=FakeEmbedder())
    after = composition.count_memories()
    composition.close()
    composition.configure()

    assert before is not after
    assert first.closed == 1
    assert second.closed >= 1


def test_without_a_model_the_stand_in_says_why(tmp_path: Path) -> None:
    settings = Settings.load({}, data=tmp_path / "data", model="no-such-model")
    composition.configure(settings)

    embedder = composition.embedder()
    composition.configure()

    for use in (embedder.embed_query, embedder.count_tokens):
        with pytest.raises(ModelUnavailableError, match="no-such-model"):
            use("text")
    with pytest.raises(ModelUnavailableError, match="no-such-model"):
        embedder.embed_passages([])
    with pytest.raises(ModelUnavailableError, match="no-such-model"):
        _ = embedder.profile


def test_without_a_model_a_folder_that_is_there_is_read_and_searched_by_words(
    tmp_path: Path,
) -> None:
    data = tmp_path / "data"
    composition.configure(Settings.load({}, data=data), embedder=FakeEmbedder())
    store = composition.store_memory()
    kept = store(LOCAL_PRINCIPAL, NewMemory(content="Mika drinks oolong."))

    composition.configure(Settings.load({}, data=data, model="no-such-model"))
    counted = composition.count_memories()(LOCAL_PRINCIPAL, None)
    found = composition.search_memories()(LOCAL_PRINCIPAL, SearchQuery(query="oolong"))
    with pytest.raises(ModelUnavailableError):
        composition.store_memory()(LOCAL_PRINCIPAL, NewMemory(content="Another."))
    ready = composition.check_readiness()()
    composition.configure()

    assert counted.count == 1
    assert found.degraded
    assert [result.view.memory.id for result in found.results] == [kept.view.memory.id]
    assert [part.name for part in ready.parts if part.problem] == ["model"]


def test_without_a_model_no_folder_is_made(tmp_path: Path) -> None:
    composition.configure(Settings.load({}, data=tmp_path / "data", model="no-such-model"))

    with pytest.raises(ModelUnavailableError, match="no-such-model"):
        composition.folder()
    composition.configure()

    assert not (tmp_path / "data").exists()


def test_settings_come_from_the_environment_when_none_are_given(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OMOIDE_WRITES_PER_MINUTE", "7")
    composition.configure()

    writes = composition.settings().writes_per_minute
    composition.configure()

    assert writes == 7

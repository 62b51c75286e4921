import re
from dataclasses import fields
from pathlib import Path

import pytest

from omoide.settings import PREFIX, SettingError, Settings, configuration_page

CHECKOUT = Path(__file__).resolve().parents[2]


def test_what_is_given_wins_over_the_environment_and_that_over_the_default() -> None:
    environment = {"OMOIDE_PORT": "9000", "OMOIDE_WORKERS": "3"}

    settings = Settings.load(environment, port=9001, workers=None)

    assert (settings.port, settings.workers, settings.host) == (9001, 3, "127.0.0.1")


def test_the_environment_of_the_process_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMOIDE_DATA", "~/elsewhere")

    assert Settings.load().data == Path.home() / "elsewhere"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("OMOIDE_PORT", "http"),
        ("OMOIDE_PORT", "65536"),
        ("OMOIDE_PORT", ""),
        ("OMOIDE_WORKERS", "0"),
        ("OMOIDE_WORKERS", "-1"),
        ("OMOIDE_WORKERS", "1.5"),
        ("OMOIDE_REQUIRE_KEY", "maybe"),
        ("OMOIDE_MODEL", " "),
        ("OMOIDE_DATA", ""),
        ("OMOIDE_EMBEDDING_CACHE", "64MB"),
    ],
)
def test_a_value_that_does_not_fit_names_its_variable(name: str, value: str) -> None:
    with pytest.raises(SettingError, match=rf"^{name}: "):
        Settings.load({name: value})


def test_a_value_that_was_given_is_named_as_it_was_given() -> None:
    with pytest.raises(SettingError, match=r"^port: "):
        Settings.load({}, port="http")
    with pytest.raises(SettingError, match="colour"):
        Settings.load({}, colour="red")


@pytest.mark.parametrize(
    ("text", "value"), [("1", True), ("Yes", True), ("off", False), ("false", False)]
)
def test_a_switch_knows_the_usual_words(text: str, value: bool) -> None:
    assert Settings.load({"OMOIDE_REQUIRE_KEY": text}).require_key is value


def test_every_setting_is_on_the_configuration_page_with_its_default() -> None:
    page = configuration_page()

    for one in fields(Settings):
        row = re.search(rf"^\| `{PREFIX}{one.name.upper()}` \| (.+) \| (.+) \|$", page, re.M)
        assert row is not None, one.name
        assert row[2].endswith(".") or row[2].endswith(")."), row[2]


def test_every_setting_is_read_somewhere() -> None:
    sources = [
        path.read_text(encoding="utf-8")
        for room in ("functions", "infra")
        for path in (CHECKOUT / room).rglob("*.py")
    ]

    for one in fields(Settings):
        assert any(re.search(rf"\.{one.name}\b", source) for source in sources), one.name


def test_defaults_need_no_environment() -> None:
    settings = Settings.load({})

    assert settings == Settings()
    assert settings.data.name == "omoide"

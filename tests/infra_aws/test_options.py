"""The choices of a deployment."""

import pytest

from infra.aws.options import OptionError, Options, SearchMode

STREAM = "arn:aws:dynamodb:eu-west-1:123456789012:table/kept/stream/2026-11-30T00:00:00.000"


def test_without_choices_the_defaults_hold() -> None:
    options = Options.read(lambda _: None)

    assert options == Options()
    assert options.has_domain
    assert str(options.target) == "arm64-python3.13"


def test_choices_are_read_as_text() -> None:
    options = Options.read({"search": "exact", "keep_data": "False", "burst": "5"}.get)

    assert (options.search, options.keep_data, options.burst) == (SearchMode.EXACT, False, 5)
    assert not options.has_domain


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("name", "1st"),
        ("name", "a" * 21),
        ("search", "solr"),
        ("opensearch_url", "search.example.com"),
        ("opensearch_url", "https://search.example.com/path"),
        ("architecture", "riscv"),
        ("python", "3.9"),
        ("keep_data", "maybe"),
        ("table", "my table"),
        ("table_stream", "LatestStream"),
        ("alarm_email", "nobody"),
        ("requests_per_second", "0"),
        ("burst", "many"),
    ],
)
def test_a_choice_that_does_not_fit_is_named(name: str, value: str) -> None:
    with pytest.raises(OptionError, match=f"^{name}: .*{value}"):
        Options.read({name: value}.get)


def test_exact_search_and_an_address_do_not_go_together() -> None:
    with pytest.raises(OptionError, match="opensearch_url"):
        Options.read({"search": "exact", "opensearch_url": "http://127.0.0.1:9200"}.get)


@pytest.mark.parametrize(
    "choices",
    [
        {"table": "kept"},
        {"table_stream": STREAM},
        {"table": "other", "table_stream": STREAM},
    ],
)
def test_a_table_goes_with_its_own_stream(choices: dict[str, str]) -> None:
    with pytest.raises(OptionError, match=r"^table"):
        Options.read(choices.get)

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.domain.errors import InvalidRequestError
from omoide.domain.namespace import (
    agent_namespace,
    canonical_namespace,
    decode_component,
    encode_component,
)

texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20)


def is_refused(text: str) -> bool:
    """Whether a part that encoding allows cannot be in a namespace."""
    turns = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
    return text in {".", ".."} or bool(set(text) & set("{}<>$" + turns))


@given(texts)
def test_a_component_comes_back_as_its_nfc_form(text: str) -> None:
    assert decode_component(encode_component(text)) == unicodedata.normalize("NFC", text)


@given(texts)
def test_an_encoded_component_is_one_clean_segment(text: str) -> None:
    encoded = encode_component(text)

    assert "/" not in encoded
    assert encoded not in {"*", "**"}
    assert not any(unicodedata.category(c) in {"Cc", "Zs", "Zl", "Zp"} for c in encoded)


@given(st.lists(texts.filter(lambda t: not is_refused(t)), min_size=1, max_size=4))
def test_the_canonical_spelling_is_canonical(components: list[str]) -> None:
    namespace = "/".join(map(encode_component, components))

    assert canonical_namespace(namespace) == namespace


@pytest.mark.parametrize(
    ("given_text", "canonical"),
    [
        ("default", "default"),
        ("team/a", "team/a"),
        ("利用者/花子", "利用者/花子"),
        ("user/Ünal", "user/Ünal"),
        ("user/U\u0308nal", "user/Ünal"),
        ("a%2fb", "a%2Fb"),
        ("%41bc", "Abc"),
        ("a%20b", "a%20b"),
        ("agent/%2A/user/1", "agent/%2A/user/1"),
        ("a*b", "a*b"),
        ("v1.2/...", "v1.2/..."),
        ("می‌خواهم", "می‌خواهم"),
        ("price<5", "price<5"),
    ],
)
def test_one_namespace_has_one_spelling(given_text: str, canonical: str) -> None:
    assert canonical_namespace(given_text) == canonical


@pytest.mark.parametrize(
    "text",
    [
        *["", "/", "a/", "/a", "a//b"],
        *["a b", "a\tb", "a\x00b", "a\u3000b", "a\u2028b", "a\x85b"],
        *["100%", "a%2", "a%zz", "%FF", "%ED%A0%80", "a\ud800"],
        *["*", "team/*", "team/**"],
        *[".", "..", "team/a/../b", "team/./a", "team/%2E%2E/b", "team/.%2e"],
        *["a\u202eb", "team/%E2%80%AEa", "a\u2066b", "\u200fa", "a\u061c"],
        *["a" * 1_101, "あ" * 367],
    ],
)
def test_a_malformed_namespace_is_refused_by_name(text: str) -> None:
    with pytest.raises(InvalidRequestError) as refused:
        canonical_namespace(text)

    assert [d.field for d in refused.value.details] == ["namespace"]


@pytest.mark.parametrize(
    "text",
    [
        "users/{actorId}/facts",
        "users/{}/facts",
        "users/${actorId}",
        "users/$%7BactorId%7D",
        "users/{{user}}",
        "users/%7BuserId%7D",
        "users/%7buserId%7d",
        "users/<user_id>",
        "users/%3Cuser_id%3E",
        "users/%25(user)s",
        "agent/a{b}c",
    ],
)
def test_a_template_that_was_not_filled_in_is_refused(text: str) -> None:
    with pytest.raises(InvalidRequestError, match="template") as refused:
        canonical_namespace(text)

    assert refused.value.details[0].field == "namespace"


def test_a_namespace_of_exactly_the_limit_is_accepted() -> None:
    assert canonical_namespace("a" * 1_100) == "a" * 1_100
    assert canonical_namespace("あ" * 366) == "あ" * 366


def test_agent_and_user_become_a_namespace_that_cannot_be_confused() -> None:
    assert agent_namespace("a", "u") == "agent/a/user/u"
    assert agent_namespace("a/user/u", "x") == "agent/a%2Fuser%2Fu/user/x"
    assert agent_namespace("*", "my user") == "agent/%2A/user/my%20user"
    assert agent_namespace("100%", "花子") == "agent/100%25/user/花子"


@given(texts, texts, texts, texts)
def test_different_pairs_never_share_a_namespace(a: str, b: str, c: str, d: str) -> None:
    nfc = [unicodedata.normalize("NFC", text) for text in (a, b, c, d)]
    if any(map(is_refused, nfc)):
        return

    assert (agent_namespace(a, b) == agent_namespace(c, d)) == (nfc[:2] == nfc[2:])


@pytest.mark.parametrize("agent_id", ["", "{agentId}", "${agent}", "\ud800", "..", "a\u202eb"])
def test_an_agent_that_names_nobody_is_refused(agent_id: str) -> None:
    with pytest.raises(InvalidRequestError) as refused:
        agent_namespace(agent_id, "u")

    assert refused.value.details[0].field == "namespace"

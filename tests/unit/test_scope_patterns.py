import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.domain.principal import Right, Scope
from omoide.domain.scope_patterns import encloses

segments = st.sampled_from(["a", "b", "*"])
patterns = st.lists(segments, max_size=3).flatmap(
    lambda head: st.sampled_from([[*head, "**"], head or ["**"]]).map("/".join)
)
namespaces = st.lists(st.sampled_from(["a", "b", "c"]), min_size=1, max_size=5).map("/".join)


@given(patterns, patterns, namespaces)
def test_an_enclosing_pattern_covers_all_that_the_inner_one_does(
    outer: str, inner: str, namespace: str
) -> None:
    covers_inner = Scope(right=Right.READ, pattern=inner).covers(namespace)

    if encloses(outer, inner) and covers_inner:
        assert Scope(right=Right.READ, pattern=outer).covers(namespace)


@given(patterns)
def test_a_pattern_encloses_itself_and_lies_within_everything(pattern: str) -> None:
    assert encloses(pattern, pattern)
    assert encloses("**", pattern)


@pytest.mark.parametrize(
    ("outer", "inner", "is_enclosed"),
    [
        ("a/**", "a", True),
        ("a/**", "a/**", True),
        ("a/*", "a/b", True),
        ("a/*", "a/*", True),
        ("a/*", "a", False),
        ("a/*", "a/b/c", False),
        ("a/*", "a/**", False),
        ("a/b", "a/*", False),
        ("*/b", "a/b", True),
        ("*/**", "**", False),
    ],
)
def test_patterns_lie_inside_others(outer: str, inner: str, is_enclosed: bool) -> None:
    assert encloses(outer, inner) is is_enclosed

"""What is held of namespaces."""

from omoide.engine.held import Held


def test_what_was_longest_unused_is_let_go_first() -> None:
    held = Held[str](10)
    for name in ("a", "b", "c"):
        held.put(name, name.upper(), 3)

    assert held.use("a") == "A"
    held.put("d", "D", 3)

    assert [held.use(name) for name in "abcd"] == ["A", None, "C", "D"]


def test_a_view_that_grew_counts_with_its_new_size_alone() -> None:
    held = Held[str](10)
    held.put("a", "A", 4)
    held.put("b", "B", 4)
    held.put("a", "A2", 6)

    assert (held.use("a"), held.use("b")) == ("A2", "B")
    held.put("a", "A3", 7)
    assert (held.use("a"), held.use("b")) == ("A3", None)


def test_the_last_one_stays_however_large() -> None:
    held = Held[str](10)
    held.put("a", "A", 99)

    assert held.use("a") == "A"
    held.put("b", "B", 1)
    assert (len(held), held.use("b")) == (1, "B")


def test_nothing_is_held_after_clearing() -> None:
    held = Held[str](10)
    held.put("a", "A", 9)
    held.clear()
    held.drop("a")
    held.put("b", "B", 9)
    held.put("c", "C", 1)

    assert (held.use("a"), len(held)) == (None, 2)

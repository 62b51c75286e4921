"""A text within a budget, from the memories that were found."""

from collections.abc import Sequence
from dataclasses import dataclass

from omoide.domain.context_assembly.context_text import frame, nonce_of
from omoide.domain.context_assembly.tiers import Assembler, Candidate, Shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Assembled:
    """What an agent is given.

    Attributes:
        shown: The memories shown, in the order of the candidates.
        text: All of them as one text; empty without any.
        total_tokens: What the text takes of the budget, delimiters included.
    """

    shown: tuple[Shown, ...]
    text: str
    total_tokens: int


def assemble(
    assembler: Assembler, candidates: Sequence[Candidate], *, key: bytes, about: Sequence[str]
) -> Assembled:
    """Assemble a text that is never over the budget.

    The parts are counted one by one; a tokenizer may count the whole as more than its parts, so
    the whole is counted as well and loses its last entry until it fits.

    Args:
        assembler: Holds the budget.
        candidates: The best first.
        key: Secret that the nonce is made with.
        about: What tells one request from another.
    """
    shown = assembler.assemble(candidates)
    while shown:
        entries = [one.entry for one in shown]
        text = frame(entries, nonce_of(key, entries, about))
        total = assembler.count(text)
        if total <= assembler.budget:
            return Assembled(shown=shown, text=text, total_tokens=total)
        shown = shown[:-1]
    return Assembled(shown=(), text="", total_tokens=0)

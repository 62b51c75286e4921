"""Showing how far a long command is, on standard error."""

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager

import click


@contextmanager
def show_progress(label: str, length: int) -> Generator[Callable[[int], None]]:
    """A bar on a terminal, a line elsewhere.

    Args:
        label: What is being done.
        length: How much there is to do.

    Yields:
        What to call with how much more is done.
    """
    if not sys.stderr.isatty():
        click.echo(label, err=True)
        yield lambda _: None
        return
    with click.progressbar(length=length, label=label, file=sys.stderr) as bar:
        yield bar.update

"""What holds for every test."""

import pytest

import infra.local

RUNTIME = infra.local
"""Imported before numpy, so that tests compute with as few threads as the product."""


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Let every log line be caught.

    The functions' logger keeps its children's lines from every handler of the root it finds, and
    the command line has it log errors alone. What catches lines for tests lives as long as they
    do: one that loads a function would blind those after it.
    """
    plugin = item.config.pluginmanager.get_plugin("logging-plugin")
    assert plugin is not None
    plugin.caplog_handler.filters.clear()

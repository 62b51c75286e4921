"""What holds for the repository as a whole: locks, furniture, links, no traces of a machine."""

import ast
import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

CHECKOUT = Path(__file__).resolve().parents[2]
LOCKS = ("run", "dev")
_PIN = re.compile(r"^([A-Za-z0-9._-]+)==(\S+)", re.MULTILINE)
_LONG = 300
"""Lines of a file."""

_LONG_FUNCTION = 40
"""Lines of a function, its docstring included."""


def project() -> dict[str, Any]:
    return tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))


def lock(name: str) -> str:
    return (CHECKOUT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")


def pins(name: str) -> dict[str, set[str]]:
    """Locked versions by package; more than one where they depend on the Python version."""
    found: dict[str, set[str]] = {}
    for package, version in _PIN.findall(lock(name)):
        found.setdefault(canonicalize_name(package), set()).add(version)
    return found


def tracked() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=CHECKOUT, capture_output=True, text=True, check=True
    )
    return [CHECKOUT / name for name in listed.stdout.split("\0") if name]


def tracked_texts() -> dict[str, str]:
    """Tracked text files by path."""
    texts: dict[str, str] = {}
    for path in tracked():
        raw = path.read_bytes() if path.is_file() else b"\0"
        if b"\0" not in raw:
            texts[str(path.relative_to(CHECKOUT))] = raw.decode("utf-8")
    return texts


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_holds_versions_and_hashes_and_no_address(name: str) -> None:
    text = lock(name)

    assert "://" not in text
    assert re.findall(r"^\s*--(?!hash=sha256:[0-9a-f]{64})", text, re.MULTILINE) == []
    requirements = re.split(r"\n(?=\S)", re.sub(r"^#.*\n", "", text, flags=re.MULTILINE).strip())
    assert [r for r in requirements if "==" not in r or "--hash=sha256:" not in r] == []


def test_what_runs_is_locked_alike_for_development() -> None:
    run, dev = pins("run"), pins("dev")

    assert {name: dev.get(name) for name in run} == run


@pytest.mark.parametrize("name", LOCKS)
def test_the_lock_has_every_dependency_in_a_version_that_is_allowed(name: str) -> None:
    declared = list(project()["project"]["dependencies"])
    if name == "dev":
        declared += project()["dependency-groups"]["dev"]
    locked = pins(name)

    wrong = [
        text
        for text in declared
        for requirement in [Requirement(text)]
        if not locked.get(canonicalize_name(requirement.name))
        or not all(
            Version(version) in requirement.specifier
            for version in locked[canonicalize_name(requirement.name)]
        )
    ]
    assert wrong == [], "run `make lock`"


def test_no_file_names_a_package_index_or_the_place_where_it_was_written() -> None:
    hosts = ("py" + "pi.org", "pythonhosted" + ".org", "registry." + "npmjs")
    places = re.compile(r"/(?:home|root|Users|work)/(?!user\b)[a-z.]")

    found = [
        path
        for path, text in tracked_texts().items()
        if any(host in text for host in hosts) or places.search(text)
    ]

    assert found == []


def test_no_source_file_is_longer_than_is_good_for_a_reader() -> None:
    lengths = {path: text.count("\n") for path, text in tracked_texts().items()}

    assert [path for path, n in lengths.items() if path.endswith(".py") and n > _LONG] == []
    assert lengths["README.md"] <= 150


def test_no_function_is_longer_than_is_good_for_a_reader() -> None:
    long = [
        f"{path}: {node.name} has {length} lines"
        for path, text in tracked_texts().items()
        if path.endswith(".py") and not path.startswith("tests/")
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        if (length := (node.end_lineno or 0) - node.lineno + 1) > _LONG_FUNCTION
    ]

    assert long == []


def test_nothing_is_left_open() -> None:
    marks = re.compile("|".join(["TO" + "DO", "FIX" + "ME", "XX" + "X", "no " + "cover"]))
    skips = re.compile(r"pytest\.(?:mark\.)?(?:sk" + r"ip|xf" + r"ail)")
    ignores = re.compile(r"#\s*type:\s*ignore(?!\[)|#\s*pyright:\s*ignore(?!\[)")
    sources = {path: text for path, text in tracked_texts().items() if path.endswith(".py")}

    found = [
        path
        for path, text in sources.items()
        if marks.search(text) or skips.search(text) or ignores.search(text)
    ]

    assert found == []


def test_no_module_has_a_name_that_means_nothing() -> None:
    empty = {"utils", "util", "helpers", "helper", "common", "misc", "manager"}

    names = {path: set(Path(path).with_suffix("").parts) for path in tracked_texts()}

    assert [path for path, parts in names.items() if parts & empty] == []


def test_every_link_of_the_documentation_leads_somewhere() -> None:
    broken = [
        f"{path}: {target}"
        for path, text in tracked_texts().items()
        if path.endswith(".md")
        for target in re.findall(r"\]\(([^)#\s]+)", text)
        if "://" not in target and not (CHECKOUT / path).parent.joinpath(target).exists()
    ]

    assert broken == []


def test_every_page_of_the_documentation_is_in_its_index() -> None:
    index = (CHECKOUT / "docs" / "README.md").read_text(encoding="utf-8")

    pages = {path.name for path in (CHECKOUT / "docs").glob("*.md")} - {"README.md"}

    assert [page for page in sorted(pages) if f"]({page})" not in index] == []


def test_every_target_of_the_makefile_is_told_by_make_help() -> None:
    text = (CHECKOUT / "Makefile").read_text(encoding="utf-8")
    phony = re.findall(r"^\.PHONY: (.+)$", text, re.MULTILINE)[0].split()

    told = subprocess.run(["make", "help"], cwd=CHECKOUT, capture_output=True, text=True).stdout

    assert [target for target in phony if f"make {target} " not in told] == []


def test_commits_are_checked_with_the_tools_of_make_check() -> None:
    hooks = yaml.safe_load((CHECKOUT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    makefile = (CHECKOUT / "Makefile").read_text(encoding="utf-8")

    entries = [hook["entry"] for repo in hooks["repos"] for hook in repo["hooks"]]

    tools = {entry.split()[0].removeprefix(".venv/bin/") for entry in entries}
    assert all(repo["repo"] == "local" for repo in hooks["repos"])
    assert {tool for tool in tools if f"$(BIN)/{tool}" not in makefile} == set()


def test_the_version_has_a_heading_in_the_changelog() -> None:
    changelog = (CHECKOUT / "CHANGELOG.md").read_text(encoding="utf-8")

    assert "## [Unreleased]" in changelog or f"## [{project()['project']['version']}]" in changelog


def test_every_supported_python_is_in_the_version_file() -> None:
    versions = (CHECKOUT / ".python-version").read_text(encoding="utf-8").split()

    assert versions == ["3.13", "3.12", "3.11"]
    assert project()["project"]["requires-python"] == ">=3.11,<3.14"


def test_ci_can_be_run() -> None:
    run = CHECKOUT / ".ci" / "run"

    assert run.stat().st_mode & 0o111
    subprocess.run(["bash", "-n", str(run)], check=True)

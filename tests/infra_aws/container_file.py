"""A Dockerfile taken apart: as much of the format as ours uses."""

import json
import re
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import cast

ROOT = Path(__file__).resolve().parents[2]
DOCKERFILE = ROOT / "mcp_gateway" / "Dockerfile"
SERVER_DOCKERFILE = ROOT / "infra" / "local" / "Dockerfile"


@dataclass(frozen=True, slots=True, kw_only=True)
class Instruction:
    """One instruction.

    Attributes:
        name: Upper case.
        text: The rest, on one line.
    """

    name: str
    text: str


def instructions(file: Path = DOCKERFILE) -> list[Instruction]:
    """All instructions in order, without comments."""
    text = re.sub(r"^#.*\n", "", file.read_text(encoding="utf-8"), flags=re.MULTILINE)
    lines = [line for line in re.sub(r"\\\n\s*", " ", text).splitlines() if line.strip()]
    return [
        Instruction(name=name.upper(), text=rest.strip())
        for name, _, rest in (line.partition(" ") for line in lines)
    ]


def last_stage(file: Path = DOCKERFILE) -> list[Instruction]:
    """The instructions of the image itself."""
    everything = instructions(file)
    start = max(place for place, one in enumerate(everything) if one.name == "FROM")
    return everything[start:]


def variables(file: Path = DOCKERFILE) -> dict[str, str]:
    """The variables of the image."""
    texts = [one.text for one in last_stage(file) if one.name == "ENV"]
    pairs = [pair.partition("=") for text in texts for pair in shlex.split(text)]
    return {name: value for name, _, value in pairs}


def exec_form(name: str, file: Path = DOCKERFILE) -> list[str]:
    """The command of an instruction in exec form."""
    (text,) = [one.text for one in last_stage(file) if one.name == name]
    return cast("list[str]", json.loads(text[text.index("[") :]))


def copied(file: Path = DOCKERFILE) -> list[str]:
    """What is copied from the repository into any stage."""
    return [
        one.text.split()[0]
        for one in instructions(file)
        if one.name == "COPY" and not one.text.startswith("--from=")
    ]

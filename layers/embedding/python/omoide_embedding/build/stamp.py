"""Knowing quickly whether a built model is up to date; imports nothing heavy."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from omoide_embedding.build.models_file import ModelEntry

STAMP_FILE: Final = "build.json"
_PACKAGE: Final = Path(__file__).parents[1]
_SHAPING_MODULES: Final = ("token_weights.py", "revision.py", "model_folder.py")


def inputs_hash(entry: ModelEntry, scripts: Sequence[str] | None, stop_words: Sequence[str]) -> str:
    """Hash of everything a built folder depends on: entry, scripts, mean and building code."""
    digest = hashlib.sha256()
    shaping = (_PACKAGE / name for name in _SHAPING_MODULES)
    for file in [*sorted((_PACKAGE / "build").glob("*.py")), *shaping]:
        digest.update(f"{file.name}\n".encode() + file.read_bytes())
    described = {
        "name": entry.name,
        "scripts": None if scripts is None else sorted(scripts),
        "sources": {part: source.sha256 for part, source in sorted(entry.sources.items())},
        "settings": {key: value for key, value in entry.settings.items() if key != "sources"},
        "embed": dict(entry.embed),
        "stop_words": sorted(stop_words),
    }
    digest.update(json.dumps(described, sort_keys=True).encode())
    if entry.mean is not None and entry.mean.is_file():
        digest.update(entry.mean.read_bytes())
    return digest.hexdigest()


def write_stamp(folder: Path, inputs: str) -> None:
    """Record inputs and the hashes of all files of a finished folder."""
    files = {
        file.name: {
            "bytes": file.stat().st_size,
            "sha256": hashlib.sha256(file.read_bytes()).hexdigest(),
        }
        for file in sorted(folder.iterdir())
        if file.name != STAMP_FILE
    }
    text = json.dumps({"inputs": inputs, "files": files}, indent=1)
    (folder / STAMP_FILE).write_text(text + "\n", encoding="utf-8")


def is_up_to_date(folder: Path, inputs: str) -> bool:
    """Whether a folder was built from these inputs and its files have the recorded sizes."""
    stamp = _read_stamp(folder)
    files: Mapping[str, Any] = stamp.get("files", {})
    return stamp.get("inputs") == inputs and all(
        (folder / name).is_file() and (folder / name).stat().st_size == entry["bytes"]
        for name, entry in files.items()
    )


def damaged_files(folder: Path) -> list[str]:
    """Names of files whose bytes are not those the build wrote."""
    files: Mapping[str, Any] = _read_stamp(folder).get("files", {})
    return [
        name
        for name, entry in files.items()
        if not (folder / name).is_file()
        or hashlib.sha256((folder / name).read_bytes()).hexdigest() != entry["sha256"]
    ]


def _read_stamp(folder: Path) -> dict[str, Any]:
    try:
        return json.loads((folder / STAMP_FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}

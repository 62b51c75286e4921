"""The locked versions and hashes of the packages of a layer, for one target."""

import re
from collections.abc import Iterable
from pathlib import Path

from packaging.markers import Marker
from packaging.utils import canonicalize_name

from infra.packaging.target import PackagingError, Target

LOCK_FILE = Path(__file__).parents[2] / "requirements" / "dev.txt"

_ENTRY = re.compile(
    r"^(?P<name>[A-Za-z0-9._-]+)==(?P<version>[^\s;\\]+)"
    r"(?:\s*;\s*(?P<marker>[^\\\n]+?))?\s*(?P<hashes>(?:\\\n\s+--hash=\S+\s*)+)",
    re.MULTILINE,
)


def locked_requirements(names: Iterable[str], target: Target, *, lock: str | None = None) -> str:
    """Return a requirements file with hashes for these packages and no others.

    Args:
        names: The packages.
        target: What decides between versions that depend on the machine.
        lock: Text of the lock; None reads the one of this project.

    Raises:
        PackagingError: The lock does not hold one of them.
    """
    text = LOCK_FILE.read_text(encoding="utf-8") if lock is None else lock
    entries: dict[str, str] = {}
    for entry in _ENTRY.finditer(text):
        marker = entry["marker"]
        if marker is None or Marker(marker).evaluate(target.marker_environment):
            hashes = " ".join(re.findall(r"--hash=\S+", entry["hashes"]))
            pin = f"{entry['name']}=={entry['version']} {hashes}"
            entries[canonicalize_name(entry["name"])] = pin
    wanted = [canonicalize_name(name) for name in names]
    missing = sorted(set(wanted) - set(entries))
    if missing:
        raise PackagingError(f"{LOCK_FILE.name} does not lock: {', '.join(missing)}")
    return "".join(f"{entries[name]}\n" for name in sorted(wanted))

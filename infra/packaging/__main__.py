"""Build the layers: ``python -m infra.packaging --architecture arm64 --python 3.13``."""

import argparse
import sys
from collections.abc import Sequence

from infra.packaging.build import build_package
from infra.packaging.gate import check_package
from infra.packaging.target import Architecture, PackagingError, Target


def main(arguments: Sequence[str] | None = None) -> int:
    """Build and check for each architecture that is asked for; print the sizes."""
    parser = argparse.ArgumentParser(prog="python -m infra.packaging", description=__doc__)
    parser.add_argument(
        "--architecture",
        action="append",
        choices=[one.value for one in Architecture],
        help="may be given twice; default arm64",
    )
    parser.add_argument("--python", default="3.13", help="default 3.13")
    given = parser.parse_args(arguments)
    for name in given.architecture or [Architecture.ARM64.value]:
        target = Target(architecture=Architecture(name), python=given.python)
        try:
            sizes = check_package(build_package(target), target)
        except PackagingError as error:
            sys.stderr.write(f"{target}: {error}\n")
            return 1
        sys.stdout.write(f"{target}: {sizes}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())

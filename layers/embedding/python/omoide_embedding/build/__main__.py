"""``python -m omoide_embedding.build``: build the models a checkout needs."""

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from omoide.domain.stop_words import STOP_WORDS
from omoide_embedding.build.models_file import (
    MODELS_FILE,
    ModelEntry,
    ModelsFileError,
    read_models_file,
)
from omoide_embedding.build.sources import SourceError
from omoide_embedding.build.stamp import damaged_files, inputs_hash, is_up_to_date


def main(arguments: Sequence[str] | None = None) -> int:
    """Build the named models, or the default one; 0 when all are there."""
    options = _parser().parse_args(arguments)
    output: Path = options.output or options.models_file.parent / ".build"
    cache: Path = options.cache or output / "cache"
    try:
        models = read_models_file(options.models_file)
        chosen = sorted(models.models) if options.all else options.models or [models.default]
        for name in chosen:
            entry = models.entry(name)
            scripts = options.scripts or entry.scripts
            if options.verify:
                _verify(output / name)
            else:
                _build(entry, scripts, output, cache)
            if options.calibrate:
                _calibrate(entry, output / name)
    except (ModelsFileError, SourceError, ValueError) as error:
        sys.stderr.write(f"omoide models: {error}\n")
        return 1
    return 0


def _build(entry: ModelEntry, scripts: Sequence[str] | None, output: Path, cache: Path) -> None:
    started = time.monotonic()
    inputs = inputs_hash(entry, scripts, sorted(STOP_WORDS))
    if is_up_to_date(output / entry.name, inputs):
        sys.stdout.write(f"{entry.name}: up to date\n")
        return
    from omoide_embedding.build.assemble import build_model

    folder = build_model(entry, scripts=scripts, output=output, cache=cache, inputs=inputs)
    size = sum(file.stat().st_size for file in folder.iterdir()) / 1e6
    elapsed_s = time.monotonic() - started
    sys.stdout.write(f"{entry.name}: built in {elapsed_s:.1f} s, {size:.1f} MB, {folder}\n")


def _calibrate(entry: ModelEntry, folder: Path) -> None:
    import numpy as np

    from omoide_embedding.calibration import calibrate, read_calibration_texts
    from omoide_embedding.model_folder import read_model_folder

    model = read_model_folder(folder)
    measured = calibrate(model, read_calibration_texts(languages=model.languages))
    recorded = entry.embed.get("scales", {})
    sys.stdout.write(f"[models.{entry.name}.scales]\n")
    for name, scale in measured.scales().items():
        sys.stdout.write(f"{name} = {scale}  # models.toml: {recorded.get(name, 'not given')}\n")
    if entry.mean is not None and measured.mean is not None and not entry.mean.exists():
        entry.mean.parent.mkdir(parents=True, exist_ok=True)
        np.save(entry.mean, measured.mean)
        sys.stdout.write(f"mean token vector written to {entry.mean}; build again\n")


def _verify(folder: Path) -> None:
    if not folder.is_dir():
        raise SourceError(f"{folder} is not built; run `make models`")
    damaged = damaged_files(folder)
    if damaged:
        raise SourceError(f"{folder}: changed since it was built: {', '.join(damaged)}")
    sys.stdout.write(f"{folder.name}: as built\n")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m omoide_embedding.build", description=__doc__)
    add = parser.add_argument
    add("models", nargs="*", metavar="MODEL", help="names from models.toml; default: its default")
    add("--all", action="store_true", help="build every model of models.toml")
    add("--scripts", nargs="+", metavar="SCRIPT", help="scripts to keep instead of the entry's")
    add("--output", type=Path, help="folder of the built models (default: .build beside the file)")
    add("--cache", type=Path, help="folder for downloads (default: OUTPUT/cache)")
    add("--models-file", type=Path, default=MODELS_FILE, help="another models.toml")
    add("--verify", action="store_true", help="build nothing, check the hashes of what is built")
    add("--calibrate", action="store_true", help="measure scales (and a missing mean), show them")
    return parser


if __name__ == "__main__":
    sys.exit(main())

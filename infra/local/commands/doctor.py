"""`omoide doctor`."""

import sys
from dataclasses import asdict
from pathlib import Path

import click

from infra.local.rendering import print_json
from omoide.domain.errors import OmoideError
from omoide.settings import Settings

_COLOURS = {"ok": "green", "warning": "yellow", "problem": "red"}


@click.command(
    name="doctor",
    epilog="""\b
Examples:
  omoide doctor
  omoide doctor --data ./memories --json
  omoide doctor --rebuild-index
  OMOIDE_MODEL=./my-model omoide doctor --calibrate""",
)
@click.option(
    "--data",
    metavar="DIR",
    help="Data folder (default: OMOIDE_DATA, else the user's data folder).",
)
@click.option(
    "--calibrate",
    is_flag=True,
    help="First measure the scales of the model folder in OMOIDE_MODEL and write them into it.",
)
@click.option(
    "--rebuild-index",
    is_flag=True,
    help="First make the index anew from the memories, which stay as they are.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(data: str | None, calibrate: bool, rebuild_index: bool, as_json: bool) -> None:
    """Check SQLite, the data folder, the model, the index and the disk.

    Exit code 1 when there is a problem.
    """
    from infra.local import doctor

    try:
        settings = Settings.load(data=data)
        if calibrate:
            _calibrate(settings)
        if rebuild_index:
            doctor.rebuild_index(settings)
        findings = doctor.examine(settings)
    except OmoideError as error:
        raise click.ClickException(str(error)) from None
    if as_json:
        print_json({"findings": [asdict(finding) for finding in findings]})
    else:
        for finding in findings:
            mark = click.style(f"{finding.state:8}", fg=_COLOURS[finding.state])
            click.echo(f"{mark} {finding.name:9} {finding.text}")
    if any(finding.state is doctor.State.PROBLEM for finding in findings):
        sys.exit(1)


def _calibrate(settings: Settings) -> None:
    from omoide_embedding.calibration import calibrate_folder

    folder = Path(settings.model)
    if not folder.is_dir():
        problem = f"OMOIDE_MODEL must be a model folder; {settings.model} is calibrated already"
        raise click.BadParameter(problem, param_hint="--calibrate")
    click.echo("measuring, this takes a minute", err=True)
    for name, (floor, ceiling) in calibrate_folder(folder).scales().items():
        click.echo(f"{name}: {floor} to {ceiling}", err=True)

"""`omoide serve`."""

import click

from omoide.domain.errors import OmoideError
from omoide.settings import Settings


@click.command(
    name="serve",
    epilog="""\b
Examples:
  omoide serve
  omoide serve --data ./memories --port 8010 --workers 2
  omoide keys create --admin && omoide serve --host 0.0.0.0 --require-key""",
)
@click.option(
    "--data",
    metavar="DIR",
    help="Data folder (default: OMOIDE_DATA, else the user's data folder).",
)
@click.option("--host", metavar="ADDRESS", help="Address to bind to; 127.0.0.1 by default.")
@click.option("--port", type=click.IntRange(0, 65535), help="8000 by default; 0 takes a free one.")
@click.option("--workers", type=click.IntRange(1, 64), help="Processes; 1 by default.")
@click.option("--require-key", is_flag=True, default=None, help="Refuse requests without a key.")
@click.option(
    "--log-format", type=click.Choice(["text", "json"]), default="text", show_default=True
)
def command(
    data: str | None,
    host: str | None,
    port: int | None,
    workers: int | None,
    require_key: bool | None,
    log_format: str,
) -> None:
    """Serve the HTTP API on this machine until interrupted.

    Only this machine can reach it, unless --host says otherwise; that needs --require-key and at
    least one key.
    """
    try:
        settings = Settings.load(
            data=data, host=host, port=port, workers=workers, require_key=require_key
        )
        _serve(settings, log_format)
    except OmoideError as error:
        raise click.ClickException(str(error)) from None


def _serve(settings: Settings, log_format: str) -> None:
    from infra.local.access_log import LogFormat
    from infra.local.server import ServeOptions, bind, refuse_open_door, refuse_unfit_data, serve
    from infra.local.serving import serving_note

    refuse_open_door(settings)
    refuse_unfit_data(settings)
    try:
        listener = bind(settings.host, settings.port)
    except OSError as error:
        raise click.ClickException(f"--host {settings.host}: {error.strerror or error}") from None
    with listener:
        host = f"[{settings.host}]" if ":" in settings.host else settings.host
        key = "required" if settings.require_key else "none needed on this machine"
        port = listener.getsockname()[1]
        click.echo(f"Omoide listens on http://{host}:{port} (reference at /docs)")
        click.echo(f"  data   {settings.data}")
        click.echo(f"  model  {settings.model}")
        click.echo(f"  key    {key}; `omoide keys create --admin` makes one")
        with serving_note(settings.data, settings.host, port):
            serve(ServeOptions(settings=settings, log_format=LogFormat(log_format)), listener)

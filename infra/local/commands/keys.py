"""`omoide keys`."""

from typing import cast

import click

from infra.local.commands.get import segment
from infra.local.rendering import plain, print_json
from infra.local.target import Json, Target, service_options


@click.group(
    name="keys",
    epilog="""\b
Examples:
  omoide keys create --admin --name me
  omoide keys create --scope 'write:team/a/**' --namespace team/a/notes --name agent-a
  omoide keys list
  omoide keys revoke 4f1c9ab27d3e5f60""",
)
def command() -> None:
    """Create, list and revoke API keys."""


@command.command(name="create")
@click.option("--name", help="What you call it; else `admin` or the first scope.")
@click.option("--admin", is_flag=True, help="Every right over every namespace (admin:**).")
@click.option(
    "--scope",
    "scopes",
    multiple=True,
    metavar="RIGHT:PATTERN",
    help="read|write|admin : namespace pattern, * one segment, a trailing ** any; repeatable.",
)
@click.option(
    "-n",
    "--namespace",
    "--default-namespace",
    "default_namespace",
    metavar="NAME",
    help="Namespace of requests that name none "
    "(default: the fixed beginning of the first write scope).",
)
@click.option(
    "--shape",
    type=click.Choice(["native", "dse"]),
    help="Shape of requests whose fields do not tell it.",
)
@service_options
def create(
    target: Target,
    name: str | None,
    admin: bool,
    scopes: tuple[str, ...],
    default_namespace: str | None,
    shape: str | None,
) -> None:
    """Create a key; its secret is shown this once."""
    if admin == bool(scopes):
        raise click.UsageError("Give either --admin or at least one --scope.")
    body = {
        "name": name or ("admin" if admin else scopes[0]),
        "scopes": ["admin:**"] if admin else list(scopes),
        "default_namespace": default_namespace,
        "shape": shape,
    }
    made = target.open().call("POST", "/v1/keys", body=body)
    if target.as_json:
        print_json(made)
    else:
        click.echo(made["token"])
        click.echo("keep it: it is not shown again", err=True)


@command.command(name="list")
@service_options
def list_keys(target: Target) -> None:
    """List keys without their secrets, revoked ones too."""
    answer = target.open().call("GET", "/v1/keys")
    if target.as_json:
        print_json(answer)
        return
    for key in cast("list[Json]", answer["keys"]):
        scopes = " ".join(cast("list[str]", key["scopes"]))
        state = f"revoked {str(key['revoked_at'])[:10]}" if key.get("revoked_at") else "valid"
        click.echo(f"{key['key_id']}  {state}  {scopes}  {plain(str(key.get('name') or ''))}")


@command.command(name="revoke")
@click.argument("key_id", metavar="KEY_ID")
@service_options
def revoke(target: Target, key_id: str) -> None:
    """Make a key useless, at once and for good."""
    target.open().call("DELETE", f"/v1/keys/{segment(key_id)}")
    click.echo(f"{key_id}  revoked", err=True)

"""Memories as resources."""

import json
import uuid

import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp.types import TextResourceContents

from tests.gateway.calls import succeed

pytestmark = pytest.mark.anyio


async def test_a_memory_is_a_resource_by_its_id(client: Client) -> None:
    receipt, _ = await succeed(client, "store_memory", content="Anna likes <tea>")

    read = await client.read_resource(f"omoide://memories/{receipt['id']}")

    (contents,) = read.contents
    assert isinstance(contents, TextResourceContents)
    assert contents.mime_type == "application/json"
    memory = json.loads(contents.text)
    assert memory["id"] == receipt["id"]
    assert memory["content"] == "Anna likes <tea>"


async def test_the_address_of_a_memory_is_told_as_a_template(client: Client) -> None:
    templates = await client.list_resource_templates()
    resources = await client.list_resources()

    assert [one.uri_template for one in templates.resource_templates] == ["omoide://memories/{id}"]
    assert resources.resources == []


@pytest.mark.parametrize(
    "uri",
    ["omoide://memories/count", "omoide://other/x", "file:///etc/passwd", "omoide://memories/"],
)
async def test_any_other_address_is_refused(client: Client, uri: str) -> None:
    with pytest.raises(MCPError, match="No such resource"):
        await client.read_resource(uri)


async def test_an_unknown_memory_is_not_found(client: Client) -> None:
    with pytest.raises(MCPError, match="NOT_FOUND"):
        await client.read_resource(f"omoide://memories/{uuid.uuid4()}")

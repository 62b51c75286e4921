"""Repeat a store without storing twice; change a memory only if nobody else has.

Usage: retry_safely.py [URL of the server]
"""

import json
import sys
import urllib.error
import urllib.request
import uuid

NAMESPACE = "examples/retries"


def send(
    server: str, method: str, path: str, body: dict[str, object], **headers: str
) -> tuple[int, dict[str, object]]:
    """Send a JSON object; status and answer, also of a refusal."""
    request = urllib.request.Request(
        server + path,
        method=method,
        data=json.dumps(body).encode(),
        headers={"Content-Type": "application/json", **headers},
    )
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def main(server: str) -> None:
    """Store twice under one operation id, then change twice from one version."""
    memory: dict[str, object] = {
        "namespace": NAMESPACE,
        "content": "The invoice of May is paid.",
        "operation_id": str(uuid.uuid4()),
        "dedupe": "off",
    }
    status, first = send(server, "POST", "/v1/memories", memory)
    print("stored", status, first["outcome"])
    status, again = send(server, "POST", "/v1/memories", memory)
    print("again", status, "the same memory:", first["id"] == again["id"])

    path = f"/v1/memories/{first['id']}"
    version = {"If-Match": str(first["version"])}
    status, _ = send(server, "PATCH", path, {"content": "The invoice is paid twice."}, **version)
    print("changed", status)
    status, refused = send(server, "PATCH", path, {"content": "Nobody paid it."}, **version)
    print("changed from the old version", status, refused["error"])


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000")

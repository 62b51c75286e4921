"""The hook of Claude Code that is called with every prompt (``UserPromptSubmit``).

It is given a JSON object with ``prompt`` and ``session_id`` on standard input and may print one
with ``additionalContext``. It never blocks a prompt: after two seconds, or when anything is amiss,
it ends with nothing printed and exit code 0.
"""

import json
import os
import sys
import threading
from pathlib import Path

from infra.local.quick_surface import PATH, ask, data_folder

LIMIT_S = 2.0
MOST_CHARACTERS = 32_768
EVENT = "UserPromptSubmit"


def run(arguments: list[str]) -> None:
    """Answer a prompt and end the process.

    Args:
        arguments: Those after ``hook``: ``--data``, ``--namespace`` and ``--budget`` with values.
    """
    deadline = threading.Timer(LIMIT_S, os._exit, (0,))
    deadline.daemon = True
    deadline.start()
    try:
        options = dict(zip(arguments[::2], arguments[1::2], strict=False))
        printed = answer(sys.stdin.read(), options, data_folder(options.get("--data")))
        sys.stdout.write(printed)
        sys.stdout.flush()
    except BaseException:  # noqa: BLE001 - no failure of ours may disturb a prompt
        os._exit(0)
    os._exit(0)


def answer(given: str, options: dict[str, str], data: Path) -> str:
    """What to print for a prompt; nothing where nothing comes to mind.

    Args:
        given: What the hook is given.
        options: Of the hook.
        data: The data folder.
    """
    event = json.loads(given)
    prompt, session = str(event["prompt"]), str(event["session_id"])
    if not prompt.strip():
        return ""
    body: dict[str, object] = {"context": prompt[:MOST_CHARACTERS], "session_id": session[:256]}
    if "--namespace" in options:
        body["namespace"] = options["--namespace"]
    if "--budget" in options:
        body["token_budget"] = int(options["--budget"])
    found = ask(body, data, timeout_s=LIMIT_S)
    text = _text_here(body, data) if found is None else str(found["text"])
    if not text:
        return ""
    told = {"hookEventName": EVENT, "additionalContext": text}
    return json.dumps({"hookSpecificOutput": told}, ensure_ascii=False) + "\n"


def _text_here(body: dict[str, object], data: Path) -> str:
    """Ask the folder in this process, without a server; with a key, as whoever holds it."""
    key = os.environ.get("OMOIDE_KEY")
    if key is None:
        from infra.local.surface_here import surface_here

        return surface_here(body, data).text
    from infra.local.local_api import LocalApi

    api = LocalApi(data=str(data), key=key, embeds=True)
    status, content = api.send("POST", PATH, json.dumps(body).encode())
    return str(json.loads(content)["text"]) if status == 200 else ""

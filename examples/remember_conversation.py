"""Store the turns of a conversation, then ask about it in two languages.

Usage: remember_conversation.py [URL of the server]
"""

import json
import sys
import urllib.request

NAMESPACE = "examples/trip"
TURNS = (
    ("Yuki", "Shall we take the night train to Aomori or fly?"),
    ("Ben", "The train, please. I get airsick, and I want to see the coast in the morning."),
    ("Yuki", "Then I'll book two berths for the 14th. 青森ではねぶた祭りを見たい。"),
    ("Ben", "Good. Remember that I don't eat pork."),
)
QUESTIONS = (
    "Why does Ben prefer the train?",
    "ベンさんが食べないものは？",
    "ユキさんは青森で何を見たい？",
)


def call(server: str, path: str, body: dict[str, object]) -> dict[str, object]:
    """Post a JSON object; the answer's."""
    request = urllib.request.Request(
        server + path,
        data=json.dumps(body).encode(),
        headers={"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def main(server: str) -> None:
    """Store the conversation and ask the questions."""
    for turn, (speaker, text) in enumerate(TURNS):
        memory: dict[str, object] = {
            "namespace": NAMESPACE,
            "content": text,
            "speaker": speaker,
            "session_id": "planning",
            "turn": turn,
        }
        call(server, "/v1/memories", memory)

    for question in QUESTIONS:
        search: dict[str, object] = {"namespace": NAMESPACE, "query": question, "top_k": 1}
        results = call(server, "/v1/memories/search", search)["results"]
        assert isinstance(results, list)
        print(f"{question}\n  {results[0]['speaker']}: {results[0]['content']}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000")

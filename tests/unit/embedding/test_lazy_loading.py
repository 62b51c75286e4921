import subprocess
import sys
from pathlib import Path

PROGRAM = """
import socket, sys

def refuse(*arguments, **options):
    raise AssertionError("the network was used")

socket.socket = refuse

from pathlib import Path
from omoide.ports.embedder import Passage
from omoide_embedding.embedder import OnnxEmbedder

embedder = OnnxEmbedder(Path(sys.argv[1]))
assert embedder.profile.dims == 32
heavy = {"onnxruntime", "tokenizers", "onnx", "torch", "safetensors"}
assert not heavy & set(sys.modules), heavy & set(sys.modules)

embedder.embed_passages([Passage(text="blue cat")])
building = {"onnx", "torch", "safetensors", "omoide_embedding.build"}
assert not building & set(sys.modules), building & set(sys.modules)
print("encoded")
"""


def test_nothing_heavy_is_imported_before_the_first_text_and_no_network_is_used(
    tiny_folder: Path,
):
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tiny_folder)],
        check=False,
        capture_output=True,
        text=True,
    )

    assert (ended.stdout, ended.stderr) == ("encoded\n", "")

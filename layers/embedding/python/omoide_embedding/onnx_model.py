"""Running one text through an ONNX graph."""

import os
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from omoide.domain.errors import ModelUnavailableError
from omoide_embedding.model_folder import ModelFolder, Pooling
from omoide_embedding.revision import GRAPH_FILE


class _Named(Protocol):
    @property
    def name(self) -> str: ...


class _Session(Protocol):
    def run(
        self, output_names: Sequence[str] | None, input_feed: Mapping[str, NDArray[np.int64]]
    ) -> Sequence[NDArray[np.float32]]: ...

    def get_inputs(self) -> Sequence[_Named]: ...

    def get_outputs(self) -> Sequence[_Named]: ...


class OnnxModel:
    """A loaded graph; every run encodes one text, so no text depends on its neighbours.

    Args:
        folder: Describes outputs and pooling.
        session: An onnxruntime session.

    Raises:
        ModelUnavailableError: The graph lacks an output that ``embed.json`` names.
    """

    def __init__(self, folder: ModelFolder, session: _Session) -> None:
        self._session = session
        self._folder = folder
        self._inputs = {entry.name for entry in session.get_inputs()}
        outputs = {entry.name for entry in session.get_outputs()}
        wanted = {folder.vector_output, folder.token_output or folder.vector_output}
        if not wanted <= outputs:
            raise ModelUnavailableError(
                f"{folder.path / GRAPH_FILE} has the outputs {sorted(outputs)}, "
                f"embed.json names {sorted(wanted)}"
            )

    @classmethod
    def load(cls, folder: ModelFolder, threads: int) -> "OnnxModel":
        """Open ``model.onnx`` with sequential execution and without spinning threads."""
        return cls(folder, _open_session(folder.path / GRAPH_FILE, threads))

    @staticmethod
    def import_runtime() -> None:
        """Import onnxruntime, so that a later `load` in a thread does not wait for the import."""
        _import_runtime()

    def run(
        self, numbers: NDArray[np.int64]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32] | None]:
        """Encode one text.

        Args:
            numbers: ``(n,)`` piece numbers, special ones included.

        Returns:
            The L2-normalised vector ``(dims,)`` and the raw token vectors ``(n, dims)``, or None
            for a model without them.
        """
        folder = self._folder
        names = [folder.vector_output]
        if folder.token_output and folder.token_output != folder.vector_output:
            names.append(folder.token_output)
        outputs = self._session.run(names, self._feed(numbers))
        vector = _pooled(outputs[0][0], folder.pooling)
        if folder.normalise:
            vector = vector / max(float(np.linalg.norm(vector)), 1e-12)
        tokens = outputs[-1][0] if folder.token_output else None
        return vector.astype(np.float32), tokens

    def _feed(self, numbers: NDArray[np.int64]) -> dict[str, NDArray[np.int64]]:
        ids = numbers[np.newaxis]
        feed = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.zeros_like(ids),
        }
        return {name: values for name, values in feed.items() if name in self._inputs}


def _pooled(output: NDArray[np.float32], pooling: Pooling) -> NDArray[np.float32]:
    if pooling is Pooling.MEAN:
        return output.mean(axis=0)
    return output[0] if pooling is Pooling.CLS else output


def _import_runtime() -> ModuleType:
    """Import onnxruntime without its telemetry.

    Official builds since 1.29 keep a device id under the home directory and send usage events from
    the moment of the import; only this variable, read at the import, prevents it.
    """
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    return import_module("onnxruntime")


def _open_session(file: Path, threads: int) -> _Session:
    runtime = cast(Any, _import_runtime())
    options = runtime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.execution_mode = runtime.ExecutionMode.ORT_SEQUENTIAL
    options.log_severity_level = 3
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    session = runtime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
    return cast(_Session, session)

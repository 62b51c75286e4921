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
from omoide_embedding.batches import Run
from omoide_embedding.model_folder import ModelFolder, Pooling
from omoide_embedding.revision import GRAPH_FILE


class Named(Protocol):
    """An input or output of a graph."""

    @property
    def name(self) -> str:
        """Its name."""
        ...


class Session(Protocol):
    """An onnxruntime session, as far as it is used here."""

    def run(
        self, output_names: Sequence[str] | None, input_feed: Mapping[str, NDArray[np.int64]]
    ) -> Sequence[NDArray[np.float32]]:
        """Run the graph; no names give every output."""
        ...

    def get_inputs(self) -> Sequence[Named]:
        """Its inputs."""
        ...

    def get_outputs(self) -> Sequence[Named]:
        """Its outputs."""
        ...


class OnnxModel:
    """A loaded graph.

    Args:
        folder: Describes outputs and pooling.
        session: An onnxruntime session.

    Raises:
        ModelUnavailableError: The graph lacks an output that ``embed.json`` names.
    """

    def __init__(self, folder: ModelFolder, session: Session) -> None:
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
        return cls(folder, open_session(folder.path / GRAPH_FILE, threads))

    @staticmethod
    def import_runtime() -> None:
        """Import onnxruntime, so that a later `load` in a thread does not wait for the import."""
        _import_runtime()

    def run(self, numbers: NDArray[np.int64]) -> Run:
        """Encode one text: ``(n,)`` piece numbers, special ones included."""
        return self.run_all([numbers])[0]

    def run_all(self, inputs: Sequence[NDArray[np.int64]]) -> list[Run]:
        """Encode several texts in one run, the shorter ones padded and masked.

        Args:
            inputs: ``(n,)`` piece numbers of each, special ones included.
        """
        folder = self._folder
        names = [folder.vector_output]
        if folder.token_output and folder.token_output != folder.vector_output:
            names.append(folder.token_output)
        outputs = self._session.run(names, self._feed(inputs))
        return [
            self._run_of(len(one), outputs[0][row], outputs[-1][row])
            for row, one in enumerate(inputs)
        ]

    def _run_of(self, length: int, output: NDArray[np.float32], states: NDArray[np.float32]) -> Run:
        pooling = self._folder.pooling
        own = output if pooling is Pooling.GRAPH else output[:length]
        vector = _pooled(own, pooling)
        if self._folder.normalise:
            vector = vector / max(float(np.linalg.norm(vector)), 1e-12)
        has_states = self._folder.token_output is not None
        return Run(vector.astype(np.float32), states[:length] if has_states else None)

    def _feed(self, inputs: Sequence[NDArray[np.int64]]) -> dict[str, NDArray[np.int64]]:
        ids = np.zeros((len(inputs), max(map(len, inputs))), np.int64)
        mask = np.zeros_like(ids)
        for row, one in enumerate(inputs):
            ids[row, : len(one)] = one
            mask[row, : len(one)] = 1
        feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
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


def open_session(file: Path, threads: int) -> Session:
    """Open a graph with sequential execution and without spinning threads."""
    runtime = cast(Any, _import_runtime())
    options = runtime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.execution_mode = runtime.ExecutionMode.ORT_SEQUENTIAL
    options.log_severity_level = 3
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    session = runtime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
    return cast(Session, session)

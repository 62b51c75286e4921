"""Variables that packaged functions run with, wherever they run."""

from collections.abc import Mapping

RUNTIME_VARIABLES: Mapping[str, str] = {
    "OPENBLAS_NUM_THREADS": "1",
    "ORT_DISABLE_TELEMETRY": "1",
}
"""Read by libraries when they are imported: matrix products here are small, so that threads of the
linear algebra library would wait for each other; onnxruntime sends usage events unless told."""

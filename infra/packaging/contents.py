"""What goes into the layers and what must not."""

from typing import Final

CORE_PACKAGES: Final = (
    "annotated-types",
    "aws-lambda-powertools",
    "certifi",
    "charset-normalizer",
    "events",
    "idna",
    "jmespath",
    "numpy",
    "opensearch-py",
    "platformdirs",
    "pydantic",
    "pydantic-core",
    "pynamodb",
    "pystemmer",
    "python-dateutil",
    "requests",
    "six",
    "typing-extensions",
    "typing-inspection",
    "tzdata",
    "urllib3",
)
"""What the core imports. The runtime has boto3; opensearch-py reaches gRPC only when asked to."""

EMBEDDING_PACKAGES: Final = ("onnxruntime", "tokenizers")
"""What the embedding layer imports besides the core; what these require besides, they never load
for inference."""

TRIMMED: Final = (
    "**/*.a",
    "**/*.pxd",
    "**/*.pyi",
    "**/__pycache__",
    "*.dist-info/INSTALLER",
    "*.dist-info/RECORD",
    "*.dist-info/REQUESTED",
    "aws_lambda_powertools/event_handler/openapi/swagger_ui/*.css",
    "aws_lambda_powertools/event_handler/openapi/swagger_ui/*.js",
    "bin",
    "numpy/**/tests",
    "numpy/_core/include",
    "numpy/f2py",
    "onnxruntime/backend",
    "onnxruntime/datasets",
    "onnxruntime/quantization",
    "onnxruntime/tools",
    "onnxruntime/transformers",
)
"""Paths inside installed packages that nothing reads at run time."""

FORBIDDEN: Final = frozenset(
    {
        "apsw",
        "awslambdaric",
        "boto3",
        "botocore",
        "google",
        "grpc",
        "hatchling",
        "huggingface_hub",
        "ml_dtypes",
        "numkong",
        "onnx",
        "opensearch",
        "pip",
        "pytest",
        "s3transfer",
        "setuptools",
        "wheel",
    }
)
"""Top-level modules the runtime has already, or nothing needs there."""

FUNCTION_MODULES: Final = ("__init__.py", "composition*", "manifest.py", "wiring.py")
"""What stands beside the folders of handlers."""

TRIGGERS: Final = ("api", "authorizer", "queue", "scheduled", "stream")
"""The folders of handlers."""

BUILD_ONLY: Final = ("build",)
"""Parts of ``omoide_embedding`` that make models and never run them."""

UNZIPPED_LIMIT: Final = 250_000_000
"""Bytes Lambda allows for a function with its layers, unzipped (262,144,000), less a margin."""

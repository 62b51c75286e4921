"""ONNX embedding models behind the Embedder port."""

"""ONNX embedding models behind the embedder port."""

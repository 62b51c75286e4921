"""The HTTP contract: request and response models, errors, shapes."""

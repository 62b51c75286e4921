"""The laptop as a place to run: server, command line, evaluation and benchmark.

Matrix products here are small and several processes share the cores: threads of the linear algebra
library would only wait for each other, busily. It reads the variable once, when numpy is imported.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

"""Working adapters in memory: they keep every promise of the ports and need nothing."""

from omoide.adapters.fake.clock import FakeClock, FakeEntropy
from omoide.adapters.fake.embedder import FakeEmbedder
from omoide.adapters.fake.folder import FakeFolder

__all__ = ["FakeClock", "FakeEmbedder", "FakeEntropy", "FakeFolder"]

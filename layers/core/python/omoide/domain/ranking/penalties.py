"""What the ``context`` profile takes from a memory that is no longer, or not surely, true."""

from omoide.domain.memory import Memory, Status, VerificationStatus

SUPERSEDED_FACTOR = 0.1
CONTRADICTED_FACTOR = 0.3


def penalty(memory: Memory) -> float:
    """The factor of a score, 0..1: .1 for what was superseded, .3 for what is contradicted."""
    factor = 1.0
    if memory.status is Status.SUPERSEDED:
        factor *= SUPERSEDED_FACTOR
    if memory.verification_status is VerificationStatus.CONTRADICTED:
        factor *= CONTRADICTED_FACTOR
    return factor

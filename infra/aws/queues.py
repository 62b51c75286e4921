"""The queues, each with one for what could not be worked off."""

from aws_cdk import Duration
from aws_cdk import aws_sqs as sqs
from constructs import Construct

_KEPT = Duration.days(14)
_TRIES = 5


class WorkQueue(Construct):
    """A queue whose messages end in a dead-letter queue after five failures."""

    def __init__(self, scope: Construct, construct_id: str, *, hidden_for: Duration) -> None:
        super().__init__(scope, construct_id)
        self.dead = dead_letter_queue(self, "Dead")
        self.queue = sqs.Queue(
            self,
            "Queue",
            encryption=sqs.QueueEncryption.SQS_MANAGED,
            enforce_ssl=True,
            visibility_timeout=hidden_for,
            dead_letter_queue=sqs.DeadLetterQueue(queue=self.dead, max_receive_count=_TRIES),
        )


def dead_letter_queue(scope: Construct, construct_id: str) -> sqs.Queue:
    """A queue that keeps what failed for 14 days."""
    return sqs.Queue(
        scope,
        construct_id,
        encryption=sqs.QueueEncryption.SQS_MANAGED,
        enforce_ssl=True,
        retention_period=_KEPT,
    )

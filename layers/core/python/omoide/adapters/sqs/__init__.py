"""Queues in Amazon SQS."""

from omoide.adapters.sqs.dead_letters import QueuedDeadLetters
from omoide.adapters.sqs.message_queue import MessageQueue
from omoide.adapters.sqs.use_log import QueuedUseLog

__all__ = ["MessageQueue", "QueuedDeadLetters", "QueuedUseLog"]

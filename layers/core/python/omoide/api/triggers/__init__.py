"""Events of streams, queues and rules, and what Lambda wants to hear about them."""

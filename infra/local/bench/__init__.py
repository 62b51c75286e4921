"""`omoide bench`: latency, throughput, start-up and memory of this machine, in one run."""

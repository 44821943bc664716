"""From the event log to an endpoint: queueing, signing, sending and trying again."""

"""Periodic tasks and their intervals in seconds."""

BEAT = {
    "digests": {"task": "apps.notifications.tasks.send_digests", "schedule": 300.0},
}

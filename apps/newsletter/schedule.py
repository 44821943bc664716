"""Periodic tasks and their intervals in seconds."""

BEAT = {
    "newsletters": {"task": "apps.newsletter.tasks.send_newsletters", "schedule": 60.0},
}

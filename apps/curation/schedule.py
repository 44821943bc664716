"""Periodic tasks and their intervals in seconds."""

BEAT = {
    "collections-announce": {"task": "apps.curation.tasks.announce_additions", "schedule": 3600.0},
}

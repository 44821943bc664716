"""Periodic tasks and their intervals in seconds."""

BEAT = {
    "stories-pending": {"task": "apps.stories.tasks.publish_pending_stories", "schedule": 60.0},
}

"""Periodic tasks and their intervals in seconds."""

BEAT = {
    "weekly-numbers": {"task": "apps.analytics.tasks.send_weekly_numbers", "schedule": 300.0},
    "counts-save": {"task": "apps.analytics.tasks.save_counts", "schedule": 60.0},
}

"""Periodic tasks and their intervals in seconds."""

BEAT = {
    "pages-submit": {"task": "apps.sites.tasks.submit_changed_pages", "schedule": 3600.0},
}

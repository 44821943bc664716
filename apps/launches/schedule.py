"""Periodic tasks and their intervals in seconds."""

BEAT = {
    "badges-check": {"task": "apps.launches.tasks.check_due_badges", "schedule": 60.0},
    "queue-ready": {"task": "apps.launches.tasks.queue_ready_listings", "schedule": 60.0},
    "week-rollover": {"task": "apps.launches.tasks.roll_over_week", "schedule": 60.0},
    "launch-reminders": {"task": "apps.launches.tasks.send_reminders", "schedule": 60.0},
    "votes-copy": {"task": "apps.launches.tasks.copy_votes", "schedule": 10.0},
}

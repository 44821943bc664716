"""Periodic tasks and their intervals in seconds."""

BEAT = {
    "drafts-recover": {"task": "apps.drafts.tasks.recover_drafts", "schedule": 10.0},
    "pictures-clean": {"task": "apps.drafts.tasks.delete_lost_pictures", "schedule": 24 * 3600.0},
}

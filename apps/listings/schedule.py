"""Periodic tasks and their intervals in seconds."""

BEAT = {
    "followers-notify": {"task": "apps.listings.tasks.notify_remaining_followers", "schedule": 60.0},
    "pictures-download": {"task": "apps.listings.tasks.download_due_pictures", "schedule": 60.0},
    "uploads-clean": {"task": "apps.listings.tasks.delete_abandoned_uploads", "schedule": 24 * 3600.0},
    "claims-check": {"task": "apps.listings.tasks.check_due_claims", "schedule": 300.0},
    "search-reindex": {"task": "apps.listings.tasks.reindex_search", "schedule": 24 * 3600.0},
}

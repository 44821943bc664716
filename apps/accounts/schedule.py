"""Periodic tasks and their intervals in seconds."""

BEAT = {
    "keys-expiry": {"task": "apps.accounts.tasks.warn_of_expiring_keys", "schedule": 600.0},
    "own-data": {"task": "apps.accounts.tasks.process_own_data", "schedule": 300.0},
    "sessions-clean": {"task": "apps.accounts.tasks.delete_expired_sessions", "schedule": 24 * 3600.0},
    "oauth-clean": {"task": "apps.accounts.tasks.delete_oauth_leftovers", "schedule": 24 * 3600.0},
    "photos-clean": {"task": "apps.accounts.tasks.delete_lost_photos", "schedule": 24 * 3600.0},
}

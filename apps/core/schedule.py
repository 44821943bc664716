"""Periodic tasks and their intervals in seconds."""

BEAT = {
    "emails-send": {"task": "apps.core.tasks.send_emails", "schedule": 30.0},
    "caches-purge": {"task": "apps.core.tasks.purge_caches", "schedule": 60.0},
    "data-clean": {"task": "apps.core.tasks.delete_expired_data", "schedule": 24 * 3600.0},
    "idempotency-clean": {"task": "apps.core.tasks.delete_expired_idempotency_records", "schedule": 3600.0},
    "beat": {"task": "apps.core.tasks.record_beat", "schedule": 15.0},
}

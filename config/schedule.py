"""What the scheduler wakes workers for, and how often in seconds."""

BEAT = {
    "drafts-sweep": {"task": "apps.drafts.tasks.sweep_drafts", "schedule": 10.0},
    "orders-sweep": {"task": "apps.orders.tasks.sweep_orders", "schedule": 30.0},
    "newsletters": {"task": "apps.orders.tasks.send_newsletters", "schedule": 60.0},
    "badges-check": {"task": "apps.launches.tasks.check_due_badges", "schedule": 60.0},
    "queue-ready": {"task": "apps.launches.tasks.queue_ready_listings", "schedule": 60.0},
    "weekly-turn": {"task": "apps.launches.tasks.turn_week", "schedule": 60.0},
    "votes-copy": {"task": "apps.launches.tasks.copy_votes", "schedule": 10.0},
    "keys-expiry": {"task": "apps.accounts.tasks.sweep_expiring_keys", "schedule": 600.0},
    "updates-sweep": {"task": "apps.listings.tasks.sweep_updates", "schedule": 60.0},
    "claims-sweep": {"task": "apps.listings.tasks.sweep_claims", "schedule": 300.0},
    "stories-waiting": {"task": "apps.stories.tasks.publish_waiting", "schedule": 60.0},
    "mails-sweep": {"task": "apps.core.tasks.send_mails", "schedule": 30.0},
    "mails-clean": {"task": "apps.core.tasks.delete_old_mails", "schedule": 24 * 3600.0},
    "search-reindex": {"task": "apps.listings.tasks.reindex_search", "schedule": 24 * 3600.0},
    "idempotency-clean": {"task": "apps.core.tasks.delete_expired_idempotency_records", "schedule": 3600.0},
    "sessions-clean": {"task": "apps.accounts.tasks.delete_expired_sessions", "schedule": 24 * 3600.0},
    "oauth-clean": {"task": "apps.accounts.tasks.delete_oauth_leftovers", "schedule": 24 * 3600.0},
    "photos-clean": {"task": "apps.accounts.tasks.delete_lost_photos", "schedule": 24 * 3600.0},
    "beat": {"task": "apps.core.tasks.record_beat", "schedule": 15.0},
}

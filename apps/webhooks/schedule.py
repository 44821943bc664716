"""Periodic tasks and their intervals in seconds."""

BEAT = {
    # Later messages say the same, so that a crawler that was down doesn't find thousands.
    "webhooks-send": {"task": "apps.webhooks.tasks.send_webhooks", "schedule": 2.0, "options": {"expires": 10.0}},
    "webhooks-clean": {"task": "apps.webhooks.tasks.clear_old_secrets", "schedule": 600.0},
}

"""What this app stores about people, why, and for how long. See apps.core.operations.personal_data."""

from apps.core.operations.personal_data.records import WITH_ACCOUNT, AtErasure, PersonalRecords
from apps.core.operations.personal_data.retention import Retention

RECORDS = (
    PersonalRecords(
        model="webhooks.Attempt",
        person="delivery__endpoint__account",
        exported="id delivery at status_code error elapsed_ms answer",
        why="log of webhooks",
        kept="90 days",
        at_erasure=AtErasure.DELETE,
    ),
    PersonalRecords(
        model="webhooks.Delivery",
        person="endpoint__account",
        exported="id endpoint event test_id type seq object_key status attempts_made next_at first_tried_at created_at "
        "done_at",
        withheld="leased_until",
        why="log of webhooks",
        kept="90 days",
        at_erasure=AtErasure.DELETE,
    ),
    PersonalRecords(
        model="webhooks.Cursor",
        person="account",
        exported="id endpoint seq",
        withheld="account",
        why="which events were sent",
        kept=WITH_ACCOUNT,
        at_erasure=AtErasure.KEEP,
    ),
    PersonalRecords(
        model="webhooks.Endpoint",
        person="account",
        exported="id site name url types format signature status public_key failures failing_since waits_until "
        "warned_at created_at",
        withheld="account secret old_secret old_secret_until older_secrets",
        why="sending events to their programs",
        kept="until removed",
        at_erasure=AtErasure.DELETE,
    ),
)

BEFORE_ERASURE = (
    # Endpoints are locked before their deliveries, as when results are written.
    "apps.webhooks.services.delete_account_endpoints",
)

RETENTION = (
    # Before the events that they refer to.
    Retention(model="webhooks.Delivery", days="events", since="created_at"),
)

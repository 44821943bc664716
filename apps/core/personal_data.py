"""What core and the admin store about people, why, and for how long. See apps.core.operations.personal_data."""

from apps.core.operations.personal_data.records import WITH_ACCOUNT, AtErasure, PersonalRecords
from apps.core.operations.personal_data.retention import Retention

RECORDS = (
    PersonalRecords(
        model="admin.LogEntry",
        person="user",
        exported="id action_time content_type object_id object_repr action_flag change_message",
        withheld="user",
        why="who changed what in the admin",
        kept=WITH_ACCOUNT,
        at_erasure=AtErasure.KEEP,
    ),
    PersonalRecords(
        model="core.IdempotencyRecord",
        person="account",
        exported="id key status created_at",
        withheld="account fingerprint body",
        why="answering a repeated request once",
        kept="24 hours",
        at_erasure=AtErasure.DELETE,
    ),
    PersonalRecords(
        model="core.OutgoingEmail",
        person="to",
        is_by_email=True,
        exported="id to subject kind created_at send_at sent_at failed_at",
        withheld="key text blocks attachment attachment_name headers site_name site_url site_hue site_color "
        "site_logo_url site_sender site_contact is_bulk leased_at "
        "attempts last_error",
        why="delivery of emails",
        kept="text until sent; the row 30 days",
        at_erasure=AtErasure.DELETE,
    ),
)

RETENTION = (
    Retention(model="core.OutgoingEmail", days="emails", since="sent_at"),
    Retention(model="core.OutgoingEmail", days="emails", since="failed_at"),
    Retention(model="admin.LogEntry", days="admin_log", since="action_time"),
)

IMPERSONAL = {
    "contenttypes.ContentType": "names of models",
}

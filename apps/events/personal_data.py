"""What this app stores about people, why, and for how long. See apps.core.operations.personal_data."""

from apps.core.operations.personal_data.records import WITH_ACCOUNT, AtErasure, PersonalRecords
from apps.core.operations.personal_data.retention import Retention

RECORDS = (
    # An account's own events, and at its deletion the names of its credentials in all that it did.
    PersonalRecords(
        model="events.Event",
        person="account",
        exported="id public_id seq type at site via credential object_type object_id data",
        withheld="account actor",
        why="telling your programs what happened, and the audit log",
        kept="90 days",
        at_erasure=AtErasure.CLEAR,
        erased_by="actor",
        cleared="credential",
    ),
    PersonalRecords(
        model="events.EventCounter",
        person="account",
        exported="last",
        withheld="account",
        why="numbering events",
        kept=WITH_ACCOUNT,
        at_erasure=AtErasure.KEEP,
    ),
)

RETENTION = (Retention(model="events.Event", days="events", since="at"),)

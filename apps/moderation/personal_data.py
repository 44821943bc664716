"""What this app stores about people, why, and for how long. See apps.core.operations.personal_data."""

from apps.core.operations.personal_data.records import AtErasure, PersonalRecords
from apps.core.operations.personal_data.retention import Retention

_WHY = "moderation: reports, decisions and appeals"
_RETAINED = "3 years"

RECORDS = (
    PersonalRecords(
        model="moderation.Case",
        person="author",
        exported="id kind object_id site title text created_at",
        withheld="author",
        why=_WHY,
        kept=_RETAINED,
        at_erasure=AtErasure.CLEAR,
        cleared="title text",
    ),
    PersonalRecords(
        model="moderation.Report",
        person="reporter",
        exported="id case reason note created_at closed_at decision",
        withheld="reporter",
        why=_WHY,
        kept=_RETAINED,
        at_erasure=AtErasure.DELETE,
    ),
    PersonalRecords(
        model="moderation.Decision",
        person="author",
        exported="id case action reason text kept at",
        withheld="author by note",
        why=_WHY,
        kept=_RETAINED,
        at_erasure=AtErasure.CLEAR,
        cleared="text kept",
    ),
    PersonalRecords(
        model="moderation.Appeal",
        person="decision__author",
        exported="id decision text created_at outcome answer decided_at",
        withheld="by",
        why=_WHY,
        kept=_RETAINED,
        at_erasure=AtErasure.DELETE,
    ),
)

RETENTION = (
    Retention(model="moderation.Report", days="moderation", since="closed_at"),
    Retention(model="moderation.Decision", days="moderation", since="at"),
    # Cases stay while something of them does.
    Retention(
        model="moderation.Case",
        days="moderation",
        since="created_at",
        only={"reports__isnull": True, "decisions__isnull": True},
    ),
)

"""What this app stores about people, why, and for how long. See apps.core.operations.personal_data."""

from apps.core.operations.personal_data.records import WITH_ACCOUNT, AtErasure, PersonalRecords
from apps.core.operations.personal_data.retention import Retention

RECORDS = (
    # Before the drafts, which take the rows along, but not the files.
    PersonalRecords(
        model="drafts.DraftPicture",
        person="draft__owner",
        exported="id draft field url key width height alt created_at",
        files="key",
        why="suggesting a listing",
        kept="until the draft is submitted, canceled or expired",
        at_erasure=AtErasure.DELETE,
    ),
    PersonalRecords(
        model="drafts.Draft",
        person="owner",
        exported="id site url domain website status pages_read proposal evidence missing warnings edited confirmed "
        "error_code error_message listing rereads created_at finished_at submitted_at",
        withheld="owner website_key attempt leased_until queued_at pages_done pages_planned",
        why="suggesting a listing",
        kept=WITH_ACCOUNT,
        at_erasure=AtErasure.DELETE,
    ),
)

RETENTION = (
    Retention(
        model="drafts.Draft",
        days="drafts",
        since="created_at",
        only={"status__in": ["submitted", "expired", "cancelled", "failed"]},
    ),
)

"""What this app stores about people, why, and for how long. See apps.core.operations.personal_data."""

from apps.core.operations.personal_data.records import AtErasure, PersonalRecords

RECORDS = (
    PersonalRecords(
        model="blocklists.BlockRule",
        person="author",
        exported="id kind value site note is_active created_at",
        withheld="author",
        why="who blocked what",
        kept="until deleted",
        at_erasure=AtErasure.UNLINK,
    ),
)

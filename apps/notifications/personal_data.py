"""What this app stores about people, why, and for how long. See apps.core.operations.personal_data."""

from apps.core.operations.personal_data.records import WITH_ACCOUNT, AtErasure, PersonalRecords

RECORDS = (
    PersonalRecords(
        model="notifications.Digest",
        person="account",
        exported="hour written_on",
        withheld="account events_sent updates_sent launches_sent",
        why="the daily digest",
        kept=WITH_ACCOUNT,
        at_erasure=AtErasure.DELETE,
    ),
)

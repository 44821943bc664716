"""What this app stores about people, why, and for how long. See apps.core.operations.personal_data."""

from apps.core.operations.personal_data.records import AtErasure, PersonalRecords

RECORDS = (
    PersonalRecords(
        model="launches.Vote",
        person="user",
        exported="id listing trust state points created_at",
        withheld="user groups",
        why="ranking launches",
        kept="without the person once the account is deleted",
        at_erasure=AtErasure.UNLINK,
    ),
    PersonalRecords(
        model="launches.LaunchReminder",
        person="user",
        exported="id listing email created_at",
        withheld="user",
        why="emails you asked for",
        kept="until the launch",
        at_erasure=AtErasure.DELETE,
    ),
)

IMPERSONAL = {
    "launches.LaunchWeek": "capacity of weeks",
    "launches.LedgerEntry": "votes under pseudonyms, published without voters",
    "launches.SpotReservation": "held by an order for minutes",
    "launches.Standing": "ranks of listings",
    "launches.VoteGroup": "numbers of votes that share a keyed digest, deleted when the week closes",
    "launches.VoteLedger": "totals of weeks",
}

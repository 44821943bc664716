"""What this app stores about people, why, and for how long. See apps.core.operations.personal_data."""

from apps.core.operations.personal_data.records import AtErasure, PersonalRecords

RECORDS = (
    PersonalRecords(
        model="newsletter.NewsletterSubscription",
        person="user",
        exported="id site email created_at",
        withheld="user",
        why="emails you asked for",
        kept="until you unsubscribe",
        at_erasure=AtErasure.DELETE,
    ),
)

IMPERSONAL = {
    "newsletter.NewsletterIssue": "weeks that were sent",
}

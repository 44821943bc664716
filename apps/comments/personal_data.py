"""What this app stores about people, why, and for how long. See apps.core.operations.personal_data."""

from apps.core.operations.personal_data.records import AtErasure, PersonalRecords

RECORDS = (
    PersonalRecords(
        model="comments.Comment",
        person="author",
        exported="id listing parent reply_to text status removed_reason is_pinned created_at edited_at",
        withheld="author review_reason hosts fingerprint",
        why="publication",
        kept="until deleted, then without the text",
        at_erasure=AtErasure.CLEAR,
        cleared="text hosts fingerprint",
    ),
)

BEFORE_ERASURE = ("apps.comments.services.writing.delete_account_comments",)

"""What this app stores about people, why, and for how long. See apps.core.operations.personal_data."""

from apps.core.operations.personal_data.records import VERSION_FIELDS, AtErasure, PersonalRecords
from apps.core.operations.personal_data.retention import Retention

RECORDS = (
    PersonalRecords(
        model="reviews.Review",
        person="author",
        exported="id listing rating text status removed_reason is_verified proof answer answered_at answer_edited_at "
        "created_at edited_at",
        withheld="author review_reason link hosts fingerprint",
        why="publication",
        kept="until deleted, then without stars and text",
        at_erasure=AtErasure.CLEAR,
        cleared="text hosts fingerprint",
    ),
    PersonalRecords(
        model="reviews.ReviewVersion",
        person="review__author",
        exported=f"id review {VERSION_FIELDS}",
        why="history of moderation",
        kept="until the review is deleted",
        at_erasure=AtErasure.DELETE,
    ),
    PersonalRecords(
        model="reviews.ReviewLink",
        person="listing__company__owner",
        exported="id listing code label max_uses uses expires_at revoked_at created_at",
        withheld="network",
        why="proof that reviewers are customers",
        kept="as long as the listing",
        at_erasure=AtErasure.KEEP,
    ),
    PersonalRecords(
        model="reviews.CustomerDomain",
        person="listing__company__owner",
        exported="id listing domain created_at",
        why="proof that reviewers are customers",
        kept="as long as the listing",
        at_erasure=AtErasure.DELETE,
    ),
)

# A link that verifies nobody any more needs no network.
RETENTION = (Retention(model="reviews.ReviewLink", days="sign_up_networks", since="revoked_at", clears="network"),)

BEFORE_ERASURE = ("apps.reviews.services.writing.delete_account_reviews",)

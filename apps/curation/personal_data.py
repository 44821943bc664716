"""What this app stores about people, why, and for how long. See apps.core.operations.personal_data."""

from apps.core.operations.personal_data.records import AtErasure, PersonalRecords

RECORDS = (
    PersonalRecords(
        model="curation.CollectionItem",
        person="collection__author",
        exported="id collection listing note position added_at",
        why="publication, or the person's own lists",
        kept="until deleted",
        at_erasure=AtErasure.DELETE,
    ),
    PersonalRecords(
        model="curation.CollectionFollow",
        person="user",
        exported="id collection created_at",
        withheld="user",
        why="notifications of additions",
        kept="until you unfollow",
        at_erasure=AtErasure.DELETE,
    ),
    PersonalRecords(
        model="curation.Collection",
        person="author",
        exported="id site name slug description status removed_reason created_at changed_at published_at",
        withheld="author review_reason follower_count hosts fingerprint extended_at announced_at",
        why="publication, or the person's own lists",
        kept="until deleted",
        at_erasure=AtErasure.DELETE,
    ),
)

BEFORE_ERASURE = ("apps.curation.services.collections.delete_account_collections",)

"""What this app stores about people, why, and for how long. See apps.core.operations.personal_data."""

from apps.core.operations.personal_data.records import VERSION_FIELDS, WITH_ACCOUNT, AtErasure, PersonalRecords
from apps.core.operations.personal_data.retention import Retention

_LISTING = "as long as the listing"

RECORDS = (
    PersonalRecords(
        model="stories.InterviewAnswer",
        person="user",
        exported="id question text answered_at updated_at",
        withheld="user",
        why="publication",
        kept=WITH_ACCOUNT,
        at_erasure=AtErasure.DELETE,
    ),
    PersonalRecords(
        model="stories.InterviewVersion",
        person="user",
        exported="id site via changes snapshot restored_from created_at",
        withheld="user author credential",
        why="history of interviews",
        kept=WITH_ACCOUNT,
        at_erasure=AtErasure.DELETE,
    ),
    PersonalRecords(
        model="stories.FounderStory",
        person="author",
        exported="id listing title sections publish_when_ready published_at first_published_at taken_down_at "
        "taken_down_reason created_at updated_at",
        withheld="author published_rules rules_applied_at",
        why="publication",
        kept=_LISTING,
        at_erasure=AtErasure.DELETE,
    ),
    PersonalRecords(
        model="stories.StoryVersion",
        person="author",
        exported=f"id story action reason {VERSION_FIELDS}",
        why="history of stories",
        kept=_LISTING,
        at_erasure=AtErasure.DELETE,
        erased_by="story__author",
    ),
    PersonalRecords(
        model="stories.UnsavedText",
        person="user",
        exported="id name text updated_at listing site",
        withheld="user base",
        why="recovery of unsaved text",
        kept="until saved or discarded",
        at_erasure=AtErasure.DELETE,
    ),
)

RETENTION = (
    Retention(model="stories.StoryVersion", days="histories", since="created_at"),
    Retention(model="stories.InterviewVersion", days="histories", since="created_at"),
)

IMPERSONAL = {
    "stories.InterviewQuestion": "site setup",
}

"""What this app stores about people, why, and for how long. See apps.core.operations.personal_data."""

from apps.core.operations.personal_data.records import VERSION_FIELDS, WITH_ACCOUNT, AtErasure, PersonalRecords
from apps.core.operations.personal_data.retention import Retention

_LISTING = "as long as the listing"

RECORDS = (
    PersonalRecords(
        model="listings.Company",
        person="owner",
        exported="id name website logo_url founded_year country city team_size stage funding legal_name contact_email "
        "pricing_model price_from_cents price_currency price_period platforms tech_stack audience screenshots "
        "video_url docs_url openapi_url mcp_url llms_url socials merged_into verified_at created_at updated_at",
        withheld="owner website_key same_website_as logo_key",
        why="publication",
        kept=_LISTING,
        at_erasure=AtErasure.CLEAR,
        cleared="legal_name contact_email socials logo_url logo_key screenshots",
    ),
    PersonalRecords(
        model="listings.CompanyPicture",
        person="company__owner",
        exported="id company field url key width height problem alt is_upload is_listed created_at replaced_at "
        "replaced_by",
        withheld="attempts download_at",
        files="key",
        why="logos and screenshots on listings",
        kept="until removed, and 90 days after another one takes their place",
        at_erasure=AtErasure.DELETE,
    ),
    PersonalRecords(
        model="listings.Listing",
        person="company__owner",
        exported="id company site slug status plan launch_week unlocked_sections headline summary description tags "
        "alternatives faqs seo_title seo_description seo_keywords status_reason merged_into votes comment_count "
        "review_count star_counts badge_state badge_seen_at badge_checked_at badge_result badge_evidence submitted_at "
        "launched_at upgraded_at updated_at categories",
        withheld="suspended_from badge_failed_checks badge_missing_since badge_check_at badge_check_requested_at "
        "search_vector indexed_texts",
        why="publication",
        kept=_LISTING,
        at_erasure=AtErasure.KEEP,
    ),
    PersonalRecords(
        model="listings.ListingVersion",
        person="author",
        exported=f"id company listing {VERSION_FIELDS}",
        withheld="edit_id",
        why="history of listings",
        kept=_LISTING,
        at_erasure=AtErasure.DELETE,
        erased_by="company__owner",
    ),
    PersonalRecords(
        model="listings.ListingEvidence",
        person="listing__company__owner",
        exported="id listing facts",
        withheld="website_key",
        why="sources of listing fields",
        kept=_LISTING,
        at_erasure=AtErasure.DELETE,
    ),
    PersonalRecords(
        model="listings.Claim",
        person="claimant",
        exported="id company site website token status method result checked_at created_at ended_at",
        withheld="claimant previous_owner",
        why="proof that a website is yours",
        kept=WITH_ACCOUNT,
        at_erasure=AtErasure.DELETE,
    ),
    PersonalRecords(
        model="listings.Update",
        person="listing__company__owner",
        exported="id listing title body created_at notified_at deleted_at",
        withheld="notified_through",
        why="publication",
        kept=_LISTING,
        at_erasure=AtErasure.KEEP,
    ),
    PersonalRecords(
        model="listings.Milestone",
        person="listing__company__owner",
        exported="id listing date title description url",
        why="publication",
        kept=_LISTING,
        at_erasure=AtErasure.KEEP,
    ),
    PersonalRecords(
        model="listings.Follow",
        person="user",
        exported="id listing founder created_at",
        withheld="user",
        why="emails and notifications you asked for",
        kept="until you unfollow",
        at_erasure=AtErasure.DELETE,
    ),
)

BEFORE_ERASURE = ("apps.listings.services.moderation.archive_account_listings",)

RETENTION = (Retention(model="listings.ListingVersion", days="histories", since="created_at"),)

IMPERSONAL = {
    "listings.Category": "site setup",
    "listings.SearchWord": "words of public listings",
}

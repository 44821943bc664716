"""What this app stores about people, why, and for how long. See apps.core.operations.personal_data."""

from apps.core.operations.personal_data.records import VERSION_FIELDS, AtErasure, PersonalRecords

RECORDS = (
    PersonalRecords(
        model="sites.SitePageVersion",
        person="author",
        exported=f"id page {VERSION_FIELDS}",
        why="history of a site's pages",
        kept="as long as the site",
        at_erasure=AtErasure.KEEP,
    ),
)

IMPERSONAL = {
    "sites.Site": "site setup",
    "sites.SitePage": "site setup",
}

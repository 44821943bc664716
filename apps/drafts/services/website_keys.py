"""Update the stored website keys of drafts, as `apps.listings.websites.renewal` does for companies."""

from typing import Any

from apps.drafts.models import Draft
from apps.listings.websites.renewal import renewed_key


def renew_draft_keys(drafts: Any) -> None:
    """Give every draft the key of its website. Of an account's active drafts of one website, only one gets it.

    The others keep theirs, and can still be submitted or canceled. `drafts` is the manager of Draft.
    """
    rows = [
        (row, renewed_key(row.url, row.website_key))
        for row in drafts.only("owner", "site", "url", "website_key", "status").order_by("-pk")
    ]
    # A draft that already has the key keeps it.
    rows.sort(key=lambda pair: pair[0].website_key != pair[1])
    taken = set()
    for row, key in rows:
        if row.status in Draft.ACTIVE:
            if (row.owner_id, row.site_id, key) in taken:
                continue
            taken.add((row.owner_id, row.site_id, key))
        if key != row.website_key:
            drafts.filter(pk=row.pk).update(website_key=key)

"""That an owner has proven a website lasts as long as both stay what they were."""

from collections.abc import Iterable

from apps.listings.models import Company, ListingVersion
from apps.listings.websites.identity import website_key


def forget_moved(versions: Iterable[ListingVersion]) -> None:
    """A company that has got another website by an edit is no longer verified; the caller locked it.

    An address that is the same website, as with https or without www, changes nothing.
    """
    for version in versions:
        moved = (change for change in version.changes if change["field"] == "website")
        if any(website_key(change["before"] or "") != website_key(change["after"] or "") for change in moved):
            Company.objects.filter(pk=version.company_id).update(verified_at=None)

"""The lock under which a company and its listings are changed."""

from dataclasses import dataclass

from apps.accounts.actors import Actor
from apps.core.errors import Conflict
from apps.listings.models import Company, Listing


class NotEditable(Conflict):
    code = "not_editable"
    title = "Listing not editable"


@dataclass(frozen=True, slots=True)
class LockedCompany:
    """A company and all of its listings by their ids, as they are now, locked until the transaction ends."""

    company: Company
    listings: dict[int, Listing]

    def listing(self, pk: int) -> Listing:
        """One of the listings; raises NotEditable (409) when it has gone to another company meanwhile."""
        if pk not in self.listings:
            raise NotEditable(
                "The listing was just merged with another one. Call list_my_listings to see your listings."
            )
        return self.listings[pk]


def lock_company(company_id: int) -> LockedCompany:
    """Lock a company, then its listings in the order of their ids; the one order in which all edits lock.

    Rows that refer to the company can still be added meanwhile. Raises NotEditable (409) for a company that is gone.
    """
    # Without joins: a row that was waited for is read anew, what is joined to it is not.
    company = Company.objects.select_for_update(no_key=True).filter(pk=company_id).first()
    if company is None:
        raise NotEditable("The company no longer exists.")
    rows = Listing.objects.select_for_update(of=("self",)).filter(company=company).select_related("site").order_by("pk")
    listings = {row.pk: row for row in rows}
    for row in listings.values():
        row.company = company
    return LockedCompany(company, listings)


def lock_company_of_website(key: str) -> Company:
    """Lock the company that a website, as `website_key` writes it, leads to; the end of the chain of merges alone.

    Whoever locked a merged company while waiting for the one behind it would wait in a circle with another merge.
    Raises NotEditable (409) when no company has the website.
    """
    while (found := Company.objects.for_website(key)) is not None:
        row = Company.objects.select_for_update(no_key=True).filter(pk=found.pk, merged_into=None).first()
        if row is not None:
            return row
    raise NotEditable("The company no longer exists.")


def lock_listing(pk: int) -> Listing:
    """Lock one listing alone, for what changes neither facts nor texts; with its company, owner and site."""
    # What a row is joined with is not read anew when the row had to be waited for, and one that was merged into another
    # company meanwhile would not be found at all: it is locked first, then read.
    Listing.objects.select_for_update().only("pk").get(pk=pk)
    return Listing.objects.select_related("company__owner", "site").get(pk=pk)


def check_own(company: Company, by: Actor) -> None:
    """Raise NotEditable (409) for an owner whose company has gone to another account since the request was let in."""
    if by.via not in {"admin", "system"} and by.account.pk != company.owner_id:
        raise NotEditable("The listing now belongs to another account.")


def check_editable(listing: Listing, by: Actor) -> None:
    """Raise NotEditable (409) for a listing of another account, and one that was rejected or merged into another."""
    check_own(listing.company, by)
    if reason := why_not_editable(listing):
        raise NotEditable(reason)


def why_not_editable(listing: Listing) -> str:
    """Why a listing takes no more edits, as a sentence; empty when it does."""
    if listing.merged_into_id is not None or listing.company.merged_into_id is not None:
        return "The listing was merged into another one. Edit that one."
    if listing.status == Listing.Status.REJECTED:
        return "The listing was rejected and can't be edited. Contact the site admin."
    return ""

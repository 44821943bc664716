"""Lock a company and its listings for changes."""

from dataclasses import dataclass

from apps.accounts.actors import Actor
from apps.core.errors import Conflict
from apps.listings.models import Company, Listing


class NotEditable(Conflict):
    code = "not_editable"
    title = "Listing not editable"


@dataclass(frozen=True, slots=True)
class LockedCompany:
    """A company and all of its listings by their ids, freshly read and locked until the transaction ends."""

    company: Company
    listings: dict[int, Listing]

    def listing(self, pk: int) -> Listing:
        """Return one of the listings. Raises NotEditable (409) if it has moved to another company."""
        if pk not in self.listings:
            raise NotEditable(
                "The listing was just merged with another one. Call list_my_listings to see your listings."
            )
        return self.listings[pk]


def lock_company(company_id: int) -> LockedCompany:
    """Lock a company, then its listings in the order of their ids, as all edits do.

    Rows that refer to the company can still be added. Raises NotEditable (409) if the company is gone.
    """
    # Without joins: after waiting for a lock, PostgreSQL rereads the locked row but not joined rows.
    company = Company.objects.select_for_update(no_key=True).filter(pk=company_id).first()
    if company is None:
        raise NotEditable("The company no longer exists.")
    rows = Listing.objects.select_for_update(of=("self",)).filter(company=company).select_related("site").order_by("pk")
    listings = {row.pk: row for row in rows}
    for row in listings.values():
        row.company = company
    return LockedCompany(company, listings)


def lock_company_of_website(key: str) -> Company:
    """Lock the company of a website, as `website_key` writes it: only the end of a chain of merges.

    Locking a merged company while waiting for the one behind it could deadlock with another merge. Raises NotEditable
    (409) when no company has the website.
    """
    while (result := Company.objects.for_website(key)) is not None:
        row = Company.objects.select_for_update(no_key=True).filter(pk=result.pk, merged_into=None).first()
        if row is not None:
            return row
    raise NotEditable("The company no longer exists.")


def lock_listing(pk: int) -> Listing:
    """Lock one listing alone, for changes outside facts and texts, with its company, owner and site."""
    # After waiting for a lock, joined rows are stale, and a join would miss a listing that was merged meanwhile. So the
    # row is locked first, then read.
    Listing.objects.select_for_update().only("pk").get(pk=pk)
    return Listing.objects.select_related("company__owner", "site").get(pk=pk)


def check_own(company: Company, by: Actor) -> None:
    """Raise NotEditable (409) for an owner whose company went to another account after the request was authorized."""
    if by.via not in {"admin", "system"} and by.account.pk != company.owner_id:
        raise NotEditable("The listing now belongs to another account.")


def check_editable(listing: Listing, by: Actor) -> None:
    """Raise NotEditable (409) for another account's listing, and for a rejected or merged one."""
    check_own(listing.company, by)
    if reason := why_not_editable(listing):
        raise NotEditable(reason)


def why_not_editable(listing: Listing) -> str:
    """Return why a listing can't be edited, as a sentence, or an empty string."""
    if listing.merged_into_id is not None or listing.company.merged_into_id is not None:
        return "The listing was merged into another one. Edit that one."
    if listing.status == Listing.Status.REJECTED:
        return f"The listing was rejected and can't be edited. Contact {listing.site.admin_contact}."
    return ""

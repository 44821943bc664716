"""Update the stored website keys after the rule or its data have changed."""

from dataclasses import dataclass
from typing import Any

from apps.listings.websites.identity import website_key

OTHER_OWNER = (
    "They have different owners. If owners share this host, add it to apps/listings/websites/shared_hosts.toml first."
)


@dataclass(frozen=True, slots=True)
class SharedWebsite:
    """A company that keeps its old key, because another one already has its website's key."""

    company_id: int
    name: str
    website: str
    keeper_id: int
    keeper_name: str
    keeper_website: str
    has_other_owner: bool

    def __str__(self) -> str:
        result = (
            f"{self.name} (company {self.company_id}, {self.website}) has the website of "
            f"{self.keeper_name} (company {self.keeper_id}, {self.keeper_website})."
        )
        return f"{result} {OTHER_OWNER}" if self.has_other_owner else result


def renew_company_keys(companies: Any, evidence: Any) -> list[SharedWebsite]:
    """Give every company the key of its website. Marks and returns those that share one with another company.

    The key goes to the company that already has it, otherwise to one that was not merged, then to one whose owner has
    proven the website, then to the oldest. The others keep their old key, so that nothing is lost before the two are
    merged. `companies` and `evidence` are the managers of Company and ListingEvidence.
    """
    rows = sorted(companies.all(), key=lambda row: (row.merged_into_id is not None, row.verified_at is None, row.pk))
    by_id, by_key = {row.pk: row for row in rows}, {row.website_key: row for row in rows}
    shared = []
    for row in rows:
        key = renewed_key(row.website, row.website_key)
        holder = by_key.setdefault(key, row)
        keeper = holder
        while keeper.merged_into_id is not None:
            keeper = by_id[keeper.merged_into_id]
        if holder.pk == row.pk:
            marked = None
            # Sources are only shown for the company's current website.
            evidence.filter(listing__company=row.pk, website_key=row.website_key).update(website_key=key)
        else:
            key = row.website_key
            marked = None if row.merged_into_id is not None or keeper.pk == row.pk else keeper.pk
        if marked:
            shared.append(_shared(row, keeper))
        if (key, marked) != (row.website_key, row.same_website_as_id):
            companies.filter(pk=row.pk).update(website_key=key, same_website_as=marked)
    return shared


def hand_on_key(key: str, *, left_by: Any) -> None:
    """Pass the key that `left_by` gave up to the next company of that website, as `renew_company_keys` orders them.

    The others then share it with that company.
    """
    twins = [row for row in left_by.twins.filter(merged_into=None) if renewed_key(row.website, row.website_key) == key]
    if not twins:
        return
    first, *others = sorted(twins, key=lambda row: (row.verified_at is None, row.pk))
    companies = type(left_by).objects
    for listing in first.listings.filter(evidence__website_key=first.website_key).select_related("evidence"):
        listing.evidence.website_key = key
        listing.evidence.save(update_fields=["website_key"])
    companies.filter(pk=first.pk).update(website_key=key, same_website_as=None)
    companies.filter(pk__in=[row.pk for row in others]).update(same_website_as=first)


def _shared(row: Any, keeper: Any) -> SharedWebsite:
    is_other = row.owner_id != keeper.owner_id
    return SharedWebsite(row.pk, row.name, row.website, keeper.pk, keeper.name, keeper.website, is_other)


def renewed_key(website: str, stored: str) -> str:
    """Return the key of a website by the current rule, or the stored one if the URL is invalid, as in old rows."""
    try:
        return website_key(website)[:300]
    except ValueError:
        return stored

"""Bringing the stored keys of websites up to date with the rule, after the rule or its data have changed."""

from dataclasses import dataclass
from typing import Any

from apps.listings.websites.identity import website_key


@dataclass(frozen=True, slots=True)
class SharedWebsite:
    """A company that keeps its old key, because another one has that of its website already."""

    company_id: int
    name: str
    website: str
    keeper_id: int
    keeper_name: str
    keeper_website: str

    def __str__(self) -> str:
        return (
            f"{self.name} (company {self.company_id}, {self.website}) has the website of "
            f"{self.keeper_name} (company {self.keeper_id}, {self.keeper_website})."
        )


def renew_company_keys(companies: Any, evidence: Any) -> list[SharedWebsite]:
    """Give every company the key of its website; returns those that share one with another company, and marks them.

    The key goes to the company that has it already, otherwise to one that was not merged, then to one whose owner has
    proven the website, then to the oldest. The others keep their old key, so that nothing is lost before the two are
    merged. `companies` and `evidence` are the managers of Company and ListingEvidence, also as a migration has them.
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
            # Where its facts were read is told only for the website that its company has.
            evidence.filter(listing__company=row.pk, website_key=row.website_key).update(website_key=key)
        else:
            key = row.website_key
            marked = None if row.merged_into_id is not None or keeper.pk == row.pk else keeper.pk
        if marked:
            shared.append(SharedWebsite(row.pk, row.name, row.website, keeper.pk, keeper.name, keeper.website))
        if (key, marked) != (row.website_key, row.same_website_as_id):
            companies.filter(pk=row.pk).update(website_key=key, same_website_as=marked)
    return shared


def renewed_key(website: str, stored: str) -> str:
    """The key of a website by today's rule; the stored one for what is no address, as old rows may have it."""
    try:
        return website_key(website)[:300]
    except ValueError:
        return stored

"""Commands on companies and listings."""

from collections.abc import Mapping
from typing import Any

from django.db import connection, transaction
from django.utils import timezone
from django.utils.text import slugify

from apps.accounts.actors import Actor
from apps.blocklists.matching import find_match, words_of
from apps.core.errors import Conflict
from apps.core.states import IllegalTransition
from apps.core.stores.valkey.generations import only
from apps.core.text.weeks import Week
from apps.listings import history, search
from apps.listings.fields.names import COMPANY_FIELDS, SITE_FIELDS
from apps.listings.models import Category, Company, Listing
from apps.listings.services.locks import lock_company_of_website
from apps.listings.services.pictures.rows import sync_pictures
from apps.listings.websites.identity import claim_address, claim_step, website_key
from apps.sites.models import Site


class WebsiteTaken(Conflict):
    """Another account lists the website. Its true owner can claim it at `claim_url`."""

    code = "website_taken"
    title = "Website listed by another account"

    def __init__(self, *, site: Site, website: str, pointer: str | None = None) -> None:
        super().__init__(
            "Another account lists this website.",
            pointer=pointer,
            next_steps=[claim_step(site, website)],
            extra={"claim_url": claim_address(site, website)},
        )


@transaction.atomic
def create_listing(*, site: Site, website: str, fields: Mapping[str, Any], by: Actor) -> Listing:
    """Create the company, if it does not exist yet, and its listing on `site` in status draft.

    `fields` are names of COMPANY_FIELDS and SITE_FIELDS, and `categories` as slugs. On a moderated site the listing
    waits in_review, and elsewhere if its texts match the block list. Both begin their version history. Raises
    WebsiteTaken (409) for another owner's company and Conflict for a second listing on the same site.
    """
    company = _own_company(site, website, fields, by)
    _lock_slugs(site)
    listed = Listing.objects.select_related("site").filter(company=company, site=site).first()
    if listed is not None:
        raise Conflict(
            f"{company} already has a listing on {site}: {listed.page_url}",
            code="already_listed",
            next_steps=["Edit that listing with update_my_listing."],
            extra={"listing_id": listed.pk, "listing_url": listed.page_url},
        )
    listing = Listing(company=company, site=site, slug=_free_slug(site, company.name))
    for name in SITE_FIELDS & fields.keys():
        setattr(listing, name, fields[name])
    texts = [company.name, company.website, *(getattr(listing, name) for name in SITE_FIELDS)]
    is_held = site.is_moderated or find_match(words_of(texts), site=site, address=by.address)
    listing.move_to(Listing.Status.IN_REVIEW if is_held else Listing.Status.DRAFT)
    with only(listing.generations):
        listing.categories.set(Category.objects.filter(site=site, slug__in=fields.get("categories", ())))
    history.record_baseline(row=listing, by=by)
    search.index(listing_ids=[listing.pk])
    return listing


@transaction.atomic
def publish_listing(*, listing: Listing, week: Week) -> Listing:
    """Make a listing live in `week`. The caller must lock it. Publishing twice is a no-op."""
    if listing.status == Listing.Status.LIVE:
        return listing
    if listing.status not in Listing.LAUNCHABLE:
        # A suspended listing can become live, too, but only through `restore_listing`.
        raise IllegalTransition(f"A listing that is {listing.state_words} can't be published.")
    listing.move_to(Listing.Status.LIVE, "plan", launch_week=str(week), launched_at=timezone.now())
    return listing


@transaction.atomic
def unlock_section(*, listing: Listing, section: str) -> Listing:
    """Unlock a paid section of a listing. Doing it twice is a no-op. The caller must lock the listing."""
    if section not in listing.unlocked_sections:
        listing.unlocked_sections = [*listing.unlocked_sections, section]
        listing.save(update_fields=["unlocked_sections", "updated_at"])
    return listing


@transaction.atomic
def close_section(*, listing: Listing, section: str) -> Listing:
    """Lock a paid section again. Doing it twice is a no-op. The caller must lock the listing."""
    if section in listing.unlocked_sections:
        listing.unlocked_sections = [name for name in listing.unlocked_sections if name != section]
        listing.save(update_fields=["unlocked_sections", "updated_at"])
    return listing


def _own_company(site: Site, website: str, fields: Mapping[str, Any], by: Actor) -> Company:
    key = website_key(website)
    values = {name: fields[name] for name in COMPANY_FIELDS & fields.keys()}
    values["website"] = website
    company, is_new = Company.objects.get_or_create(website_key=key, defaults={**values, "owner": by.account})
    if is_new:
        history.record_baseline(row=company, by=by)
        sync_pictures(company)
    # A website of a merged company belongs to the one that remains. Waits for a running merge.
    result = lock_company_of_website(key)
    if result.owner_id != by.account.pk:
        raise WebsiteTaken(site=site, website=website)
    return result


def _lock_slugs(site: Site) -> None:
    """Lock the site's listings against additions until the transaction ends, because slugs are checked before use."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"new listings of site {site.pk}"])


def _free_slug(site: Site, name: str) -> str:
    stem = slugify(name)[:80].strip("-") or "listing"
    taken = set(Listing.objects.filter(site=site, slug__startswith=stem).values_list("slug", flat=True))
    slug, number = stem, 1
    while slug in taken:
        number += 1
        slug = f"{stem}-{number}"
    return slug

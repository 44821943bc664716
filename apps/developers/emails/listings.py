"""Sample emails about listings: decisions, claims, edits and updates."""

from collections.abc import Iterator
from typing import Any

from django.urls import reverse

from apps.accounts.models import User
from apps.developers.emails import MOMENT, Sample
from apps.listings.models import Claim, Company, Listing, Update
from apps.listings.services.merge_plan import ListingLine, MergePlan
from apps.sites.models import Site


def sample_listing(site: Site, *, name: str = "Orbitly", status: str = Listing.Status.LIVE) -> Listing:
    """Return an unsaved listing with its company and owner."""
    slug = name.lower().replace(" ", "-")
    owner = User(pk=1, email="ada@example.com", name="Ada Example")
    company = Company(pk=1, name=name, website=f"https://{slug}.example", owner=owner, verified_at=MOMENT)
    return Listing(
        pk=1,
        company=company,
        site=site,
        slug=slug,
        headline="Shared timelines for distributed product teams",
        status=status,
        plan=Listing.Plan.FREE,
        launch_week="2026-W47",
        badge_result=f"No link to {site.base_url} on https://orbitly.example/. Checked 42 links.",
    )


def email_samples(site: Site) -> Iterator[Sample]:
    """Return one of each email that this app sends."""
    yield from _decisions(site)
    yield from _claims(site)
    listing = sample_listing(site)
    yield Sample(name="listings/emails/edit", context=_edit(listing))
    update = Update(
        pk=1,
        listing=listing,
        title="Offline timelines are here",
        body="Timelines now open offline.\n\nYour changes sync when you're back online: "
        "https://orbitly.example/offline",
    )
    context = {
        "update": update,
        "company": listing.company,
        "page_url": f"{listing.page_url}#update-1",
        "unsubscribe_url": site.url(reverse("unsubscribe", args=["sample"])),
    }
    yield Sample(name="listings/emails/update", context=context, subject=f"{listing.company.name}: {update.title}")


def _decisions(site: Site) -> Iterator[Sample]:
    about = {
        "appeal_url": site.url(reverse("appeal", args=[1])),
        "dashboard_url": site.url(reverse("dashboard")),
        "reason": "The website belongs to another company.",
    }
    for decision in ("approve", "reject", "suspend", "archive"):
        yield Sample(name=f"listings/emails/{decision}", context={**about, "listing": sample_listing(site)})
    for status in ("live", "scheduled", "archived"):
        listing = sample_listing(site, status=status)
        yield Sample(name="listings/emails/restore", context={**about, "listing": listing}, variant=status)
    keep, drop = sample_listing(site), sample_listing(site, name="Orbitly HQ")
    line = ListingLine(listing=drop, kept=keep, takes_story=True)
    plan = MergePlan(keep=keep.company, drop=drop.company, facts=[], lines=[line], problems=[])
    for has_it in (True, False):
        context = {**about, "listing": keep, "plan": plan, "has_it": has_it}
        yield Sample(name="listings/emails/merge", context=context, variant="" if has_it else "other")


def _claims(site: Site) -> Iterator[Sample]:
    company = sample_listing(site).company
    claim = Claim(
        pk=1,
        company=company,
        claimant=User(pk=2, email="grace@example.org"),
        site=site,
        website=company.website,
        method=Claim.Method.DNS,
        result="Found in a TXT record of orbitly.example.",
        created_at=MOMENT,
    )
    about = {
        "claim": claim,
        "name": company.name,
        "company": company,
        "previous": company.owner,
        "claim_url": site.url(reverse("claim", args=[1])),
        "claim_new_url": site.url(reverse("claim_new")),
        "dashboard_url": site.url(reverse("dashboard")),
        "admin_url": site.url(reverse("admin:listings_claim_change", args=[1])),
    }
    subjects = {
        "verified": f"You verified {claim.website}",
        "won": f"{company.name} is now in your account",
        "lost": f"{company.name} moved to another account",
        "moved": f"{company.name} has a new owner: {claim.website} was verified",
        "contested": f"Your claim for {claim.website} is under review",
        "contested_owner": f"Another account verified {claim.website}",
        "contested_team": f"Two accounts verified {claim.website}",
        "refused": f"Your claim for {claim.website} was rejected",
        "expired": f"Your claim for {claim.website} expired",
        "reopened": f"Your claim for {claim.website} was reopened",
    }
    for occasion, subject in subjects.items():
        yield Sample(name=f"listings/emails/claim_{occasion}", context=about, subject=subject)


def _edit(listing: Listing) -> dict[str, Any]:
    admin_url = listing.site.url(reverse("admin:listings_listing_change", args=[1]))
    changes = [
        {"field": "headline", "before": "> Timelines for teams", "after": f"> {listing.headline}"},
        {"field": "tags", "before": "> (empty)", "after": "> planning\n> remote work"},
    ]
    part = {
        "title": f"On {listing.site}",
        "page_url": listing.page_url,
        "admin_url": admin_url,
        "changes": changes,
    }
    return {
        "name": listing.company.name,
        "who": listing.company.owner.email,
        "way": "with the API key “Laptop”",
        "is_restored": False,
        "parts": [part],
    }

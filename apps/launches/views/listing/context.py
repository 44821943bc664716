"""Build the context of a listing's page from the company, the site's texts and unlocked sections."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode, urlsplit

from django.contrib.auth.models import AnonymousUser
from django.urls import NoReverseMatch, reverse

from apps.accounts.models import User
from apps.core.countries import COUNTRIES
from apps.core.dates import week_and_year
from apps.core.templatetags.ui import money, social_icon, words
from apps.core.web.urls import host_of, is_allowed_picture
from apps.launches.leaderboards.cards import category_links, voted_by, votes_over_week
from apps.launches.views.listing.place import awards, place_of_listing
from apps.launches.views.listing.related import alternatives, related, share_links
from apps.launches.views.listing.sources import Source, Sources, sources_of
from apps.launches.votes.voting import takes_votes
from apps.listings.fields.labels import PLATFORMS
from apps.listings.models import Company, Listing, ListingQuerySet
from apps.listings.owner_pages import address_of, is_open
from apps.listings.services.followers import follow_state
from apps.listings.services.sections import Shown, hidden_fields, locked_sections

UPDATES = 20
# Each with the name of its page. Pages of apps that aren't installed are left out.
_OWNER_PAGES = (
    ("Edit", "pencil", "edit_listing"),
    ("Post update", "megaphone", "new_update"),
    ("Badges", "badge-check", "badges"),
    ("Statistics", "chart-line", "listing_statistics"),
    ("Overview", "layout-dashboard", "manage_listing"),
)


def listings_to_show() -> ListingQuerySet:
    """Return listings joined with the single rows that their pages need."""
    shown: ListingQuerySet = Listing.objects.with_details()
    return shown.select_related("evidence", "founder_story", "company__owner__founder_profile").prefetch_related(
        "milestones"
    )


def listing_page(listing: Listing, *, user: User | AnonymousUser) -> dict[str, Any]:
    """Return the context of templates/listings/detail.html for a listing of `listings_to_show()`."""
    company = listing.company
    hidden = hidden_fields(listing)
    sources = sources_of(listing, hidden=hidden)
    is_own = company.owner_id == user.pk
    return {
        "name": company.name,
        "slug": listing.slug,
        "status": listing.status,
        "is_live": listing.status == Listing.Status.LIVE,
        "is_upcoming": listing.status in Listing.UPCOMING,
        "page_url": listing.page_url,
        "headline": listing.headline,
        "summary": listing.summary,
        "description": listing.description,
        "logo_url": company.logo_url,
        "website": company.website,
        "website_rel": "nofollow",
        "display_host": (urlsplit(company.website).hostname or "").removeprefix("www."),
        "is_proven": company.verified_at is not None,
        "categories": category_links(listing),
        "tags": tag_links(listing.tags),
        "founder": _founder(listing),
        "votes": listing.current_votes,
        "voted": listing.pk in voted_by(user, [listing.pk]),
        "is_open": takes_votes(listing),
        "following": follow_state(listing, user),
        "is_own": is_own,
        "owner_pages": _owner_pages(listing) if is_own else [],
        "locked_sections": _locked_sections(listing) if is_own else [],
        "place": place_of_listing(listing),
        "awards": awards(listing),
        "points": votes_over_week([listing]).get(listing.pk, []),
        "launch_week_label": _week(listing),
        **_facts(company, sources),
        "resources": resources(company, sources),
        "socials": [
            (PLATFORMS.get(platform, platform), social_icon(platform), address)
            for platform, address in sorted(company.socials.items())
        ],
        "screenshots": _screenshots(listing) if "screenshots" not in hidden else [],
        "video": _video(company.video_url) if "video_url" not in hidden else None,
        "faqs": listing.faqs if "faqs" not in hidden else [],
        "milestones": list(listing.milestones.all()) if "milestones" not in hidden else [],
        "updates": list(listing.updates.all()[:UPDATES]),
        "story": _story(listing),
        "alternatives": alternatives(listing),
        "related": related(listing),
        "share_links": share_links(listing),
        **_sources(listing, sources),
    }


def _facts(company: Company, sources: Sources) -> dict[str, Any]:
    rows = fact_rows(company, sources)
    return {"facts": rows, "facts_are_read": any(row.sources for row in rows)}


def _sources(listing: Listing, sources: Sources) -> dict[str, Any]:
    """Return the sources of the texts and the list of all sources. Texts without one come from the owner."""
    found = sources.all()
    return {
        "summary_source": sources.of("summary"),
        "sources": found,
        "source_groups": sources.groups(),
        "sources_read_on": max((source.read_on for source in found), default=None),
        "own_words": [name for name in ("headline", "summary", "description") if _is_own_word(listing, name, sources)],
    }


def _is_own_word(listing: Listing, name: str, sources: Sources) -> bool:
    return bool(getattr(listing, name)) and sources.of(name) is None


def _founder(listing: Listing) -> dict[str, Any] | None:
    """Return a live listing's founder with their page, or None without a real name."""
    profile = getattr(listing.company.owner, "founder_profile", None)
    if profile is None or not profile.slug or not profile.real_name or listing.status != Listing.Status.LIVE:
        return None
    return {
        "profile": profile,
        "name": profile.real_name,
        "role": profile.role,
        "url": reverse("founder", args=[profile.slug]),
    }


def _owner_pages(listing: Listing) -> list[tuple[str, str, str]]:
    """Return label, icon and URL of what the owner can do now."""
    found = []
    for label, icon, name in _OWNER_PAGES:
        if name == "listing_statistics" and listing.launched_at is None:
            continue
        try:
            if is_open(listing, name):
                found.append((label, icon, address_of(listing, name)))
        except NoReverseMatch:
            continue
    return found


def _locked_sections(listing: Listing) -> list[Shown]:
    """Return sections with content that visitors can't see until they are unlocked."""
    company = listing.company
    filled = {
        "faq": listing.faqs,
        "gallery": company.screenshots or company.video_url,
        "milestones": listing.milestones.all(),
    }
    return [shown for name, shown in locked_sections(listing).items() if filled[name]]


def _screenshots(listing: Listing) -> list[dict[str, Any]]:
    addresses = [address for address in listing.company.screenshots if is_allowed_picture(address)]
    return [{"number": number, "url": address} for number, address in enumerate(addresses, start=1)]


def _video(address: str) -> dict[str, str] | None:
    if not address.startswith("https://"):
        return None
    return {"url": address, "host": (urlsplit(address).hostname or "").removeprefix("www.")}


def _week(listing: Listing) -> str:
    return week_and_year(listing.week)


def _story(listing: Listing) -> dict[str, str] | None:
    story = getattr(listing, "founder_story", None)
    if story is None or not story.is_shown:
        return None
    return {"title": story.title, "url": reverse("story", args=[listing.slug])}


# The values of each row, for finding their sources.
_MONEY = ("pricing_model", "price_from_cents")
_PLACE = ("city", "country")


@dataclass(frozen=True, slots=True)
class FactRow:
    """A row: a value, its link and its sources. Values from the owner have none."""

    label: str
    value: str
    href: str = ""
    sources: list[Source] = field(default_factory=list)


def fact_rows(company: Company, sources: Sources) -> list[FactRow]:
    """Return the rows that aren't empty."""
    rows = [
        _row("Pricing", _pricing(company), sources, _MONEY),
        _row("Founded", str(company.founded_year or ""), sources, ["founded_year"]),
        _row("Based in", _place(company), sources, _PLACE),
        _row("Team", _people(company.team_size), sources, ["team_size"]),
        FactRow("Made for", company.audience),
        FactRow("Platforms", ", ".join(company.platforms)),
        FactRow("Built with", ", ".join(company.tech_stack)),
        FactRow("Stage", company.stage),
        FactRow("Funding", company.funding),
        FactRow("Company", company.legal_name),
    ]
    return [row for row in rows if row.value]


def resources(company: Company, sources: Sources) -> list[tuple[str, str, FactRow]]:
    """Return links for developers and assistants: label, icon, and the row with the link."""
    named = (
        ("Documentation", "book-open", "docs_url"),
        ("OpenAPI description", "code", "openapi_url"),
        ("MCP server", "plug", "mcp_url"),
        ("llms.txt", "bot", "llms_url"),
    )
    return [
        (label, icon, _row(label, host_of(address), sources, [name], href=address))
        for label, icon, name in named
        if (address := getattr(company, name)).startswith("https://")
    ]


def tag_links(tags: Iterable[str]) -> list[tuple[str, str]]:
    """Return the tags, each with a link to its search."""
    return [(tag, f"{reverse('search')}?{urlencode({'q': tag})}") for tag in tags]


def _row(label: str, value: str, sources: Sources, names: Iterable[str], *, href: str = "") -> FactRow:
    found = {source.href: source for name in names if (source := sources.of(name))}
    return FactRow(label, value, href, list(found.values()))


def _pricing(company: Company) -> str:
    model = words(company.pricing_model)
    price = f"from {money(company.price_from_cents).removesuffix('.00')}" if company.price_from_cents else ""
    return ", ".join(part for part in (model, price) if part)


def _place(company: Company) -> str:
    country = COUNTRIES.get(company.country, company.country)
    return ", ".join(part for part in (company.city, country) if part)


def _people(count: int | None) -> str:
    return "" if not count else f"{count:,} {'person' if count == 1 else 'people'}"

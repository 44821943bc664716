"""Build the context of a listing's page from the company, the site's texts and unlocked sections."""

from collections.abc import Iterable, Sequence, Set
from typing import Any
from urllib.parse import urlencode

from django.contrib.auth.models import AnonymousUser
from django.urls import NoReverseMatch, reverse

from apps.accounts.models import User
from apps.comments.section import comments_section
from apps.core.templatetags.ui import social_icon
from apps.core.text.dates import week_and_year
from apps.core.web.hosts import display_host_of
from apps.launches.leaderboards.cards import category_links, voted_by, votes_over_week
from apps.launches.listing_page.facts import fact_rows, resources
from apps.launches.listing_page.place import awards, place_of_listing
from apps.launches.listing_page.related import alternatives, share_links, similar
from apps.launches.listing_page.sources import Sources, sources_of
from apps.launches.votes.voting import takes_votes
from apps.listings.fields.labels import PLATFORMS
from apps.listings.models import Category, Company, ListedPicture, Listing, ListingQuerySet, Milestone
from apps.listings.owner_pages import address_of, is_open
from apps.listings.services.followers import listing_button
from apps.listings.services.sections import Shown, hidden_fields, locked_sections
from apps.reviews.section import reviews_section

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
    """Return the context of templates/directory/listing.html for a listing of `listings_to_show()`."""
    company = listing.company
    hidden = hidden_fields(listing)
    is_own = company.owner_id == user.pk
    content = listing_content(
        listing,
        categories=listing.categories.all(),
        milestones=listing.milestones.all(),
        screenshots=company.shown_screenshots(),
        sources=sources_of(listing, hidden=hidden),
        hidden=hidden,
    )
    return {
        **content,
        "id": listing.pk,
        "status": listing.status,
        "is_live": listing.status == Listing.Status.LIVE,
        "is_upcoming": listing.status in Listing.UPCOMING,
        "page_url": listing.page_url,
        "is_proven": company.verified_at is not None,
        "founder": _founder(listing),
        "votes": listing.current_votes,
        "under_review": listing.votes_under_review,
        "voted": listing.pk in voted_by(user, [listing.pk]),
        "is_open": takes_votes(status=listing.status, launch_week=listing.launch_week),
        "follow": listing_button(listing, user),
        "is_own": is_own,
        "owner_pages": _owner_pages(listing) if is_own else [],
        "locked_sections": _locked_sections(listing) if is_own else [],
        "place": place_of_listing(listing),
        "awards": awards(listing),
        "points": votes_over_week({listing.pk: listing.launch_week}).get(listing.pk, []),
        "launch_week_label": _week(listing),
        "updates": list(listing.updates.all()[:UPDATES]),
        "story": _story(listing),
        "comments": comments_section(listing, user) if listing.status == Listing.Status.LIVE else None,
        "reviews": reviews_section(listing, user) if listing.status == Listing.Status.LIVE else None,
        "similar": similar(listing, named=content["alternatives"]),
        "share_links": share_links(listing),
    }


def listing_content(
    listing: Listing,
    *,
    categories: Iterable[Category],
    milestones: Iterable[Milestone],
    screenshots: Sequence[ListedPicture],
    sources: Sources,
    hidden: Set[str] = frozenset(),
) -> dict[str, Any]:
    """Return what a listing says about its product: the part of its page that doesn't depend on its launch.

    The listing may be unsaved, as in the preview of a draft.
    """
    company = listing.company
    return {
        "name": company.name,
        "slug": listing.slug,
        "headline": listing.headline,
        "summary": listing.summary,
        "description": listing.description,
        "logo_key": company.logo_key,
        "website": company.website,
        "website_rel": "nofollow",
        "display_host": display_host_of(company.website),
        "categories": category_links(categories),
        "tags": tag_links(listing.tags),
        **_facts(company, sources),
        "resources": resources(company, sources),
        "socials": [
            (PLATFORMS.get(platform, platform), social_icon(platform), address)
            for platform, address in sorted(company.socials.items())
        ],
        "screenshots": _screenshots(company, screenshots) if "screenshots" not in hidden else [],
        "video": _video(company.video_url) if "video_url" not in hidden else None,
        "faqs": listing.faqs if "faqs" not in hidden else [],
        "milestones": list(milestones) if "milestones" not in hidden else [],
        "alternatives": alternatives(listing),
        **_sources(listing, sources),
    }


def _facts(company: Company, sources: Sources) -> dict[str, Any]:
    rows = fact_rows(company, sources)
    return {"facts": rows, "facts_are_read": any(row.sources for row in rows)}


def _sources(listing: Listing, sources: Sources) -> dict[str, Any]:
    """Return the sources of the texts and the list of all sources. Texts without one come from the owner."""
    result = sources.all()
    return {
        "summary_source": sources.of("summary"),
        "sources": result,
        "source_groups": sources.groups(),
        "sources_read_on": max((source.read_on for source in result), default=None),
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
    result = []
    for label, icon, name in _OWNER_PAGES:
        if name == "listing_statistics" and listing.launched_at is None:
            continue
        try:
            if is_open(listing, name):
                result.append((label, icon, address_of(listing, name)))
        except NoReverseMatch:
            continue
    return result


def _locked_sections(listing: Listing) -> list[Shown]:
    """Return sections with content that visitors can't see until they are unlocked."""
    company = listing.company
    filled = {
        "faq": listing.faqs,
        "gallery": company.screenshots or company.video_url,
        "milestones": listing.milestones.all(),
    }
    return [section for name, section in locked_sections(listing).items() if filled[name]]


def _screenshots(company: Company, shots: Sequence[ListedPicture]) -> list[dict[str, Any]]:
    return [
        {
            "number": number,
            "picture": shot,
            "alt": shot.alt or f"{company.name}, screenshot {number} of {len(shots)}",
        }
        for number, shot in enumerate(shots, start=1)
    ]


def _video(address: str) -> dict[str, str] | None:
    if not address.startswith("https://"):
        return None
    return {"url": address, "host": display_host_of(address)}


def _week(listing: Listing) -> str:
    return week_and_year(listing.week)


def _story(listing: Listing) -> dict[str, str] | None:
    story = getattr(listing, "founder_story", None)
    if story is None or not story.is_shown:
        return None
    return {"title": story.title, "url": reverse("story", args=[listing.slug])}


def tag_links(tags: Iterable[str]) -> list[tuple[str, str]]:
    """Return the tags, each with a link to its search."""
    return [(tag, f"{reverse('search')}?{urlencode({'q': tag})}") for tag in tags]

"""What a listing's page shows, gathered from the company, the site's texts and the sections it has unlocked."""

from typing import Any
from urllib.parse import urlsplit

from django.contrib.auth.models import AnonymousUser
from django.urls import reverse

from apps.accounts.models import User
from apps.core.templatetags.look import social_icon, week_label
from apps.core.weeks import Week
from apps.launches.models import Standing
from apps.launches.periods import Board, board_url, period_around
from apps.launches.rows import award_text, category_links, voted_by, votes_by_day
from apps.launches.votes import takes_votes
from apps.listings.following import follow_state
from apps.listings.models import Company, Listing
from apps.listings.owner.labels import PLATFORMS
from apps.listings.sections import shows

RELATED = 4


def listing_page(listing: Listing, *, user: User | AnonymousUser) -> dict[str, Any]:
    """The context of templates/listings/detail.html for a listing loaded `with_details()`."""
    company = listing.company
    return {
        "name": company.name,
        "slug": listing.slug,
        "headline": listing.headline,
        "summary": listing.summary,
        "description": listing.description,
        "logo_url": company.logo_url,
        "website": company.website,
        "website_rel": "nofollow",
        "display_host": (urlsplit(company.website).hostname or "").removeprefix("www."),
        "categories": category_links(listing),
        "votes": listing.current_votes,
        "voted": listing.pk in voted_by(user, [listing.pk]),
        "is_open": takes_votes(listing),
        "following": follow_state(listing, user),
        "is_own": company.owner_id == user.pk,
        **_place(listing),
        "points": votes_by_day([listing.pk]).get(listing.pk, []),
        "launch_week_label": _week(listing),
        "facts": _facts(company),
        "socials": [
            (PLATFORMS.get(platform, platform), social_icon(platform), address)
            for platform, address in sorted(company.socials.items())
        ],
        "faqs": listing.faqs if shows(listing, "faq") else [],
        "milestones": list(listing.milestones.all()) if shows(listing, "milestones") else [],
        "updates": list(listing.updates.all()[:10]),
        "story": _story(listing),
        "related": _related(listing),
    }


def _place(listing: Listing) -> dict[str, Any]:
    """The rank that the listing got when its week closed, with its award; nothing before."""
    standing = Standing.objects.filter(listing=listing, rank__isnull=False).first()
    if standing is None:
        return {}
    board = period_around(Board.WEEKLY, Week.parse(standing.iso_week))
    return {
        "rank": standing.rank,
        "award": award_text(standing.rank, "of the week") if standing.votes else None,
        "board_url": board_url(board),
    }


def _week(listing: Listing) -> str:
    return f"{week_label(listing.week)}, {listing.week.year}" if listing.week else ""


def _story(listing: Listing) -> dict[str, str] | None:
    story = getattr(listing, "founder_story", None)
    if story is None or not story.is_shown:
        return None
    return {"title": story.title, "url": reverse("story", args=[listing.slug])}


def _facts(company: Company) -> list[tuple[str, str, str]]:
    price = f"from ${company.price_from_cents / 100:,.2f}" if company.price_from_cents else ""
    pricing = ", ".join(part for part in [company.get_pricing_model_display(), price] if part)
    found = [
        ("Founded", str(company.founded_year or ""), ""),
        ("Place", ", ".join(part for part in [company.city, company.country] if part), ""),
        ("Team", _people(company.team_size), ""),
        ("Pricing", pricing, ""),
        ("Platforms", ", ".join(company.platforms), ""),
        ("For", company.audience, ""),
        ("Documentation", _host(company.docs_url), company.docs_url),
        ("OpenAPI", _host(company.openapi_url), company.openapi_url),
        ("MCP", _host(company.mcp_url), company.mcp_url),
    ]
    return [fact for fact in found if fact[1]]


def _people(count: int | None) -> str:
    return "" if not count else f"{count} {'person' if count == 1 else 'people'}"


def _host(url: str) -> str:
    return urlsplit(url).hostname or ""


def _related(listing: Listing) -> list[dict[str, Any]]:
    categories = [category.pk for category in listing.categories.all()]
    others = (
        Listing.objects.public()
        .filter(site=listing.site, categories__in=categories)
        .exclude(pk=listing.pk)
        .select_related("company", "standing")
        .order_by("-votes", "id")
        .distinct()[:RELATED]
    )
    return [
        {
            "name": other.company.name,
            "slug": other.slug,
            "page_url": other.path,
            "headline": other.headline,
            "logo_url": other.company.logo_url,
            "votes": other.current_votes,
        }
        for other in others
    ]

"""Badge pictures for everyone, and a page with their code for the owner."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import conditional_page, require_safe

from apps.launches.badges.codes import BadgeCode, get_badges, image_path
from apps.launches.badges.kinds import SUCCESSOR, Badge, Kind, badge_of, shown_kind
from apps.launches.badges.pictures import Theme, draw, picture_of
from apps.launches.owner.tasks import after_polling, polled_url, work_under_way
from apps.listings.guidance import blockers
from apps.listings.guidance.badge_status import needs_badge
from apps.listings.models import Listing
from apps.listings.owner_pages import head, own_listing
from apps.sites.requests import SiteHttpRequest

# Every visitor of the owner's website loads the picture, so caches may keep it for up to a day.
CACHE = "public, max-age=3600, stale-while-revalidate=82800"
# A picture on another page may use only its own styles.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
_THEMES = {"light": Theme.LIGHT, "dark": Theme.DARK}
HIDDEN = frozenset(
    {Listing.Status.IN_REVIEW, Listing.Status.REJECTED, Listing.Status.SUSPENDED, Listing.Status.ARCHIVED}
)


@never_cache
@login_required
@require_safe
def badges(request: SiteHttpRequest, slug: str) -> HttpResponse:
    """Show all badges of a listing with images and code, and the last check of its website."""
    listing = own_listing(request, slug)
    codes = get_badges(listing=listing).items
    context = {
        "listing": listing,
        "head": head(listing, current="badges"),
        "earned": [_shown(code, listing) for code in codes if code.badge.is_earned],
        "others": [code for code in codes if not code.badge.is_earned],
        "check": _check(listing),
        "polled_url": polled_url(listing, request.path),
        "is_launching": listing.status in Listing.LAUNCHABLE,
    }
    if request.headers.get("HX-Request") == "true" and not work_under_way(listing):
        return after_polling(request, listing)
    return render(request, "launches/badges.html", context)


@require_safe
@conditional_page
def picture(request: SiteHttpRequest, slug: str, name: str) -> HttpResponse:
    """Serve a badge as SVG: `week_1` adapts to the color scheme, `week_1-light` is fixed. 404 if it isn't earned."""
    kind, theme = _named(name)
    listing = _pictured(request, slug)
    badge = badge_of(listing, kind)
    if badge.is_earned:
        return _picture(badge, listing, theme)
    after = SUCCESSOR.get(kind)
    if after is None or listing.launched_at is None:
        raise Http404
    response = redirect(image_path(listing, badge_of(listing, after), theme))
    response["Cache-Control"] = CACHE
    response["Access-Control-Allow-Origin"] = "*"
    return response


@require_safe
@conditional_page
def following_picture(request: SiteHttpRequest, slug: str) -> HttpResponse:
    """Serve the badge that changes with the listing: before its launch, in its week and after it."""
    listing = _pictured(request, slug)
    kind = shown_kind(listing)
    if kind is None:
        raise Http404
    return _picture(badge_of(listing, kind), listing, Theme.AUTO)


def _pictured(request: SiteHttpRequest, slug: str) -> Listing:
    """Return the listing whose badge to show. A merged listing redirects to the kept one."""
    listings = Listing.objects.filter(site=request.site).select_related("site", "merged_into__site")
    result = get_object_or_404(listings, slug=slug)
    listing = result.merged_into or result
    if listing.status in HIDDEN:
        raise Http404
    return listing


def _picture(badge: Badge, listing: Listing, theme: Theme) -> HttpResponse:
    drawn = draw(picture_of(badge, site=listing.site), site=listing.site, theme=theme)
    return HttpResponse(
        drawn,
        content_type="image/svg+xml; charset=utf-8",
        headers={
            "Cache-Control": CACHE,
            "Access-Control-Allow-Origin": "*",
            "Cross-Origin-Resource-Policy": "cross-origin",
            "Content-Security-Policy": POLICY,
        },
    )


def _named(name: str) -> tuple[Kind, Theme]:
    kind, has_theme, theme = name.partition("-")
    try:
        return Kind(kind), _THEMES[theme] if has_theme else Theme.AUTO
    except (ValueError, KeyError):
        raise Http404 from None


def _shown(code: BadgeCode, listing: Listing) -> dict[str, Any]:
    return {
        "code": code,
        "is_needed": code.badge.kind == Kind.LAUNCHING_ON and needs_badge(listing),
        "light_path": image_path(listing, code.badge, Theme.LIGHT),
        "dark_path": image_path(listing, code.badge, Theme.DARK),
    }


def _check(listing: Listing) -> dict[str, Any] | None:
    """Return what the page says about the badge check, or None if no launch depends on it."""
    if not needs_badge(listing) and listing.status != Listing.Status.DRAFT:
        return None
    tones = {"found": "good", "absent": "warn", "unknown": "info", "unchecked": "info"}
    under_way = work_under_way(listing)
    return {
        "is_running": bool(under_way),
        "tone": tones[listing.badge_state],
        "text": under_way or listing.badge_result or "No badge check yet.",
        "at": listing.badge_checked_at,
        "next_at": listing.badge_check_at if needs_badge(listing) else None,
        "lose_at": blockers.lose_at(listing),
        "evidence": listing.badge_evidence,
        "check_url": reverse("choose_free", args=[listing.slug]),
        "is_chosen": needs_badge(listing),
    }

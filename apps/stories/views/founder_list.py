"""The founders of a site: who stands behind its live listings."""

from collections import defaultdict
from dataclasses import dataclass

from django.db.models import Max, Q, QuerySet
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from apps.accounts.models import FounderProfile
from apps.core.web.page_numbers import page_object, page_path, page_rows
from apps.listings.models import Listing
from apps.sites.models import Site
from apps.sites.requests import SiteHttpRequest
from apps.sites.seo.structured_data import list_page
from apps.stories.views.article import author_name, founder_path
from apps.stories.views.stories import published_stories

FOUNDERS_PER_PAGE = 24
_PRODUCTS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class FounderTile:
    """A founder in the list; `more` is how many listings they have beyond those that are named."""

    name: str
    role: str
    profile: FounderProfile
    page_url: str
    listings: list[Listing]
    more: int
    has_story: bool


@require_safe
def founders(request: SiteHttpRequest) -> HttpResponse:
    """The founders with a live listing on the site, whose launch is the latest first."""
    found = listed_founders(request.site)
    page = page_object(request, total=found.count(), per_page=FOUNDERS_PER_PAGE)
    path = page_path(reverse("founders"), page)
    tiles = _tiles(list(page_rows(found, page)), site=request.site)
    entries = [(place, tile.name, tile.page_url) for place, tile in enumerate(tiles, start=page.first_row + 1)]
    context = {
        "founders": tiles,
        "page_obj": page,
        "canonical_url": request.site.url(path),
        "structured_data": list_page(request.site, name="Founders", path=path, entries=entries),
    }
    return render(request, "stories/founders.html", context)


def listed_founders(site: Site) -> QuerySet[FounderProfile]:
    """The founders with a page on the site, each with `launched_at`, when the latest of their live listings was."""
    live = Q(user__companies__listings__site=site, user__companies__listings__status=Listing.Status.LIVE)
    found: QuerySet[FounderProfile] = (
        FounderProfile.objects.filter(live, slug__isnull=False)
        .select_related("user")
        .annotate(launched_at=Max("user__companies__listings__launched_at"))
        .order_by("-launched_at", "pk")
    )
    return found


def _tiles(profiles: list[FounderProfile], *, site: Site) -> list[FounderTile]:
    """Two queries whatever their number."""
    people = [profile.user_id for profile in profiles]
    own = Listing.objects.public().filter(site=site, company__owner__in=people).select_related("company")
    listings: dict[int, list[Listing]] = defaultdict(list)
    for listing in own.order_by("-launched_at", "-pk"):
        if listing.company.owner_id:
            listings[listing.company.owner_id].append(listing)
    told = set(published_stories(site).filter(author__in=people).order_by().values_list("author_id", flat=True))
    return [
        FounderTile(
            name=author_name(profile.user),
            role=profile.role,
            profile=profile,
            page_url=founder_path(profile),
            listings=listings[profile.user_id][:_PRODUCTS],
            more=max(len(listings[profile.user_id]) - _PRODUCTS, 0),
            has_story=profile.user_id in told,
        )
        for profile in profiles
    ]

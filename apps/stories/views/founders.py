"""A site's founders: their list and their pages with listings, stories and interviews."""

from collections import defaultdict
from dataclasses import dataclass

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from apps.accounts.actors import account_of, actor_of
from apps.accounts.founders.completeness import get_profile
from apps.accounts.models import FounderProfile
from apps.core.templatetags.ui import social_icon
from apps.core.web.hosts import display_url
from apps.core.web.page_numbers import counted_page
from apps.launches.leaderboards.cards import listing_cards
from apps.listings.fields.socials import profile_of
from apps.listings.models import Listing, ListingQuerySet
from apps.listings.services import followers
from apps.listings.views.updates import followed
from apps.sites.models import Site
from apps.sites.requests import SiteHttpRequest
from apps.sites.seo.preview_images import Picture, preview_answer
from apps.sites.seo.site_preview import image_parts
from apps.sites.seo.structured_data import paged_list
from apps.stories.views.article import Author, answers_of, author_name, author_of
from apps.stories.views.preview_image import photo_of, picture_of_founder
from apps.stories.views.stories import published_stories
from apps.stories.views.structured_data import founder_data
from apps.stories.views.summaries import cards

FOUNDERS_PER_PAGE = 24
_LISTINGS = 12
_STORIES = 12
# In the list and on the preview image.
_PRODUCTS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class FounderTile:
    """A founder in the list. `more` counts listings beyond the named ones."""

    name: str
    role: str
    profile: FounderProfile
    page_url: str
    listings: list[Listing]
    more: int
    has_story: bool


@require_safe
def founders(request: SiteHttpRequest) -> HttpResponse:
    """List the founders with a live listing on the site, latest launch first."""
    page, launches = counted_page(
        request, latest_launches(request.site), per_page=FOUNDERS_PER_PAGE, counted=listed_founders(request.site)
    )
    tiles = _tiles([_founder_of(launch) for launch in launches], site=request.site)
    entries = [(tile.name, tile.page_url) for tile in tiles]
    context = paged_list(request.site, page, name="Founders", path=reverse("founders"), entries=entries)
    return render(request, "stories/founders.html", {"founders": tiles, **context})


def listed_founders(site: Site) -> QuerySet[FounderProfile]:
    """Return the founders with a page on the site, in no order. Counting some of them reads only those."""
    live = Listing.objects.public().filter(site=site, company__owner=OuterRef("user"))
    return FounderProfile.objects.filter(Exists(live), slug__isnull=False)


def latest_launches(site: Site) -> ListingQuerySet:
    """Return the latest live listing of each founder with a page on the site, the newest first.

    It is read in the order of launches, so that a page costs the same however many founders there are.
    """
    live = Listing.objects.public().filter(site=site)
    later = Q(launched_at__gt=OuterRef("launched_at")) | Q(launched_at=OuterRef("launched_at"), pk__gt=OuterRef("pk"))
    own = live.filter(later, company__owner=OuterRef("company__owner"))
    result: ListingQuerySet = (
        live.filter(~Exists(own), company__owner__founder_profile__slug__isnull=False)
        .select_related("company__owner__founder_profile")
        .order_by("-launched_at", "-pk")
    )
    return result


def _founder_of(listing: Listing) -> FounderProfile:
    """Return the profile of a row of `latest_launches`."""
    owner = listing.company.owner
    if owner is None:
        raise ValueError(listing)
    profile = get_profile(owner)
    # Both sides of the relation are loaded.
    profile.user = owner
    return profile


@require_safe
def founder(request: SiteHttpRequest, slug: str) -> HttpResponse:
    """Show a founder with a live listing on the site. Others have no page here."""
    profile = _profile(request.site, slug)
    own = list(_listings_of(profile, request.site).select_related("company")[:_LISTINGS])
    author = author_of(profile.user, site=request.site)
    path = profile.path
    image = reverse("founder_image", args=[slug])
    picture = _picture(author, own, request.site)
    context = {
        "founder": author,
        "is_public": True,
        "follow": followers.founder_button(profile, request.user),
        "links": [(_bare(link), _icon(link), link) for link in profile.links],
        "listings": listing_cards([listing.pk for listing in own], user=request.user),
        "stories": cards(published_stories(request.site).filter(author=profile.user)[:_STORIES]),
        "answers": answers_of(profile.user, site=request.site),
        "canonical_url": request.site.url(path),
        "social": {
            "kind": "profile",
            "title": author.name,
            "description": profile.bio,
            **image_parts(request.site, path=image, picture=picture, alt=f"{author.name} on {request.site.name}"),
        },
        "structured_data": founder_data(author, site=request.site, path=path),
    }
    return render(request, "stories/founder.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def follow_founder(request: SiteHttpRequest, slug: str) -> HttpResponse:
    """Follow a founder, or with `unfollow` stop. The form says which, so that pressing twice does it once.

    A visitor without the form, such as after signing in, is redirected to the founder's page.
    """
    profile = _profile(request.site, slug)
    path = profile.path
    if request.method != "POST":
        return redirect(path)
    if not request.user.is_authenticated:
        return redirect_to_login(path)
    if "unfollow" in request.POST:
        followers.unfollow_founder(founder=profile, by=actor_of(request))
    else:
        try:
            followers.follow_founder(founder=profile, by=actor_of(request))
        except followers.NotFollowable as error:
            messages.error(request, error.detail)
    return followed(request, followers.founder_button(profile, account_of(request)), back=path)


@require_safe
def founder_image(request: SiteHttpRequest, slug: str) -> HttpResponseBase:
    """Serve the preview image of a founder's page."""
    profile = _profile(request.site, slug)
    own = list(_listings_of(profile, request.site).select_related("company")[:_LISTINGS])
    author = author_of(profile.user, site=request.site)
    return preview_answer(request, _picture(author, own, request.site), read_photo=photo_of)


def _profile(site: Site, slug: str) -> FounderProfile:
    live = Listing.objects.public().filter(site=site)
    result = FounderProfile.objects.select_related("user").filter(user__companies__listings__in=live).distinct()
    return get_object_or_404(result, slug=slug)


def _listings_of(profile: FounderProfile, site: Site) -> ListingQuerySet:
    """Return the founder's live listings on the site, newest first."""
    live: ListingQuerySet = Listing.objects.public().filter(site=site, company__owner=profile.user)
    return live.order_by("-launched_at", "-id")


def _picture(author: Author, listings: list[Listing], site: Site) -> Picture:
    products = [listing.company.name for listing in listings[:_PRODUCTS]]
    return picture_of_founder(author, site=site, products=products)


def _bare(link: str) -> str:
    """Return a URL without scheme, `www.` and final slash."""
    return display_url(link).partition("://")[2].removeprefix("www.").rstrip("/")


def _icon(link: str) -> str:
    profile = profile_of(link)
    return social_icon(profile.platform if profile else "")


def _tiles(profiles: list[FounderProfile], *, site: Site) -> list[FounderTile]:
    """Build the tiles with two queries, whatever their number."""
    people = [profile.user_id for profile in profiles]
    own = Listing.objects.public().filter(site=site, company__owner__in=people).select_related("company")
    listings: dict[int, list[Listing]] = defaultdict(list)
    for listing in own.order_by("-launched_at", "-pk"):
        if listing.company.owner_id:
            listings[listing.company.owner_id].append(listing)
    authors = set(published_stories(site).filter(author__in=people).order_by().values_list("author_id", flat=True))
    return [
        FounderTile(
            name=author_name(profile.user),
            role=profile.role,
            profile=profile,
            page_url=profile.path,
            listings=listings[profile.user_id][:_PRODUCTS],
            more=max(len(listings[profile.user_id]) - _PRODUCTS, 0),
            has_story=profile.user_id in authors,
        )
        for profile in profiles
    ]

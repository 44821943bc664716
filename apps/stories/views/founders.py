"""The public page of a founder: who they are, what they make, and what they wrote and answered."""

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from apps.accounts.models import FounderProfile
from apps.launches.leaderboards.cards import listing_cards
from apps.listings.models import Listing, ListingQuerySet
from apps.sites.models import Site
from apps.sites.requests import SiteHttpRequest
from apps.sites.seo.preview_images import Picture, preview_answer
from apps.sites.seo.site_preview import image_parts
from apps.stories.views.article import Author, answers_of, author_of, founder_path
from apps.stories.views.preview_image import photo_of, picture_of_founder
from apps.stories.views.stories import published_stories
from apps.stories.views.structured_data import founder_data
from apps.stories.views.summaries import cards

_LISTINGS = 12
_STORIES = 12
# On the picture.
_PRODUCTS = 3


@require_safe
def founder(request: SiteHttpRequest, slug: str) -> HttpResponse:
    """A founder of the site: somebody with a live listing on it; everybody else has no page here."""
    profile = _profile(request.site, slug)
    own = list(_listings_of(profile, request.site).with_details()[:_LISTINGS])
    author = author_of(profile.user, site=request.site)
    path = founder_path(profile)
    image = reverse("founder_image", args=[slug])
    picture = _picture(author, own, request.site)
    context = {
        "founder": author,
        "links": [(_bare(link), link) for link in profile.links],
        "listings": listing_cards(own, user=request.user),
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


@require_safe
def founder_image(request: SiteHttpRequest, slug: str) -> HttpResponseBase:
    """The picture that other services show beside a link to a founder's page."""
    profile = _profile(request.site, slug)
    own = list(_listings_of(profile, request.site).select_related("company")[:_LISTINGS])
    author = author_of(profile.user, site=request.site)
    return preview_answer(request, _picture(author, own, request.site), read_photo=photo_of)


def _profile(site: Site, slug: str) -> FounderProfile:
    live = Listing.objects.public().filter(site=site)
    found = FounderProfile.objects.select_related("user").filter(user__companies__listings__in=live).distinct()
    return get_object_or_404(found, slug=slug)


def _listings_of(profile: FounderProfile, site: Site) -> ListingQuerySet:
    """The founder's live listings on the site, the latest first."""
    live: ListingQuerySet = Listing.objects.public().filter(site=site, company__owner=profile.user)
    return live.order_by("-launched_at", "-id")


def _picture(author: Author, listings: list[Listing], site: Site) -> Picture:
    products = [listing.company.name for listing in listings[:_PRODUCTS]]
    return picture_of_founder(author, site=site, products=products)


def _bare(link: str) -> str:
    """An address as people say it: without scheme, `www.` and the slash at its end."""
    return link.partition("://")[2].removeprefix("www.").rstrip("/")

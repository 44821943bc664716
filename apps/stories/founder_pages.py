"""The public page of a founder: who they are, what they make, and what they wrote and answered."""

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from apps.accounts.models import FounderProfile
from apps.launches.rows import rows
from apps.listings.models import Listing
from apps.sites.requests import SiteHttpRequest
from apps.stories.article import answers_of, author_of, founder_path
from apps.stories.cards import cards
from apps.stories.pages import published_stories
from apps.stories.structured_data import founder_data

_LISTINGS = 12
_STORIES = 12


@require_safe
def founder(request: SiteHttpRequest, slug: str) -> HttpResponse:
    """A founder of the site: somebody with a live listing on it; everybody else has no page here."""
    live = Listing.objects.public().filter(site=request.site)
    found = FounderProfile.objects.select_related("user").filter(user__companies__listings__in=live).distinct()
    profile = get_object_or_404(found, slug=slug)
    own = live.filter(company__owner=profile.user).with_details().order_by("-launched_at", "-id")[:_LISTINGS]
    author = author_of(profile.user, site=request.site)
    address = request.site.url(founder_path(profile))
    context = {
        "founder": author,
        "links": [(_bare(link), link) for link in profile.links],
        "listings": rows(own, user=request.user),
        "stories": cards(published_stories(request.site).filter(author=profile.user)[:_STORIES]),
        "answers": answers_of(profile.user, site=request.site),
        "canonical_url": address,
        "social": {
            "kind": "profile",
            "title": author.name,
            "description": profile.bio,
            "url": address,
        },
        "structured_data": founder_data(author, site=request.site, url=address),
    }
    return render(request, "stories/founder.html", context)


def _bare(link: str) -> str:
    """An address as people say it: without scheme, `www.` and the slash at its end."""
    return link.partition("://")[2].removeprefix("www.").rstrip("/")

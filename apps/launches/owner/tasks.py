"""What an owner still has to do for a free launch, and where to go on once it is done."""

from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from apps.core.web.hosts import display_url
from apps.listings.guidance import badge_status, blockers
from apps.listings.models import Listing

BEING_QUEUED = "Ready. Joining the launch queue for the next week with a free spot."
_WAITING = "waiting"
_LABELS = {"badge": "Add the badge", "profile": "Complete your profile"}


@dataclass(frozen=True, slots=True)
class Task:
    """Something to do before a listing joins the launch queue, and the page to do it on. `code` is badge or profile."""

    code: str
    label: str
    message: str
    url: str


def tasks_of(listing: Listing) -> list[Task]:
    """Return what a free launch waits for."""
    return [
        Task(
            blocker.code,
            _LABELS[blocker.code],
            blocker.message,
            profile_address(listing) if blocker.code == "profile" else blocker.url,
        )
        for blocker in blockers.blockers(listing)
    ]


def profile_address(listing: Listing) -> str:
    """Return the URL of the founder profile, from where its owner goes on with the launch."""
    launch = reverse("launch", args=[listing.slug])
    return listing.site.url(f"{reverse('profile')}?{urlencode({'next': launch})}")


def work_under_way(listing: Listing) -> str:
    """Return what a worker is doing for the launch, so that its pages are polled, or an empty text."""
    if badge_status.is_checking(listing):
        return f"Checking {display_url(listing.company.website)} for the badge."
    return BEING_QUEUED if blockers.is_being_queued(listing) else ""


def polled_url(listing: Listing, path: str) -> str:
    """Return the URL that a page at `path` polls while a worker is busy with its listing."""
    return f"{path}?{_WAITING}=1" if listing.status == Listing.Status.AWAITING_BADGE else path


def after_polling(request: HttpRequest, listing: Listing) -> HttpResponse:
    """Return how htmx leaves a page once the work is done: for the last step if the listing got its week meanwhile."""
    if listing.status == Listing.Status.SCHEDULED and _WAITING in request.GET:
        return HttpResponse(status=204, headers={"HX-Redirect": reverse("share_listing", args=[listing.slug])})
    # What was found changes the whole page, not only the part that is polled.
    return HttpResponse(status=204, headers={"HX-Refresh": "true"})

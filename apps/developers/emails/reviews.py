"""Sample emails about reviews."""

from collections.abc import Iterator

from django.urls import reverse

from apps.accounts.models import NotificationKind
from apps.accounts.notifications.services import ABOUT
from apps.developers.emails import Sample
from apps.developers.emails.listings import sample_listing
from apps.sites.models import Site


def email_samples(site: Site) -> Iterator[Sample]:
    """Return one of each email this app sends."""
    listing = sample_listing(site)
    context = {
        "listing": listing,
        "author_name": "Grace Example",
        "rating": 4,
        "is_verified": True,
        "text": "We've planned our weeks with it since spring.\nClient colors are the one thing we miss.",
        "answer": "Colors have been in the beta since Monday.",
        "page_url": site.url(reverse("review", args=[listing.slug, 1])),
        "about": ABOUT[NotificationKind.COMMENTS],
        "unsubscribe_url": site.url(reverse("stop_emails", args=["sample"])),
    }
    for name in ("posted", "answered"):
        yield Sample(name=f"reviews/emails/{name}", context=context)

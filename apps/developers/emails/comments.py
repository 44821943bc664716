"""Sample emails about comments."""

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
        "text": "How does it handle daylight saving time?\nWe work in three time zones.",
        "page_url": f"{site.url(reverse('comment', args=[listing.slug, 1]))}#comment-1",
        "about": ABOUT[NotificationKind.COMMENTS],
        "unsubscribe_url": site.url(reverse("stop_emails", args=["sample"])),
    }
    for name in ("posted", "reply"):
        yield Sample(name=f"comments/emails/{name}", context=context)

"""Sample emails about founder stories."""

from collections.abc import Iterator

from django.urls import reverse

from apps.accounts.models import NotificationKind
from apps.accounts.notifications.services import ABOUT
from apps.developers.emails import MOMENT, Sample
from apps.developers.emails.listings import sample_listing
from apps.sites.models import Site
from apps.stories.models import FounderStory
from apps.stories.rules.publication import editor_url


def email_samples(site: Site) -> Iterator[Sample]:
    """Return one of each email this app sends."""
    listing = sample_listing(site)
    story = FounderStory(listing=listing, author=listing.company.owner, published_at=MOMENT)
    draft = FounderStory(listing=listing, author=listing.company.owner, publish_when_ready=True)
    context = {
        "listing": listing,
        "story": story,
        "reason": "It names a person who did not agree.",
        "page_url": site.url(reverse("story", args=[listing.slug])),
        "editor_url": editor_url(listing),
        "admin_url": site.url(reverse("admin:stories_founderstory_change", args=[1])),
        "who": listing.company.owner.email,
        "way": "in the browser",
        "title": "Why we built timelines for teams that never meet",
        "word_count": 812,
        "appeal_url": site.url(reverse("appeal", args=[1])),
        "about": ABOUT[NotificationKind.STORIES],
        "unsubscribe_url": site.url(reverse("stop_emails", args=["sample"])),
    }
    for name in ("published", "taken_down", "released", "for_team"):
        yield Sample(name=f"stories/emails/{name}", context=context)
    for name in ("published", "released", "for_team"):
        yield Sample(name=f"stories/emails/{name}", context={**context, "story": draft}, variant="draft")

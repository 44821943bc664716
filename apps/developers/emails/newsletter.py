"""A sample of the newsletter email."""

from collections.abc import Iterator

from django.urls import reverse

from apps.core.text.dates import week_label
from apps.core.text.weeks import Week
from apps.developers.emails import Sample
from apps.developers.emails.listings import sample_listing
from apps.launches.models import Standing
from apps.listings.models import Update
from apps.newsletter import subscriptions
from apps.newsletter.issues import Issue
from apps.newsletter.models import NewsletterSubscription
from apps.sites.models import Site

_WEEK = Week.parse("2026-W47")


def email_samples(site: Site) -> Iterator[Sample]:
    """Return one of each email this app sends."""
    names = ("Orbitly", "Inkwell", "Parcel Post")
    standings = [
        Standing(listing=sample_listing(site, name=name), rank=place, is_final=True)
        for place, name in enumerate(names, 1)
    ]
    for place, standing in enumerate(standings, 1):
        standing.place = place
    update = Update(pk=1, listing=sample_listing(site), title="Offline timelines are here")
    issue = Issue(
        site=site,
        week=_WEEK,
        sponsored=[sample_listing(site, name="Harbor")],
        standings=standings,
        launch_count=len(standings),
        updates=[update],
    )
    context = {
        "issue": issue,
        "updates": [(f"{update.listing.page_url}#update-1", update)],
        "unsubscribe_url": site.url(reverse("newsletter_unsubscribe", args=["sample"])),
        "reader": NewsletterSubscription(site=site, email="reader@example.com"),
    }
    confirmation = {"confirm_url": site.url(reverse("newsletter_confirm", args=["sample"]))}
    yield Sample(name="newsletter/emails/confirm", context=confirmation, subject=subscriptions.subject(site))
    yield Sample(name="newsletter/emails/issue", context=context, subject=f"{site.name}: {week_label(_WEEK)}, 2026")

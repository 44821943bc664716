"""Sample emails about moderators' decisions and appeals."""

from collections.abc import Iterator

from django.urls import reverse

from apps.developers.emails import Sample
from apps.sites.models import Site


def email_samples(site: Site) -> Iterator[Sample]:
    """Return one of each email this app sends."""
    context = {
        "title": "Update of Orbitly: Half price this week",
        "text": "Half price this week\n\nOnly until Friday.",
        "reason": "Updates are about what is new in the product, not advertising.",
        "appeal_url": site.url(reverse("appeal", args=[1])),
    }
    answers = {
        "removed": "",
        "appeal_granted": "We had overlooked the release notes below the offer.",
        "appeal_denied": "The update announces a discount and nothing new in the product.",
    }
    for name, answer in answers.items():
        yield Sample(name=f"moderation/emails/{name}", context={**context, "answer": answer})

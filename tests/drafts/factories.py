"""Drafts in each status."""

from typing import Any

import factory
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.accounts.models import User
from apps.drafts.crawl import lock
from apps.drafts.crawl.lock import Lease
from apps.drafts.models import Draft
from apps.sites.models import Site
from tests.factories import UserFactory

PROPOSAL = {
    "name": "Acme",
    "headline": "Invoices that write themselves",
    "summary": "Acme reads your time sheets and writes the invoices for you.",
    "language": "en",
    "socials": {"github": "https://github.com/acme-invoices"},
}
EVIDENCE = [
    {
        "field": "name",
        "value": "Acme",
        "page_url": "https://acme.example/",
        "source": "og",
        "selector": 'meta[property="og:site_name"]',
        "snippet": '<meta property="og:site_name" content="Acme">',
        "page_sha256": "0" * 64,
        "confidence": 0.9,
        "runners_up": [],
    }
]


class DraftFactory(factory.django.DjangoModelFactory[Draft]):
    """A draft that waits for a worker; `ready=True` and `failed=True` make finished ones."""

    class Meta:
        model = Draft

    class Params:
        ready: Any = factory.Trait(
            status=Draft.Status.READY,
            finished_at=factory.LazyFunction(timezone.now),
            proposal=PROPOSAL,
            evidence=EVIDENCE,
            website=factory.SelfAttribute("url"),
        )
        failed: Any = factory.Trait(
            status=Draft.Status.FAILED,
            finished_at=factory.LazyFunction(timezone.now),
            error_code=Draft.Failure.UNREACHABLE,
            error_message="The website could not be reached.",
        )

    owner: Any = factory.SubFactory(UserFactory)
    site: Any = factory.LazyFunction(lambda: Site.objects.get(is_default=True))
    url = factory.Sequence(lambda number: f"https://acme{number}.example/")
    website_key: Any = factory.LazyAttribute(lambda draft: draft.url.removeprefix("https://").rstrip("/"))
    domain: Any = factory.LazyAttribute(lambda draft: draft.website_key)


def by(user: User) -> Actor:
    """The account itself, in the browser."""
    return Actor(user=user, via="browser")


def leased(draft: Draft) -> Lease:
    """The lease of a draft that nothing else reads."""
    lease = lock.lease_draft(draft.pk)
    assert lease is not None
    return lease

"""Sample emails about webhooks."""

from collections.abc import Iterator

from django.urls import reverse

from apps.developers.emails import Sample
from apps.sites.models import Site
from apps.webhooks.models import Endpoint


def email_samples(site: Site) -> Iterator[Sample]:
    """Return one of each email this app sends."""
    endpoint = Endpoint(name="Accounting", url="https://hooks.orbitly.example/slipway")
    context = {"endpoint": endpoint, "page_url": site.url(reverse("webhook_endpoints"))}
    yield Sample(name="webhooks/emails/disabled", context={**context, "error": "Status 410"})
    yield Sample(name="webhooks/emails/failing", context={**context, "error": "Status 500"})

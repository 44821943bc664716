"""Emails about endpoints that fail: to their account, or to the admins of their site."""

from collections.abc import Iterator
from datetime import datetime

from django.urls import reverse

from apps.accounts.models import User
from apps.core.email import outbox
from apps.core.email.text import render_words
from apps.webhooks.models import Endpoint


def tell_disabled(endpoint: Endpoint, *, now: datetime) -> None:
    """Say that an endpoint answered 410 and gets nothing any more, in the caller's transaction."""
    _tell(endpoint, "disabled", key=f"webhook-{endpoint.pk}-disabled-{now:%Y%m%d%H%M%S}", error="Status 410")


def tell_failing(endpoint: Endpoint, *, error: str) -> None:
    """Say that an endpoint has failed for a day, once for each time it does."""
    _tell(endpoint, "failing", key=f"webhook-{endpoint.pk}-failing-{endpoint.failing_since:%Y%m%d%H%M%S}", error=error)


def _tell(endpoint: Endpoint, name: str, *, key: str, error: str) -> None:
    site = endpoint.home
    context = {"endpoint": endpoint, "site": site, "error": error, "page_url": site.url(_page_of(endpoint))}
    words = render_words(f"webhooks/emails/{name}", context)
    outbox.put_all(
        outbox.Email(key=f"{key}-{number}", to=to, words=words, site=site) for number, to in _readers(endpoint)
    )


def _page_of(endpoint: Endpoint) -> str:
    if endpoint.account_id:
        return reverse("webhook_endpoint", args=[endpoint.pk])
    return reverse("admin:webhooks_endpoint_change", args=[endpoint.pk])


def _readers(endpoint: Endpoint) -> Iterator[tuple[int, str]]:
    if endpoint.account is not None:
        if endpoint.account.is_active:
            yield endpoint.account.pk, endpoint.account.email
    elif endpoint.site is not None and endpoint.site.team_email:
        yield 0, endpoint.site.team_email
    else:
        yield from User.objects.filter(is_staff=True, is_active=True).order_by("pk").values_list("pk", "email")

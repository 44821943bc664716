"""Emails about data exports and account deletion."""

from typing import Any

from django.conf import settings
from django.urls import reverse

from apps.accounts.models import DataExport, User
from apps.core.email import outbox
from apps.core.email.text import render_words
from apps.sites.models import Site


def tell_export_is_ready(export: DataExport) -> None:
    """Email the link to an export. Only its owner can open it, after signing in."""
    _put(f"data-export-{export.pk}", export.user.email, "data_ready", expires_at=export.expires_at)


def tell_deletion_is_scheduled(user: User) -> None:
    _put(f"deletion-{user.pk}-{user.deletion_due_at:%s}", user.email, "deletion_scheduled", due_at=user.deletion_due_at)


def tell_deletion_is_canceled(user: User, *, due_at: Any) -> None:
    _put(f"deletion-canceled-{user.pk}-{due_at:%s}", user.email, "deletion_canceled")


def tell_account_is_deleted(*, user_id: int, email: str) -> None:
    _put(f"deleted-{user_id}", email, "account_deleted")


def _put(key: str, to: str, name: str, **about: Any) -> None:
    site = Site.objects.for_host(settings.PUBLIC_HOST)
    context = {**about, "site": site, "data_url": site.url(reverse("own_data"))}
    outbox.put(key=key, to=to, words=render_words(f"accounts/emails/{name}", context), site=site)

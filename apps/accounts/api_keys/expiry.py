"""Email owners once before a key expires. A periodic sweep retries failures."""

from datetime import timedelta

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.db.models import F, Q
from django.urls import reverse
from django.utils import timezone

from apps.accounts.models import ApiKey
from apps.accounts.models.api_keys import ApiKeyQuerySet
from apps.core.email.rendering import compose
from apps.core.email.text import render_words
from apps.sites.models import Site

# A worker's time for an email, and the pause before a retry.
LEASE = timedelta(hours=1)
SWEEP_BATCH = 500


def due_warnings() -> list[int]:
    """Return keys due for an expiry email, soonest first, without those leased by another worker."""
    return list(_due().order_by("expires_at").values_list("pk", flat=True)[:SWEEP_BATCH])


def warn_of_expiry(key_id: int) -> bool:
    """Email a key's owner if due. Returns whether the email was sent.

    Only one of several workers sends it. Errors of the email server are raised again. The lease then expires, and the
    sweep finds the key again.
    """
    if not _due().filter(pk=key_id).exists() or not _lease(key_id):
        return False
    key: ApiKey = ApiKey.objects.select_related("user").get(pk=key_id)
    _email(key).send()
    ApiKey.objects.filter(pk=key_id).update(warned_at=timezone.now())
    return True


def _due() -> ApiKeyQuerySet:
    now = timezone.now()
    keys: ApiKeyQuerySet = ApiKey.objects.active()
    return keys.filter(
        _unleased(),
        expires_at__lte=now + ApiKey.SOON,
        # Short-lived keys need no reminder.
        expires_at__gt=F("created_at") + ApiKey.SOON,
        user__is_active=True,
    )


def _lease(key_id: int) -> bool:
    # The condition reads no other table, or a concurrent update wouldn't see the first.
    keys = ApiKey.objects.filter(_unleased(), pk=key_id, revoked_at__isnull=True, replaced_by__isnull=True)
    return bool(keys.update(warning_leased_at=timezone.now()))


def _unleased() -> Q:
    is_free = Q(warning_leased_at__isnull=True) | Q(warning_leased_at__lt=timezone.now() - LEASE)
    return is_free & Q(warned_at__isnull=True)


def _email(key: ApiKey) -> EmailMultiAlternatives:
    site = Site.objects.for_host(settings.PUBLIC_HOST)
    context = {"key": key, "site": site, "keys_url": site.url(reverse("api_keys"))}
    return compose(to=key.user.email, words=render_words("accounts/emails/key_expires", context), site=site)

"""Drafts that nobody submits end after 30 days."""

from django.db import transaction
from django.db.models.functions import Now

from apps.drafts.models import LIFETIME, Draft

BATCH = 500


def expire_drafts() -> int:
    """Expire drafts that have been waiting for too long, the next time the rest; returns how many."""
    waiting = Draft.objects.filter(status=Draft.Status.READY, created_at__lt=Now() - LIFETIME).order_by("pk")
    with transaction.atomic():
        drafts = list(waiting.select_for_update(skip_locked=True)[:BATCH])
        for draft in drafts:
            draft.move_to(Draft.Status.EXPIRED)
            draft.save(update_fields=["status"])
    return len(drafts)

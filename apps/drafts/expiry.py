"""Drafts that nobody submits end after 30 days."""

from django.db.models.functions import Now

from apps.drafts.models import LIFETIME, Draft


def expire_drafts() -> int:
    """Expire the drafts that have been waiting for too long; returns how many."""
    waiting = Draft.objects.filter(status=Draft.Status.READY, created_at__lt=Now() - LIFETIME)
    return waiting.update(status=Draft.Status.EXPIRED)

"""Housekeeping of the core."""

from celery import shared_task

from apps.core import health, idempotency


@shared_task
def delete_expired_idempotency_records() -> None:
    idempotency.delete_expired()


@shared_task
def record_beat() -> None:
    health.record_beat()

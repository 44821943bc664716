"""Background work of collections."""

from celery import shared_task

from apps.curation.services import following


@shared_task(max_retries=0)
def announce_additions() -> None:
    """Notify followers of what was added to collections; periodic."""
    following.announce_additions()

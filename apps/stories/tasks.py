"""Background tasks of stories."""

from celery import shared_task

from apps.stories.services import publish_pending


@shared_task(max_retries=0)
def publish_pending_stories() -> None:
    """Publish the drafts that are now complete. Periodic."""
    publish_pending.publish_pending_stories()

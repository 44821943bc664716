"""Background work of sites."""

from datetime import timedelta

from celery import shared_task
from django.utils import timezone

from apps.sites.seo import indexnow

# Longer than the interval of the task, so that nothing is missed between two runs.
REACH = timedelta(minutes=70)


@shared_task(max_retries=0)
def submit_changed_pages() -> None:
    """Tell search engines which pages changed in the last hour. Runs periodically."""
    indexnow.submit_changed_pages(since=timezone.now() - REACH)

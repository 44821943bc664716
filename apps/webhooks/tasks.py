"""The Celery tasks of webhooks. What there is to do is in the event log and in the deliveries."""

from contextlib import ExitStack
from threading import Lock

from celery import shared_task

from apps.webhooks import services
from apps.webhooks.delivery import sending

_running = Lock()


@shared_task(acks_late=True, max_retries=0)
def send_webhooks() -> None:
    """Send everything that is due. A message only says that there may be work.

    One thread of each crawler does it, so that slow endpoints and large backlogs hold up nothing else. While it waits
    for its last answers, another one may begin.
    """
    if not _running.acquire(blocking=False):
        return
    with ExitStack() as running:
        running.callback(_running.release)
        sending.send_due(on_closing=running.close)


@shared_task
def clear_old_secrets() -> None:
    """Delete rotated secrets a day after their rotation; periodic."""
    services.clear_old_secrets()

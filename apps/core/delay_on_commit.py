"""Enqueue a Celery task after the transaction."""

from django.db import transaction
from django.utils.module_loading import import_string


def delay_on_commit(task: str, *arguments: object) -> None:
    """Enqueue the task of this dotted path after the commit. A rollback drops it.

    The path spares services an import of the tasks that run them. If the broker is down, the message is lost but the
    request succeeds: the rows say what is to do, and periodic sweeps find them. Raises ImportError for an unknown path.
    """
    enqueue = import_string(task).delay

    # Not a partial: Django can't log the failure of one, and raises instead.
    def send() -> None:
        enqueue(*arguments)

    transaction.on_commit(send, robust=True)

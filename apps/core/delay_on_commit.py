"""Enqueue a Celery task once the transaction has ended."""

from django.db import transaction
from django.utils.module_loading import import_string


def delay_on_commit(task: str, *arguments: object) -> None:
    """Enqueue the task of this dotted path after the commit; a rollback drops it.

    By name, so that services need not import the tasks that run them. A broker that is out loses the message, not the
    answer: the rows say what is to do, and the periodic sweeps look again. Raises ImportError for an unknown path.
    """
    enqueue = import_string(task).delay

    # Not a partial: Django cannot log the failure of one, and raises instead.
    def send() -> None:
        enqueue(*arguments)

    transaction.on_commit(send, robust=True)

"""Waking a worker for what a transaction leaves to do."""

from typing import TYPE_CHECKING, Any

from django.db import transaction

if TYPE_CHECKING:
    from celery import Task


def wake_after_commit(task: "Task[..., Any]", *arguments: object) -> None:
    """Send a task once the transaction has ended.

    A broker that is out loses the message, not the answer: the rows say what is to do, and the sweeps look again.
    """

    # Not a partial: Django cannot log the failure of one, and raises instead.
    def send() -> None:
        task.delay(*arguments)

    transaction.on_commit(send, robust=True)

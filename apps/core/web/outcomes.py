"""Messages about what a form's button did."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.contrib import messages
from django.http import HttpRequest

from apps.core.errors import DomainError


@contextmanager
def reporting(request: HttpRequest, done: str) -> Iterator[None]:
    """Show `done` on the next page, or why the command inside refused."""
    try:
        yield
    except DomainError as refusal:
        messages.error(request, refusal.detail)
    else:
        messages.success(request, done)

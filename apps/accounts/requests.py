"""The account behind a request, for code that only runs for signed-in people."""

from django.http import HttpRequest
from rest_framework.request import Request

from apps.accounts.models import User


def account_of(request: HttpRequest | Request) -> User:
    """The account of a request that needed a sign-in or a credential; anything else is a programming error."""
    user = request.user
    if not isinstance(user, User):
        raise TypeError("This needs a signed-in account; declare a scope or require a sign-in.")
    return user

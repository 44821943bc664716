"""Django's test client as a browser on the default site, and site admins with some permissions."""

from django.contrib.auth.models import Permission
from django.test import Client

from apps.accounts.models import User
from tests.factories import UserFactory


def browser(**headers: str) -> Client:
    """Return a browser in which nobody is signed in."""
    return Client(headers={"host": "testserver.localhost", **headers})


def signed_in(user: User) -> Client:
    """Return a browser in which an account is signed in."""
    client = browser()
    client.force_login(user)
    return client


def staff(*permissions: str) -> User:
    """Return a site admin with these permissions and no others."""
    user: User = UserFactory.create(is_staff=True)
    result = Permission.objects.filter(codename__in=permissions)
    assert len(result) == len(permissions), result
    user.user_permissions.set(result)
    return user

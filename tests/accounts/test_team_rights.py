"""Who may change accounts in the admin gets no further rights by that."""

from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import Group, Permission
from django.test import Client

from apps.accounts.models import User
from apps.sites.models import Site
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db

USERS = "/admin/accounts/user/"
TIMES = {"joined_at_0": "2026-01-01", "joined_at_1": "00:00"}


@pytest.fixture
def member(site: Site) -> User:
    user = UserFactory.create(is_staff=True)
    names = ("view_user", "change_user", "delete_user")
    user.user_permissions.add(*Permission.objects.filter(codename__in=names))
    return user


@pytest.fixture
def team(client: Client, member: User) -> Client:
    client.force_login(member)
    return client


def values_of(user: User, **changed: Any) -> dict[str, Any]:
    return {"email": user.email, "name": user.name, "is_active": "on", **TIMES, **changed}


def test_nobody_gets_rights(team: Client) -> None:
    group = Group.objects.create(name="All")
    user = UserFactory.create()
    asked = {"is_staff": "on", "is_superuser": "on", "groups": [group.pk]}
    assert team.post(f"{USERS}{user.pk}/change/", values_of(user, name="Ada", **asked)).status_code == 302
    user.refresh_from_db()
    assert (user.name, user.is_staff, user.is_superuser, user.groups.count()) == ("Ada", False, False, 0)


@pytest.mark.parametrize("rights", [{"is_superuser": True}, {}])
def test_only_a_superuser_changes_accounts_of_site_admins(team: Client, rights: dict[str, bool]) -> None:
    user = UserFactory.create(is_staff=True, **rights)
    Authenticator.objects.create(user=user, type="totp", data={})
    page = f"{USERS}{user.pk}"
    new = {"password1": "another long one", "password2": "another long one", "usable_password": "true"}
    assert team.post(f"{page}/change/", values_of(user, email="mine@example.com")).status_code == 403
    assert team.post(f"{page}/password/", new).status_code == 403
    assert team.post(f"{page}/delete/", {"post": "yes"}).status_code == 403
    chosen = {"_selected_action": [user.pk], "confirmed": "yes", "post": "yes"}
    for action in ("remove_second_factors", "delete_selected"):
        team.post(USERS, {"action": action, **chosen})
    result = User.objects.get(pk=user.pk)
    assert (result.email, result.password) == (user.email, user.password)
    assert Authenticator.objects.filter(user=user).exists()


def test_a_superuser_gives_them(client: Client, site: Site) -> None:
    client.force_login(UserFactory.create(is_staff=True, is_superuser=True))
    user = UserFactory.create()
    assert client.post(f"{USERS}{user.pk}/change/", values_of(user, is_staff="on")).status_code == 302
    user.refresh_from_db()
    assert user.is_staff


def test_nobody_skips_the_days_in_which_an_account_can_be_kept(client: Client, site: Site) -> None:
    client.force_login(UserFactory.create(is_staff=True, is_superuser=True))
    user = UserFactory.create()
    assert client.post(f"{USERS}{user.pk}/delete/", {"post": "yes"}).status_code == 403
    assert b"/delete/" not in client.get(f"{USERS}{user.pk}/change/").content
    chosen = {"_selected_action": [user.pk], "confirmed": "yes", "post": "yes"}
    client.post(USERS, {"action": "delete_selected", **chosen})
    assert User.objects.get(pk=user.pk).deletion_due_at is None
    client.post(USERS, {"action": "delete_account", **chosen})
    assert User.objects.get(pk=user.pk).deletion_due_at


def test_a_groups_rights_are_a_superusers_matter(team: Client, member: User) -> None:
    """Anyone who could edit the permissions of a group could give them to their own."""
    names = [f"{verb}_group" for verb in ("view", "add", "change", "delete")]
    member.user_permissions.add(*Permission.objects.filter(codename__in=names))
    group = Group.objects.create(name="Readers")
    every = list(Permission.objects.filter(content_type__app_label="accounts").values_list("pk", flat=True))
    for address in (f"/admin/auth/group/{group.pk}/change/", "/admin/auth/group/add/"):
        assert team.post(address, {"name": "Readers", "permissions": every}).status_code == 403
    assert team.get(f"/admin/auth/group/{group.pk}/change/").status_code == 200
    assert (group.permissions.count(), Group.objects.count()) == (0, 1)

"""Groups with their rights, and blocking clients, in the admin."""

import pytest
from django.contrib.auth.models import Group, Permission
from django.test import Client

from apps.accounts.admin.decisions import ALLOW
from tests.factories import ApplicationFactory, UserFactory

pytestmark = pytest.mark.db

GROUPS = "/admin/auth/group/"
CLIENTS = "/admin/accounts/application/"


@pytest.mark.slow
def test_a_group_gets_the_rights_that_are_ticked_and_keeps_others(team: Client) -> None:
    listings = Permission.objects.get(codename="change_listing")
    hidden = Permission.objects.get(codename="view_accesstoken")
    page = team.get(f"{GROUPS}add/").content.decode()
    assert f'value="{listings.pk}"' in page
    assert "ccess token" not in page
    assert team.post(f"{GROUPS}add/", {"name": "Moderators", "permissions": [listings.pk]}).status_code == 302
    group = Group.objects.get()
    assert list(group.permissions.all()) == [listings]
    group.permissions.add(hidden)
    assert team.post(f"{GROUPS}{group.pk}/change/", {"name": "Moderators", "permissions": []}).status_code == 302
    assert list(group.permissions.all()) == [hidden]
    wrong = team.post(f"{GROUPS}{group.pk}/change/", {"name": "Moderators", "permissions": [hidden.pk, "x"]})
    assert "permissions" in wrong.context["adminform"].form.errors
    assert "Moderators" in team.get(GROUPS).content.decode()


def test_a_member_of_a_group_may_what_it_says(client: Client, db: None) -> None:
    member = UserFactory.create(is_staff=True)
    group = Group.objects.create(name="Readers")
    group.permissions.add(Permission.objects.get(codename="view_listing"))
    client.force_login(member)
    assert client.get("/admin/listings/listing/").status_code == 403
    member.groups.add(group)
    assert client.get("/admin/listings/listing/").status_code == 200
    assert client.get(GROUPS).status_code == 403


def test_clients_are_blocked_and_allowed_again(team: Client) -> None:
    application = ApplicationFactory.create()
    for action, says, is_active in (
        ("block", "Connected accounts: 0", False),
        ("block", "Already blocked.", False),
        ("allow", ALLOW.explanation[0], True),
    ):
        form = {"action": action, "_selected_action": [application.pk]}
        assert says in team.post(CLIENTS, form).content.decode()
        team.post(CLIENTS, {**form, "confirmed": "yes"})
        application.refresh_from_db()
        assert application.is_active == is_active

"""Groups and second factors that an OpenID Connect server tells of."""

from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group
from django.test import Client

from apps.accounts.models import User
from tests.accounts.people import through
from tests.browsing import browser
from tests.factories import UserFactory
from tests.identity_server import IdentityServer

pytestmark = pytest.mark.db


@pytest.fixture
def user(server: IdentityServer, settings: Any) -> User:
    settings.OIDC_GROUPS = {"mods": "Moderators", "sales": "Sales", "nobody": "Missing"}
    for name in ("Moderators", "Sales", "By hand"):
        Group.objects.create(name=name)
    return UserFactory.create(email="ada@example.com")


def signed_in(server: IdentityServer, **claims: Any) -> Client:
    server.person.claims = claims
    client = browser()
    through(client)
    return client


def groups_of(user: User) -> list[str]:
    user.refresh_from_db()
    return sorted(user.groups.values_list("name", flat=True))


@pytest.mark.slow
def test_groups_follow_the_server(server: IdentityServer, user: User) -> None:
    signed_in(server, groups=["mods", "sales", "others"])
    assert (groups_of(user), user.is_staff) == (["Moderators", "Sales"], True)
    signed_in(server, groups=["sales"])
    assert (groups_of(user), user.is_staff) == (["Sales"], True)
    signed_in(server, groups=[])
    assert (groups_of(user), user.is_staff) == ([], False)
    messages = [entry.get_change_message() for entry in LogEntry.objects.order_by("pk")]
    assert [message.rpartition(": ")[2] for message in messages] == ["+Moderators, +Sales", "-Moderators", "-Sales"]


def test_a_group_that_is_missing_makes_no_site_admin(server: IdentityServer, user: User, caplog: Any) -> None:
    signed_in(server, groups=["nobody"])
    assert (groups_of(user), user.is_staff) == ([], False)
    assert "OIDC_GROUPS" in caplog.text


def test_groups_given_by_hand_stay(server: IdentityServer, user: User) -> None:
    user.groups.add(Group.objects.get(name="By hand"))
    user.is_staff = True
    user.save()
    signed_in(server, groups=["mods"])
    signed_in(server, groups=[])
    assert (groups_of(user), user.is_staff) == (["By hand"], True)


def test_superusers_stay_site_admins(server: IdentityServer, user: User) -> None:
    User.objects.update(is_superuser=True, is_staff=True)
    signed_in(server, groups=["mods"])
    signed_in(server, groups=[])
    assert user.groups.count() == 0
    user.refresh_from_db()
    assert user.is_staff


@pytest.mark.parametrize(
    ("name", "claims"),
    [
        ("groups", {"groups": "mods"}),
        ("realm_access.roles", {"realm_access": {"roles": ["mods"]}}),
        ("https://slipway.example/groups", {"https://slipway.example/groups": ["mods"]}),
    ],
)
def test_the_claim_has_any_name(
    server: IdentityServer, user: User, settings: Any, name: str, claims: dict[str, Any]
) -> None:
    settings.OIDC_GROUPS_CLAIM = name
    signed_in(server, **claims)
    assert groups_of(user) == ["Moderators"]


@pytest.mark.parametrize("claim", [None, 7, {"mods": True}, [["mods"], 7, None]])
def test_an_odd_claim_gives_no_group(server: IdentityServer, user: User, claim: Any) -> None:
    client = signed_in(server, groups=claim)
    assert client.get("/account/profile").status_code == 200
    assert groups_of(user) == []


def test_github_gives_no_groups(server: IdentityServer, user: User) -> None:
    server.person.emails = [{"email": user.email, "primary": True, "verified": True}]
    server.person.claims = {"groups": ["mods"]}
    through(browser(), "github")
    assert groups_of(user) == []


class TestSecondFactorOfStaff:
    @pytest.fixture
    def admin(self, user: User, settings: Any) -> User:
        settings.STAFF_SECOND_FACTOR = True
        User.objects.update(is_superuser=True, is_staff=True)
        user.refresh_from_db()
        return user

    @pytest.mark.parametrize("path", ["/admin/", "/admin/accounts/user/", "/admin/login/"])
    def test_without_one_the_admin_stays_closed(self, admin: User, path: str) -> None:
        client = browser()
        client.force_login(admin)
        page = client.get(path)
        assert page.status_code == 403
        shown = page.content.decode()
        assert "/account/authenticator-app" in shown
        assert "/account/passkeys/new" in shown
        assert client.post(path).status_code == 403
        assert client.get("/account/profile").status_code == 200

    def test_it_may_be_signed_out(self, admin: User) -> None:
        client = browser()
        client.force_login(admin)
        assert client.post("/admin/logout/").status_code != 403

    @pytest.mark.parametrize("factor", ["totp", "webauthn"])
    def test_with_one_it_opens(self, admin: User, factor: str) -> None:
        Authenticator.objects.create(user=admin, type=factor, data={})
        client = browser()
        client.force_login(admin)
        assert client.get("/admin/").status_code == 200

    def test_recovery_codes_alone_are_none(self, admin: User) -> None:
        Authenticator.objects.create(user=admin, type="recovery_codes", data={})
        client = browser()
        client.force_login(admin)
        assert client.get("/admin/").status_code == 403

    @pytest.mark.parametrize(
        ("claims", "status"),
        [
            ({"amr": ["pwd", "mfa"]}, 200),
            ({"acr": "mfa"}, 200),
            ({"amr": ["pwd"]}, 403),
            ({"amr": "pwd"}, 403),
            ({}, 403),
        ],
    )
    def test_one_at_the_server_counts(
        self, admin: User, server: IdentityServer, claims: dict[str, Any], status: int
    ) -> None:
        assert signed_in(server, **claims).get("/admin/").status_code == status

    def test_one_at_the_server_counts_for_its_session_only(self, admin: User, server: IdentityServer) -> None:
        client = signed_in(server, amr=["mfa"])
        client.post("/account/sign-out")
        client.force_login(admin)
        assert client.get("/admin/").status_code == 403

    def test_other_values_may_count(self, admin: User, server: IdentityServer, settings: Any) -> None:
        settings.OIDC_SECOND_FACTOR = ("phrh",)
        assert signed_in(server, amr=["mfa"]).get("/admin/").status_code == 403
        assert signed_in(server, acr="phrh").get("/admin/").status_code == 200

    def test_others_see_what_they_saw(self, admin: User) -> None:
        client = browser()
        assert client.get("/admin/").status_code == 302
        client.force_login(UserFactory.create())
        assert client.get("/admin/")["Location"].startswith("/admin/login")

    def test_it_may_be_turned_off(self, admin: User, settings: Any) -> None:
        settings.STAFF_SECOND_FACTOR = False
        client = browser()
        client.force_login(admin)
        assert client.get("/admin/").status_code == 200

"""Signing in with an OpenID Connect server, GitHub or Google."""

from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialToken
from django.core import mail
from django.test import Client

from apps.accounts.models import User
from apps.blocklists.models import BlockRule
from tests.accounts.people import (
    is_signed_in,
    newest_code,
    newest_email,
    prove_again,
    prove_again_by_email,
    sign_in,
    through,
)
from tests.browsing import browser
from tests.factories import UserFactory
from tests.identity_server import IdentityServer, Person

pytestmark = pytest.mark.db

NEXT = "/account/profile?client=https://assistant.example"


@pytest.mark.parametrize("provider", ["oidc", "google"])
def test_a_new_person_gets_an_account(server: IdentityServer, provider: str) -> None:
    client = browser()
    assert through(client, provider, next_url=NEXT)["Location"] == NEXT
    assert is_signed_in(client)
    user = User.objects.get()
    assert (user.email, user.has_usable_password()) == ("ada@example.com", False)
    assert EmailAddress.objects.get().verified
    assert SocialAccount.objects.get().provider == provider
    again = browser()
    through(again, provider)
    assert is_signed_in(again)
    assert User.objects.count() == 1


def test_the_block_list_keeps_a_new_person_out(server: IdentityServer) -> None:
    rule = BlockRule.objects.create(kind="domain", value="example.com")
    client = browser()
    assert through(client, "oidc")["Location"] == "/account/sign-in"
    assert "You can’t sign up with this email address" in client.get("/account/sign-in").content.decode()
    assert not User.objects.exists()
    BlockRule.objects.filter(pk=rule.pk).update(is_active=False)
    through(client, "oidc")
    BlockRule.objects.update(is_active=True)
    # Who has an account already signs in.
    through(again := browser(), "oidc")
    assert is_signed_in(again)


def test_github_gives_the_primary_of_several_emails(server: IdentityServer) -> None:
    server.person.emails = [
        {"email": "Other@Example.com", "primary": False, "verified": True},
        {"email": "Ada@Example.com", "primary": True, "verified": True},
        {"email": "wrong@example.com", "primary": False, "verified": False},
    ]
    client = browser()
    through(client, "github")
    assert is_signed_in(client)
    assert [address.email for address in EmailAddress.objects.all()] == ["ada@example.com"]


def test_little_is_kept_of_what_a_provider_says(server: IdentityServer) -> None:
    server.person.emails = [{"email": "ada@example.com", "primary": True, "verified": True}]
    through(browser(), "github")
    assert SocialAccount.objects.get().extra_data == {"label": "ada"}
    assert not SocialToken.objects.exists()


def test_a_verified_email_leads_to_the_account_that_has_it(server: IdentityServer) -> None:
    user = UserFactory.create(email="ada@example.com")
    client = browser()
    through(client)
    assert is_signed_in(client)
    assert SocialAccount.objects.get().user == user
    assert user.has_usable_password()
    assert newest_email(user.email).subject == "Example SSO was connected on Slipway"


@pytest.mark.parametrize("said", [False, "false", None, 0])
def test_an_unverified_email_leads_to_no_account(server: IdentityServer, said: Any) -> None:
    UserFactory.create(email="ada@example.com")
    server.person.email_verified = said
    client = browser()
    through(client)
    assert not is_signed_in(client)
    assert not SocialAccount.objects.exists()
    assert newest_email("ada@example.com").subject


def test_an_unverified_email_of_a_new_person_is_proven_by_a_code(server: IdentityServer) -> None:
    server.person.email_verified = False
    client = browser()
    assert through(client)["Location"] == "/account/verify"
    assert not is_signed_in(client)
    client.post("/account/verify", {"code": newest_code("ada@example.com")})
    assert is_signed_in(client)


def test_an_email_that_somebody_else_wants_leads_to_no_account(server: IdentityServer) -> None:
    other = UserFactory.create(email="other@example.com")
    EmailAddress.objects.create(user=other, email="ada@example.com", verified=False, primary=False)
    client = browser()
    through(client)
    assert not SocialAccount.objects.filter(user=other).exists()


def test_a_password_of_an_account_that_was_never_verified_is_void(server: IdentityServer) -> None:
    """Somebody else may have chosen it, in the hope that the owner of the email comes along."""
    early = UserFactory.create(email="ada@example.com")
    EmailAddress.objects.filter(user=early).update(verified=False)
    through(browser())
    early.refresh_from_db()
    assert not early.has_usable_password()


def test_a_closed_account_stays_closed(server: IdentityServer) -> None:
    UserFactory.create(email="ada@example.com", is_active=False)
    client = browser()
    assert through(client)["Location"] == "/account/inactive"
    assert not is_signed_in(client)
    assert not SocialAccount.objects.exists()


def test_a_second_step_is_asked_for(server: IdentityServer) -> None:
    user = UserFactory.create(email="ada@example.com")
    Authenticator.objects.create(user=user, type=Authenticator.Type.TOTP, data={"secret": "x"})
    client = browser()
    assert through(client)["Location"] == "/account/sign-in/second-step"
    assert not is_signed_in(client)


def test_without_an_email_one_is_asked_for(server: IdentityServer) -> None:
    server.person.email = None
    client = browser()
    assert through(client)["Location"] == "/account/sign-up/email"
    assert client.get("/account/sign-up/email").status_code == 200
    assert client.post("/account/sign-up/email", {"email": "no email"}).status_code == 422
    assert client.post("/account/sign-up/email", {"email": "new@example.com"})["Location"] == "/account/verify"
    client.post("/account/verify", {"code": newest_code("new@example.com")})
    assert is_signed_in(client)


def test_pages_offer_what_is_set_up(server: IdentityServer, settings: Any) -> None:
    for path in ("/account/sign-in", "/account/sign-up"):
        page = browser().get(path, {"next": NEXT})
        shown = page.content.decode()
        assert [provider.id for provider in page.context["providers"]] == ["oidc", "github", "google"]
        assert "Continue with Example SSO" in shown
        assert shown.count('name="next"') >= 4
        assert server.url in page["Content-Security-Policy"]
    settings.SOCIALACCOUNT_PROVIDERS = {}
    page = browser().get("/account/sign-in")
    assert "Continue with" not in page.content.decode()
    assert browser().post("/account/sign-in/with/github").status_code == 404
    assert browser().get("/account/sign-in/with/github/callback").status_code == 404


def test_a_link_signs_nobody_in(server: IdentityServer) -> None:
    assert browser().get("/account/sign-in/with/oidc")["Location"] == "/account/sign-in"
    assert browser().get("/account/sign-in/with/oidc/callback?code=x&state=y").status_code == 401
    assert (
        Client(headers={"host": "testserver.localhost"}, enforce_csrf_checks=True)
        .post("/account/sign-in/with/oidc")
        .status_code
        == 403
    )


def test_a_person_may_decline(server: IdentityServer) -> None:
    server.error = "access_denied"
    client = browser()
    assert through(client)["Location"] == "/account/sign-in/canceled"
    assert client.get("/account/sign-in/canceled")["Location"] == "/account/sign-in"


def test_a_server_that_is_out_is_said(server: IdentityServer) -> None:
    server.fail_with = (500, 1)
    assert browser().post("/account/sign-in/with/oidc").status_code == 401


@pytest.mark.parametrize("wrong", [{"aud": "another"}, {"iss": "https://another.example"}, {"exp": 1}])
def test_an_id_token_for_somebody_else_is_refused(server: IdentityServer, wrong: dict[str, Any]) -> None:
    server.person.claims = wrong
    client = browser()
    assert through(client).status_code == 401
    assert not is_signed_in(client)


@pytest.mark.parametrize(
    ("provider", "said"),
    [
        *((provider, {"sub": sub}) for provider in ("oidc", "google") for sub in (None, "")),
        ("google", {"sub": {"a": 1}}),
        *((provider, {"email": 5}) for provider in ("oidc", "google")),
        # The user info of somebody else.
        ("oidc", {"claims": {"sub": "person-2"}}),
    ],
)
def test_an_answer_without_one_person_is_refused(server: IdentityServer, provider: str, said: dict[str, Any]) -> None:
    vars(server.person).update(said)
    client = browser()
    assert through(client, provider).status_code == 401
    assert not is_signed_in(client)
    assert not User.objects.exists()


def test_another_server_of_the_same_name_knows_nobody(server: IdentityServer, settings: Any) -> None:
    """The same `sub` is somebody else there."""
    through(browser())
    first = User.objects.get()
    [app] = settings.SOCIALACCOUNT_PROVIDERS["openid_connect"]["APPS"]
    server.person.email = "mallory@example.com"
    moved = {**app, "settings": {"server_url": server.url.replace("127.0.0.1", "localhost")}}
    settings.SOCIALACCOUNT_PROVIDERS = {
        **settings.SOCIALACCOUNT_PROVIDERS,
        "openid_connect": {**settings.SOCIALACCOUNT_PROVIDERS["openid_connect"], "APPS": [moved]},
    }
    client = browser()
    through(client)
    assert is_signed_in(client)
    assert set(User.objects.exclude(pk=first.pk).values_list("email", flat=True)) == {"mallory@example.com"}


class TestConnections:
    @pytest.fixture
    def user(self, server: IdentityServer) -> User:
        return UserFactory.create(email="owner@example.com")

    @pytest.fixture
    def person(self, user: User) -> Client:
        client = browser()
        sign_in(client, user.email)
        prove_again(client)
        return client

    def test_a_person_connects_and_removes_one(self, person: Client, user: User) -> None:
        assert through(person, process="connect")["Location"] == "/account/sign-ins"
        [row] = person.get("/account/sign-ins").context["connected"]
        assert (row["name"], row["is_needed"]) == ("Example SSO", False)
        mail.outbox.clear()
        assert person.post(f"/account/sign-ins/{row['pk']}/remove")["Location"] == "/account/sign-ins"
        assert not SocialAccount.objects.exists()
        assert newest_email(user.email).subject == "Example SSO was removed on Slipway"

    def test_connecting_asks_who_it_is(self, user: User) -> None:
        client = browser()
        through(client, process="connect")
        assert not SocialAccount.objects.filter(user=user).exists()

    def test_one_of_another_account_is_refused(self, person: Client, user: User) -> None:
        through(browser())
        through(person, process="connect")
        assert not SocialAccount.objects.filter(user=user).exists()

    def test_nobody_removes_those_of_others(self, person: Client) -> None:
        through(browser())
        assert person.post(f"/account/sign-ins/{SocialAccount.objects.get().pk}/remove").status_code == 404
        assert SocialAccount.objects.exists()

    def test_the_last_way_in_stays(self, server: IdentityServer, settings: Any) -> None:
        client = browser()
        through(client)
        account = SocialAccount.objects.get()
        [row] = client.get("/account/sign-ins").context["connected"]
        assert row["is_needed"]
        prove_again_by_email(client)
        client.post(f"/account/sign-ins/{account.pk}/remove")
        assert SocialAccount.objects.exists()
        server.person = Person(emails=[{"email": "ada@example.com", "primary": True, "verified": True}])
        through(client, "github", process="connect")
        client.post(f"/account/sign-ins/{account.pk}/remove")
        [left] = SocialAccount.objects.all()
        assert left.provider == "github"
        Authenticator.objects.create(user=left.user, type=Authenticator.Type.WEBAUTHN, data={})
        [row] = client.get("/account/sign-ins").context["connected"]
        assert not row["is_needed"]

    def test_a_provider_that_is_gone_can_be_removed(self, person: Client, settings: Any) -> None:
        through(person, process="connect")
        settings.SOCIALACCOUNT_PROVIDERS = {}
        [row] = person.get("/account/sign-ins").context["connected"]
        assert row["name"] == "Oidc"
        person.post(f"/account/sign-ins/{row['pk']}/remove")
        assert not SocialAccount.objects.exists()

"""Passkeys: added after proving who one is, sign in alone, are a second step, can be renamed and removed."""

import json
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.test import Client

from apps.accounts.models import User
from apps.sites.models import Site
from tests.accounts.people import is_signed_in, newest_email, next_of, prove_again, sign_in
from tests.accounts.soft_passkey import SoftPasskey
from tests.browsing import browser
from tests.factories import PASSWORD, UserFactory

pytestmark = pytest.mark.db

CONSENT = "/account/profile?client=https://assistant.example"
CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36"
NONSENSE = [
    "",
    "null",
    "[]",
    "1",
    '"x"',
    "{}",
    "{",
    "[" * 5000,
    '{"a":' * 3000,
    '{"id": "\\u0000"}',
    json.dumps({"id": "x" * 20_000}),
    '{"id": 1, "rawId": [], "response": null}',
    '{"response": {"userHandle": "AAAA"}}',
    '{"id":"AA","rawId":"AA","type":"public-key","response":{}}',
    '{"id":"AA","rawId":"AA","type":"public-key","response":[]}',
    '{"id":"AA","rawId":"AA","type":"public-key","response":{"clientDataJSON":"AA","authenticatorData":"AA","signature":"AA","userHandle":"\\u0000"}}',
    '{"id":"AA","rawId":"AA","type":"public-key","response":{"clientDataJSON":"e30","authenticatorData":"AA","signature":"AA","userHandle":"MQ"}}',
    '{"id":"AA","rawId":"AA","type":"public-key","response":{"clientDataJSON":"e30","attestationObject":"oA"}}',
    '{"id":"AA","rawId":"AA","type":"public-key","response":{"clientDataJSON":"bnVsbA","attestationObject":"9g"}}',
]


@pytest.fixture
def user(site: Site) -> User:
    return UserFactory.create(email="owner@example.com")


@pytest.fixture
def person(user: User) -> Client:
    client = browser(user_agent=CHROME)
    sign_in(client, user.email)
    prove_again(client)
    return client


def add(client: Client, key: SoftPasskey, name: str = "Laptop") -> Any:
    page = client.get("/account/passkeys/new")
    options = json.loads(page.context["passkey_options"])
    return client.post("/account/passkeys/new", {"name": name, "credential": key.create(options)})


@pytest.fixture
def key(person: Client) -> SoftPasskey:
    """A passkey of the account."""
    made = SoftPasskey()
    assert add(person, made)["Location"] == "/account/recovery-codes"
    return made


def options_of(client: Client) -> dict[str, Any]:
    answer = client.get("/account/sign-in/passkey", headers={"Accept": "application/json"})
    result: dict[str, Any] = answer.json()["request_options"]
    return result


def sign_in_with(client: Client, key: SoftPasskey, *, next_url: str = "", rp_id: str = "") -> Any:
    credential = key.get(options_of(client), rp_id=rp_id)
    return client.post("/account/sign-in/passkey", {"credential": credential, "next": next_url})


def test_a_key_is_asked_for_that_can_sign_in_alone(person: Client, site: Site) -> None:
    page = person.get("/account/passkeys/new")
    public = json.loads(page.context["passkey_options"])["publicKey"]
    assert public["rp"] == {"id": "testserver.localhost", "name": site.name}
    assert public["authenticatorSelection"]["residentKey"] == "required"
    assert public["authenticatorSelection"]["userVerification"] == "required"
    assert page.context["form"]["name"].value() == "Chrome on Linux"
    assert "no-store" in page["Cache-Control"]


def test_it_signs_in_by_itself_and_returns_to_next(user: User, key: SoftPasskey) -> None:
    assert newest_email(user.email).subject == "A passkey was added on Slipway"
    client = browser()
    assert sign_in_with(client, key, next_url=CONSENT)["Location"] == CONSENT
    assert is_signed_in(client)


def test_a_password_asks_for_it_as_a_second_step_and_keeps_next(user: User, key: SoftPasskey) -> None:
    client = browser()
    assert sign_in(client, user.email, next_url=CONSENT)["Location"] == "/account/sign-in/second-step"
    assert not is_signed_in(client)
    page = client.get("/account/sign-in/second-step")
    credential = key.get(json.loads(page.context["passkey_options"]))
    assert client.post("/account/sign-in/second-step", {"credential": credential})["Location"] == CONSENT
    assert is_signed_in(client)


def test_it_proves_who_one_is(person: Client, user: User, key: SoftPasskey) -> None:
    client = browser()
    sign_in_with(client, key)
    first = client.get("/account/passkeys/new")["Location"]
    assert next_of(first) == "/account/passkeys/new"
    ways = client.get(first).context["reauthentication_alternatives"]
    [way] = [way["url"] for way in ways if way["description"] == "Use a passkey"]
    page = client.get(way)
    credential = key.get(json.loads(page.context["passkey_options"]))
    assert client.post(way, {"credential": credential})["Location"] == "/account/passkeys/new"
    assert client.get("/account/passkeys/new").status_code == 200


def test_a_passkey_that_does_not_prove_it_can_be_tried_again(key: SoftPasskey) -> None:
    client = browser()
    sign_in_with(client, key)
    way = "/account/reauthenticate/passkey?next=/account/passkeys/new"
    client.get(way)
    again = client.post(way, {"credential": "{}"})["Location"]
    assert again.startswith("/account/reauthenticate/passkey")
    assert next_of(again) == "/account/passkeys/new"
    assert client.get("/account/passkeys/new").status_code == 302


class TestRefused:
    def test_a_key_without_the_persons_proof(self, person: Client) -> None:
        assert add(person, SoftPasskey(verifies=False)).status_code == 422
        assert not Authenticator.objects.exists()

    def test_a_key_made_on_another_page(self, person: Client) -> None:
        for origin in ("https://evil.example", "http://testserver.localhost.evil.example", "https://localhost"):
            assert add(person, SoftPasskey(origin=origin)).status_code == 422
        assert not Authenticator.objects.exists()

    def test_an_answer_that_is_sent_twice(self, key: SoftPasskey) -> None:
        client = browser()
        credential = key.get(options_of(client))
        assert client.post("/account/sign-in/passkey", {"credential": credential})["Location"] == "/account"
        client.post("/account/sign-out")
        assert client.post("/account/sign-in/passkey", {"credential": credential})["Location"] == "/account/sign-in"
        assert not is_signed_in(client)

    def test_an_answer_to_another_browsers_question(self, key: SoftPasskey) -> None:
        thief = browser()
        options_of(thief)
        credential = key.get(options_of(browser()))
        assert thief.post("/account/sign-in/passkey", {"credential": credential})["Location"] == "/account/sign-in"
        assert not is_signed_in(thief)

    def test_an_answer_from_another_page_or_for_another_host(self, key: SoftPasskey) -> None:
        client = browser()
        assert sign_in_with(client, key, rp_id="evil.example")["Location"] == "/account/sign-in"
        key.origin = "https://evil.example"
        assert next_of(sign_in_with(client, key, next_url=CONSENT)["Location"]) == CONSENT
        assert not is_signed_in(client)

    def test_another_key_that_claims_to_be_this_one(self, key: SoftPasskey) -> None:
        false = SoftPasskey()
        false.credential_id, false.user_handle = key.credential_id, key.user_handle
        client = browser()
        assert sign_in_with(client, false)["Location"] == "/account/sign-in"
        assert not is_signed_in(client)

    def test_another_accounts_key_as_the_second_step(self, user: User, key: SoftPasskey, site: Site) -> None:
        other, theirs = UserFactory.create(), SoftPasskey()
        client = browser()
        sign_in(client, other.email)
        prove_again(client)
        add(client, theirs)
        victim = browser()
        sign_in(victim, user.email)
        page = victim.get("/account/sign-in/second-step")
        credential = theirs.get(json.loads(page.context["passkey_options"]))
        answer = victim.post("/account/sign-in/second-step", {"credential": credential})
        assert answer.status_code == 422
        assert not is_signed_in(victim)

    def test_the_key_of_a_closed_account(self, user: User, key: SoftPasskey) -> None:
        User.objects.filter(pk=user.pk).update(is_active=False)
        client = browser()
        assert sign_in_with(client, key)["Location"] == "/account/inactive"
        assert not is_signed_in(client)

    def test_a_removed_key(self, person: Client, user: User, key: SoftPasskey) -> None:
        [kept] = Authenticator.objects.filter(user=user, type="webauthn")
        assert person.get(f"/account/passkeys/{kept.pk}/remove").status_code == 200
        assert person.post(f"/account/passkeys/{kept.pk}/remove")["Location"] == "/account/passkeys"
        assert not Authenticator.objects.filter(user=user).exists(), "recovery codes have nothing left to stand in for"
        assert sign_in_with(browser(), key)["Location"] == "/account/sign-in"
        assert sign_in(browser(), user.email)["Location"] == "/account"
        assert newest_email(user.email).subject == "A passkey was removed on Slipway"

    @pytest.mark.parametrize("nonsense", NONSENSE)
    def test_what_is_no_answer_at_all(self, person: Client, key: SoftPasskey, user: User, nonsense: str) -> None:
        stranger = browser()
        options_of(stranger)
        assert stranger.post("/account/sign-in/passkey", {"credential": nonsense})["Location"] == "/account/sign-in"
        person.get("/account/passkeys/new")
        assert person.post("/account/passkeys/new", {"credential": nonsense}).status_code == 422
        second = browser()
        sign_in(second, user.email)
        assert second.post("/account/sign-in/second-step", {"credential": nonsense}).status_code == 422
        assert Authenticator.objects.filter(user=user, type="webauthn").count() == 1

    def test_a_user_that_cannot_be(self, key: SoftPasskey) -> None:
        for handle in ("MQ", "enp6enp6enp6enp6eno", "LTE", "4pyT", "x"):
            key.user_handle = handle
            assert sign_in_with(browser(), key)["Location"] == "/account/sign-in"

    def test_more_tries_than_a_person_makes(self, site: Site) -> None:
        client = browser()
        answers = [client.post("/account/sign-in/passkey", {"credential": "{}"}).status_code for _ in range(11)]
        assert answers == [302] * 10 + [429]


class TestKeepingThem:
    def test_they_are_listed_and_renamed(self, person: Client, user: User, key: SoftPasskey) -> None:
        [kept] = Authenticator.objects.filter(user=user, type="webauthn")
        assert "Laptop" in person.get("/account/passkeys").content.decode()
        assert (
            person.post(f"/account/passkeys/{kept.pk}/rename", {"name": " Work\tlaptop "})["Location"]
            == "/account/passkeys"
        )
        assert "Work laptop" in person.get("/account/passkeys").content.decode()
        for name in ("", "x" * 61):
            assert person.post(f"/account/passkeys/{kept.pk}/rename", {"name": name}).status_code == 422

    def test_only_their_owner_reaches_them(self, key: SoftPasskey, site: Site) -> None:
        [kept] = Authenticator.objects.filter(type="webauthn")
        stranger = browser()
        sign_in(stranger, UserFactory.create().email)
        prove_again(stranger)
        for action in ("rename", "remove"):
            assert stranger.post(f"/account/passkeys/{kept.pk}/{action}", {"name": "mine"}).status_code == 404
        assert Authenticator.objects.get(pk=kept.pk).wrap().name == "Laptop"

    @pytest.mark.parametrize("path", ["passkeys/new", "passkeys/1/rename", "passkeys/1/remove", "authenticator-app"])
    def test_changing_them_asks_who_it_is(self, user: User, path: str) -> None:
        client = browser()
        sign_in(client, user.email)
        assert client.get(f"/account/{path}")["Location"].startswith("/account/reauthenticate?next=")

    def test_there_is_an_end_to_their_number(self, person: Client, user: User, key: SoftPasskey) -> None:
        [kept] = Authenticator.objects.filter(user=user, type="webauthn")
        Authenticator.objects.bulk_create(
            [Authenticator(user=user, type="webauthn", data=kept.data) for _ in range(19)]
        )
        assert add(person, SoftPasskey()).status_code == 422
        assert Authenticator.objects.filter(user=user, type="webauthn").count() == 20


@pytest.mark.parametrize(
    ("host", "secure", "code", "url"),
    [
        ("127.0.0.1:8123", False, "ip_address", "http://localhost:8123/account/passkeys/new"),
        ("[::1]:8123", False, "ip_address", "http://localhost:8123/account/passkeys/new"),
        ("192.0.2.7", True, "ip_address", ""),
        ("slipway.example", False, "no_https", ""),
    ],
)
def test_where_passkeys_cannot_work_the_pages_say_so(
    user: User, settings: Any, host: str, secure: bool, code: str, url: str
) -> None:
    settings.ALLOWED_HOSTS = ["127.0.0.1", "[::1]", "localhost", "192.0.2.7", "slipway.example"]
    client = Client(headers={"host": host})
    sign_in(client, user.email)
    prove_again(client)
    for page in ("/account/passkeys/new", "/account/passkeys"):
        answer = client.get(page, secure=secure)
        obstacle = answer.context["passkey_obstacle"]
        assert obstacle.code == code
        assert obstacle.text in answer.content.decode()
        assert "data-passkey=" not in answer.content.decode()
    assert client.get("/account/passkeys/new", secure=secure).context["passkey_obstacle"].url == url
    stranger = Client(headers={"host": host})
    assert obstacle.text in stranger.get("/account/sign-in", secure=secure).content.decode()


@pytest.mark.parametrize(
    ("host", "secure"), [("localhost:8123", False), ("a.localhost", False), ("slipway.example", True)]
)
def test_where_they_can_the_form_is_there(site: Site, settings: Any, host: str, secure: bool) -> None:
    settings.ALLOWED_HOSTS = ["localhost", ".localhost", "slipway.example"]
    assert "data-passkey=" in Client(headers={"host": host}).get("/account/sign-in", secure=secure).content.decode()


def test_no_page_carries_a_script_of_its_own(person: Client, user: User, key: SoftPasskey) -> None:
    second = browser()
    sign_in(second, user.email)
    pages = [
        browser().get("/account/sign-in"),
        second.get("/account/sign-in/second-step"),
        person.get("/account/passkeys/new"),
        person.get("/account/reauthenticate/passkey"),
    ]
    for page in pages:
        content = page.content.decode()
        assert "<script>" not in content
        assert "application/json" not in content
        assert " style=" not in content
        assert "passkeys.js" in content


def test_a_password_alone_is_not_enough_after_all(user: User, key: SoftPasskey) -> None:
    client = browser()
    sign_in(client, user.email, PASSWORD)
    for path in ("/account", "/account/security", "/account/sessions"):
        assert client.get(path).status_code == 302

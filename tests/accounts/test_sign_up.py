"""Signing up: an address and a password, a code by email, and back to where one came from."""

from collections.abc import Callable
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from lxml import html

from apps.accounts.models import User
from apps.sites.models import Site
from tests.accounts.people import is_signed_in, newest_code, newest_email, next_of, sign_in, wait
from tests.browsing import browser
from tests.factories import PASSWORD, ListingFactory, SiteFactory, UserFactory
from tests.racing import run_at_once

pytestmark = pytest.mark.db

EMAIL = "new@example.com"
CONSENT = "/account/profile?client=https://assistant.example&scope=account:read"


@pytest.fixture
def person(site: Site) -> Client:
    return browser()


def sign_up(client: Client, email: str = EMAIL, *, next_url: str = "", password: str = PASSWORD) -> Any:
    return client.post("/account/sign-up", {"email": email, "password1": password, "next": next_url})


def verify(client: Client, code: str) -> Any:
    return client.post("/account/verify", {"action": "verify", "code": code})


def test_a_person_stays_in_the_tab_and_returns_to_next(person: Client) -> None:
    page = person.get("/account/sign-in", {"next": CONSENT})
    link = page.context["signup_url"]
    assert next_of(link) == CONSENT
    assert person.get(link).context["redirect_field_value"] == CONSENT
    assert sign_up(person, next_url=CONSENT)["Location"] == "/account/verify"
    assert not is_signed_in(person)
    assert verify(person, newest_code(EMAIL))["Location"] == CONSENT
    assert is_signed_in(person)
    [address] = EmailAddress.objects.filter(user__email=EMAIL)
    assert (address.email, address.verified, address.primary) == (EMAIL, True, True)


def test_without_next_the_dashboard_follows(person: Client) -> None:
    sign_up(person)
    assert verify(person, newest_code(EMAIL))["Location"] == "/account"


def test_the_address_is_kept_in_lower_case(person: Client) -> None:
    sign_up(person, "New.Person@Example.COM")
    verify(person, newest_code("new.person@example.com"))
    assert sign_in(browser(), "NEW.person@example.com")["Location"] == "/account"


@pytest.mark.parametrize(
    "next_url", ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)"]
)
def test_next_does_not_lead_elsewhere(person: Client, next_url: str) -> None:
    sign_up(person, next_url=next_url)
    assert verify(person, newest_code(EMAIL))["Location"] == "/account"


def test_another_site_of_the_installation_is_elsewhere_too(person: Client, settings: Any) -> None:
    settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, "other.example"]
    sign_up(person, next_url="http://other.example/")
    assert verify(person, newest_code(EMAIL))["Location"] == "/account"


@pytest.mark.parametrize(
    ("email", "password", "field"),
    [
        ("", PASSWORD, "email"),
        ("no address", PASSWORD, "email"),
        (f"{'a' * 60}@{'b' * 60}.{'c' * 60}.{'d' * 60}.{'e' * 20}.example", PASSWORD, "email"),
        ("a\x00@example.com", PASSWORD, "email"),
        (EMAIL, "", "password1"),
        (EMAIL, "short", "password1"),
        (EMAIL, "password1", "password1"),
        ("someone.special@example.com", "someone.special", "password1"),
    ],
)
def test_a_bad_form_makes_no_account_and_says_why_beside_the_field(
    person: Client, email: str, password: str, field: str
) -> None:
    answer = sign_up(person, email, password=password)
    assert (answer.status_code, list(answer.context["form"].errors)) == (422, [field])
    assert not User.objects.exists()
    assert mail.outbox == []


def test_an_address_that_has_an_account_gets_the_same_answers(person: Client) -> None:
    owner = UserFactory.create(email="taken@example.com")
    free, taken = browser(), browser()
    answers = [sign_up(free, next_url="/x"), sign_up(taken, owner.email, next_url="/x")]
    assert {(answer.status_code, answer["Location"]) for answer in answers} == {(302, "/account/verify")}
    pages = [
        client.get("/account/verify").content.decode().replace(address, "")
        for client, address in ((free, EMAIL), (taken, owner.email))
    ]
    without_tokens = [[line for line in page.splitlines() if "csrfmiddlewaretoken" not in line] for page in pages]
    assert without_tokens[0] == without_tokens[1]
    wrong = [verify(client, "AAAA-AAAA") for client in (free, taken)]
    assert {answer.status_code for answer in wrong} == {422}
    message = newest_email(owner.email)
    assert message.subject == "You already have an account on Slipway"
    assert "/account/password/reset" in message.body
    assert User.objects.filter(email=owner.email).count() == 1
    assert owner.check_password(PASSWORD)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_the_same_form_sent_twice_makes_one_account(site: Site, settings: Any) -> None:
    # As slow as in production, so that the second looks for the address before the first has stored it.
    settings.PASSWORD_HASHERS = settings.PASSWORD_HASHERS[1:]
    answers = run_at_once(*[lambda: sign_up(browser())] * 2)
    assert [answer["Location"] for answer in answers] == ["/account/verify"] * 2
    assert User.objects.filter(email=EMAIL).count() == 1
    assert sorted(message.subject for message in mail.outbox) == [
        "You already have an account on Slipway",
        "Your code for Slipway",
    ]


@pytest.mark.parametrize(
    ("next_url", "said"),
    [
        ("/drafts/new?url=https%3A//acme.example", "https://acme.example"),
        ("/drafts/new", "draft"),
        ("/listings/acme/vote?next=/", "vote"),
        ("/collections/new", "collections"),
    ],
)
def test_what_takes_an_account_is_explained_and_kept(person: Client, next_url: str, said: str) -> None:
    for page in ("/account/sign-up", "/account/sign-in"):
        assert said in person.get(page, {"next": next_url}).context["reason"]
    sign_up(person, next_url=next_url)
    assert verify(person, newest_code(EMAIL))["Location"] == next_url


def test_who_comes_to_vote_reads_for_what(person: Client, site: Site) -> None:
    vote = f"{ListingFactory.create(site=site, live=True, company__name='Acme').path}/vote?next=/"
    for page, heading in {
        "sign-up": "Create an account to vote for Acme",
        "sign-in": "Sign in to vote for Acme",
    }.items():
        tree: Any = html.document_fromstring(person.get(f"/account/{page}", {"next": vote}).content)
        assert tree.findtext(".//h1") == heading
        assert tree.findtext(".//title").startswith(heading)


@pytest.mark.parametrize("next_url", ["", "/account", "/nothing/here", "https://[", "//evil.example/drafts/new"])
def test_other_pages_need_no_reason(person: Client, next_url: str) -> None:
    assert person.get("/account/sign-up", {"next": next_url}).context["reason"] == ""


def test_local_mode_says_where_the_code_is(person: Client, settings: Any) -> None:
    sign_up(person)
    settings.EMAIL_FILE_PATH = "/data/emails"
    assert "/data/emails" not in person.get("/account/verify").content.decode()
    settings.LOCAL, settings.EMAIL_BACKEND = True, "apps.core.email.filebased.EmailBackend"
    assert "/data/emails" in person.get("/account/verify").content.decode()


def test_typing_errors_do_not_end_it(person: Client) -> None:
    sign_up(person, next_url=CONSENT)
    assert [verify(person, "BBBB-BBBB").status_code for _ in range(5)] == [422] * 5
    assert verify(person, newest_code(EMAIL))["Location"] == CONSENT


def test_ten_wrong_codes_end_each_code_and_leave_the_form(person: Client, time_machine: Any) -> None:
    sign_up(person, next_url=CONSENT)
    for _ in range(4):
        answers = [verify(person, "BBBB-BBBB") for _ in range(10)]
        assert {answer.status_code for answer in answers} == {422}
        for answer in (answers[-1], verify(person, newest_code(EMAIL))):
            assert answer.context["form"].has_error("code", "too_many_wrong_codes")
        assert person.get("/account/verify").context["has_ended"]
        wait(time_machine, minutes=1)
        person.post("/account/verify", {"action": "resend"})
    assert verify(person, newest_code(EMAIL))["Location"] == CONSENT


def test_a_new_code_leads_on_after_too_many_wrong_ones(person: Client, time_machine: Any) -> None:
    sign_up(person, next_url=CONSENT)
    for _ in range(10):
        verify(person, "BBBB-BBBB")
    wait(time_machine, minutes=1)
    person.post("/account/verify", {"action": "resend"})
    assert verify(person, newest_code(EMAIL))["Location"] == CONSENT


def test_a_code_is_good_for_fifteen_minutes_and_another_can_be_sent(person: Client, time_machine: Any) -> None:
    sign_up(person, next_url=CONSENT)
    for _ in range(2):
        code = newest_code(EMAIL)
        wait(time_machine, minutes=16)
        answer = verify(person, code)
        assert answer.status_code == 422
        assert answer.context["form"].has_error("code", "code_expired")
        assert person.get("/account/verify").context["has_ended"]
        assert {verify(person, code).status_code for _ in range(20)} == {422}
        person.post("/account/verify", {"action": "resend"})
        assert not person.get("/account/verify").context["has_ended"]
    assert verify(person, newest_code(EMAIL))["Location"] == CONSENT


def test_after_an_hour_signing_in_sends_a_code(person: Client, time_machine: Any) -> None:
    UserFactory.create(email="taken@example.com")
    taken = browser()
    sign_up(person)
    sign_up(taken, "taken@example.com")
    wait(time_machine, minutes=61)
    for client in (person, taken):
        page = client.post("/account/verify", {"action": "verify", "code": "AAAA-AAAA"}, follow=True)
        assert page.redirect_chain[-1][0] == "/account/sign-in"
        assert [message.level_tag for message in page.context["messages"]] == ["warning"]
    assert sign_in(person, EMAIL)["Location"] == "/account/verify"


def test_an_address_that_has_an_account_expires_alike(person: Client, time_machine: Any) -> None:
    UserFactory.create(email="taken@example.com")
    taken = browser()
    sign_up(person)
    sign_up(taken, "taken@example.com")
    wait(time_machine, minutes=16)
    for client in (person, taken):
        assert verify(client, "AAAA-AAAA").context["form"].has_error("code", "code_expired")
        assert client.post("/account/verify", {"action": "resend"})["Location"] == "/account/verify"
        assert verify(client, "AAAA-AAAA").context["form"].has_error("code", "incorrect_code")


def test_too_many_codes_keep_the_form_and_say_when_the_next_can_be_sent(person: Client, time_machine: Any) -> None:
    time_machine.move_to("2026-06-01T12:00:00Z", tick=False)
    sign_up(person)
    for _ in range(2):
        person.post("/account/verify", {"action": "resend"})
    page = person.post("/account/verify", {"action": "resend"}, follow=True)
    assert [str(message).endswith(" in 1 minute.") for message in page.context["messages"]] == [True]
    for _ in range(7):
        wait(time_machine, minutes=1)
        person.post("/account/verify", {"action": "resend"})
    page = person.post("/account/verify", {"action": "resend"}, follow=True)
    assert any(str(message).endswith(" in 53 minutes.") for message in page.context["messages"])
    assert verify(person, newest_code(EMAIL))["Location"] == "/account"


TYPINGS: dict[str, Callable[[str], str]] = {
    "in groups": lambda code: f" {code[:2]} {code[2:]} ",
    "full-width": lambda code: "".join(chr(ord(char) + 0xFEE0) for char in code),
    "a long dash": lambda code: code.replace("-", "–"),
    "what nobody sees": lambda code: f"\u200b{code[:3]}\u00a0{code[3:]}\u2060",
}


@pytest.mark.parametrize("typing", TYPINGS)
def test_a_code_is_taken_as_people_type_it(person: Client, typing: str) -> None:
    sign_up(person)
    assert verify(person, TYPINGS[typing](newest_code(EMAIL)))["Location"] == "/account"


def test_a_code_belongs_to_the_browser_that_asked_for_it(person: Client) -> None:
    sign_up(person)
    stranger = browser()
    assert verify(stranger, newest_code(EMAIL))["Location"] == "/account/sign-in"
    assert not is_signed_in(stranger)


def test_a_code_works_once_and_without_its_dash(person: Client) -> None:
    sign_up(person)
    code = newest_code(EMAIL)
    assert verify(person, code.replace("-", " ").lower())["Location"] == "/account"
    person.post("/account/sign-out")
    assert verify(person, code)["Location"] == "/account/sign-in"
    assert not is_signed_in(person)


def test_a_new_code_can_be_asked_for_and_ends_the_old_one(person: Client, time_machine: Any) -> None:
    sign_up(person)
    old = newest_code(EMAIL)
    wait(time_machine, seconds=30)
    person.post("/account/verify", {"action": "resend"})
    new = newest_code(EMAIL)
    assert new != old
    assert verify(person, old).status_code == 422
    assert verify(person, new)["Location"] == "/account"


def test_a_mistyped_address_can_be_corrected_and_next_is_kept(person: Client) -> None:
    sign_up(person, "mistyped@example.com", next_url=CONSENT)
    start_again = person.get("/account/verify").context["start_again_url"]
    assert person.post("/account/sign-out", {"next": start_again})["Location"] == start_again
    assert next_of(start_again) == CONSENT
    assert person.get(start_again).status_code == 200
    sign_up(person, next_url=CONSENT)
    assert verify(person, newest_code(EMAIL))["Location"] == CONSENT


def test_who_left_before_the_code_gets_one_at_the_next_sign_in(person: Client, time_machine: Any) -> None:
    sign_up(person)
    wait(time_machine, minutes=20)
    later = browser()
    assert sign_in(later, EMAIL, next_url=CONSENT)["Location"] == "/account/verify"
    assert verify(later, newest_code(EMAIL))["Location"] == CONSENT


def test_nobody_gets_an_address_that_is_not_theirs_by_signing_up_first(person: Client, time_machine: Any) -> None:
    sign_up(person, "victim@example.com", password="the password of a squatter")
    owner = browser()
    wait(time_machine, minutes=1)
    owner.post("/account/password/reset", {"email": "victim@example.com"})
    owner.post("/account/password/reset/code", {"code": newest_code("victim@example.com")})
    assert owner.post("/account/password/reset/new", {"password1": PASSWORD})["Location"] == "/account"
    assert is_signed_in(owner)
    squatter = browser()
    assert sign_in(squatter, "victim@example.com", "the password of a squatter").status_code == 422
    person.get("/account/sign-in")
    assert not is_signed_in(person)


def test_emails_are_in_the_name_of_the_site_they_come_from(site: Site) -> None:
    other = SiteFactory.create(host="other.localhost", name="Harbour")
    client = Client(headers={"host": other.host})
    sign_up(client)
    message = newest_email(EMAIL)
    assert message.subject == "Your code for Harbour"
    assert "\n\nHarbour\nhttp://other.localhost\n" in message.body
    html, media_type = message.alternatives[0]
    assert media_type == "text/html"
    assert newest_code(EMAIL) in html
    assert "Harbour" in html


def test_what_somebody_typed_cannot_become_markup_of_an_email(person: Client, site: Site) -> None:
    site.name = "<b>Bold & Co</b>"
    site.save()
    sign_up(person)
    message = newest_email(EMAIL)
    assert message.subject == "Your code for <b>Bold & Co</b>"
    assert "<b>Bold" not in message.alternatives[0][0]


def test_codes_and_passwords_are_not_logged(person: Client, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("DEBUG"):
        sign_up(person)
        code = newest_code(EMAIL)
        verify(person, "AAAA-BBBB")
        verify(person, code)
    logged = "\n".join(
        f"{record.getMessage()} {record.__dict__}" for record in caplog.records if record.name != "django.db.backends"
    )
    assert code not in logged
    assert PASSWORD not in logged


@pytest.mark.slow
def test_signing_up_is_limited_by_address(person: Client) -> None:
    statuses = [sign_up(person, f"person{number}@example.com", password="short").status_code for number in range(11)]
    assert statuses == [422] * 10 + [429]
    answer = sign_up(person)
    assert answer.templates[0].name == "errors/429.html"
    assert answer["Retry-After"] == "60"
    elsewhere = Client(headers={"host": "testserver.localhost"}, REMOTE_ADDR="203.0.113.9")
    assert sign_up(elsewhere).status_code == 302

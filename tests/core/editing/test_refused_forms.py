"""A form that is refused for its token leads on: shown again, or to the account that has signed in meanwhile."""

from typing import Any

import pytest
from django.test import Client
from lxml import html

from apps.sites.models import Site
from tests.factories import PASSWORD, UserFactory

pytestmark = pytest.mark.db

BROWSER = {"origin": "http://testserver", "accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
STALE = {"csrfmiddlewaretoken": "x" * 64}
# Forms of people who are not signed in, by page and target.
FORMS = [
    ("/account/sign-in?next=/pricing", "/account/sign-in", {"login": "ada@example.com", "password": PASSWORD}),
    ("/account/sign-in", "/account/sign-in/passkey", {"credential": "{}"}),
    ("/account/sign-in", "/account/sign-in/with/github", {"next": "/pricing"}),
    ("/account/sign-up?next=/pricing", "/account/sign-up", {"email": "ada@example.com", "password1": PASSWORD}),
    ("/account/password/reset?next=/pricing", "/account/password/reset", {"email": "ada@example.com"}),
    ("/account/password/reset/code", "/account/password/reset/code", {"code": "AAAA-AAAA"}),
    ("/account/password/reset/new", "/account/password/reset/new", {"password1": PASSWORD}),
    ("/account/sign-in/second-step", "/account/sign-in/second-step", {"code": "123 456"}),
    ("/account/verify", "/account/verify", {"action": "resend"}),
    ("/oauth/authorize?client_id=a", "/oauth/authorize", {"allow": "yes"}),
    ("/newsletter/confirm/token", "/newsletter/confirm/token", {}),
    ("/launch-reminders/token", "/launch-reminders/token", {}),
    ("/setup/account", "/setup/account", {"email": "ada@example.com"}),
]


@pytest.fixture
def visitor(site: Site) -> Client:
    client = Client(headers=BROWSER, enforce_csrf_checks=True)
    client.get("/account/sign-in")
    return client


def sign_in(client: Client, email: str) -> None:
    client.force_login(UserFactory.create(email=email))


@pytest.mark.parametrize(("page", "target", "fields"), FORMS, ids=lambda value: value if isinstance(value, str) else "")
def test_a_visitors_form_is_shown_again(visitor: Client, page: str, target: str, fields: dict[str, str]) -> None:
    answer = visitor.post(target, fields | STALE, headers={"referer": f"http://testserver{page}"})
    assert (answer.status_code, answer["Location"]) == (302, page)
    assert [told.level_tag for told in visitor.get("/pricing").context["messages"]] == ["warning"]


def test_a_form_shown_again_can_be_sent(visitor: Client) -> None:
    UserFactory.create(email="ada@example.com")
    fields = {"login": "ada@example.com", "password": PASSWORD}
    there = {"referer": "http://testserver/account/sign-in?next=/pricing"}
    again = visitor.post("/account/sign-in", fields | STALE, headers=there, follow=True)
    form = next(form for form in parsed(again).forms if "login" in form.fields)
    answer = visitor.post(form.action, dict(form.form_values()) | fields)
    assert answer["Location"] == "/pricing"


@pytest.mark.parametrize(
    "headers",
    [{"origin": "https://elsewhere.example"}, {"accept": "*/*"}],
    ids=["another website's", "a script's"],
)
def test_what_is_refused_without_a_form(visitor: Client, headers: dict[str, str]) -> None:
    assert visitor.post("/account/password/reset", {"email": "a@b.example"} | STALE, headers=headers).status_code == 403


def test_the_page_of_a_button_is_loaded_again(visitor: Client) -> None:
    headers = {"hx-request": "true", "accept": "*/*"}
    answer = visitor.post("/listings/acme/vote", {"intent": "vote"} | STALE, headers=headers)
    assert (answer.status_code, answer["HX-Refresh"]) == (204, "true")
    assert [told.level_tag for told in visitor.get("/pricing").context["messages"]] == ["warning"]


def test_without_cookies_the_page_says_so(site: Site) -> None:
    answer = Client(headers=BROWSER, enforce_csrf_checks=True).post("/account/sign-in", {"login": "a", "password": "b"})
    assert answer.status_code == 403
    assert "block cookies" in answer.content.decode()


@pytest.mark.parametrize("typed", ["ada@example.com", " Ada@Example.COM "])
@pytest.mark.parametrize(("wanted", "leads_to"), [("/pricing", "/pricing"), ("https://elsewhere.example/", "/account")])
def test_the_same_account_goes_on(visitor: Client, typed: str, wanted: str, leads_to: str) -> None:
    sign_in(visitor, "ada@example.com")
    answer = visitor.post("/account/sign-in", {"login": typed, "password": PASSWORD, "next": wanted} | STALE)
    assert (answer.status_code, answer["Location"]) == (302, leads_to)


@pytest.mark.parametrize(
    ("target", "fields", "other"),
    [
        ("/account/sign-in", {"login": "eve@example.com", "password": PASSWORD}, "eve@example.com"),
        ("/account/sign-up", {"email": "eve@example.com", "password1": PASSWORD}, "eve@example.com"),
        ("/account/sign-up/email", {"email": "eve@example.com"}, "eve@example.com"),
        ("/account/sign-in/passkey", {"credential": "{}"}, ""),
        ("/account/sign-in/with/github", {}, ""),
        ("/account/sign-in/second-step", {"code": "123456"}, ""),
    ],
)
def test_another_account_is_asked_for(visitor: Client, target: str, fields: dict[str, str], other: str) -> None:
    sign_in(visitor, "ada@example.com")
    answer = visitor.post(target, fields | {"next": "/pricing"} | STALE)
    assert answer.status_code == 409
    page = parsed(answer)
    [told] = page.xpath("//main//p[@class='lede']")
    assert told.text_content() == f"You’re signed in as ada@example.com{other and f', not as {other}'}."
    [go_on] = page.xpath("//main//a[contains(@class, 'button')]")
    assert (go_on.get("href"), go_on.text_content()) == ("/pricing", "Continue with this account")
    [sign_out] = page.xpath("//main//form")
    leads_to = visitor.post(sign_out.action, dict(sign_out.form_values()))["Location"]
    assert leads_to == "/account/sign-in?next=%2Fpricing"
    assert visitor.get(leads_to).status_code == 200


def test_an_account_that_another_website_names_is_not_shown(visitor: Client) -> None:
    sign_in(visitor, "ada@example.com")
    fields = {"login": "eve@example.com"} | STALE
    page = visitor.post("/account/sign-in", fields, headers={"origin": "https://elsewhere.example"})
    assert "eve@example.com" not in page.content.decode()


def parsed(answer: Any) -> Any:
    return html.document_fromstring(answer.content.decode())

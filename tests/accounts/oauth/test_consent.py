"""The consent page: what it shows, what its form may say, and who may send it."""

import re
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.test import Client
from oauth2_provider.models import get_grant_model
from redis import Redis

from apps.accounts.models import Application, Connection
from apps.core.api.scopes import SCOPE_TEXTS, Scope
from tests.accounts.oauth.flow import (
    CALLBACK,
    HOST,
    ISSUER,
    MCP,
    OWNER_SCOPES,
    REST,
    AuthorizationClient,
    Person,
    answer_of,
    named,
    program,
    ticket_of,
)
from tests.accounts.oauth.test_authorize import is_broken
from tests.process_caches import forget_everything

pytestmark = pytest.mark.django_db


def nothing_was_allowed() -> bool:
    return not get_grant_model().objects.exists() and not Connection.objects.exists()


TICKETS = {
    "none": {},
    "empty": {"ticket": ""},
    "unknown": {"ticket": "a" * 32},
    "with a space": {"ticket": "a b"},
    "with a line feed": {"ticket": "a\r\nb"},
    "with a null character": {"ticket": "a\x00b"},
    "in other letters": {"ticket": "ä€\U0001f600"},
    "long": {"ticket": "a" * 100_000},
    "for every key": {"ticket": "*"},
    "for the session": {"ticket": "../session"},
    "a list": {"ticket": ["a", "b"]},
    "under another name": {"tickets": "a"},
    "the request itself": {"client_id": "x", "redirect_uri": CALLBACK, "response_type": "code", "allow": "Authorize"},
}


@pytest.mark.parametrize("fields", named(TICKETS))
@pytest.mark.parametrize("decision", ["allow", "deny"])
def test_tickets_that_are_refused(
    fields: dict[str, Any], decision: str, assistant: AuthorizationClient, person: Person
) -> None:
    person.ask(assistant)
    form = {"decision": decision, "scope": OWNER_SCOPES.split(), **fields}
    assert is_broken(person.browser.post(f"/oauth/authorize?{assistant.request()}", form))
    assert is_broken(program().post("/oauth/authorize", form))
    assert nothing_was_allowed()


@pytest.mark.parametrize(
    ("form", "status"),
    [
        pytest.param({"ticket": "a" * 300_000}, 413, id="large"),
        pytest.param(dict.fromkeys(map(str, range(1100)), ""), 400, id="many fields"),
    ],
)
def test_a_form_that_is_too_large(form: dict[str, str], status: int, person: Person) -> None:
    assert person.browser.post("/oauth/authorize", form).status_code == status


@pytest.mark.parametrize(
    "change",
    named(
        {
            "another case": str.swapcase,
            "shorter": lambda it: it[:-1],
            "longer": lambda it: f"{it}a",
            "a space": lambda it: f"{it} ",
        }
    ),
)
def test_a_tampered_ticket(change: Any, assistant: AuthorizationClient, person: Person) -> None:
    ticket = ticket_of(person.ask(assistant))
    form = {"ticket": change(ticket), "decision": "allow", "scope": OWNER_SCOPES.split()}
    assert is_broken(person.browser.post("/oauth/authorize", form))
    assert nothing_was_allowed()


@pytest.mark.parametrize("first", ["allow", "deny"])
@pytest.mark.parametrize("second", ["allow", "deny"])
def test_a_ticket_is_for_one_answer(first: str, second: str, assistant: AuthorizationClient, person: Person) -> None:
    page = person.ask(assistant)
    assert person.decide(page, first).status_code == 302
    assert is_broken(person.decide(page, second))
    assert get_grant_model().objects.count() == (first == "allow")


def test_a_ticket_is_for_one_account(assistant: AuthorizationClient, person: Person, stranger: Person) -> None:
    page = person.ask(assistant)
    assert is_broken(stranger.decide(page))
    assert is_broken(stranger.decide(page, "deny"))
    anonymous = program().post("/oauth/authorize", {"ticket": ticket_of(page), "decision": "allow"})
    assert is_broken(anonymous)
    assert nothing_was_allowed()
    assert person.decide(page).status_code == 302


def test_a_ticket_does_not_outlive_the_sign_in(
    assistant: AuthorizationClient, person: Person, stranger: Person
) -> None:
    page = person.ask(assistant)
    person.browser.force_login(stranger.user)
    assert is_broken(person.decide(page))
    person.browser.logout()
    assert is_broken(person.decide(page))
    assert nothing_was_allowed()


def test_a_ticket_ends_with_the_account(assistant: AuthorizationClient, person: Person) -> None:
    page = person.ask(assistant)
    person.user.is_active = False
    person.user.save()
    assert is_broken(person.decide(page))
    assert nothing_was_allowed()


def test_a_ticket_is_kept_for_a_quarter_of_an_hour(
    assistant: AuthorizationClient, person: Person, settings: Any
) -> None:
    page = person.ask(assistant)
    kept: Any = Redis.from_url(settings.CACHES["default"]["LOCATION"])
    [key] = kept.keys("*request*")
    assert 0 < kept.ttl(key) <= 900
    assert ticket_of(page).encode() not in key + kept.get(key)
    forget_everything()
    assert is_broken(person.decide(page))


def test_an_address_that_the_client_gave_up(assistant: AuthorizationClient, person: Person) -> None:
    page = person.ask(assistant)
    Application.objects.update(redirect_uris="https://assistant.example.com/new")
    assert is_broken(person.decide(page))
    assert is_broken(person.decide(page, "deny"))
    assert nothing_was_allowed()


FIELDS = {
    "redirect address": {"redirect_uri": "https://evil.example/"},
    "client": {"client_id": "another"},
    "resource": {"resource": REST},
    "state": {"state": "forged"},
    "response": {"response_type": "token", "response_mode": "fragment"},
    "challenge": {"code_challenge": "a" * 43, "code_challenge_method": "plain"},
    "account": {"user": "1", "user_id": "1"},
    "toolkit": {"allow": "Authorize", "skip_authorization": "true", "claims": "{}", "nonce": "a"},
}


@pytest.mark.parametrize("fields", named(FIELDS))
@pytest.mark.parametrize("decision", ["allow", "deny"])
def test_the_form_says_yes_or_no_and_nothing_else(
    fields: dict[str, Any], decision: str, assistant: AuthorizationClient, person: Person
) -> None:
    answer = person.decide(person.ask(assistant), decision, **fields)
    assert urlsplit(answer["Location"])[:3] == urlsplit(CALLBACK)[:3]
    said = answer_of(answer)
    assert (said["state"], said["iss"], said.get("error")) == (
        "as sent",
        ISSUER,
        None if "code" in said else "access_denied",
    )
    assert ("code" in said) is (decision == "allow")
    if decision == "allow":
        made = get_grant_model().objects.get()
        assert (made.user, made.application.client_id) == (person.user, assistant.client_id)
        assert (made.redirect_uri, made.resource, made.code_challenge) == (CALLBACK, [MCP], assistant.challenge)
        assert (made.code_challenge_method, made.scope) == ("S256", OWNER_SCOPES)


@pytest.mark.parametrize("decision", ["deny", "", "Allow", "ALLOW", "true", "allow "])
def test_everything_but_yes_is_no(decision: str, assistant: AuthorizationClient, person: Person) -> None:
    answer = person.decide(person.ask(assistant), decision)
    assert answer["Location"].startswith(f"{CALLBACK}?")
    assert answer_of(answer)["error"] == "access_denied"
    assert nothing_was_allowed()


@pytest.mark.parametrize(
    ("asked", "ticked", "granted"),
    [
        pytest.param("account:read", OWNER_SCOPES, "account:read", id="more than asked"),
        pytest.param(None, OWNER_SCOPES, "account:read", id="nothing said"),
        pytest.param(OWNER_SCOPES, "account:read admin", "account:read", id="unknown"),
        pytest.param(OWNER_SCOPES, "orders:write account:read", "account:read orders:write", id="some"),
        pytest.param(OWNER_SCOPES, "account:read account:read", "account:read", id="twice"),
    ],
)
def test_no_more_than_was_asked_and_ticked(
    asked: str | None, ticked: str, granted: str, assistant: AuthorizationClient, person: Person
) -> None:
    code = answer_of(person.decide(person.ask(assistant, scope=asked), scope=ticked))["code"]
    assert assistant.redeem(code).json()["scope"] == granted


@pytest.mark.parametrize("ticked", ["", "admin", "ACCOUNT:READ", "account:read,orders:write"])
def test_nothing_ticked_is_asked_again(ticked: str, assistant: AuthorizationClient, person: Person) -> None:
    first = person.ask(assistant)
    again = person.decide(first, scope=ticked)
    assert again.status_code == 422
    assert b"Select at least one permission" in again.content
    assert nothing_was_allowed()
    assert is_broken(person.decide(first))
    assert answer_of(person.decide(again)).keys() == {"code", "state", "iss"}


def test_another_site_cannot_send_the_form(assistant: AuthorizationClient, person: Person) -> None:
    victim = Client(enforce_csrf_checks=True, headers={"host": HOST})
    victim.force_login(person.user)
    ticket = ticket_of(victim.get(f"/oauth/authorize?{assistant.request()}"))
    form = {"ticket": ticket, "decision": "allow", "scope": OWNER_SCOPES.split()}
    for headers in ({}, {"Origin": "https://evil.example"}, {"Referer": "https://evil.example/"}, {"Origin": "null"}):
        assert victim.post("/oauth/authorize", form, headers=headers).status_code == 403
    assert nothing_was_allowed()


@pytest.mark.parametrize("step", ["ask", "again", "broken", "deny", "allow"])
def test_no_frame_no_cache_no_referrer(step: str, assistant: AuthorizationClient, person: Person) -> None:
    person.browser.defaults["HTTP_ORIGIN"] = ISSUER if step in {"again", "deny", "allow"} else "https://evil.example"
    match step:
        case "broken":
            answer = person.ask(assistant, redirect_uri="https://evil.example/")
        case "ask":
            answer = person.ask(assistant)
        case "again":
            answer = person.decide(person.ask(assistant), scope="")
        case _:
            answer = person.decide(person.ask(assistant), step)
    policy = answer["Content-Security-Policy"]
    assert answer["X-Frame-Options"] == "DENY"
    assert "frame-ancestors 'none'" in policy
    assert "script-src 'self';" in f"{policy};"
    assert "no-store" in answer["Cache-Control"]
    assert answer["Referrer-Policy"] in {"no-referrer", "strict-origin-when-cross-origin", "same-origin"}
    assert "Access-Control-Allow-Origin" not in answer


FORM_TARGETS = {
    "https": (CALLBACK, "https://assistant.example.com"),
    "https on a port": ("https://assistant.example.com:8443/cb", "https://assistant.example.com:8443"),
    "loopback": ("http://127.0.0.1:33418/cb", "http://127.0.0.1:33418"),
    "localhost": ("http://localhost:33418/cb", "http://localhost:33418"),
    "loopback over TLS": ("https://localhost:33418/cb", "https://localhost:33418"),
    "IPv6 loopback, for which a policy has no word": ("http://[::1]:33418/cb", "http:"),
    "program": ("cursor://anysphere.cursor-retrieval/oauth/callback", "cursor:"),
    "policy in a program's address": ("cursor://host;script-src/cb;script-src%20*", "cursor:"),
    "policy in the path": ("https://assistant.example.com/;script-src%20*", "https://assistant.example.com"),
}


@pytest.mark.parametrize(("uri", "source"), [pytest.param(*case, id=name) for name, case in FORM_TARGETS.items()])
def test_the_form_leads_to_the_client_only(uri: str, source: str, person: Person) -> None:
    client = AuthorizationClient.registered(uri)
    page = person.ask(client)
    directives = dict(part.strip().partition(" ")[::2] for part in page["Content-Security-Policy"].split(";"))
    allowed = directives["form-action"].split()
    assert allowed[:2] == ["'self'", source]
    # Where a client's own page may send people on; plain http and schemes that run code are not among them.
    assert {"https:", "http://127.0.0.1:*", "http://localhost:*", "vscode:"} < set(allowed)
    assert {"*", "javascript:", "data:"}.isdisjoint(allowed)
    assert directives["script-src"] == "'self'"
    assert person.decide(page)["Location"].startswith(uri)


def test_other_pages_keep_the_narrow_policy(person: Person, assistant: AuthorizationClient) -> None:
    person.ask(assistant)
    for path in ("/account/apps", "/account/sign-in"):
        assert "form-action 'self';" in f"{person.browser.get(path)['Content-Security-Policy']};"


@pytest.mark.parametrize(
    "name",
    [
        "<script>alert(1)</script>",
        '"><img src=x onerror=alert(1)>',
        "{{ settings.SECRET_KEY }}{% now 'Y' %}",
        "&lt;b&gt;",
    ],
)
def test_a_name_is_text(name: str, person: Person) -> None:
    client = AuthorizationClient.registered(client_name=name)
    for page in (person.ask(client), person.decide(person.ask(client), scope="")):
        assert name.encode() not in page.content
        assert b"<script>" not in page.content
        assert b"onerror=alert" not in page.content.replace(b"&quot;", b"").replace(
            b"&gt;&lt;img src=x onerror=alert", b""
        )
    person.connect(client)
    assert name.encode() not in person.browser.get("/account/apps").content


def test_nothing_of_the_client_is_loaded(person: Person) -> None:
    about = dict.fromkeys(("logo_uri", "client_uri", "tos_uri", "policy_uri"), "https://evil.example/pixel.png")
    client = AuthorizationClient.registered(client_name="Pixel", **about)
    page = person.ask(client).content.decode()
    assert "evil.example" not in page
    assert not re.search(r"<(img|iframe|object|embed|video|audio)\b", page.partition("<main")[2])
    assert not re.findall(r'(?:src|href)="(?:https?:)?//', page)


def test_the_page_says_who_asks_and_where_it_leads(assistant: AuthorizationClient, person: Person) -> None:
    page = person.ask(assistant).content.decode()
    for text in (
        "Self-reported name: <bdi>Assistant</bdi>",
        "Not verified",
        "An unverified app <bdi>at assistant.example.com</bdi>",
        "person@example.com",
        SCOPE_TEXTS[Scope.ACCOUNT_READ],
    ):
        assert text in page
    assert "on this computer" not in page
    assert "Verified publisher" not in page


@pytest.mark.parametrize(
    "uri", ["http://127.0.0.1:1234/cb", "http://[::1]:1234/cb", "https://localhost:1234/cb", "vscode://host/cb"]
)
def test_the_page_warns_of_programs(uri: str, person: Person) -> None:
    page = person.ask(AuthorizationClient.registered(uri)).content.decode()
    assert "notice-warn" in page

"""Asking for access: requests that come to nothing, and answers that nobody but the client learns."""

import re
from html import unescape
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from oauth2_provider.models import get_grant_model

from apps.accounts.models import Application, Connection
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
    refused,
    register,
)

pytestmark = pytest.mark.django_db

Changes = dict[str, str | list[str] | None]


def is_broken(answer: Any) -> bool:
    """Whether the person sees the error, and is redirected nowhere."""
    return answer.status_code == 400 and "Location" not in answer and b"can't be used" in answer.content


def sent_back(answer: Any, error: str, *, to: str = CALLBACK, state: str | None = "as sent") -> dict[str, str]:
    """Return the error that the client gets. Fails if it is another one, or without state and issuer."""
    assert answer.status_code == 302, answer.content
    assert answer["Location"].startswith(f"{to}?"), answer["Location"]
    assert answer["Referrer-Policy"] == "no-referrer"
    assert "no-store" in answer["Cache-Control"]
    said = answer_of(answer)
    assert said["error_description"]
    assert (said["error"], said.get("state"), said["iss"]) == (error, state, ISSUER)
    assert "code" not in said
    return said


# Requests after which the browser goes nowhere, since their client or their address is not to be believed.
BROKEN: dict[str, Changes] = {
    "no client": {"client_id": None},
    "empty client": {"client_id": ""},
    "unknown client": {"client_id": "unknown"},
    "client with a null character": {"client_id": "a\x00b"},
    "client with a line feed": {"client_id": "a\r\nLocation: https://evil.example"},
    "long client": {"client_id": "a" * 5000},
    "client for SQL": {"client_id": "' OR '1'='1"},
    "client twice": {"client_id": ["unknown", "unknown"]},
    "redirect address twice": {"redirect_uri": [CALLBACK, CALLBACK]},
    "a second redirect address": {"redirect_uri": [CALLBACK, "https://evil.example/"]},
    "a first redirect address": {"redirect_uri": ["https://evil.example/", CALLBACK]},
    "state twice": {"state": ["a", "b"]},
    "scope twice": {"scope": ["account:read", "orders:write"]},
    "response type twice": {"response_type": ["code", "token"]},
    "challenge twice": {"code_challenge": ["a" * 43, "b" * 43]},
    "method twice": {"code_challenge_method": ["S256", "plain"]},
    "prompt twice": {"prompt": ["none", "consent"]},
    "response mode twice": {"response_mode": ["query", "fragment"]},
    "unknown parameter twice": {"nonsense": ["a", "b"]},
    "null character in the state": {"state": "a\x00b"},
    "null character in an unknown parameter": {"nonsense": "\x00"},
    "too long": {"state": "a" * 8000},
    "too many parameters": {f"p{number}": "" for number in range(40)},
    "another host": {"redirect_uri": "https://evil.example/callback"},
    "a longer host": {"redirect_uri": "https://assistant.example.com.evil.example/callback"},
    "a subdomain": {"redirect_uri": "https://a.assistant.example.com/callback"},
    "host as user name": {"redirect_uri": "https://assistant.example.com@evil.example/callback"},
    "user name": {"redirect_uri": "https://evil@assistant.example.com/callback"},
    "backslash": {"redirect_uri": "https://evil.example\\@assistant.example.com/callback"},
    "host in capitals": {"redirect_uri": "https://Assistant.example.com/callback"},
    "scheme in capitals": {"redirect_uri": "HTTPS://assistant.example.com/callback"},
    "the usual port": {"redirect_uri": "https://assistant.example.com:443/callback"},
    "an empty port": {"redirect_uri": "https://assistant.example.com:/callback"},
    "without TLS": {"redirect_uri": "http://assistant.example.com/callback"},
    "script": {"redirect_uri": "javascript://assistant.example.com/callback"},
    "another path": {"redirect_uri": "https://assistant.example.com/other"},
    "a longer path": {"redirect_uri": f"{CALLBACK}/deeper"},
    "a slash more": {"redirect_uri": f"{CALLBACK}/"},
    "another case": {"redirect_uri": "https://assistant.example.com/Callback"},
    "a way up": {"redirect_uri": "https://assistant.example.com/a/../callback"},
    "a hidden way up": {"redirect_uri": "https://assistant.example.com/%2e%2e/callback"},
    "an escaped letter": {"redirect_uri": "https://assistant.example.com/%63allback"},
    "path parameters": {"redirect_uri": f"{CALLBACK};evil=1"},
    "a query": {"redirect_uri": f"{CALLBACK}?next=https://evil.example"},
    "an empty query": {"redirect_uri": f"{CALLBACK}?"},
    "a fragment": {"redirect_uri": f"{CALLBACK}#"},
    "a port": {"redirect_uri": "https://assistant.example.com:8443/callback"},
    "a tab": {"redirect_uri": "https://assistant.example.com/call\tback"},
    "a line feed": {"redirect_uri": f"{CALLBACK}\r\nSet-Cookie: a=b"},
    "a space": {"redirect_uri": f"{CALLBACK} "},
    "a full-width letter": {"redirect_uri": "https://\uff41ssistant.example.com/callback"},
    "ourselves": {"redirect_uri": f"{ISSUER}/oauth/authorize"},
    "the path alone": {"redirect_uri": "/callback"},
    "without a scheme": {"redirect_uri": "//assistant.example.com/callback"},
}


@pytest.mark.parametrize("changes", named(BROKEN))
def test_nobody_is_sent_anywhere(changes: Changes, assistant: AuthorizationClient, person: Person) -> None:
    assert is_broken(person.ask(assistant, **changes))
    anonymous = program().get(f"/oauth/authorize?{assistant.request(**changes)}")
    assert is_broken(anonymous)
    assert "ticket" not in anonymous.content.decode()


RAW_QUERIES = {
    "nothing": "",
    "no values": "response_type&client_id",
    "half an escape": "client_id=%",
    "an escape of other letters": "client_id=%zz",
    "not UTF-8": "client_id=%ff%fe",
    "a lone surrogate": "client_id=%ed%a0%80",
    "semicolons": "response_type=code;client_id=unknown",
    "only separators": "&&&&=&=&",
    "brackets": "client_id[]=1&client_id[a]=2",
    "null character": "client_id=%00",
    "thousands of parameters": "a&" * 3000,
}


@pytest.mark.parametrize("query", named(RAW_QUERIES))
def test_malformed_requests(query: str, person: Person) -> None:
    assert is_broken(person.browser.get(f"/oauth/authorize?{query}"))
    assert is_broken(program().get(f"/oauth/authorize?{query}"))


# Requests whose client gets the error.
REFUSED: dict[str, tuple[Changes, str]] = {
    "no response type": ({"response_type": None}, "invalid_request"),
    "token": ({"response_type": "token"}, "unsupported_response_type"),
    "ID token": ({"response_type": "id_token"}, "unsupported_response_type"),
    "none": ({"response_type": "none"}, "unauthorized_client"),
    "code and token": ({"response_type": "code token"}, "unauthorized_client"),
    "token and code": ({"response_type": "token code"}, "unauthorized_client"),
    "code and ID token": ({"response_type": "code id_token"}, "unauthorized_client"),
    "capitals": ({"response_type": "CODE"}, "unsupported_response_type"),
    "no PKCE": ({"code_challenge": None, "code_challenge_method": None}, "invalid_request"),
    "no challenge": ({"code_challenge": None}, "invalid_request"),
    "empty challenge": ({"code_challenge": ""}, "invalid_request"),
    "no method": ({"code_challenge_method": None}, "invalid_request"),
    "plain": ({"code_challenge_method": "plain"}, "invalid_request"),
    "small letter": ({"code_challenge_method": "s256"}, "invalid_request"),
    "another method": ({"code_challenge_method": "S512"}, "invalid_request"),
    "short challenge": ({"code_challenge": "a" * 42}, "invalid_request"),
    "long challenge": ({"code_challenge": "a" * 44}, "invalid_request"),
    "padded challenge": ({"code_challenge": "a" * 43 + "="}, "invalid_request"),
    "challenge in other letters": ({"code_challenge": "a" * 42 + "+"}, "invalid_request"),
    "challenge with a line feed": ({"code_challenge": "a" * 43 + "\n"}, "invalid_request"),
    "answer in the fragment": ({"response_mode": "fragment"}, "invalid_request"),
    "answer as a form": ({"response_mode": "form_post"}, "invalid_request"),
    "answer as a message": ({"response_mode": "web_message"}, "invalid_request"),
    "empty response type": ({"response_type": ""}, "invalid_request"),
    "empty method": ({"code_challenge_method": ""}, "invalid_request"),
    "unknown scope": ({"scope": "admin"}, "invalid_scope"),
    "unknown scopes": ({"scope": "admin webhooks:write openid"}, "invalid_scope"),
    "scopes with commas": ({"scope": "account:read,orders:write"}, "invalid_scope"),
    "every scope": ({"scope": "*"}, "invalid_scope"),
    "scope of the toolkit": ({"scope": "oauth2_provider:registration"}, "invalid_scope"),
    "scope in capitals": ({"scope": "ACCOUNT:READ"}, "invalid_scope"),
    "foreign resource": ({"resource": "https://evil.example/mcp"}, "invalid_target"),
    "resource as a label": ({"resource": f"{ISSUER}.evil.example/mcp"}, "invalid_target"),
    "resource on another port": ({"resource": f"{ISSUER}:8443/mcp"}, "invalid_target"),
    "resource with another scheme": ({"resource": f"https://{HOST}/mcp"}, "invalid_target"),
    "resource with a query": ({"resource": f"{MCP}?a=1"}, "invalid_target"),
    "resource with a fragment": ({"resource": f"{MCP}#a"}, "invalid_target"),
    "resource with a user name": ({"resource": f"http://evil@{HOST}/mcp"}, "invalid_target"),
    "resource with a deeper path": ({"resource": f"{MCP}/deeper"}, "invalid_target"),
    "resource with a way up": ({"resource": f"{ISSUER}/a/../mcp"}, "invalid_target"),
    "all of the service": ({"resource": f"{ISSUER}/"}, "invalid_target"),
    "the root": ({"resource": "/mcp"}, "invalid_target"),
    "no address": ({"resource": "urn:slipway:mcp"}, "invalid_target"),
    "bad address": ({"resource": "http://[::1"}, "invalid_target"),
    "two resources": ({"resource": [MCP, REST]}, "invalid_target"),
    "a foreign resource too": ({"resource": [MCP, "https://evil.example/mcp"]}, "invalid_target"),
    "without a word": ({"prompt": "none"}, "consent_required"),
    "without a word, and with one": ({"prompt": "none consent"}, "consent_required"),
}


def stays_here(answer: Any, error: str, *, to: str = CALLBACK) -> str:
    """The page that a person sees instead of being sent to a client; fails when it does not say why and where to."""
    assert (answer.status_code, answer.get("Location")) == (400, None)
    assert (answer["Referrer-Policy"], answer["X-Frame-Options"]) == ("no-referrer", "DENY")
    assert "no-store" in answer["Cache-Control"]
    page: str = answer.content.decode()
    assert f"{error}: " in page
    assert urlsplit(to).netloc in page
    assert "http-equiv" not in page
    return page


def ways_on(page: str) -> list[str]:
    """Where the buttons of the page lead."""
    return [unescape(one) for one in re.findall(r'<a class="button full big" href="([^"]+)"', page)]


@pytest.mark.parametrize(("changes", "error"), [pytest.param(*case, id=name) for name, case in REFUSED.items()])
def test_nobody_is_sent_to_a_client_that_they_never_allowed(
    changes: Changes, error: str, assistant: AuthorizationClient, person: Person
) -> None:
    page = stays_here(person.ask(assistant, **changes), error)
    assert ways_on(page)[-1].startswith(f"{CALLBACK}?error={error}&error_description=")
    # Neither is somebody who looked at the page, denied access, or ended it.
    person.decide(person.ask(assistant), "deny")
    stays_here(person.ask(assistant, **changes), error)


@pytest.mark.parametrize(("changes", "error"), [pytest.param(*case, id=name) for name, case in REFUSED.items()])
def test_a_client_that_was_allowed_is_told(
    changes: Changes, error: str, assistant: AuthorizationClient, person: Person, stranger: Person
) -> None:
    person.connect(assistant)
    sent_back(person.ask(assistant, **changes), error)
    assert "code" not in answer_of(person.ask(assistant, **changes, state=None))
    stays_here(stranger.ask(assistant, **changes), error)
    person.browser.post(f"/account/apps/{Connection.objects.get().pk}/disconnect")
    stays_here(person.ask(assistant, **changes), error)


@pytest.mark.parametrize(
    "uri", ["http://127.0.0.1:33418/cb", "https://localhost/cb", "cursor://host/cb", "https://evil.example:8443/cb"]
)
def test_the_page_says_where_the_app_wanted_to_send_people(uri: str, person: Person) -> None:
    page = stays_here(person.ask(AuthorizationClient.registered(uri), scope="admin"), "invalid_scope", to="")
    assert "An unverified app" in page
    assert ("at evil.example:8443" if "evil" in uri else "on your computer") in page
    assert ways_on(page)[-1].startswith(uri)


@pytest.mark.parametrize(
    ("changes", "error"), [pytest.param(*case, id=name) for name, case in REFUSED.items() if "prompt" not in case[0]]
)
def test_nobody_is_sent_off_before_signing_in(changes: Changes, error: str, assistant: AuthorizationClient) -> None:
    """RFC 9700, section 4.11.2: anybody can register a client, and so send people wherever they like."""
    del error
    answer = program().get(f"/oauth/authorize?{assistant.request(**changes)}")
    assert urlsplit(answer["Location"])[:3] == ("", "", "/account/sign-in")


@pytest.mark.parametrize("prompt", ["none", "none login", "none consent"])
@pytest.mark.parametrize("is_signed_in", [True, False])
def test_a_silent_request_is_reviewed_by_the_person(
    prompt: str, is_signed_in: bool, assistant: AuthorizationClient, person: Person
) -> None:
    asking = person.browser if is_signed_in else program()
    answer = asking.get(f"/oauth/authorize?{assistant.request(prompt=prompt)}")
    page = stays_here(answer, "consent_required" if is_signed_in else "login_required")
    assert ("Sign in to review" in page) is not is_signed_in
    review, back = ways_on(page)
    assert review.startswith("/oauth/authorize?")
    assert b"Allow access" in person.browser.get(review).content
    assert back.startswith(f"{CALLBACK}?")


@pytest.mark.parametrize("prompt", [None, "consent", "select_account", "create", "unknown", "login", "login consent"])
@pytest.mark.parametrize("approval_prompt", [None, "auto", "force"])
def test_nothing_spares_the_question(
    prompt: str | None, approval_prompt: str | None, assistant: AuthorizationClient, person: Person
) -> None:
    person.user.set_password("so that it can be asked for")
    person.user.save()
    person.browser.force_login(person.user)
    person.connect(assistant)
    page = person.ask(assistant, prompt=prompt, approval_prompt=approval_prompt)
    if prompt and "login" in prompt:
        assert urlsplit(page["Location"]).path == "/account/reauthenticate"
        [back] = parse_qs(urlsplit(page["Location"]).query)["next"]
        assert back.startswith("/oauth/authorize?")
        page = person.browser.get(back)
    assert page.status_code == 200
    assert b"Allow access" in page.content
    assert not get_grant_model().objects.exists()


@pytest.mark.parametrize(
    ("prompt", "page"),
    [
        (None, "sign-in"),
        ("consent", "sign-in"),
        ("login", "sign-in"),
        ("create", "sign-up"),
        ("login create", "sign-up"),
    ],
)
def test_anyone_who_is_not_signed_in_signs_in_first(
    prompt: str | None, page: str, assistant: AuthorizationClient, person: Person
) -> None:
    asked = program().get(f"/oauth/authorize?{assistant.request(prompt=prompt)}")
    assert urlsplit(asked["Location"])[:3] == ("", "", f"/account/{page}")
    [back] = parse_qs(urlsplit(asked["Location"]).query)["next"]
    assert person.browser.get(back).status_code == 200


def test_a_deactivated_account_is_not_signed_in(assistant: AuthorizationClient, person: Person) -> None:
    person.user.is_active = False
    person.user.save()
    assert urlsplit(person.ask(assistant)["Location"]).path == "/account/sign-in"


def test_a_blocked_client_is_unknown(assistant: AuthorizationClient, person: Person) -> None:
    page = person.ask(assistant)
    Application.objects.update(is_active=False)
    assert is_broken(person.ask(assistant))
    assert is_broken(person.decide(page))
    assert is_broken(program().get(f"/oauth/authorize?{assistant.request(prompt='none')}"))


def test_one_address_need_not_be_said(assistant: AuthorizationClient, person: Person) -> None:
    answer = person.decide(person.ask(assistant, redirect_uri=None))
    assert answer["Location"].startswith(f"{CALLBACK}?")
    assert answer_of(answer)["iss"] == ISSUER


def test_one_of_several_addresses_has_to_be_said(person: Person) -> None:
    answer = register({"redirect_uris": [CALLBACK, f"{CALLBACK}/2"]})
    client = AuthorizationClient(answer.json()["client_id"])
    assert is_broken(person.ask(client, redirect_uri=None))
    assert person.ask(client, redirect_uri=f"{CALLBACK}/2").status_code == 200


# Beside scopes that exist here, or instead of them.
IDENTITY = "openid profile email address phone offline_access"
SCOPES = {
    "offline access": ("account:read offline_access", "account:read"),
    "OpenID first": ("openid account:read", "account:read"),
    "all of OpenID": (f"{IDENTITY} {OWNER_SCOPES}", OWNER_SCOPES),
    "unknown": ("account:read admin mcp:tools", "account:read"),
    "a scope of keys alone": ("listings:write webhooks:write", "listings:write"),
    "another case": ("orders:write ACCOUNT:READ", "orders:write"),
    "spaces": ("  account:read   orders:write ", "account:read orders:write"),
    "OpenID alone": (IDENTITY, "account:read"),
    "nothing": ("", "account:read"),
    "a space": (" ", "account:read"),
    "left out": (None, "account:read"),
}


@pytest.mark.parametrize(("asked", "granted"), [pytest.param(*case, id=name) for name, case in SCOPES.items()])
def test_scopes_that_exist_are_granted_and_told(
    asked: str | None, granted: str, assistant: AuthorizationClient, person: Person
) -> None:
    page = person.ask(assistant, scope=asked)
    offered = re.findall(r'name="scope" value="([^"]+)"', page.content.decode())
    assert offered == granted.split()
    answer = assistant.redeem(answer_of(person.decide(page, scope=f"{asked} {granted}"))["code"])
    assert answer.json()["scope"] == granted


# Parameters that are as good as left out (RFC 6749, section 3.1).
EMPTY = ["redirect_uri", "scope", "state", "resource", "response_mode", "prompt", "login_hint", "nonce", "unknown"]


@pytest.mark.parametrize("name", EMPTY)
@pytest.mark.parametrize("decision", ["allow", "deny"])
def test_an_empty_parameter_is_left_out(
    name: str, decision: str, assistant: AuthorizationClient, person: Person
) -> None:
    answer = person.decide(person.ask(assistant, **{name: ""}), decision, scope="account:read")
    said = answer_of(answer)
    assert answer["Location"].startswith(f"{CALLBACK}?")
    assert said.get("state") == (None if name == "state" else "as sent")
    if decision == "allow":
        assert assistant.redeem(said["code"]).status_code == 200


def test_all_that_may_be_empty_at_once(assistant: AuthorizationClient, person: Person) -> None:
    page = person.ask(assistant, **dict.fromkeys(EMPTY, ""))
    code = answer_of(person.decide(page))["code"]
    assert get_grant_model().objects.get().resource == [MCP]
    assert assistant.redeem(code).json()["scope"] == "account:read"


def test_an_empty_repetition_is_left_out(assistant: AuthorizationClient, person: Person) -> None:
    page = person.ask(assistant, state=["", "as sent"], redirect_uri=[CALLBACK, ""], resource=["", REST])
    assert answer_of(person.decide(page))["state"] == "as sent"
    assert get_grant_model().objects.get().resource == [REST]


LOOPBACK = "http://127.0.0.1:33418/callback"
LOOPBACKS = {
    "as registered": (LOOPBACK, True),
    "another port": ("http://127.0.0.1:50000/callback", True),
    "no port": ("http://127.0.0.1/callback", True),
    "our own port": ("http://127.0.0.1:80/callback", False),
    "port out of range": ("http://127.0.0.1:70000/callback", False),
    "another path": ("http://127.0.0.1:33418/other", False),
    "a query": ("http://127.0.0.1:33418/callback?a=1", False),
    "scheme in capitals": ("HTTP://127.0.0.1:33418/callback", False),
    "empty port": ("http://127.0.0.1:/callback", False),
    "by name": ("http://localhost:33418/callback", False),
    "IPv6": ("http://[::1]:33418/callback", False),
    "another loopback address": ("http://127.0.0.2:33418/callback", False),
    "shortened": ("http://127.1:33418/callback", False),
    "over TLS": ("https://127.0.0.1:33418/callback", False),
    "user name": ("http://evil@127.0.0.1:33418/callback", False),
    "a slash more": ("http://127.0.0.1:33418/callback/", False),
    "the root": ("http://127.0.0.1:33418/", False),
}


@pytest.mark.parametrize(("uri", "is_allowed"), [pytest.param(*case, id=name) for name, case in LOOPBACKS.items()])
def test_ports_of_loopback_are_free(uri: str, is_allowed: bool, person: Person) -> None:
    client = AuthorizationClient.registered(LOOPBACK)
    page = person.ask(client, redirect_uri=uri)
    assert is_broken(page) is not is_allowed
    if is_allowed:
        assert b"a program on this computer" in page.content
        assert person.decide(page)["Location"].startswith(f"{uri}?")


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]"])
@pytest.mark.parametrize(("registered", "asked"), [(":33418", ":33418/"), ("/", ":50000"), ("", ":50000/")])
def test_the_root_of_loopback_needs_no_slash(host: str, registered: str, asked: str, person: Person) -> None:
    client, uri = AuthorizationClient.registered(f"http://{host}{registered}"), f"http://{host}{asked}"
    answer = person.decide(person.ask(client, redirect_uri=uri))
    assert answer["Location"].startswith(f"{uri}?")
    code = answer_of(answer)["code"]
    refused(client.redeem(code, redirect_uri=f"http://{host}:40000/"), error="invalid_grant")
    other = uri.removesuffix("/") if uri.endswith("/") else f"{uri}/"
    assert client.redeem(code, redirect_uri=other).status_code == 200


@pytest.mark.parametrize("resource", [MCP, REST, f"{MCP}/", f"HTTP://{HOST.upper()}/mcp", f"{ISSUER}:80/mcp"])
def test_a_code_is_for_one_canonical_resource(resource: str, assistant: AuthorizationClient, person: Person) -> None:
    person.allow(assistant, resource=resource)
    assert get_grant_model().objects.get().resource == [REST if resource == REST else MCP]


@pytest.mark.parametrize(
    "state",
    [
        "<script>alert(1)</script>",
        "a\r\nSet-Cookie: a=b",
        "ä€\U0001f600",
        "&code=evil&iss=https://evil.example",
        "a" * 2000,
        "#",
        " ",
    ],
)
@pytest.mark.parametrize("decision", ["allow", "deny"])
def test_the_state_comes_back_as_it_was(
    state: str, decision: str, assistant: AuthorizationClient, person: Person
) -> None:
    answer = person.decide(person.ask(assistant, state=state), decision)
    said = answer_of(answer)
    assert (said["state"], said["iss"]) == (state, ISSUER)
    assert "\n" not in answer["Location"]
    assert urlsplit(answer["Location"])[:3] == urlsplit(CALLBACK)[:3]


def test_the_query_of_an_address_is_kept(person: Person) -> None:
    client = AuthorizationClient.registered(f"{CALLBACK}?tenant=1")
    for decision, key in (("allow", "code"), ("deny", "error")):
        assert answer_of(person.decide(person.ask(client), decision)).keys() == {"tenant", key, "state", "iss"} | (
            {"error_description"} if decision == "deny" else set()
        )


@pytest.mark.parametrize(
    "changes",
    named(
        {
            "request object": {"request": "eyJhbGciOiJub25lIn0.e30."},
            "request elsewhere": {"request_uri": "https://evil.example/request"},
            "claims": {"claims": "{", "nonce": "n" * 3000, "id_token_hint": "x", "login_hint": "root", "display": "x"},
            "names of the toolkit": {
                "user": "1",
                "client": "1",
                "scopes": "admin",
                "bound_resource": "x",
                "credentials": "x",
            },
            "names of the form": {"decision": "allow", "ticket": "x", "csrfmiddlewaretoken": "x"},
        }
    ),
)
def test_what_is_not_known_changes_nothing(changes: Changes, assistant: AuthorizationClient, person: Person) -> None:
    page = person.ask(assistant, **changes)
    assert page.status_code == 200
    assert not get_grant_model().objects.exists()
    assert assistant.redeem(answer_of(person.decide(page))["code"]).status_code == 200


def test_a_scope_is_asked_for_once(assistant: AuthorizationClient, person: Person) -> None:
    page = person.ask(assistant, scope="account:read " * 300)
    assert page.content.count(b'name="scope"') == 1
    assert assistant.redeem(answer_of(person.decide(page))["code"]).json()["scope"] == "account:read"


@pytest.mark.parametrize("method", ["put", "patch", "delete", "options", "trace"])
def test_only_questions_and_answers(method: str, assistant: AuthorizationClient, person: Person) -> None:
    answer = getattr(person.browser, method)(f"/oauth/authorize?{assistant.request()}")
    assert answer.status_code == 405


@pytest.mark.parametrize("method", ["get", "head"])
def test_looking_allows_nothing(method: str, assistant: AuthorizationClient, person: Person) -> None:
    look = getattr(person.browser, method)
    page = person.ask(assistant)
    ticket = page.content.decode().partition('name="ticket" value="')[2].partition('"')[0]
    for extra in ("", f"&ticket={quote(ticket)}&decision=allow&allow=true", "&approval_prompt=auto"):
        assert look(f"/oauth/authorize?{assistant.request()}{extra}").status_code == 200
    assert not get_grant_model().objects.exists()

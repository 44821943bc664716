"""How clients are introduced: by where they send people, and never by a name that could be somebody else's."""

from typing import Any

import pytest

from apps.accounts.clients.introductions import KNOWN_NAMES, passes_for_another, place_of, places_of
from tests.accounts.oauth.flow import CALLBACK, AuthorizationClient, Person, named

DECEIVING = {
    "vendor": "Anthropic",
    "assistant": "Claude",
    "assistant among words": "Claude Code (directory)",
    "in capitals": "CHATGPT",
    "two words": "Chat GPT",
    "spaced out": "C l a u d e",
    "with signs": "Cla-ude_by-Anthro.pic",
    "accents": "Clàudé",
    "digits": "C1aude",
    "more digits": "0penAI, M1cr0s0ft",
    "capital I for l": "cIaude",
    "bar for l": "C|aude",
    "rn for m": "Rnicrosoft",
    "vv for w": "Vvindsurf",
    "Cyrillic": "\u0421l\u0430ud\u0435",
    "Cyrillic capitals": "\u0421LAUDE",
    "Greek": "\u039fpen\u0391I",
    "Cherokee": "\u13dfLAUDE",
    "full width": "\uff23\uff4c\uff41\uff55\uff44\uff45",
    "mathematical": "\U0001d4d2\U0001d4f5\U0001d4ea\U0001d4fe\U0001d4ed\U0001d4ee",
    "circled": "\u24b8\u24db\u24d0\u24e4\u24d3\u24d4",
    "marks": "C\u0338l\u0338a\u0338u\u0338d\u0338e\u0338",
    "ourselves": "Slipway",
    "short word": "Zed",
    "short word spaced out": "M e t a",
    "promise": "Official importer",
    "host": "assistant.example",
    "host among words": "Sign in to claude-login.example now",
    "host with an ideographic full stop": "assistant\u3002example",
    "host with a leader": "assistant\u2024example",
    "host with blanks": "assistant . example",
    "international host": "b\u00fccher.example",
    "address": "https://assistant.example/",
    "numeric host": "127.0.0.1",
    "port": "intranet:8080",
    "this computer": "localhost",
}
HONEST = [
    "",
    "Assistant",
    "Test assistant",
    "My launch helper 3000",
    "Notes v2",
    "Metadata viewer",
    "Warped",
    "Apples and pears",
    "B\u00fccherwurm",
    "\u041f\u043e\u043c\u043e\u0449\u043d\u0438\u043a",
    "\u65e5\u672c\u8a9e\u30a2\u30d7\u30ea",
]


@pytest.mark.parametrize("name", named(DECEIVING))
def test_names_that_pass_for_another(name: str) -> None:
    assert passes_for_another(name)


@pytest.mark.parametrize("name", HONEST)
def test_names_that_pass_for_nobody(name: str) -> None:
    assert not passes_for_another(name)


def test_every_known_name_is_kept_to_its_owner() -> None:
    assert [name for name in KNOWN_NAMES if not passes_for_another(f"The {name.upper()} app")] == []


@pytest.mark.parametrize(
    ("uri", "place"),
    [
        (CALLBACK, "at assistant.example.com"),
        ("HTTPS://Assistant.Example.com:443/cb", "at assistant.example.com"),
        ("https://assistant.example.com:8443/cb", "at assistant.example.com:8443"),
        ("http://127.0.0.1:33418/cb", "on your computer"),
        ("https://localhost:33418/cb", "on your computer"),
        ("http://[::1]/cb", "on your computer"),
        ("cursor://anysphere/cb", "on your computer (cursor)"),
    ],
)
def test_places(uri: str, place: str) -> None:
    assert place_of(uri) == place


def test_all_places_are_named() -> None:
    """Otherwise a client could put a trusted host first, and have its codes sent to the second."""
    uris = [CALLBACK, f"{CALLBACK}/2", "https://evil.example/", "http://localhost/cb", "http://127.0.0.1/cb"]
    assert places_of(uris) == "at assistant.example.com, at evil.example, on your computer"


@pytest.mark.django_db
@pytest.mark.parametrize("name", named(DECEIVING))
def test_a_deceiving_name_is_shown_nowhere(name: str, person: Person) -> None:
    client = AuthorizationClient.registered("https://claude-ai-login.example/cb", client_name=name)
    page = person.ask(client).content.decode().partition("<main")[2].partition("</main>")[0]
    assert "An unverified app <bdi>at claude-ai-login.example</bdi> wants to access" in " ".join(page.split())
    assert "We're hiding its name" in page
    assert "Self-reported name" not in page
    person.connect(client)
    apps = person.browser.get("/account/apps").content.decode().partition("<main")[2].partition("</main>")[0]
    assert "Unverified app at claude-ai-login.example" in apps
    assert "Self-reported name" not in apps


@pytest.mark.django_db
def test_an_honest_name_comes_second_and_is_marked(person: Person) -> None:
    client = AuthorizationClient.registered(client_name="Launch helper")
    page = " ".join(person.ask(client).content.decode().split())
    heading = page.partition("<h1>")[2].partition("</h1>")[0]
    assert "<bdi>at assistant.example.com</bdi>" in heading
    assert "Launch helper" not in heading
    assert "Self-reported name: <bdi>Launch helper</bdi>" in page
    person.connect(client)
    apps = person.browser.get("/account/apps").content.decode()
    assert apps.index("Unverified app at assistant.example.com") < apps.index(
        "Self-reported name: <bdi>Launch helper</bdi>"
    )


@pytest.mark.django_db
def test_both_buttons_weigh_the_same(assistant: AuthorizationClient, person: Person) -> None:
    page = person.ask(assistant).content.decode()
    buttons: list[Any] = [part.partition(">")[0] for part in page.split("<button ") if 'name="decision"' in part]
    assert [button.replace("allow", "deny") for button in buttons] == [buttons[0]] * 2


@pytest.mark.django_db
def test_a_disconnected_app_is_named_by_its_place(person: Person) -> None:
    client = AuthorizationClient.registered("https://claude-ai-login.example/cb", client_name="Claude")
    person.connect(client)
    person.browser.post(f"/account/apps/{person.user.connections.get().pk}/disconnect")
    page = person.browser.get("/account/apps").content.decode()
    assert "Unverified app at claude-ai-login.example disconnected" in page

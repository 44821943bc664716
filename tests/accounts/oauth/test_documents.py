"""Client ID metadata documents: read over TLS from hosts that may be hostile, and only for somebody."""

import asyncio
import gzip
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import Application
from config.oauth import provider
from tests.accounts.oauth.flow import CALLBACK, ISSUER, AuthorizationClient, Person, named, program, refused, status_of
from tests.accounts.oauth.publisher import (
    ADDRESS,
    BACK,
    DRIP,
    LOOPBACK,
    PUBLISHER,
    Publisher,
    bomb,
    document,
    http,
    known_by,
)
from tests.accounts.oauth.test_authorize import is_broken
from tests.accounts.people import wait
from tests.core.hostile_server import PUBLIC, Handler, answer, forever

pytestmark = pytest.mark.django_db


def test_a_client_is_known_by_its_document(publisher: Publisher, person: Person) -> None:
    client = known_by()
    page = person.ask(client).content.decode()
    for text in (
        f"<bdi>{PUBLISHER}</bdi>\n wants to access",
        "Verified publisher: ",
        "<bdi>Example Assistant</bdi>",
    ):
        assert text in page
    assert "Not verified" not in page
    assert "logo.png" not in page
    assert status_of(person.connect(client)["access_token"]) == 200
    assert PUBLISHER in person.browser.get("/account/apps").content.decode()
    assert (publisher.network.dials, publisher.lookups, publisher.reads) == ([(PUBLIC, 443)], [PUBLISHER], 1)
    sent = publisher.server.requests[0].lower()
    assert sent.startswith(b"get /oauth/client.json http/1.1\r\n")
    assert b"cookie" not in sent
    assert b"authorization" not in sent
    made = Application.objects.get()
    assert (made.client_id, made.redirect_uris, made.client_type) == (ADDRESS, f"{BACK} {LOOPBACK}", "public")
    assert (made.is_active, made.skip_authorization, made.client_secret) == (True, False, "")


@pytest.mark.parametrize("prompt", [None, "none", "login", "create", "consent", "none login"])
def test_nobody_reads_for_a_stranger(prompt: str | None, publisher: Publisher) -> None:
    query = known_by().request(prompt=prompt)
    for method in ("get", "head", "post"):
        answered = getattr(program(), method)(f"/oauth/authorize?{query}")
        assert answered.status_code == 400 or answered["Location"].startswith("/account/sign-")
    assert publisher.lookups == []
    assert not Application.objects.exists()


def test_nobody_reads_for_a_program(publisher: Publisher) -> None:
    client = known_by()
    for answered in (
        client.redeem("a"),
        client.refresh("a"),
        client.revoke("a"),
        client.redeem("a", client_secret="b"),
    ):
        refused(answered, status=401, error="invalid_client")
    assert publisher.lookups == []


# Answers that are no document of the client whose address was asked.
NO_DOCUMENTS: dict[str, Any] = {
    "another client": http(document(client_id=f"https://{PUBLISHER}/other.json")),
    "a client elsewhere": http(document(client_id="https://other.example.com/oauth/client.json")),
    "no client": http(document(client_id=...)),
    "client in capitals": http(document(client_id=ADDRESS.upper())),
    "client as a list": http(document(client_id=[ADDRESS])),
    "client with a slash more": http(document(client_id=f"{ADDRESS}/")),
    "moved": http(document(), status="301 Moved Permanently", Location=f"https://{PUBLISHER}/other.json"),
    "found on this host": http(document(), status="302 Found", Location=ADDRESS),
    "found inside": http(document(), status="302 Found", Location="http://127.0.0.1:8000/admin/"),
    "moved for now": http(document(), status="307 Temporary Redirect", Location="https://169.254.169.254/latest/"),
    "moved for good": http(document(), status="308 Permanent Redirect", Location="https://evil.example/c.json"),
    "not found": http(document(), status="404 Not Found"),
    "broken": http(document(), status="500 Internal Server Error"),
    "made": http(document(), status="201 Created"),
    "part": http(document(), status="206 Partial Content"),
    "forbidden": http(document(), status="403 Forbidden"),
    "page": http(b"<html>", media="text/html"),
    "document as a page": http(document(), media="text/html"),
    "document as text": http(document(), media="text/plain"),
    "document as bytes": http(document(), media="application/octet-stream"),
    "document as a script": http(document(), media="application/javascript"),
    "document as an image": http(document(), media="image/svg+json"),
    "no media type": http(document(), media=None),
    "nothing": http(b""),
    "half": http(b'{"client_id":'),
    "array": http([document()]),
    "text": http(ADDRESS),
    "number": http(1),
    "null": http(b"null"),
    "deep": http(b'{"a":' * 2000 + b"1" + b"}" * 2000),
    "deep and never closed": http(b"[" * 16_000),
    "not UTF-8": http(b'{"client_id":"\xff"}'),
    "secret": http(document(client_secret="s")),
    "empty secret": http(document(client_secret=None)),
    "lifetime of a secret": http(document(client_secret_expires_at=0)),
    "shared secret": http(document(token_endpoint_auth_method="client_secret_basic")),
    "posted secret": http(document(token_endpoint_auth_method="client_secret_post")),
    "signed by a secret": http(document(token_endpoint_auth_method="client_secret_jwt")),
    "unknown method": http(document(token_endpoint_auth_method="magic")),
    "method as a list": http(document(token_endpoint_auth_method=["none"])),
    "method as an object": http(document(token_endpoint_auth_method={"none": True})),
    "client credentials only": http(document(grant_types=["client_credentials"])),
    "grants as text": http(document(grant_types="authorization_code")),
    "grants as an object": http(document(grant_types={"authorization_code": True})),
    "no addresses": http(document(redirect_uris=...)),
    "empty addresses": http(document(redirect_uris=[])),
    "address as text": http(document(redirect_uris=BACK)),
    "addresses as an object": http(document(redirect_uris={"0": BACK})),
    "addresses as numbers": http(document(redirect_uris=[1, None, {}, [BACK]])),
    "address elsewhere": http(document(redirect_uris=[CALLBACK])),
    "address on a subdomain": http(document(redirect_uris=[f"https://a.{PUBLISHER}/callback"])),
    "address on a longer name": http(document(redirect_uris=[f"https://{PUBLISHER}.evil.example/callback"])),
    "address on another port": http(document(redirect_uris=[f"https://{PUBLISHER}:8443/callback"])),
    "address without TLS": http(document(redirect_uris=[f"http://{PUBLISHER}/callback"])),
    "script": http(document(redirect_uris=["javascript:alert(1)"])),
    "address with a space": http(document(redirect_uris=[f"{BACK} {CALLBACK}"])),
    "our own address": http(document(redirect_uris=[f"{ISSUER}/oauth/authorize"])),
    "too many addresses": http(document(redirect_uris=[f"{BACK}/{number}" for number in range(11)])),
    "too large": http(document(padding="a" * 16_384)),
    "larger than it says": http(document(), Content_Length="5"),
    "smaller than it says": http(document(), Content_Length="5000"),
    "larger than anything": http(document(), Content_Length="9" * 30),
    "bomb": bomb(50_000_000),
    "bomb that says so": http(gzip.compress(gzip.compress(b" " * 10_000_000)), Content_Encoding="gzip, gzip"),
    "no HTTP": b"SSH-2.0-OpenSSH_9.6\r\n",
    "nothing at all": b"",
    "endless head": forever(b"HTTP/1.1 200 OK\r\n", b"X: " + b"a" * 1000 + b"\r\n"),
    "endless information": forever(b"", b"HTTP/1.1 103 Early Hints\r\n\r\n"),
    "endless body": forever(
        b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n", b"4\r\n    \r\n"
    ),
    "drip": forever(http(document(), Content_Length="9000")[:80], b" ", skips=DRIP),
    "silence": forever(b"", b"", skips=DRIP),
}


@pytest.mark.parametrize("answered", named(NO_DOCUMENTS))
def test_answers_that_are_no_document(
    answered: bytes | Handler, publisher: Publisher, person: Person, caplog: pytest.LogCaptureFixture
) -> None:
    publisher.handler = answer(answered) if isinstance(answered, bytes) else answered
    client = known_by()
    assert is_broken(person.ask(client))
    assert is_broken(person.ask(client, redirect_uri=LOOPBACK))
    assert not Application.objects.exists()
    # The failure is remembered, and nothing else was asked.
    assert publisher.network.dials == [(PUBLIC, 443)]
    assert [record.message for record in caplog.records if record.levelname == "ERROR"] == []


ACCEPTED: dict[str, bytes] = {
    "no Brotli in spite of its header": http(document(), Content_Encoding="br"),
    "no gzip in spite of its header": http(document(), Content_Encoding="gzip"),
    "small": http({"client_id": ADDRESS, "redirect_uris": [BACK]}),
    "many grants": http(
        document(grant_types=["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"])
    ),
    "key of its own": http(
        document(token_endpoint_auth_method="private_key_jwt", jwks_uri=f"https://{PUBLISHER}/jwks.json")
    ),
    "desktop program": http(
        document(
            redirect_uris=["http://localhost:6274/callback", BACK, "http://127.0.0.1:33418/"], application_type="native"
        )
    ),
    "addresses of its other hosts": http(
        document(redirect_uris=["https://other.example.com/callback", BACK, "myapp://callback", "http://10.0.0.1/cb"])
    ),
    "addresses that the toolkit refuses": http(
        document(
            redirect_uris=[
                "cursor:callback",
                "cursor:///callback",
                "vscode://under_score/",
                f"https://{PUBLISHER}:1/cb",
                BACK,
            ]
        )
    ),
    "names in languages": http(
        document(**{"client_name#de": "Beispiel", "contacts": ["a@example.com"], "tos_uri": "x"})
    ),
    "unknown fields": http(document(nested={"a": [1, {"b": None}]}, scope=["odd"], response_types="odd", jwks="odd")),
    "name of another type": http(document(client_name={"en": "A"})),
    "structured type": http(document(), media="application/vnd.oauth.client+json; charset=utf-8"),
    "capitals in the type": http(document(), media="Application/JSON;charset=UTF-8"),
    "compressed": http(gzip.compress(http(document()).partition(b"\r\n\r\n")[2]), Content_Encoding="gzip"),
    "no values": http(
        document(token_endpoint_auth_method=None, grant_types=[], response_types=[], client_name=None, logo_uri="")
    ),
    "empty texts": http(document(token_endpoint_auth_method="", grant_types="", client_name="", scope="")),
    "as large as may be": http(document(padding="a" * 15_000)),
}


@pytest.mark.parametrize("answered", named(ACCEPTED))
def test_documents_as_they_are_found(answered: bytes, publisher: Publisher, person: Person) -> None:
    publisher.handler = answer(answered)
    tokens = person.connect(known_by())
    assert status_of(tokens["access_token"]) == 200
    made = Application.objects.get()
    assert (made.authorization_grant_type, made.client_type) == ("authorization-code", "public")
    assert "other.example.com" not in made.redirect_uris
    assert is_broken(person.ask(known_by(), redirect_uri="https://other.example.com/callback"))


def test_another_program_cannot_pass_for_a_verified_one(publisher: Publisher, person: Person) -> None:
    publisher.publish(document(client_name="\u202eClaude\u202c by <b>Anthropic</b>\u200b"))
    page = person.ask(known_by()).content.decode()
    assert "Claude by &lt;b&gt;Anthropic&lt;/b&gt;" in page
    assert f"Verified publisher: <strong>{PUBLISHER}</strong>" in page
    assert "notice-warn" in person.ask(known_by(), redirect_uri=LOOPBACK).content.decode()


def test_a_document_takes_nothing_over(publisher: Publisher, person: Person) -> None:
    Application.objects.create(client_id=ADDRESS, name="Ours", redirect_uris=CALLBACK)
    assert is_broken(person.ask(known_by()))
    assert person.ask(known_by(), redirect_uri=CALLBACK).status_code == 200
    assert publisher.lookups == []


def test_a_blocked_client_stays_blocked(publisher: Publisher, person: Person, time_machine: Any) -> None:
    tokens = person.connect(known_by())
    Application.objects.update(is_active=False)
    wait(time_machine, days=2)
    person.browser.force_login(person.user)
    assert is_broken(person.ask(known_by()))
    assert not Application.objects.get().is_active
    refused(known_by().refresh(tokens["refresh_token"]), status=401, error="invalid_client")


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        pytest.param(None, 86_400, id="nothing"),
        pytest.param("max-age=3600", 3600, id="an hour"),
        pytest.param("public, MAX-AGE=600, must-revalidate", 600, id="among others"),
        pytest.param("max-age=0", 300, id="no time"),
        pytest.param("no-store", 300, id="not at all"),
        pytest.param("no-cache, max-age=3600", 300, id="not without asking"),
        pytest.param("max-age=" + "9" * 40, 86_400, id="for ever"),
        pytest.param("max-age=-1", 86_400, id="negative"),
        pytest.param("max-age=²", 86_400, id="odd digits"),
        pytest.param(",,=,max-age", 86_400, id="malformed"),
    ],
)
def test_how_long_a_document_is_kept(said: str | None, seconds: int, publisher: Publisher, person: Person) -> None:
    publisher.handler = answer(http(document(), **({"Cache-Control": said} if said else {})))
    before = timezone.now()
    assert person.ask(known_by()).status_code == 200
    read_at = Application.objects.get().cimd_expires_at - timedelta(seconds=seconds)
    assert before <= read_at <= timezone.now()


def test_an_old_document_is_read_again_for_somebody(publisher: Publisher, person: Person, time_machine: Any) -> None:
    client = known_by()
    code, tokens = person.allow(client), person.connect(client)
    publisher.publish(document(client_name="New name", redirect_uris=[f"https://{PUBLISHER}/new"]))
    wait(time_machine, seconds=30)
    assert b"Example Assistant" in person.ask(client).content
    wait(time_machine, hours=25)
    for prompt in (None, "none"):
        program().get(f"/oauth/authorize?{client.request(prompt=prompt)}")
    refused(client.redeem(code))
    assert client.refresh(tokens["refresh_token"]).status_code == 200
    assert publisher.reads == 1
    assert is_broken(person.ask(client))
    assert b"New name" in person.ask(client, redirect_uri=f"https://{PUBLISHER}/new").content
    assert publisher.reads == 2


FAILURES: dict[str, Any] = {
    "broken": http(b"", status="503 Service Unavailable"),
    "gone": http(b"", status="410 Gone"),
    "moved": http(document(), status="302 Found", Location="https://evil.example/"),
    "another client": http(document(client_id="https://evil.example/c.json")),
    "no addresses": http(document(redirect_uris=["https://evil.example/callback"])),
    "no JSON": http(b"<html>", media="text/html"),
    "a bomb": bomb(10_000_000),
    "silence": forever(b"", b"", skips=DRIP),
}


@pytest.mark.parametrize("answered", named(FAILURES))
def test_the_last_good_document_is_kept(
    answered: bytes | Handler, publisher: Publisher, person: Person, time_machine: Any
) -> None:
    assert person.ask(known_by()).status_code == 200
    publisher.handler = answer(answered) if isinstance(answered, bytes) else answered
    wait(time_machine, hours=25)
    for _ in range(3):
        assert b"Example Assistant" in person.ask(known_by()).content
    assert publisher.reads == 2
    assert Application.objects.get().redirect_uris == f"{BACK} {LOOPBACK}"


def test_a_failure_is_remembered_for_everybody(publisher: Publisher, person: Person, stranger: Person) -> None:
    publisher.publish(b"", status="404 Not Found")
    for _ in range(3):
        assert is_broken(person.ask(known_by()))
        assert is_broken(stranger.ask(known_by()))
    assert publisher.reads == 1


PROBLEMS: dict[str, tuple[bytes | Handler, str, str]] = {
    "no way out": (
        forever(b"", b"", skips=DRIP),
        f"document from {PUBLISHER}.",
        f"connections to {PUBLISHER}",
    ),
    "not found": (http(b"", status="404 Not Found"), f"at {PUBLISHER} can't be used: it answered 404", "developer"),
    "no JSON": (http(b"<html>", media="text/html"), f"at {PUBLISHER} can't be used: it is not JSON", "developer"),
}


@pytest.mark.parametrize(
    ("answered", "said", "advice"), [pytest.param(*case, id=name) for name, case in PROBLEMS.items()]
)
def test_the_page_says_what_is_wrong_with_a_document(
    answered: bytes | Handler, said: str, advice: str, publisher: Publisher, person: Person, stranger: Person
) -> None:
    publisher.handler = answer(answered) if isinstance(answered, bytes) else answered
    # Asked again, it is not fetched again, and says the same.
    for asking in (person, person, stranger):
        page = asking.ask(known_by()).content.decode()
        assert said in unescape(page)
        assert advice in unescape(page)
        assert "/account/keys" in page
    assert len(publisher.network.dials) == 1


def test_a_name_that_is_not_found_is_named(publisher: Publisher, person: Person) -> None:
    publisher.names = {}
    assert f"document from {PUBLISHER}" in unescape(person.ask(known_by()).content.decode())


def test_documents_switched_off(publisher: Publisher, person: Person, settings: Any) -> None:
    known = known_by(f"https://{PUBLISHER}/known.json")
    publisher.publish(document(client_id=known.client_id))
    tokens = person.connect(known)
    settings.OAUTH2_PROVIDER = provider(issuer=ISSUER, registration=True, documents=False)
    reads = publisher.reads
    page = unescape(person.ask(known_by()).content.decode())
    assert f"check the app at {PUBLISHER}" in page
    assert "can't be used" in page
    assert publisher.reads == reads
    # What was read before stays connected.
    assert status_of(tokens["access_token"]) == 200
    assert known.refresh(tokens["refresh_token"]).status_code == 200


@pytest.mark.slow
def test_an_account_has_thirty_reads_an_hour(publisher: Publisher, person: Person, stranger: Person) -> None:
    publisher.handler = answer(b"")
    for number in range(35):
        assert is_broken(person.ask(known_by(f"https://{PUBLISHER}/{number}.json")))
    assert len(publisher.network.dials) == 30
    publisher.publish()
    refused_page = person.ask(known_by())
    assert is_broken(refused_page)
    assert "too many new apps" in refused_page.content.decode()
    assert stranger.ask(known_by()).status_code == 200
    assert person.ask(known_by()).status_code == 200


def test_a_listed_private_host_is_read(publisher: Publisher, person: Person, settings: Any) -> None:
    """The purpose of the setting: a client and its document on a developer's machine."""
    host = f"{PUBLISHER}:{publisher.server.port}"
    settings.CRAWL_ALLOW_PRIVATE_HOSTS = frozenset({host})
    address, back = f"https://{host}/client.json", f"https://{host}/callback"
    publisher.names = {PUBLISHER: [["127.0.0.1"]]}
    publisher.publish(document(client_id=address, redirect_uris=[BACK, back, f"https://{PUBLISHER}:1/callback"]))
    client = known_by(address, back)
    assert f"Verified publisher: <strong>{host}</strong>" in person.ask(client).content.decode()
    assert status_of(person.connect(client)["access_token"]) == 200
    assert Application.objects.get().redirect_uris == back
    assert host in person.browser.get("/account/apps").content.decode()
    assert publisher.network.dials == [("127.0.0.1", publisher.server.port)]


def test_a_cut_off_conversation_leaves_nothing_behind(publisher: Publisher, person: Person) -> None:
    async def cut(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(http(document())[:100])
        await writer.drain()
        writer.transport.abort()

    publisher.handler = cut
    assert is_broken(person.ask(known_by()))
    assert not Application.objects.exists()


def test_a_registered_client_with_such_a_name_is_not_verified(publisher: Publisher, person: Person) -> None:
    page = person.ask(AuthorizationClient.registered(BACK, client_name=ADDRESS, client_id=ADDRESS)).content.decode()
    assert "Not verified" in page
    assert "Verified publisher" not in page
    assert publisher.lookups == []

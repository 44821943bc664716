"""The same thing at the same time, in real threads on PostgreSQL."""

import asyncio
import itertools
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from oauth2_provider.models import get_access_token_model, get_grant_model, get_refresh_token_model
from oauth2_provider.settings import oauth2_settings

from apps.accounts.models import Application, Connection
from apps.accounts.oauth import connections, server, views
from apps.accounts.oauth.registration import REGISTRATION_LIMIT
from tests.accounts.oauth.flow import (
    CALLBACK,
    AuthorizationClient,
    Person,
    answer_of,
    is_dead,
    program,
    register,
    status_of,
    ticket_of,
)
from tests.accounts.oauth.publisher import ADDRESS, PUBLISHER, document, http, known_by, publishing
from tests.certificates import make_certificate
from tests.racing import run_at_once
from tests.waiting import PATIENCE_SECONDS, wait_for, wait_until_blocked

pytestmark = pytest.mark.django_db(transaction=True)

# 100 for a measurement: a few suffice to find what goes wrong in one try out of ten.
TRIES = int(os.environ.get("RACE_TRIES", "5"))

_addresses = (f"10.{one}.{two}.{three}" for one, two, three in itertools.product(range(256), repeat=3))


def fresh(client: AuthorizationClient) -> AuthorizationClient:
    """The same client from another machine: test clients are not made for threads, and addresses have limits."""
    http = program(REMOTE_ADDR=next(_addresses))
    return AuthorizationClient(client.client_id, client.redirect_uri, client.verifier, http)


@contextmanager
def after_the_first_look(monkeypatch: pytest.MonkeyPatch, then: Callable[[], object]) -> Iterator[None]:
    """Hold each thread of `run_at_once` once it has looked at the code or token that it was shown."""
    held = threading.local()
    look = connections._owner_of

    def look_and_wait(form: Any) -> Any:
        result = look(form)
        if not getattr(held, "has_looked", False):
            held.has_looked = True
            then()
        return result

    with monkeypatch.context() as patch:
        patch.setattr(connections, "_owner_of", look_and_wait)
        yield


@contextmanager
def before_the_commit(monkeypatch: pytest.MonkeyPatch, then: Callable[[], object]) -> Iterator[None]:
    """Hold the thread that has written new tokens, before anybody else can see them."""
    write = server.Validator._create_refresh_token

    def write_and_wait(*args: Any, **kwargs: Any) -> Any:
        written = write(*args, **kwargs)
        then()
        return written

    with monkeypatch.context() as patch:
        patch.setattr(server.Validator, "_create_refresh_token", write_and_wait)
        yield


def one_winner(answers: list[Any]) -> dict[str, Any]:
    """The tokens of the one answer that has some; the others are refused properly."""
    statuses = sorted(answer.status_code for answer in answers)
    assert statuses == [200] + [400] * (len(answers) - 1)
    assert {answer.json()["error"] for answer in answers if answer.status_code == 400} == {"invalid_grant"}
    [won] = [answer.json() for answer in answers if answer.status_code == 200]
    return dict(won)


@pytest.mark.parametrize("many", [2, 6])
def test_one_code_is_redeemed_once(
    many: int, assistant: AuthorizationClient, person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = person.allow(assistant)
    with after_the_first_look(monkeypatch, threading.Barrier(many, timeout=PATIENCE_SECONDS).wait):
        tokens = one_winner(run_at_once(*[lambda: fresh(assistant).redeem(code)] * many))
    assert status_of(tokens["access_token"]) == 200
    assert get_access_token_model().objects.count() == get_refresh_token_model().objects.count() == 1
    assert assistant.refresh(tokens["refresh_token"]).status_code == 200


def all_work(answers: list[Any], client: AuthorizationClient) -> None:
    """Fail unless every answer has tokens, and each of them opens something and can be renewed."""
    assert [answer.status_code for answer in answers] == [200] * len(answers)
    tokens = [answer.json() for answer in answers]
    assert len({one["access_token"] for one in tokens}) == len(tokens)
    assert [status_of(one["access_token"]) for one in tokens] == [200] * len(tokens)
    assert [fresh(client).refresh(one["refresh_token"]).status_code for one in tokens] == [200] * len(tokens)


@pytest.mark.parametrize("many", [2, 6])
def test_one_refresh_token_used_at_once_gives_each_its_own(
    many: int, assistant: AuthorizationClient, person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = person.connect(assistant)
    with after_the_first_look(monkeypatch, threading.Barrier(many, timeout=PATIENCE_SECONDS).wait):
        answers = run_at_once(*[lambda: fresh(assistant).refresh(first["refresh_token"])] * many)
    assert status_of(first["access_token"]) == 401
    all_work(answers, assistant)


@pytest.mark.slow
@pytest.mark.parametrize("many", [2, 3, 5])
def test_without_any_order_all_refreshes_work(
    many: int, assistant: AuthorizationClient, person: Person, settings: Any
) -> None:
    settings.RATE_LIMIT_PER_KEY = 0
    for _ in range(TRIES):
        shown = fresh(assistant).redeem(person.allow(assistant)).json()["refresh_token"]
        all_work(run_at_once(*[lambda shown=shown: fresh(assistant).refresh(shown)] * many), assistant)


@pytest.mark.slow
@pytest.mark.parametrize("many", [2, 3, 5])
def test_without_any_order_one_redemption_works(
    many: int, assistant: AuthorizationClient, person: Person, settings: Any
) -> None:
    settings.RATE_LIMIT_PER_KEY = 0
    for _ in range(TRIES):
        code = person.allow(assistant)
        tokens = one_winner(run_at_once(*[lambda code=code: fresh(assistant).redeem(code)] * many))
        assert status_of(tokens["access_token"]) == 200
        assert fresh(assistant).refresh(tokens["refresh_token"]).status_code == 200


def test_a_thief_at_the_same_moment(
    assistant: AuthorizationClient, person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = person.allow(assistant)
    thief = AuthorizationClient.registered()
    with after_the_first_look(monkeypatch, threading.Barrier(3, timeout=PATIENCE_SECONDS).wait):
        tokens = one_winner(
            run_at_once(
                lambda: fresh(assistant).redeem(code),
                lambda: fresh(thief).redeem(code),
                lambda: fresh(assistant).redeem(code, code_verifier="a" * 43),
            )
        )
    assert status_of(tokens["access_token"]) == 200


def disconnecting(person: Person) -> Callable[[], Any]:
    path = f"/account/apps/{Connection.objects.get().pk}/disconnect"
    browser = program()
    browser.force_login(person.user)
    return lambda: browser.post(path)


def exchanging(kind: str, assistant: AuthorizationClient, person: Person) -> Callable[[], Any]:
    if kind != "redemption":
        refresh_token = person.connect(assistant)["refresh_token"]
        if kind == "repeated refresh":
            assistant.refresh(refresh_token)
        return lambda: fresh(assistant).refresh(refresh_token)
    code = person.allow(assistant)
    return lambda: fresh(assistant).redeem(code)


@pytest.mark.parametrize("kind", ["refresh", "repeated refresh", "redemption"])
def test_a_disconnect_comes_first(
    kind: str, assistant: AuthorizationClient, person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    exchange, disconnect = exchanging(kind, assistant, person), disconnecting(person)
    has_looked, has_ended = threading.Event(), threading.Event()

    def look_and_wait() -> None:
        has_looked.set()
        assert has_ended.wait(PATIENCE_SECONDS)

    def end() -> Any:
        assert has_looked.wait(PATIENCE_SECONDS)
        answer = disconnect()
        has_ended.set()
        return answer

    with after_the_first_look(monkeypatch, look_and_wait):
        exchanged, ended = run_at_once(exchange, end)
    assert (exchanged.status_code, exchanged.json()["error"], ended.status_code) == (400, "invalid_grant", 302)
    assert not get_access_token_model().objects.exists()
    assert not get_refresh_token_model().objects.exists()
    assert not Connection.objects.exists()


@pytest.mark.parametrize("kind", ["refresh", "repeated refresh", "redemption"])
def test_a_disconnect_comes_second(
    kind: str, assistant: AuthorizationClient, person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    exchange, disconnect = exchanging(kind, assistant, person), disconnecting(person)
    has_written = threading.Event()

    def written() -> None:
        has_written.set()
        wait_until_blocked()

    def end() -> Any:
        assert has_written.wait(PATIENCE_SECONDS)
        return disconnect()

    with before_the_commit(monkeypatch, written):
        exchanged, ended = run_at_once(exchange, end)
    assert (exchanged.status_code, ended.status_code) == (200, 302)
    assert is_dead(exchanged.json(), assistant)
    assert not get_access_token_model().objects.exists()
    assert not Connection.objects.exists()


@pytest.mark.parametrize("by", ["revocation", "code shown again", "rotated token shown again"])
def test_a_family_ends_while_it_grows(
    by: str, assistant: AuthorizationClient, person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "REPEATED_WITHIN", timedelta(0))
    monkeypatch.setattr(oauth2_settings, "REFRESH_TOKEN_GRACE_PERIOD_SECONDS", 0)
    code = person.allow(assistant)
    first = assistant.redeem(code).json()
    second = assistant.refresh(first["refresh_token"]).json()
    ends: dict[str, Callable[[], Any]] = {
        "revocation": lambda: fresh(assistant).revoke(second["access_token"]),
        "code shown again": lambda: fresh(assistant).redeem(code),
        "rotated token shown again": lambda: fresh(assistant).refresh(first["refresh_token"]),
    }
    has_written = threading.Event()

    def written() -> None:
        has_written.set()
        wait_until_blocked()

    def end() -> Any:
        assert has_written.wait(PATIENCE_SECONDS)
        return ends[by]()

    with before_the_commit(monkeypatch, written):
        refreshed, ended = run_at_once(lambda: fresh(assistant).refresh(second["refresh_token"]), end)
    assert (refreshed.status_code, ended.status_code) == (200, 200 if by == "revocation" else 400)
    assert is_dead(refreshed.json(), assistant)


def test_one_ticket_gives_one_code(assistant: AuthorizationClient, person: Person) -> None:
    form = {"ticket": ticket_of(person.ask(assistant)), "decision": "allow", "scope": ["account:read"]}
    browsers = [program() for _ in range(6)]
    for browser in browsers:
        browser.force_login(person.user)
    answers = run_at_once(*[lambda browser=browser: browser.post("/oauth/authorize", form) for browser in browsers])
    assert sorted(answer.status_code for answer in answers) == [302] + [400] * 5
    assert get_grant_model().objects.count() == 1


def test_two_pages_allowed_at_once_are_one_connection(assistant: AuthorizationClient, person: Person) -> None:
    people = [Person(person.user) for _ in range(4)]
    pages = [someone.ask(assistant) for someone in people]
    answers = run_at_once(*[lambda i=i: people[i].decide(pages[i]) for i in range(4)])
    codes = {answer_of(answer)["code"] for answer in answers}
    assert len(codes) == get_grant_model().objects.count() == 4
    assert Connection.objects.count() == 1
    for code in codes:
        assert assistant.redeem(code).status_code == 200


def test_a_document_that_several_see_first(
    assistant: AuthorizationClient, person: Person, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async def once_all_have_come(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await asyncio.to_thread(wait_for, lambda: publisher.server.accepts >= 3)
        writer.write(http(document()))
        await writer.drain()

    people = [Person(person.user) for _ in range(3)]
    with publishing(monkeypatch, make_certificate(tmp_path, PUBLISHER)) as publisher:
        publisher.handler = once_all_have_come
        pages = run_at_once(*[lambda somebody=somebody: somebody.ask(known_by()) for somebody in people])
    assert [page.status_code for page in pages] == [200] * 3
    assert Application.objects.filter(client_id=ADDRESS).count() == 1
    assert answer_of(person.decide(pages[0])).keys() == {"code", "state", "iss"}


def test_the_limit_of_registrations_holds_in_a_burst(monkeypatch: pytest.MonkeyPatch) -> None:
    most = 20
    monkeypatch.setattr(views, "REGISTRATION_LIMIT", replace(REGISTRATION_LIMIT, count=most))

    def introduce() -> Any:
        return [register({"redirect_uris": [CALLBACK]}).status_code for _ in range(6)]

    statuses = [status for some in run_at_once(*[introduce] * 5) for status in some]
    assert sorted(statuses) == [201] * most + [429] * 10
    assert Application.objects.count() == most

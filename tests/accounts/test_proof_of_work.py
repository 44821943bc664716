"""Proof of work at sign-up: a solved challenge counts once, and accounts without can give one later."""

import base64
import json
from datetime import UTC, datetime, timedelta
from html import unescape
from typing import Any

import altcha
import pytest
import time_machine
from django.test import Client

from apps.accounts.models import User
from apps.accounts.sign_in.proof_of_work import is_proof, new_challenge
from apps.sites.models import Site
from tests.accounts.people import newest_code
from tests.browsing import browser
from tests.factories import PASSWORD

pytestmark = pytest.mark.db

EMAIL = "new@example.com"


@pytest.fixture(autouse=True)
def cheap(settings: Any, site: Site) -> None:
    settings.PROOF_OF_WORK_COST = 1


def solved(challenge: str) -> str:
    """What a browser sends for a challenge."""
    given = altcha.Challenge.from_dict(json.loads(challenge))
    solution = altcha.solve_challenge(given)
    assert solution
    return altcha.Payload(given, solution).to_base64()


def sign_up(client: Client, **fields: str) -> User:
    client.post("/account/sign-up", {"email": EMAIL, "password1": PASSWORD, **fields})
    return User.objects.get(email=EMAIL)


def test_a_solved_challenge_is_a_proof_once() -> None:
    proof = solved(new_challenge())
    assert [is_proof(proof), is_proof(proof)] == [True, False]


def test_a_challenge_ends() -> None:
    proof = solved(new_challenge())
    with time_machine.travel(datetime.now(UTC) + timedelta(minutes=21)):
        assert not is_proof(proof)


def changed(proof: str, *path: str, to: Any) -> str:
    """The proof with another value in it."""
    content = json.loads(base64.b64decode(proof))
    where = content
    for key in path[:-1]:
        where = where[key]
    where[path[-1]] = to
    return base64.b64encode(json.dumps(content).encode()).decode()


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("solution", "counter"), -1),
        (("solution", "counter"), "1"),
        (("solution", "derivedKey"), "00" * 32),
        (("challenge", "parameters", "keyPrefix"), ""),
        (("challenge", "parameters", "cost"), 0),
        (("challenge", "parameters", "expiresAt"), 99_999_999_999),
        (("challenge", "signature"), ""),
        (("challenge", "signature"), None),
        (("challenge",), []),
        (("solution",), None),
    ],
)
def test_what_was_changed_is_no_proof(path: tuple[str, ...], value: Any) -> None:
    assert not is_proof(changed(solved(new_challenge()), *path, to=value))


@pytest.mark.parametrize("text", ["", "x", "e30=", "bnVsbA==", "W10=", "[" * 4000, "A" * 5000, "\ud800", "\x00"])
def test_other_texts_are_no_proof(text: str) -> None:
    assert not is_proof(text)


def test_a_browser_that_proves_its_work_signs_up_as_others_do(settings: Any) -> None:
    person = browser()
    form = person.get("/account/sign-up").context["form"]
    user = sign_up(person, proof=solved(form.fields["proof"].widget.attrs["data-challenge"]))
    assert not user.needs_proof


def test_without_a_proof_the_account_gives_one_later() -> None:
    person = browser()
    assert sign_up(person).needs_proof
    person.post("/account/verify", {"action": "verify", "code": newest_code(EMAIL)})
    page = person.get("/").content.decode()
    challenge = unescape(page.partition('data-challenge="')[2].partition('"')[0])
    assert person.post("/account/proof", {"proof": "x"}).status_code == 204
    assert User.objects.get(email=EMAIL).needs_proof
    assert person.post("/account/proof", {"proof": solved(challenge)}).status_code == 204
    assert not User.objects.get(email=EMAIL).needs_proof
    assert "data-challenge" not in person.get("/").content.decode()


def test_strangers_prove_nothing() -> None:
    assert (
        browser().post("/account/proof", {"proof": solved(new_challenge())})["Location"].startswith("/account/sign-in")
    )


def test_without_a_cost_nobody_is_asked(settings: Any) -> None:
    settings.PROOF_OF_WORK_COST = 0
    person = browser()
    assert "proof" not in person.get("/account/sign-up").context["form"].fields
    assert not sign_up(person).needs_proof


def test_the_network_of_a_sign_up_is_kept_as_a_keyed_digest() -> None:
    people = [Client(REMOTE_ADDR=address) for address in ("8.8.8.8", "8.8.8.200", "8.8.9.8", "127.0.0.1")]
    marks = []
    for number, person in enumerate(people):
        email = f"new{number}@example.com"
        person.post("/account/sign-up", {"email": email, "password1": PASSWORD})
        marks.append(User.objects.get(email=email).sign_up_network)
    assert marks[0] == marks[1] != marks[2]
    assert (len(marks[0]), marks[3]) == (32, "")
    assert "8.8.8" not in marks[0]

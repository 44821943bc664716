"""What a person does in a browser, for the tests of signing up and in."""

import re
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
from django.core import mail
from django.test import Client
from django.utils import timezone

from tests.factories import PASSWORD
from tests.waiting import PATIENCE_SECONDS

_CODE = re.compile(r"^[A-Z]{4}-[A-Z]{4}$", re.MULTILINE)


def wait(time_machine: Any, **duration: float) -> None:
    """Let time pass: `seconds`, `minutes`, …"""
    time_machine.move_to(timezone.now() + timedelta(**duration), tick=False)


def sign_in(client: Client, email: str, password: str = PASSWORD, *, next_url: str = "") -> Any:
    return client.post("/account/sign-in", {"login": email, "password": password, "next": next_url})


def newest_code(to: str) -> str:
    """The code in the newest email to this address."""
    [code] = _CODE.findall(newest_email(to).body)
    return str(code)


def newest_email(to: str) -> Any:
    return next(message for message in reversed(mail.outbox) if message.to == [to])


def is_signed_in(client: Client) -> bool:
    return client.get("/account/profile").status_code == 200


def next_of(url: str) -> str | None:
    """The `next` that an address passes on."""
    return parse_qs(urlsplit(url).query).get("next", [None])[0]


def prove_again(client: Client, password: str = PASSWORD) -> None:
    """Give the password once more, as the pages ask for before something that matters."""
    answer = client.post("/account/reauthenticate", {"password": password})
    assert answer.status_code == 302, answer.content.decode()


def through(client: Client, provider: str = "oidc", *, next_url: str = "", process: str = "login") -> Any:
    """Press the provider's button, sign in there and come back. Returns the answer to coming back."""
    start = client.post(f"/account/sign-in/with/{provider}", {"next": next_url, "process": process})
    assert start.status_code == 302, start.content.decode()
    back = urlsplit(httpx2.get(start["Location"], timeout=PATIENCE_SECONDS).headers["Location"])
    return client.get(f"{back.path}?{back.query}")


def prove_again_by_email(client: Client) -> None:
    """Enter the code that an account without a password gets by email."""
    path = "/account/reauthenticate/email"
    assert client.get(path).status_code == 200
    answer = client.post(path, {"code": newest_code(mail.outbox[-1].to[0])})
    assert answer.status_code == 302, answer.content.decode()

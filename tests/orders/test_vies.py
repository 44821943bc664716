"""The client of VIES against a real HTTP server that misbehaves."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx2
import pytest

from apps.orders import vies as client
from apps.orders.vat import NumberStatus, Seller, parse_number
from tests.orders.vies_server import ViesServer

SELLER = Seller(country="EE", vat_number="EE123456780", is_vat_registered=True)
GERMAN = "DE136695976"


def check(typed: str = GERMAN, country: str | None = "DE") -> Any:
    return client.check_number(typed, country=country, seller=SELLER)


def test_valid_with_the_consultation_number(vies: ViesServer) -> None:
    found = check()
    assert (found.status, found.country, found.consultation_number) == (NumberStatus.VALID, "DE", "WAPIAAAAX1")
    assert vies.asked == [
        {
            "path": "/rest-api/check-vat-number",
            "countryCode": "DE",
            "vatNumber": "136695976",
            "requesterMemberStateCode": "EE",
            "requesterNumber": "123456780",
        }
    ]


def test_greece_is_el_there(vies: ViesServer) -> None:
    assert check("GR094259216", "GR").country == "GR"
    assert vies.asked[0]["countryCode"] == "EL"


@pytest.mark.parametrize("answer", [{"valid": False}, {"isValid": False, "userError": "INVALID"}])
def test_invalid(vies: ViesServer, answer: dict[str, Any]) -> None:
    vies.answer = answer
    assert check().status == NumberStatus.INVALID


@pytest.mark.parametrize(
    ("status", "raw"),
    [
        (200, b'{"valid": false, "userError": "MS_UNAVAILABLE"}'),
        (200, b'{"actionSucceed": false, "errorWrappers": [{"error": "MS_MAX_CONCURRENT_REQ"}]}'),
        (200, b'{"valid": "yes"}'),
        (200, b"[]"),
        (200, b"<html>"),
        (200, b"\xff"),
        (200, b'{"valid": true, "name": "' + b"x" * 70_000 + b'"}'),
        (302, b"{}"),
        (500, b'{"valid": true}'),
        (403, b"{}"),
    ],
)
def test_whatever_else_it_says_is_unavailable(vies: ViesServer, status: int, raw: bytes) -> None:
    vies.status, vies.raw = status, raw
    assert check().status == NumberStatus.UNAVAILABLE


def test_nobody_there_is_unavailable() -> None:
    assert check().status == NumberStatus.UNAVAILABLE


def test_a_slow_answer_is_unavailable(vies: ViesServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "TIMEOUT", httpx2.Timeout(0.1))
    vies.delay_seconds = 0.4
    assert check().status == NumberStatus.UNAVAILABLE


@pytest.mark.parametrize("part", ["head", "body"])
def test_an_answer_that_trickles_in_is_given_up(vies: ViesServer, monkeypatch: pytest.MonkeyPatch, part: str) -> None:
    monkeypatch.setattr(client, "DEADLINE_SECONDS", 0.2, raising=False)
    vies.trickle = part
    assert check().status == NumberStatus.UNAVAILABLE
    assert vies.trickled < 40


def test_an_answer_without_end_is_not_read_to_its_end(vies: ViesServer) -> None:
    vies.raw = b" " * 20_000_000
    assert check().status == NumberStatus.UNAVAILABLE
    assert not vies.is_all_sent


def test_answers_are_remembered(vies: ViesServer) -> None:
    assert check().status == check("de 136 695 976").status == NumberStatus.VALID
    assert len(vies.asked) == 1


@pytest.mark.parametrize(
    ("typed", "country", "status"),
    [
        ("", "DE", None),
        ("  ", "DE", None),
        ("DE136695977", "DE", NumberStatus.INVALID),
        ("EU372000041", "DE", NumberStatus.INVALID),
        (GERMAN, None, NumberStatus.NOT_CHECKED),
        ("GB110305878", "GB", NumberStatus.NOT_CHECKED),
        ("XI110305878", "XI", NumberStatus.NOT_CHECKED),
    ],
)
def test_nobody_is_asked_about_what_cannot_be_valid(
    vies: ViesServer, typed: str, country: str | None, status: NumberStatus | None
) -> None:
    found = check(typed, country)
    assert (found and found.status) == status
    assert vies.asked == []


def test_a_slow_register_is_asked_for_few_at_a_time(vies: ViesServer, db: None) -> None:
    vies.delay_seconds = 0.5
    with ThreadPoolExecutor(8) as pool:
        numbers = [parse_number(typed, country="DE") for typed in [GERMAN] * 8]
        answers = list(pool.map(lambda number: client.ask(number, SELLER).status, numbers))
    assert len(vies.asked) == client.MAX_IN_FLIGHT
    assert answers.count(NumberStatus.VALID) == client.MAX_IN_FLIGHT
    assert answers.count(NumberStatus.UNAVAILABLE) == 8 - client.MAX_IN_FLIGHT

"""The client of VIES against a real HTTP server that misbehaves."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx2
import pytest
from django.db import connection

from apps.listings.models import Listing
from apps.orders.models import Order, SellerSettings
from apps.orders.tax import vies as client
from apps.orders.tax.vat import NumberStatus, Seller, VatNumber, parse_number
from tests.api import ApiClient
from tests.orders.carts import check_out, launch, press_pay, update_total
from tests.orders.vies_server import ViesServer
from tests.process_caches import forget_everything
from tests.waiting import wait_for

# Valkey keeps what was answered.
pytestmark = pytest.mark.db

SELLER = Seller(country="EE", vat_number="EE123456780", is_vat_registered=True)
GERMAN = "DE136695976"


def check(typed: str = GERMAN, country: str | None = "DE") -> Any:
    return client.check_number(typed, country=country, seller=SELLER)


def test_valid_with_the_consultation_number(vies: ViesServer) -> None:
    result = check()
    assert (result.status, result.country, result.consultation_number) == (NumberStatus.VALID, "DE", "WAPIAAAAX1")
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
    vies.may_answer.clear()
    assert check().status == NumberStatus.UNAVAILABLE


@pytest.mark.parametrize("part", ["head", "body"])
def test_an_answer_that_trickles_in_is_given_up(vies: ViesServer, monkeypatch: pytest.MonkeyPatch, part: str) -> None:
    monkeypatch.setattr(client, "DEADLINE_SECONDS", 0.2)
    vies.trickle = part
    assert check().status == NumberStatus.UNAVAILABLE


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
    result = check(typed, country)
    assert (result and result.status) == status
    assert vies.asked == []


def test_a_slow_register_is_asked_for_few_at_a_time(vies: ViesServer, db: None) -> None:
    number = parse_number(GERMAN, country="DE")
    assert number
    vies.may_answer.clear()
    with ThreadPoolExecutor(8) as pool:
        asking = [pool.submit(client.ask, number, SELLER) for _ in range(8)]
        wait_for(lambda: sum(asked.done() for asked in asking) == 8 - client.MAX_IN_FLIGHT)
        vies.may_answer.set()
    answers = [asked.result().status for asked in asking]
    assert len(vies.asked) == client.MAX_IN_FLIGHT
    assert answers.count(NumberStatus.VALID) == client.MAX_IN_FLIGHT
    assert answers.count(NumberStatus.UNAVAILABLE) == 8 - client.MAX_IN_FLIGHT


@pytest.mark.parametrize(
    "refusal",
    [
        {"actionSucceed": False, "errorWrappers": [{"error": "INVALID_REQUESTER_INFO"}]},
        {"valid": False, "userError": "INVALID_REQUESTER_INFO"},
    ],
)
def test_a_seller_that_vies_does_not_know_still_gets_an_answer(
    vies: ViesServer, refusal: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    """Without proof, site admins get a notice: otherwise no business could ever buy."""
    vies.refuses_requester, vies.answer = refusal, {"valid": True}
    result = check()
    assert (result.status, result.consultation_number) == (NumberStatus.VALID, "")
    assert ["requesterNumber" in asked for asked in vies.asked] == [True, False]
    assert "seller's own" in caplog.text


def test_a_register_that_always_blames_the_requester_is_unavailable(vies: ViesServer) -> None:
    vies.answer = {"valid": False, "userError": "INVALID_REQUESTER_INFO"}
    assert check().status == NumberStatus.UNAVAILABLE
    assert len(vies.asked) == 2


def test_omitted_leading_zeros_are_sent(vies: ViesServer) -> None:
    assert check("BE 403.019.261", "BE").status == NumberStatus.VALID
    assert vies.asked[0]["vatNumber"] == "0403019261"


def test_down_at_the_quote_and_up_at_payment(
    owner: ApiClient, listing: Listing, seller: SellerSettings, vies: ViesServer
) -> None:
    """The number is looked at again; the total that was agreed to is another one then, and nobody pays it unasked."""
    vies.status = 503
    order = check_out(owner, launch(listing), billing_country="DE", vat_number=GERMAN)
    assert (order.vat_number_status, order.total_cents, order.vat_place, order.vat_scheme) == (
        "unavailable",
        11781,
        "DE",
        "oss",
    )
    forget_everything()
    vies.status = 200
    assert press_pay(order, vat_number=GERMAN).status_code == 409
    order.refresh_from_db()
    assert (order.vat_number_status, order.vat_treatment, order.total_cents) == ("valid", "reverse_charge", 9900)
    assert (order.consultation_number, order.vat_place, order.vat_scheme) == ("WAPIAAAAX1", "", "")
    assert press_pay(order, vat_number=GERMAN).status_code == 302
    vies.answer = {"valid": False}
    forget_everything()
    update_total(order, vat_number=GERMAN)
    order.refresh_from_db()
    assert (order.vat_number_status, order.consultation_number, order.total_cents) == ("invalid", "", 11781)


@pytest.mark.django_db(transaction=True)
def test_vies_is_never_asked_inside_a_transaction(
    owner: ApiClient, listing: Listing, seller: SellerSettings, vies: ViesServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked_inside: list[bool] = []

    def ask(number: VatNumber, seller: Seller) -> client.Answer:
        asked_inside.append(connection.in_atomic_block)
        return client.Answer(NumberStatus.UNAVAILABLE)

    monkeypatch.setattr(client, "ask", ask)
    body = {"items": [launch(listing)], "billing_country": "DE", "vat_number": GERMAN}
    steps: list[Callable[[], Any]] = [
        lambda: owner.post("/orders/quote", body),
        lambda: owner.post("/orders/checkout", body, Idempotency_Key="once"),
        lambda: update_total(Order.objects.get(), vat_number=GERMAN),
        lambda: press_pay(Order.objects.get(), vat_number=GERMAN),
    ]
    for count, step in enumerate(steps, start=1):
        forget_everything()
        assert step().status_code < 400
        assert asked_inside == [False] * count

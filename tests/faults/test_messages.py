"""Faults of the provider and its messages: only what it answers when it is asked counts."""

import json

import pytest

from tests.faults.shop import Placed, Shop
from tests.providers.http import Request, posts
from tests.racing import run_at_once
from tests.waiting import wait_for

pytestmark = pytest.mark.processes

COMPLETED, EXPIRED = "checkout.session.completed", "checkout.session.expired"


def begun_unheard(shop: Shop, name: str) -> Placed:
    """An order whose payment the provider began, as nobody heard."""
    owner = shop.owner(name)
    order = owner.order(owner.gallery())
    shop.update_total(order)
    # The request and its repetition.
    shop.provider.concerns, shop.provider.drop_answers = lambda request: order.number.encode() in request.body, 2
    assert shop.press_pay(order).status_code == 503
    shop.calm()
    assert (shop.state(order), shop.payments(order), len(shop.sessions(order))) == ("processing", ["starting"], 1)
    return order


# ---- webhook before the redirect, or lost ----


def test_a_message_before_the_redirect_pays_the_order(shop: Shop) -> None:
    owner = shop.owner("message-first")
    order = owner.order(owner.gallery())
    shop.pay(order)
    assert shop.state(order) == "paid"
    back = shop.pages.get(shop.payments(order, "return_url")[0], follow_redirects=True)
    assert back.status_code == 200
    shop.wait_for_lines(order, "fulfilled")
    assert len(shop.sessions(order)) == 1


def test_a_redirect_without_a_message_pays_the_order(shop: Shop) -> None:
    owner = shop.owner("redirect-only")
    order = owner.order(owner.gallery())
    session = shop.start_paying(order)
    shop.provider.pay(session)
    assert shop.pages.get(order.checkout_url).status_code == 200
    assert shop.state(order) == "paid"


def test_a_redirect_alone_proves_nothing(shop: Shop) -> None:
    owner = shop.owner("redirect-proof")
    order = owner.order(owner.gallery())
    shop.start_paying(order)
    assert shop.pages.get(order.checkout_url).status_code == 200
    assert (shop.state(order), shop.payments(order), shop.lines(order)) == ("processing", ["open"], ["pending"])


def test_without_message_and_redirect_recovery_finds_the_money(shop: Shop) -> None:
    owner = shop.owner("lost")
    order = owner.order(owner.gallery())
    shop.provider.pay(shop.start_paying(order))
    shop.team.do("recover")
    shop.wait_for_lines(order, "fulfilled")
    assert (shop.state(order), shop.payments(order)) == ("paid", ["paid"])


# ---- webhook twice, out of order, forged ----


def test_a_message_repeated_at_once_and_later_is_acted_on_once(shop: Shop) -> None:
    owner = shop.owner("repeated")
    order = owner.order(owner.slot())
    session = shop.start_paying(order)
    shop.provider.pay(session)
    message = shop.provider.event_for(session, COMPLETED)
    statuses = set(run_at_once(*[lambda: shop.provider.deliver(*message)] * 10))
    # A busy process refuses a message that finds no slot, and its provider sends it again.
    assert 204 in statuses
    assert statuses <= {204, 503}
    shop.wait_for_lines(order, "fulfilled")
    assert [shop.provider.deliver(*message), shop.tell(session)] == [204, 204]
    event_id = json.loads(message[0])["id"]
    assert shop.one("SELECT count(*) FROM orders_paymentevent WHERE event_id = %s", event_id) == 1
    assert (shop.payments(order), shop.placements(order)) == (["paid"], 1)
    assert shop.refunds(order) == []


def test_messages_out_of_order_end_in_what_the_provider_has(shop: Shop) -> None:
    owner = shop.owner("reordered", listings=2)
    paid, closed = owner.order(owner.gallery()), owner.order(owner.gallery(1))
    session = shop.start_paying(paid)
    early = shop.provider.event_for(session, EXPIRED)
    shop.provider.pay(session)
    assert [shop.provider.deliver(*early), shop.tell(session), shop.provider.deliver(*early)] == [204] * 3
    assert (shop.state(paid), shop.payments(paid)) == ("paid", ["paid"])
    session = shop.start_paying(closed)
    shop.provider.expire(session)
    assert [shop.tell(session, COMPLETED), shop.tell(session, EXPIRED)] == [204] * 2
    assert (shop.state(closed), shop.payments(closed)) == ("pending", ["failed"])


def test_a_true_message_of_an_unpaid_session_pays_nothing(shop: Shop) -> None:
    owner = shop.owner("unpaid")
    order = owner.order(owner.gallery())
    session = shop.start_paying(order)
    assert shop.tell(session) == 204
    assert (shop.state(order), shop.payments(order)) == ("processing", ["open"])


def _asked_about(shop: Shop, session: str) -> int:
    """How often the provider was asked about a session; recovery asks it about those of other tests."""
    return sum(session in request.path for request in shop.provider.requests)


def test_forged_messages_change_nothing(shop: Shop) -> None:
    owner = shop.owner("forged")
    order = owner.order(owner.gallery())
    session = shop.start_paying(order)
    shop.date_payments(order, seconds=3600)
    body, headers = shop.provider.event_for(session, COMPLETED)
    old = shop.provider.sign(body, at=1)
    asked = _asked_about(shop, session)
    forged = [
        shop.provider.forge(session),
        (body, {}),
        (body, {"Stripe-Signature": ""}),
        (body, {"Stripe-Signature": "t=,v1="}),
        (body, {"Stripe-Signature": "v1=" + "0" * 64}),
        (body.replace(session.encode(), b"cs_test_another"), headers),
        (body + b" ", headers),
        (body, old),
    ]
    statuses = [shop.provider.deliver(*message) for message in forged]
    assert statuses == [400] * len(forged)
    assert (shop.state(order), shop.payments(order)) == ("processing", ["open"])
    assert _asked_about(shop, session) == asked


@pytest.mark.parametrize("provider", ["paypal", "btcpay", "free", "nobody"])
def test_a_provider_without_a_secret_is_not_there(shop: Shop, provider: str) -> None:
    body, headers = b'{"id": "evt_1"}', {"Stripe-Signature": "t=1,v1=0"}
    answer = shop.pages.post(f"{shop.base_url}/webhooks/{provider}", content=body, headers=headers)
    assert answer.status_code == 404


# ---- a provider that delays, drops its answers and refuses ----


def test_a_slow_provider_and_an_impatient_person_open_one_session(shop: Shop) -> None:
    owner = shop.owner("slow")
    order = owner.order(owner.gallery())
    shop.update_total(order)
    shop.provider.delay_seconds = 1.5
    statuses = {answer.status_code for answer in run_at_once(*[lambda: shop.press_pay(order)] * 4)}
    shop.calm()
    assert 302 in statuses
    assert statuses <= {302, 409}
    open_sessions = [session["id"] for session in shop.sessions(order) if session["status"] == "open"]
    assert len(open_sessions) <= 1
    shop.pay(order)
    assert (shop.state(order), shop.payments(order).count("paid")) == ("paid", 1)


def test_a_provider_that_drops_its_answer_after_the_work_has_one_session(shop: Shop) -> None:
    order = begun_unheard(shop, "begun")
    [begun] = shop.sessions(order)
    shop.team.do("recover")
    assert shop.payments(order, "reference") == [begun["id"]]
    shop.provider.pay(begun["id"])
    assert shop.tell(begun["id"]) == 204
    assert (shop.state(order), len(shop.sessions(order))) == ("paid", 1)


def test_money_of_a_session_whose_answer_was_lost_is_found_by_recovery(shop: Shop) -> None:
    order = begun_unheard(shop, "begun-and-paid")
    shop.provider.pay(shop.sessions(order)[0]["id"])
    shop.team.do("recover")
    shop.wait_for_lines(order, "fulfilled")
    assert (shop.state(order), shop.payments(order), len(shop.sessions(order))) == ("paid", ["paid"], 1)


def test_a_message_of_a_session_whose_answer_was_lost_pays_at_once(shop: Shop) -> None:
    order = begun_unheard(shop, "early")
    [begun] = shop.sessions(order)
    shop.provider.pay(begun["id"])
    assert shop.tell(begun["id"]) == 204
    assert (shop.state(order), shop.payments(order, "reference")) == ("paid", [begun["id"]])


@pytest.mark.parametrize("status", [500, 429, 503])
def test_a_provider_that_fails_is_asked_again(shop: Shop, status: int) -> None:
    owner = shop.owner(f"failing-{status}")
    order = owner.order(owner.gallery())
    shop.update_total(order)
    shop.provider.concerns = lambda request: order.number.encode() in request.body
    shop.provider.fail_with = (status, 100)
    assert shop.press_pay(order).status_code == 503
    assert shop.sessions(order) == []
    shop.calm()
    session = shop.pay(order)
    assert [one["id"] for one in shop.sessions(order) if one["payment_status"] == "paid"] == [session]
    assert shop.state(order) == "paid"


def test_a_message_that_cannot_be_looked_into_is_taken_at_the_next_try(shop: Shop) -> None:
    owner = shop.owner("outage")
    order = owner.order(owner.gallery())
    session = shop.start_paying(order)
    shop.date_payments(order, seconds=3600)
    shop.provider.pay(session)
    message = shop.provider.event_for(session, COMPLETED)
    shop.provider.concerns = lambda request: session in request.path
    shop.provider.fail_with = (500, 100)
    assert shop.provider.deliver(*message) == 503
    assert shop.state(order) == "processing"
    shop.calm()
    assert shop.provider.deliver(*message) == 204
    assert shop.state(order) == "paid"


def test_a_refund_whose_answer_was_lost_is_made_once(shop: Shop) -> None:
    owner = shop.owner("refunded")
    order = owner.order(owner.gallery())
    session = shop.start_paying(order)
    shop.team.do("delete_listing", listing_id=owner.listing_ids[0])
    payment = shop.provider.pay(session)["payment_intent"].encode()

    def is_refund(request: Request) -> bool:
        return posts("/v1/refunds")(request) and payment in request.body

    shop.provider.concerns, shop.provider.drop_answers = is_refund, 100
    assert shop.tell(session) == 204
    wait_for(lambda: [bool(row["problem"]) for row in shop.refunds(order)] == [True])
    assert (shop.state(order), shop.refunds(order)[0]["status"]) == ("paid", "requested")
    shop.calm()
    shop.team.do("recover")
    shop.wait_for_state(order, "refunded")
    assert [row["status"] for row in shop.refunds(order)] == ["done"]
    assert shop.returned(order) == {session: shop.total(order)}
    asked = [request.headers["idempotency-key"] for request in shop.provider.requests if is_refund(request)]
    assert len(asked) >= 2
    assert len(set(asked)) == 1
    assert len(shop.provider_refunds(order)) == 1

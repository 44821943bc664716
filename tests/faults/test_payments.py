"""Faults of money and of what was bought: paid twice, wrongly or late, gone meanwhile, cut off in the middle."""

import pytest

from tests.faults.shop import Shop
from tests.racing import run_at_once
from tests.waiting import wait_for, wait_until_blocked

pytestmark = pytest.mark.processes

COMPLETED, EXPIRED = "checkout.session.completed", "checkout.session.expired"


# ---- two payments for one order ----


def test_the_second_payment_of_an_order_is_recorded_and_refunded(shop: Shop) -> None:
    owner = shop.owner("twice")
    order = owner.order(owner.gallery())
    sessions = shop.two_sessions(order)
    for session in sessions:
        shop.provider.pay(session)
    run_at_once(*[lambda session=session: shop.tell_until_heard(session) for session in sessions] * 2)
    assert (shop.state(order), sorted(shop.payments(order))) == ("paid", ["paid", "surplus"])
    wait_for(lambda: [row["status"] for row in shop.refunds(order)] == ["done"])
    returned = shop.returned(order)
    assert sorted(returned.values()) == [0, shop.total(order)]
    assert returned[shop.payments(order, "reference")[shop.payments(order).index("surplus")]] == shop.total(order)
    shop.wait_for_lines(order, "fulfilled")


# ---- price or promo changed meanwhile ----


def test_a_price_and_a_code_are_held_until_the_order_expires(shop: Shop) -> None:
    owner = shop.owner("held", listings=2)
    shop.team.do("make_promo", code="HELD", percent_off=5000)
    order, late = (owner.order(owner.gallery(index), promo_code="HELD") for index in range(2))
    shop.update_total(order)
    shown = shop.total(order)
    shop.team.do("change_promo", code="HELD", percent_off=100, is_active=False)
    shop.team.do("change_product", product="section_gallery", price_cents=999_00)
    try:
        session = shop.start_paying(order)
        fresh = owner.rest.post("orders/quote", json={"items": [owner.gallery(1)]}).json()
    finally:
        shop.team.do("change_product", product="section_gallery", price_cents=1900)
    assert fresh["subtotal_cents"] == 999_00
    assert (shop.total(order), shop.provider.sessions[session]["amount_total"]) == (shown, shown)
    shop.provider.pay(session)
    assert shop.tell(session) == 204
    assert (shop.state(order), shop.state(order, "discount_cents")) == ("paid", 950)
    shop.sql("UPDATE orders_order SET expires_at = now() - interval '1 second' WHERE number = %s", late.number)
    answer = shop.press_pay(late)
    assert (answer.status_code, shop.payments(late)) == (409, [])


def test_paying_another_total_than_was_shown_is_refused(shop: Shop) -> None:
    owner = shop.owner("shown")
    order = owner.order(owner.gallery())
    before = shop.total(order)
    shop.update_total(order, country="FR", postal_code="75001")
    assert shop.total(order) != before
    answer = shop.press_pay(order, country="FR", postal_code="75001", total_cents=before)
    assert (answer.status_code, shop.payments(order), shop.sessions(order)) == (409, [], [])


def test_money_for_an_expired_order_delivers_what_still_can_be(shop: Shop) -> None:
    owner = shop.owner("late")
    order = owner.order(owner.gallery())
    session = shop.start_paying(order)
    shop.sql("UPDATE orders_order SET status = 'expired', expires_at = now() WHERE number = %s", order.number)
    shop.provider.pay(session)
    assert shop.tell(session) == 204
    shop.wait_for_lines(order, "fulfilled")
    assert shop.state(order) == "paid"


# ---- wrong amount or currency ----


@pytest.mark.parametrize(("amount", "currency"), [(1, None), (10_000_000, None), (None, "eur")])
def test_a_wrong_amount_or_currency_is_not_paid_and_rings_the_alarm(
    shop: Shop, amount: int | None, currency: str | None
) -> None:
    owner = shop.owner(f"wrong-{amount}-{currency}".lower())
    order = owner.order(owner.gallery())
    session = shop.start_paying(order)
    shop.provider.pay(session, amount, currency)
    assert [shop.tell(session), shop.tell(session)] == [204, 204]
    assert (shop.state(order), shop.state(order, "needs_review")) == ("processing", True)
    assert (shop.payments(order), shop.lines(order), shop.refunds(order)) == (["needs_review"], ["pending"], [])
    assert shop.state(order, "review_reason") != ""
    told = shop.sql("SELECT 1 FROM core_outgoingemail WHERE subject LIKE %s", f"%{order.number}%")
    assert len(told) == shop.one("SELECT count(*) FROM accounts_user WHERE is_staff AND is_active")


# ---- crash in fulfillment ----


def test_a_worker_killed_in_fulfilment_delivers_each_line_once(shop: Shop) -> None:
    owner = shop.owner("crashing", listings=2)
    order = owner.order(owner.gallery(), owner.slot(ahead=20), owner.gallery(1), owner.slot(1, ahead=20))
    session = shop.start_paying(order)
    with shop.transaction() as other:
        other.execute("SELECT 1 FROM orders_product WHERE name = 'newsletter_slot' FOR UPDATE")
        shop.provider.pay(session)
        shop.tell_until_heard(session)
        wait_for(lambda: shop.lines(order)[0] == "fulfilled")
        wait_until_blocked(other)
        assert shop.lines(order) == ["fulfilled", "pending", "pending", "pending"]
        shop.running.kill("worker@")
    shop.wait_for_lines(order, *["fulfilled"] * 4)
    assert (shop.state(order), shop.placements(order), shop.refunds(order)) == ("paid", 2, [])
    sections = shop.sql(
        "SELECT unlocked_sections FROM listings_listing WHERE id = ANY(%s) ORDER BY id", list(owner.listing_ids)
    )
    assert sections == [(["gallery"],), (["gallery"],)]


# ---- listing deleted or week full before payment ----


def test_a_listing_deleted_before_the_money_arrives_fails_the_line_and_refunds_it(shop: Shop) -> None:
    owner = shop.owner("deleted", listings=2)
    order = owner.order(owner.gallery(), owner.gallery(1))
    session = shop.start_paying(order)
    shop.team.do("delete_listing", listing_id=owner.listing_ids[0])
    shop.provider.pay(session)
    assert shop.tell(session) == 204
    shop.wait_for_lines(order, "failed", "fulfilled")
    shop.wait_for_state(order, "partially_refunded")
    assert shop.returned(order) == {session: shop.lines(order, "total_cents")[0]}


def test_a_listing_deleted_before_the_payment_begins_stops_it(shop: Shop) -> None:
    owner = shop.owner("gone")
    order = owner.order(owner.gallery())
    shop.update_total(order)
    shop.team.do("delete_listing", listing_id=owner.listing_ids[0])
    assert shop.press_pay(order).status_code == 409
    assert (shop.payments(order), shop.sessions(order)) == ([], [])


def test_the_last_spot_of_a_week_is_reserved_by_one_and_the_other_cannot_pay(shop: Shop) -> None:
    owner = shop.owner("full", listings=2)
    shop.team.do("change_product", product="newsletter_slot", capacity=1)
    try:
        orders = [owner.order(owner.slot(index, ahead=45)) for index in range(2)]
        for order in orders:
            assert shop.update_total(order).status_code == 302
        pressed = run_at_once(*[lambda order=order: shop.press_pay(order).status_code for order in orders])
        assert sorted(pressed) == [302, 409]
        first, other = sorted(orders, key=lambda order: pressed[orders.index(order)])
        session = shop.session(first)
        shop.provider.pay(session)
        assert shop.tell(session) == 204
        wait_for(lambda: shop.lines(first) == ["fulfilled"])
    finally:
        shop.team.do("change_product", product="newsletter_slot", capacity=None)
    assert (shop.state(first), shop.state(other)) == ("paid", "pending")
    assert (shop.placements(first), shop.placements(other)) == (1, 0)
    assert sum(shop.returned(first).values()) == 0


# ---- 100 % discount ----


def test_an_order_of_nothing_is_paid_without_a_provider(shop: Shop) -> None:
    owner = shop.owner("free")
    shop.team.do("make_promo", code="ALL", percent_off=10_000, max_uses=1)
    order = owner.order(owner.gallery(), promo_code="ALL")
    assert shop.update_total(order).status_code == 302
    assert shop.total(order) == 0
    statuses = {answer.status_code for answer in run_at_once(*[lambda: shop.press_pay(order, method="free")] * 4)}
    assert 302 in statuses
    assert statuses <= {302, 409, 422}
    shop.wait_for_lines(order, "fulfilled")
    assert (shop.state(order), shop.payments(order).count("paid")) == ("paid", 1)
    assert shop.sql("SELECT used FROM orders_promocode WHERE code = 'ALL'") == [(1,)]
    # Whatever else recovery asks the provider, it knows nothing of this order.
    assert shop.sessions(order) == []

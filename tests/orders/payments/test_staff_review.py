"""Asking site admins to review an order."""

import logging

import pytest
from django.db import transaction

from apps.core.models import OutgoingEmail
from apps.listings.models import Listing
from apps.orders.models import Order, SellerSettings
from apps.orders.staff_review import REASON_LENGTH, ask_for_review
from tests.api import ApiClient
from tests.orders.carts import check_out, launch

pytestmark = pytest.mark.db


@pytest.fixture
def order(owner: ApiClient, listing: Listing, seller: SellerSettings) -> Order:
    built = check_out(owner, launch(listing))
    built.site.team_email = "team@example.com"
    built.site.save()
    return built


def ask(order: Order, reason: str) -> Order:
    with transaction.atomic():
        locked: Order = Order.objects.select_for_update().get(pk=order.pk)
        ask_for_review(order=locked, reason=reason)
    return Order.objects.get(pk=order.pk)


def test_the_order_says_why_and_site_admins_get_an_email(order: Order, caplog: pytest.LogCaptureFixture) -> None:
    asked = ask(order, "The money is gone.")
    assert (asked.needs_review, asked.review_reason) == (True, "The money is gone.")
    email = OutgoingEmail.objects.get(to="team@example.com")
    assert order.number in email.subject
    assert "The money is gone." in email.text
    assert asked.site.url(f"/admin/orders/order/{order.pk}/change/") in email.text
    assert [record.levelno for record in caplog.records if record.name == "apps.orders.staff_review"] == [logging.ERROR]


def test_a_reason_is_told_once(order: Order) -> None:
    for _ in range(3):
        asked = ask(order, "The money is gone.")
    assert asked.review_reason == "The money is gone."
    assert OutgoingEmail.objects.filter(to="team@example.com").count() == 1


def test_a_second_reason_is_beside_the_first(order: Order) -> None:
    ask(order, "The money is gone.")
    assert ask(order, "A refund failed.").review_reason == "The money is gone. A refund failed."
    assert OutgoingEmail.objects.filter(to="team@example.com").count() == 2


def test_reasons_are_cut_to_the_column(order: Order) -> None:
    for message in "abc":
        asked = ask(order, message * 200)
    assert len(asked.review_reason) == REASON_LENGTH
    assert asked.needs_review

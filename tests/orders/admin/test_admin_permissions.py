"""Who may do what with sales in the admin: one table, run as allowed and as denied."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.core import serializers
from django.test import Client
from django.urls import reverse

from apps.accounts.models import User
from apps.orders import tasks
from apps.orders.fulfillment import refunds
from apps.orders.fulfillment.refund_lines import refund_lines
from apps.orders.models import Invoice, Order, Payment, Product, PromoCode, Refund
from apps.sites.models import Site
from tests.api import ApiClient
from tests.databases import rolled_back
from tests.factories import ListingFactory, UserFactory
from tests.orders.actors import by_staff, make_seller
from tests.orders.carts import check_out, launch, pay

pytestmark = [pytest.mark.db, pytest.mark.xdist_group("admin_permissions")]

Rows = dict[str, Any]
VIEWS = ("order", "payment", "refund", "invoice", "product", "promocode", "vatrate", "sellersettings", "termsofsale")

# What is done, on which row, the permission it needs, and what is sent besides the confirmation.
DECISIONS: list[tuple[str, str, str, dict[str, Any]]] = [
    ("order_accept_one", "reviewed", "change_order", {}),
    ("order_send_back_one", "reviewed", "change_order", {}),
    ("order_deliver_one", "waiting", "change_order", {}),
    ("order_refund_one", "waiting", "change_order", {"reason": "Asked."}),
    ("order_refund_some", "second", "change_order", {"reason": "Asked.", "lines": "LINE"}),
    ("order_correct_one", "waiting", "change_order", {"name": "Ada Right", "postal_code": "10115"}),
    ("order_cancel_one", "unpaid", "change_order", {}),
    ("payment_accept_one", "review_payment", "change_payment", {}),
    ("payment_send_back_one", "review_payment", "change_payment", {}),
    ("refund_retry_one", "refund", "change_refund", {}),
    ("invoice_print_one", "invoice", "change_invoice", {}),
    ("invoice_email_one", "invoice", "change_invoice", {}),
    ("product_change", "product", "change_product", {"title": "Other", "description": "x", "price_cents": 1}),
    ("promocode_change", "promo", "change_promocode", {"code": "OTHER", "percent_off": "5", "minimum_cents": "0"}),
]
SENT = {
    "min_weeks": 1,
    "position": 1,
    "needs_listing": "on",
    "is_active": "on",
    **{f"{inline}-{name}_FORMS": 0 for inline in ("versions", "uses") for name in ("TOTAL", "INITIAL")},
}


def wrongly_paid(order: Order) -> Payment:
    """A payment in review that the provider has 5000 cents of."""
    from tests.orders.payments.test_manual_review import pay_wrongly

    return pay_wrongly(order)


@pytest.fixture
def rows(db: None, _rows: Rows) -> Rows:
    return deepcopy(_rows)


@pytest.fixture(scope="module")
def _rows(django_db_setup: None, django_db_blocker: Any) -> Iterator[Rows]:
    with rolled_back(django_db_blocker):
        yield _make_rows()


def _make_rows() -> Rows:
    """Orders in the states that the decisions are about."""
    make_seller(Site.objects.get(is_default=True))
    owner = ApiClient(UserFactory.create())
    unpaid, waiting, second, reviewed, delivered = (
        check_out(owner, launch(ListingFactory.create(company__owner=owner.user))) for _ in range(5)
    )
    pay(waiting)
    pay(second)
    pay(delivered)
    tasks.fulfill_order(delivered.pk)
    member = UserFactory.create(is_staff=True)
    (refund,) = refund_lines(
        order=delivered, lines=list(delivered.lines.all()), reason="x", withdraw=False, by=by_staff(member)
    )
    refunds.note_failed(refund)
    # It could not be printed twice: printing it again begins anew.
    Invoice.objects.update(attempts=2)
    return {
        "unpaid": unpaid,
        "waiting": waiting,
        "second": second,
        "reviewed": reviewed,
        "review_payment": wrongly_paid(reviewed),
        "refund": Refund.objects.get(),
        "invoice": waiting.invoices.get(),
        "product": Product.objects.get(site=waiting.site, name="launch"),
        "promo": PromoCode.objects.create(site=waiting.site, code="SAVE", percent_off=100),
    }


def send(client: Client, rows: Rows, decision: str, row: str, values: dict[str, Any]) -> Any:
    target = rows[row]
    lines = {"lines": [rows["second"].lines.get().pk]} if "lines" in values else {}
    site = {"site": target.site_id} if isinstance(target, Product | PromoCode) else {}
    address = reverse(f"admin:orders_{decision}", args=[target.pk])
    return client.post(address, {"confirmed": "yes", **SENT, **site, **values, **lines})


def snapshot() -> str:
    """Everything that the decisions write."""
    models: tuple[Any, ...] = (Order, Payment, Refund, Product, PromoCode)
    result = [serializers.serialize("json", model.objects.order_by("pk")) for model in models]
    invoices = Invoice.objects.order_by("pk").values_list("number", "printed_at", "attempts", "tried_at")
    lines = Order.objects.order_by("pk").values_list("lines__status", "lines__attempts")
    return "".join((*result, str(list(invoices)), str(list(lines))))


def person(*permissions: str, **fields: Any) -> User:
    user = UserFactory.create(**fields)
    user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    return user


def with_the_permission(needed: str) -> User:
    return person(needed, needed.replace("change", "view"), is_staff=True)


def superuser(needed: str) -> User:
    return person(is_staff=True, is_superuser=True)


def viewer(needed: str) -> User:
    return person(*(f"view_{model}" for model in VIEWS), is_staff=True)


def of_another_room(needed: str) -> User:
    others = {"change_order", "change_payment", "change_refund", "change_invoice", "change_product", "change_promocode"}
    return person(needed.replace("change", "view"), *(others - {needed}), is_staff=True)


def without_staff(needed: str) -> User:
    return person(needed, needed.replace("change", "view"))


ALLOWED = [superuser, with_the_permission]
DENIED = [viewer, of_another_room, without_staff]
Make = Callable[[str], User]


@pytest.mark.slow
@pytest.mark.parametrize("who", ALLOWED)
def test_those_who_may_do_it(client: Client, rows: Rows, who: Make) -> None:
    for decision, row, needed, values in DECISIONS:
        client.force_login(who(needed))
        before = snapshot()
        answer = send(client, rows, decision, row, values)
        assert answer.status_code == 302, decision
        if decision in {"order_deliver_one", "invoice_email_one"} or decision in _DONE_BY_ANOTHER:
            continue
        assert snapshot() != before, decision


# After the payment was accepted or the order refunded, these find nothing left to decide.
_DONE_BY_ANOTHER = {"order_send_back_one", "payment_accept_one", "payment_send_back_one"}


@pytest.mark.slow
@pytest.mark.parametrize("who", [*DENIED, None])
def test_those_who_may_not_change_nothing(client: Client, rows: Rows, who: Make | None) -> None:
    before = snapshot()
    for decision, row, needed, values in DECISIONS:
        client.logout()
        if who is not None:
            client.force_login(who(needed))
        answer = send(client, rows, decision, row, values)
        assert answer.status_code == (403 if who in {viewer, of_another_room} else 302), decision
        assert snapshot() == before, decision


@pytest.mark.parametrize(
    ("model", "action", "row"),
    [
        ("order", "accept_as_it_is", "reviewed"),
        ("order", "refund_payment", "reviewed"),
        ("order", "deliver", "waiting"),
        ("order", "cancel", "unpaid"),
        ("payment", "accept_as_it_is", "review_payment"),
        ("payment", "refund_payment", "review_payment"),
        ("refund", "retry", "refund"),
        ("invoice", "print_again", "invoice"),
        ("invoice", "email_again", "invoice"),
    ],
)
def test_lists_hold_to_it_too(client: Client, rows: Rows, model: str, action: str, row: str) -> None:
    before = snapshot()
    sent = {"action": action, "_selected_action": [rows[row].pk]}
    client.force_login(viewer(""))
    answer = client.post(f"/admin/orders/{model}/", {**sent, "confirmed": "yes"})
    assert answer.status_code == 200
    assert "decision" not in answer.context
    client.force_login(with_the_permission(f"change_{model}"))
    asked = client.post(f"/admin/orders/{model}/", sent)
    assert str(rows[row]) in asked.content.decode()
    assert asked.context["can_decide"]
    assert snapshot() == before


def test_a_site_admin_needs_the_forms_token(rows: Rows) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(superuser(""))
    before = snapshot()
    assert send(client, rows, "order_refund_one", "waiting", {"reason": "x"}).status_code == 403
    assert snapshot() == before


@pytest.mark.parametrize("model", VIEWS)
def test_viewers_see_and_others_do_not(client: Client, rows: Rows, model: str) -> None:
    address = f"/admin/orders/{model}/"
    client.force_login(viewer(""))
    assert client.get(address).status_code == 200
    for user, status in ((person(is_staff=True), 403), (person(f"view_{model}"), 302)):
        client.force_login(user)
        assert client.get(address).status_code == status

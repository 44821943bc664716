"""Orders in the admin, and the decisions on them."""

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import admin
from django.db.models import Exists, OuterRef, Prefetch, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from apps.core.admin.base import ModelAdmin, ReadOnly, WeekFilter, labelled, week_column
from apps.core.admin.decisions import Decides, Decision, page_action, rows_at
from apps.core.templatetags.ui import money
from apps.orders.admin import order_decisions
from apps.orders.admin.order_tables import order_tables
from apps.orders.admin.tables import link_to
from apps.orders.models import Invoice, Order, OrderLine, Payment, Placement, PromoUse
from apps.orders.tax import location_evidence

_LABELS = {
    "Pending": "info",
    "Processing": "info",
    "Paid": "success",
    "Partially refunded": "warning",
    "Refunded": "warning",
    "Expired": "danger",
    "Canceled": "danger",
}
_DECISIONS: dict[str, Decision] = {
    "accept_one": order_decisions.ACCEPT,
    "send_back_one": order_decisions.SEND_BACK,
    "deliver_one": order_decisions.DELIVER,
    "refund_one": order_decisions.REFUND,
    "refund_some": order_decisions.REFUND,
    "correct_one": order_decisions.CORRECT,
    "cancel_one": order_decisions.CANCEL,
}


def payments_of_tests() -> QuerySet[Payment]:
    """Limited to the displayed order."""
    return Payment.objects.filter(order=OuterRef("pk"), is_test=True)


class TestFilter(admin.SimpleListFilter):
    """Filters orders by whether they use the test gateway."""

    __test__ = False  # the test runner takes every class of this name for its own
    title = "test"
    parameter_name = "test"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("yes", "Test orders"), ("no", "Real orders")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Order]) -> QuerySet[Order]:
        if self.value() == "yes":
            return queryset.filter(Exists(payments_of_tests()))
        return queryset.exclude(Exists(payments_of_tests())) if self.value() == "no" else queryset


@admin.register(Order)
class OrderAdmin(Decides, ReadOnly, ModelAdmin):
    list_display = ("number", "site", "account", "total", "state", "note", "created_at")
    list_filter = ("site", "status", "needs_review", TestFilter, "created_at", "paid_at")
    list_filter_submit = True
    search_fields = ("number", "account__email", "invoices__number")
    search_help_text = "Order number, email, invoice number, or a provider's payment or refund ID."
    # Orders that need attention come first.
    ordering = ("-needs_review", "-created_at", "-pk")
    actions = ("accept_as_it_is", "refund_payment", "deliver", "cancel")
    actions_detail = tuple(_DECISIONS)
    change_form_after_template = "admin/orders/order_tables.html"
    # Not the secret: anyone who has it can act as the buyer.
    fieldsets = (
        (None, {"fields": ("number", "site", "buyer", "state", "test", "created_at", "paid_at", "expires_at")}),
        ("Review", {"fields": ("review", "review_reason")}),
        (
            "Billing and VAT",
            {
                "fields": (
                    "billed_to",
                    "country",
                    "number_of_vat",
                    "consultation_number",
                    "vat_notice",
                    "places",
                    "sold_by",
                )
            },
        ),
        ("Terms", {"fields": ("terms", "terms_accepted_at")}),
    )
    readonly_fields = (
        "buyer",
        "state",
        "review",
        "test",
        "billed_to",
        "number_of_vat",
        "vat_notice",
        "places",
        "sold_by",
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Order]:
        result: QuerySet[Order] = super().get_queryset(request)
        return result.select_related("site", "account", "terms__site").annotate(is_test=Exists(payments_of_tests()))

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Order], search_term: str
    ) -> tuple[QuerySet[Order], bool]:
        """Providers' references match exactly. Those of test sessions are secrets and match nothing."""
        result, may_repeat = super().get_search_results(request, queryset, search_term)
        term = search_term.strip()
        if not term:
            return result, may_repeat
        payments = Payment.objects.filter(order=OuterRef("pk"), is_test=False)
        named = Exists(payments.filter(reference=term)) | Exists(payments.filter(refunds__reference=term))
        return result | queryset.filter(named), True

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        lines = OrderLine.objects.select_related("listing__company", "listing__site").prefetch_related("placements")
        uses = PromoUse.objects.select_related("promo")
        details = Order.objects.prefetch_related(
            Prefetch("lines", queryset=lines),
            Prefetch("promo_uses", queryset=uses),
            Prefetch("invoices", queryset=Invoice.objects.defer("document", "pdf").order_by("pk")),
            "payments__refunds",
        )
        order = rows_at(details, object_id).first()
        context = {**(extra_context or {}), "tables": order_tables(order) if order else []}
        answer: HttpResponse = super().change_view(request, object_id, form_url, context)
        return answer

    def why_hidden(self) -> Mapping[str, Callable[[Any], str]]:
        return {name: decision.why_not for name, decision in _DECISIONS.items()}

    # ---- what is shown ----
    @admin.display(description="total", ordering="total_cents")
    def total(self, order: Order) -> str:
        return money(order.total_cents)

    @labelled(description="status", ordering="status", colors=_LABELS)
    def state(self, order: Order) -> str:
        return str(order.get_status_display())

    @labelled(description="review", ordering="needs_review", colors={"needs review": "danger"})
    def review(self, order: Order) -> str:
        return "needs review" if order.needs_review else ""

    @labelled(description="payment", colors={"Test payment": "warning"})
    def test(self, order: Any) -> str:
        return "Test payment" if order.is_test else ""

    @labelled(description="note", ordering="needs_review", colors={"needs review": "danger", "Test payment": "warning"})
    def note(self, order: Order) -> str:
        return self.review(order) or self.test(order)

    @admin.display(description="account")
    def buyer(self, order: Order) -> SafeString:
        return link_to(order.account)

    @admin.display(description="billed to")
    def billed_to(self, order: Order) -> SafeString:
        known = order.billing
        town = f"{order.postal_code} {known.get('city', '')}".strip()
        address = known.get("address", "").splitlines()
        parts = [known.get("company"), known.get("name"), *address, town, known.get("email")]
        return format_html_join(SafeString("<br>"), "{}", ((part,) for part in parts if part))

    @admin.display(description="VAT number")
    def number_of_vat(self, order: Order) -> str:
        return f"{order.vat_number} ({order.vat_number_status})" if order.vat_number else ""

    @admin.display(description="buyer notified")
    def vat_notice(self, order: Order) -> str:
        return " ".join(order.notices)

    @admin.display(description="location evidence")
    def places(self, order: Order) -> str:
        """Return whether two items confirm the same country, as VAT rules require."""
        if not order.evidence:
            return ""
        return (
            "Two items match."
            if location_evidence.agree(order)
            else location_evidence.contradiction(order) or "No two items name the same country."
        )

    @admin.display(description="seller")
    def sold_by(self, order: Order) -> str:
        seller = order.seller
        return ", ".join(filter(None, (seller.get("legal_name"), seller.get("country"), seller.get("vat_number"))))

    # ---- decisions ----
    @admin.action(description="Accept payment", permissions=["decide"])
    def accept_as_it_is(self, request: HttpRequest, orders: QuerySet[Order]) -> HttpResponse:
        return self._ask(request, orders, order_decisions.ACCEPT)

    @admin.action(description="Refund payment in review", permissions=["decide"])
    def refund_payment(self, request: HttpRequest, orders: QuerySet[Order]) -> HttpResponse:
        return self._ask(request, orders, order_decisions.SEND_BACK)

    @admin.action(description="Retry delivery", permissions=["decide"])
    def deliver(self, request: HttpRequest, orders: QuerySet[Order]) -> HttpResponse:
        return self._ask(request, orders, order_decisions.DELIVER)

    @admin.action(description="Cancel", permissions=["decide"])
    def cancel(self, request: HttpRequest, orders: QuerySet[Order]) -> HttpResponse:
        return self._ask(request, orders, order_decisions.CANCEL)

    @page_action(description="Accept", permissions=["decide"], icon="check")
    def accept_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.ask_about(request, object_id, order_decisions.ACCEPT)

    @page_action(description="Refund payment", permissions=["decide"], icon="undo", is_dangerous=True)
    def send_back_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.ask_about(request, object_id, order_decisions.SEND_BACK)

    @page_action(description="Retry delivery", permissions=["decide"], icon="replay")
    def deliver_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.ask_about(request, object_id, order_decisions.DELIVER)

    @page_action(description="Refund", permissions=["decide"], icon="currency_exchange", is_dangerous=True)
    def refund_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.ask_about(request, object_id, order_decisions.REFUND)

    @page_action(description="Refund lines", permissions=["decide"], icon="playlist_remove")
    def refund_some(self, request: HttpRequest, object_id: str) -> HttpResponse:
        order = rows_at(Order.objects.all(), object_id).first()
        decision = order_decisions.refund_of_lines(order) if order else order_decisions.REFUND
        return self.ask_about(request, object_id, decision)

    @page_action(description="Correct invoice", permissions=["decide"], icon="edit_document")
    def correct_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        order = rows_at(Order.objects.all(), object_id).first()
        decision = order_decisions.correction_of(order) if order else order_decisions.CORRECT
        return self.ask_about(request, object_id, decision)

    @page_action(description="Cancel", permissions=["decide"], icon="close", is_dangerous=True)
    def cancel_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.ask_about(request, object_id, order_decisions.CANCEL)

    def _ask(self, request: HttpRequest, orders: QuerySet[Order], decision: Decision) -> HttpResponse:
        return self.ask(request, orders, decision, back=request.get_full_path())


@admin.register(Placement)
class PlacementAdmin(ReadOnly, ModelAdmin):
    list_display = ("launch_week", "product", "listing", "site", "in_categories", "bought_for", "of_order")
    list_filter = ("site", "product", ("week", WeekFilter))
    launch_week = week_column("week")
    list_select_related = ("site", "listing__company", "listing__site", "line__order")
    search_fields = ("week", "listing__company__name", "line__order__number")
    ordering = ("-week", "site", "product", "-amount_cents", "pk")
    fields = ("launch_week", "product", "site", "listing", "in_categories", "bought_for", "of_order", "created_at")
    readonly_fields = ("launch_week", "in_categories", "bought_for", "of_order")

    @admin.display(description="categories")
    def in_categories(self, place: Placement) -> str:
        return ", ".join(place.categories)

    @admin.display(description="price", ordering="amount_cents")
    def bought_for(self, place: Placement) -> str:
        return f"{money(place.amount_cents)} a week"

    @admin.display(description="order")
    def of_order(self, place: Placement) -> SafeString:
        return link_to(place.line.order)

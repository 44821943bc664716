"""What the site team sees of sales, and what it can decide."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from unfold.admin import TabularInline

from apps.accounts.models import User
from apps.core.admin import ModelAdmin
from apps.orders import review
from apps.orders.models import (
    Order,
    OrderLine,
    Payment,
    PaymentEvent,
    Placement,
    Product,
    PromoCode,
    PromoUse,
    Refund,
    SellerSettings,
    VatRate,
)
from apps.orders.review_actions import ReviewActions


class ReadOnly:
    """Rows that the payment flow writes: looking is enough, changing them by hand would break the books."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Product)
class ProductAdmin(ModelAdmin):
    list_display = ("title", "name", "site", "price_cents", "unit", "capacity", "is_active")
    list_editable = ("price_cents", "is_active")
    list_filter = ("site", "name")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Product]:
        found: QuerySet[Product] = super().get_queryset(request)
        return found.select_related("site")


@admin.register(PromoCode)
class PromoCodeAdmin(ModelAdmin):
    list_display = ("code", "site", "percent_off", "amount_off_cents", "used", "max_uses", "ends_at", "is_active")
    list_filter = ("site", "is_active")
    search_fields = ("code",)
    readonly_fields = ("used",)


@admin.register(VatRate)
class VatRateAdmin(ModelAdmin):
    list_display = ("country", "rate", "from_date")
    search_fields = ("country",)


@admin.register(SellerSettings)
class SellerSettingsAdmin(ModelAdmin):
    list_display = ("legal_name", "site", "country", "vat_number", "is_vat_registered")


class OrderLineInline(ReadOnly, TabularInline):  # type: ignore[misc]
    model = OrderLine
    fields = ("title", "listing_name", "quantity", "net_cents", "vat_cents", "total_cents", "status", "failure")
    extra = 0


class PaymentInline(ReadOnly, TabularInline):  # type: ignore[misc]
    model = Payment
    fields = ("provider", "status", "amount_cents", "currency", "is_test", "problem", "created_at")
    extra = 0


class PromoUseInline(ReadOnly, TabularInline):  # type: ignore[misc]
    model = PromoUse
    fields = ("promo", "state", "created_at")
    extra = 0


@admin.register(Order)
class OrderAdmin(ReviewActions, ReadOnly, ModelAdmin):
    list_display = ("number", "site", "account", "status", "total_cents", "needs_review", "created_at", "paid_at")
    list_filter = ("site", "status", "needs_review")
    search_fields = ("number", "account__email")
    # Whoever has the secret can act as the buyer.
    exclude = ("secret",)
    inlines = (OrderLineInline, PaymentInline, PromoUseInline)

    def accept(self, row: Order, by: User) -> None:
        review.accept_order(order=row, by=by)

    def send_back(self, row: Order, by: User) -> None:
        review.refund_order(order=row, by=by)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Order]:
        found: QuerySet[Order] = super().get_queryset(request)
        return found.select_related("site", "account")


@admin.register(Payment)
class PaymentAdmin(ReviewActions, ReadOnly, ModelAdmin):
    list_display = ("order", "provider", "known_as", "status", "amount_cents", "currency", "is_test", "created_at")
    list_filter = ("status", "provider", "is_test")
    list_select_related = ("order",)
    search_fields = ("order__number",)
    # They hold the secret of the checkout page and the key of a test session: who has them can act as the buyer
    # or as the provider.
    exclude = ("return_url", "pay_url", "reference")
    readonly_fields = ("known_as",)

    @admin.display(description="The provider's name for it")
    def known_as(self, payment: Payment) -> str:
        return "" if payment.is_test else payment.reference or ""

    def accept(self, row: Payment, by: User) -> None:
        review.accept_payment(payment=row, by=by)

    def send_back(self, row: Payment, by: User) -> None:
        review.refund_payment(payment=row, by=by)


@admin.register(PaymentEvent)
class PaymentEventAdmin(ReadOnly, ModelAdmin):
    list_display = ("provider", "event_id", "kind", "received_at", "processed_at")
    search_fields = ("event_id",)
    exclude = ("reference",)


@admin.register(Refund)
class RefundAdmin(ReadOnly, ModelAdmin):
    list_display = ("payment", "amount_cents", "reason", "status", "created_at", "done_at")
    list_filter = ("status",)


@admin.register(Placement)
class PlacementAdmin(ReadOnly, ModelAdmin):
    list_display = ("product", "listing", "site", "week", "amount_cents")
    list_filter = ("site", "product")

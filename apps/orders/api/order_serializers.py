"""The shape of an order in the API."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.core.api.lists.includes import IncludeField, ShortAnswer
from apps.core.api.serializers import ListedChoiceField, NextStepsField, PageQuery
from apps.orders.api.serializers import PromoSerializer, VatSerializer
from apps.orders.checkout import guidance, notices
from apps.orders.invoices.links import invoice_page_url, invoice_pdf_url
from apps.orders.models import Invoice, Order, OrderLine, Payment, Placement, Refund

SELLER_FIELDS = ("legal_name", "address", "country", "vat_number", "email")
BILLING_FIELDS = ("name", "company", "address", "city", "email")


IN_DETAILS = ("lines", "vat", "notices", "billing", "seller", "payments", "refunds", "invoices", "next_steps")


class OrderQuery(PageQuery):
    """The query string of list_my_orders."""

    include = IncludeField(IN_DETAILS)

    status = ListedChoiceField(choices=Order.Status.choices, required=False)


class PlacementSerializer(serializers.Serializer[Placement]):
    week = serializers.CharField()
    categories = serializers.ListField(child=serializers.CharField())


class OrderLineSerializer(serializers.Serializer[OrderLine]):
    position = serializers.IntegerField(help_text="Line number, starting at 1. Refunds refer to it.")
    product = serializers.CharField()
    title = serializers.CharField()
    description = serializers.CharField()
    listing_id = serializers.IntegerField(allow_null=True)
    listing_name = serializers.CharField()
    options = serializers.DictField()
    quantity = serializers.IntegerField()
    unit_price_cents = serializers.IntegerField()
    net_cents = serializers.IntegerField(help_text="After discount, excluding VAT.")
    discount_cents = serializers.IntegerField()
    vat_cents = serializers.IntegerField(allow_null=True)
    total_cents = serializers.IntegerField()
    status = serializers.ChoiceField(choices=OrderLine.Status.choices)
    fulfilled = serializers.BooleanField(
        source="is_fulfilled", help_text="Whether the line was delivered, or booked for a later week."
    )
    fulfilled_at = serializers.DateTimeField(allow_null=True)
    failure = serializers.CharField(help_text="Why delivery failed. The line is refunded.")
    refunded_cents = serializers.SerializerMethodField(help_text="Refunded amount including VAT.")
    placements = PlacementSerializer(many=True, help_text="Weeks in which the placement runs, once delivered.")

    def get_refunded_cents(self, line: OrderLine) -> int:
        own = [refund for refund in line.order.refunds if refund.line_id == line.pk]
        return sum(refund.amount_cents for refund in own if refund.status == Refund.Status.DONE)


class BillingSerializer(serializers.Serializer[Any]):
    """The billing address entered at checkout."""

    name = serializers.CharField()
    company = serializers.CharField()
    address = serializers.CharField()
    postal_code = serializers.CharField()
    city = serializers.CharField()
    country = serializers.CharField(help_text="Two-letter ISO code. Empty until chosen.")
    email = serializers.CharField(help_text="Email for invoices. Empty to use the account's email.")
    vat_number = serializers.CharField()


class SellerSerializer(serializers.Serializer[Any]):
    """The seller when the order was created."""

    legal_name = serializers.CharField()
    address = serializers.CharField()
    country = serializers.CharField()
    vat_number = serializers.CharField()
    email = serializers.CharField()


class OrderVatSerializer(VatSerializer):
    place = serializers.CharField(allow_null=True, help_text="Country whose VAT applies, or null.")
    scheme = serializers.CharField(allow_null=True, help_text="VAT reporting scheme: local, oss or null.")
    vat_number = serializers.CharField(help_text="Empty if none was given.")
    consultation_number = serializers.CharField(help_text="Reference of the VAT number check. May be empty.")


class PaymentSerializer(serializers.Serializer[Payment]):
    """A payment attempt. A surplus payment is refunded."""

    provider = serializers.CharField()
    status = serializers.ChoiceField(choices=Payment.Status.choices)
    amount_cents = serializers.IntegerField()
    currency = serializers.CharField()
    is_test = serializers.BooleanField(help_text="Whether this is a test payment, which moves no money.")
    created_at = serializers.DateTimeField()
    settled_at = serializers.DateTimeField(allow_null=True)


class RefundSerializer(serializers.Serializer[Any]):
    """A refund."""

    amount_cents = serializers.IntegerField()
    reason = serializers.CharField()
    status = serializers.ChoiceField(choices=Refund.Status.choices)
    created_at = serializers.DateTimeField()
    done_at = serializers.DateTimeField(allow_null=True)
    line_position = serializers.IntegerField(
        allow_null=True, help_text="The refunded line, or null if the whole payment was refunded."
    )


class InvoiceSerializer(serializers.Serializer[Invoice]):
    """An invoice or credit note. Its links require the owner to sign in."""

    number = serializers.CharField()
    kind = serializers.ChoiceField(choices=Invoice.Kind.choices)
    issued_at = serializers.DateTimeField()
    total_cents = serializers.IntegerField(help_text="For a credit note, the credited amount.")
    currency = serializers.CharField()
    is_test = serializers.BooleanField()
    url = serializers.SerializerMethodField(help_text="The invoice's page for the owner.")
    pdf_url = serializers.SerializerMethodField(help_text="Null until the PDF is ready, shortly after payment.")

    def get_url(self, invoice: Invoice) -> str:
        return invoice_page_url(invoice)

    def get_pdf_url(self, invoice: Invoice) -> str | None:
        return invoice_pdf_url(invoice)


class OrderSerializer(serializers.Serializer[Order]):
    """An order with all its details. Amounts are in US cents."""

    number = serializers.CharField()
    site = serializers.CharField(source="site.key")
    status = serializers.ChoiceField(choices=Order.Status.choices)
    needs_review = serializers.BooleanField(help_text="Whether a payment is under manual review.")
    review_note = serializers.SerializerMethodField(help_text="What to tell the person about the review, or null.")
    created_at = serializers.DateTimeField()
    paid_at = serializers.DateTimeField(allow_null=True)
    expires_at = serializers.DateTimeField(help_text="Prices are held and payment is possible until then.")
    currency = serializers.CharField()
    lines = OrderLineSerializer(many=True)
    promo = serializers.SerializerMethodField()
    subtotal_cents = serializers.IntegerField(help_text="Before discount, excluding VAT.")
    discount_cents = serializers.IntegerField()
    net_cents = serializers.IntegerField(help_text="After discount, excluding VAT.")
    vat = serializers.SerializerMethodField()
    total_cents = serializers.IntegerField()
    notices = serializers.SerializerMethodField(help_text="Messages for the person, such as about VAT.")
    billing = serializers.SerializerMethodField()
    seller = serializers.SerializerMethodField()
    payments = PaymentSerializer(many=True)
    refunds = serializers.SerializerMethodField()
    invoices = InvoiceSerializer(many=True)
    checkout_url = serializers.SerializerMethodField(help_text="Checkout page while the order can be paid, or null.")
    order_url = serializers.CharField(source="page_url", help_text="The order's page for the owner.")
    next_steps = NextStepsField(guidance.next_steps)

    def get_review_note(self, order: Order) -> str | None:
        return guidance.review_note(order)

    @extend_schema_field(PromoSerializer(allow_null=True))
    def get_promo(self, order: Order) -> Any:
        return {"code": order.promo_code, "discount_cents": order.discount_cents} if order.promo_code else None

    @extend_schema_field(OrderVatSerializer)
    def get_vat(self, order: Order) -> Any:
        return {
            "country": order.country or None,
            "place": order.vat_place or None,
            "scheme": order.vat_scheme or None,
            "rate": order.vat_rate,
            "amount_cents": order.vat_cents,
            "treatment": order.vat_treatment,
            "vat_number": order.vat_number,
            "vat_number_status": order.vat_number_status or None,
            "consultation_number": order.consultation_number,
        }

    def get_notices(self, order: Order) -> list[str]:
        return [*notices.of_order(order), *order.notices]

    @extend_schema_field(BillingSerializer)
    def get_billing(self, order: Order) -> Any:
        typed = {name: order.billing.get(name, "") for name in BILLING_FIELDS}
        return typed | {
            "postal_code": order.postal_code,
            "country": order.country,
            "vat_number": order.vat_number,
        }

    @extend_schema_field(SellerSerializer)
    def get_seller(self, order: Order) -> Any:
        return {name: order.seller.get(name, "") for name in SELLER_FIELDS}

    @extend_schema_field(RefundSerializer(many=True))
    def get_refunds(self, order: Order) -> Any:
        positions = {line.pk: line.position for line in order.lines.all()}
        return [
            {
                "amount_cents": refund.amount_cents,
                "reason": refund.reason,
                "status": refund.status,
                "created_at": refund.created_at,
                "done_at": refund.done_at,
                "line_position": positions.get(refund.line_id or 0),
            }
            for refund in order.refunds
        ]

    def get_checkout_url(self, order: Order) -> str | None:
        return guidance.open_checkout_url(order)


class OrderSummarySerializer(ShortAnswer, OrderSerializer):
    """An order in a list, with its details on request."""

    on_request = frozenset(IN_DETAILS)

"""Shapes of products, quotes and orders in the API."""

from typing import Any

from rest_framework import serializers

from apps.core.api.patterns import countries
from apps.core.api.serializers import PlainTextField, StrictIntegerField, StrictSerializer
from apps.launches.calendar.closing import RunningWeek
from apps.orders.countries import read_country
from apps.orders.models import Order, Product, product_choices
from apps.orders.products.catalogue import listing_statuses
from apps.orders.products.registry import kind_of, option_fields
from apps.orders.tax import vat

MAX_ITEMS = 50
MAX_ID = 2**63 - 1
TREATMENTS = [treatment.value for treatment in vat.Treatment]
NUMBER_STATUSES = [status.value for status in vat.NumberStatus]


class ProductSerializer(serializers.Serializer[Product]):
    """Something that can be bought on this site."""

    name = serializers.CharField(help_text="The value of product in order items.")
    title = serializers.CharField()
    description = serializers.CharField()
    price_cents = serializers.IntegerField(help_text="US cents for one unit, without VAT.")
    needs_listing = serializers.BooleanField(help_text="Bought for one of your listings: give its listing_id.")
    listing_statuses = serializers.SerializerMethodField(help_text="Statuses in which a listing can get it.")
    unit = serializers.ChoiceField(choices=Product.Unit.choices, help_text="What one unit is: once, or a week.")
    min_amount_cents = serializers.IntegerField(allow_null=True, help_text="Where you name the price: the lowest.")
    min_weeks = serializers.IntegerField()
    capacity = serializers.IntegerField(allow_null=True, help_text="Places in a week, or null.")
    unlocks = serializers.ListField(child=serializers.CharField(), help_text="Sections of the listing it opens.")
    options_schema = serializers.SerializerMethodField(
        help_text="JSON Schema of an item's options as they can be chosen now: open weeks, categories, limits."
    )

    def get_listing_statuses(self, product: Product) -> list[str]:
        return listing_statuses()

    def get_options_schema(self, product: Product) -> dict[str, Any]:
        """Needs the offers of the site's products in the context."""
        return kind_of(product.name).options_schema(product, self.context["offers"][product.name])


class RunningWeekSerializer(serializers.Serializer[RunningWeek]):
    """The launch week that runs now. What is bought for it gets only the rest of it."""

    week = serializers.CharField(help_text="ISO week such as 2026-W46.")
    closes_at = serializers.DateTimeField()
    hours_left = serializers.IntegerField()
    is_closing = serializers.BooleanField(help_text="Its last days: by default a launch goes into the next full week.")


class ProductListSerializer(serializers.Serializer[Any]):
    items = ProductSerializer(many=True)
    currency = serializers.CharField()
    current_week = RunningWeekSerializer()


class _WithOptions(StrictSerializer):
    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {**super().get_fields(), **option_fields()}


class ItemOptionsSerializer(_WithOptions):
    """What a product lets you choose; options_schema of list_products says which."""


class ProductNameField(serializers.ChoiceField):
    """One of the products that there is code for, as they are when a request is read."""

    def __init__(self, **kwargs: Any) -> None:
        names = ", ".join(name for name, _ in product_choices())
        super().__init__(choices=product_choices(), **kwargs)
        self.error_messages["invalid_choice"] = f"{{input}} is no product. There are: {names}."


class ItemSerializer(_WithOptions):
    """One thing to buy. Options stand in `options`, or beside it."""

    json_schema = {
        "allOf": [
            {"not": {"required": [name, "options"], "properties": {"options": {"required": [name]}}}}
            for name in option_fields()
        ]
    }

    product = ProductNameField()
    listing_id = StrictIntegerField(
        required=False, min_value=1, max_value=MAX_ID, help_text="The listing of yours that it is for."
    )
    quantity = StrictIntegerField(
        required=False, min_value=1, max_value=1000, help_text="Can be left out: 1, or the number of weeks."
    )
    options = ItemOptionsSerializer(required=False)


class CartSerializer(StrictSerializer):
    """What to price or buy."""

    items: Any = serializers.ListSerializer(
        child=ItemSerializer(), allow_empty=False, max_length=MAX_ITEMS, help_text=f"1 to {MAX_ITEMS} items."
    )
    billing_country = PlainTextField(
        required=False,
        allow_null=True,
        allow_blank=True,
        max_length=2,
        pattern=countries("EL", "UK", "XI"),
        help_text="ISO country code, to see VAT.",
    )
    vat_number = PlainTextField(
        required=False, allow_null=True, allow_blank=True, max_length=20, help_text="For businesses in the EU."
    )
    promo_code = PlainTextField(
        required=False, allow_null=True, allow_blank=True, max_length=80, help_text="Exactly as it was typed."
    )

    def validate_billing_country(self, value: str | None) -> str | None:
        if not value:
            return None
        code = read_country(value)
        if code is None:
            raise serializers.ValidationError("This must be an ISO country code, such as DE.", code="unknown_country")
        return code


class QuoteItemSerializer(serializers.Serializer[Any]):
    product = serializers.CharField()
    title = serializers.CharField()
    listing_id = serializers.IntegerField(allow_null=True)
    listing_name = serializers.CharField()
    options = serializers.DictField()
    quantity = serializers.IntegerField(help_text="Units; weeks where the product is sold by the week.")
    unit_price_cents = serializers.IntegerField()
    net_cents = serializers.IntegerField(help_text="Without VAT, after the discount.")
    discount_cents = serializers.IntegerField(help_text="What the promo code took off this item.")
    vat_cents = serializers.IntegerField(allow_null=True)
    total_cents = serializers.IntegerField()


class VatSerializer(serializers.Serializer[Any]):
    country = serializers.CharField(allow_null=True)
    rate = serializers.IntegerField(allow_null=True, help_text="Basis points: 2550 stands for 25.5 %.")
    amount_cents = serializers.IntegerField(allow_null=True, help_text="null while the country is not known.")
    treatment = serializers.ChoiceField(choices=TREATMENTS)
    vat_number_status = serializers.ChoiceField(choices=NUMBER_STATUSES, allow_null=True)


class PromoSerializer(serializers.Serializer[Any]):
    code = serializers.CharField()
    discount_cents = serializers.IntegerField()


class QuoteSerializer(serializers.Serializer[Any]):
    """A priced cart; all amounts are US cents."""

    site = serializers.CharField(help_text="Key of the site that sells: that of the listings.")
    items = QuoteItemSerializer(many=True)
    promo = PromoSerializer(allow_null=True)
    subtotal_cents = serializers.IntegerField(help_text="Without VAT, before the discount.")
    discount_cents = serializers.IntegerField()
    net_cents = serializers.IntegerField(help_text="Without VAT, after the discount.")
    vat = VatSerializer()
    total_cents = serializers.IntegerField(help_text="With VAT, where it is known.")
    currency = serializers.CharField()
    current_week = RunningWeekSerializer()
    notices = serializers.ListField(child=serializers.CharField(), help_text="What to tell the person.")


class CheckoutSerializer(QuoteSerializer):
    """A new order with the page on which the person pays it."""

    number = serializers.CharField()
    status = serializers.ChoiceField(choices=Order.Status.choices)
    checkout_url = serializers.CharField(help_text="Give it to the person; whoever has it can pay the order.")
    expires_at = serializers.DateTimeField(help_text="Until then prices are held.")

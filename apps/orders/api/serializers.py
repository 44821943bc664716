"""Shapes of products, quotes and orders in the API."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.core.api.lists.includes import ShortAnswer
from apps.core.api.patterns import countries
from apps.core.api.serializers import (
    ListedChoiceField,
    PlainTextField,
    QueryIntegerField,
    StrictIntegerField,
    StrictListSerializer,
    StrictSerializer,
)
from apps.core.text.countries import country_hint
from apps.launches.calendar.closing import RunningWeek
from apps.orders.countries import BILLING_COUNTRIES, SPELLINGS, read_country
from apps.orders.models import Order, Product, product_choices
from apps.orders.products.base import WEEKS_AHEAD
from apps.orders.products.catalog import WeekSpots, listing_statuses
from apps.orders.products.options import in_short
from apps.orders.products.registry import kind_of, option_fields
from apps.orders.tax import vat
from apps.sites.requests import SiteQuery

MAX_ITEMS = 50
MAX_ID = 2**63 - 1
TREATMENTS = [treatment.value for treatment in vat.Treatment]
NUMBER_STATUSES = [status.value for status in vat.NumberStatus]


class ProductSerializer(ShortAnswer):
    """A product sold on this site."""

    on_request = frozenset({"listing_statuses", "options_schema"})

    name = serializers.CharField(help_text="The value to use as product in order items.")
    title = serializers.CharField()
    description = serializers.CharField()
    price_cents = serializers.IntegerField(help_text="US cents per unit, excluding VAT.")
    needs_listing = serializers.BooleanField(help_text="Whether items need the listing_id of one of your listings.")
    listing_statuses = serializers.SerializerMethodField(help_text="Listing statuses that can buy it.")
    unit = serializers.ChoiceField(choices=Product.Unit.choices, help_text="Billing unit: once or per week.")
    min_amount_cents = serializers.IntegerField(
        allow_null=True, help_text="Minimum price if you choose the price yourself."
    )
    min_weeks = serializers.IntegerField()
    capacity = serializers.IntegerField(allow_null=True, help_text="Spots per week, or null if unlimited.")
    unlocks = serializers.ListField(child=serializers.CharField(), help_text="Listing sections it unlocks.")
    options = serializers.SerializerMethodField(
        help_text="What each option takes now, in short. Include options_schema for all of it."
    )
    options_schema = serializers.SerializerMethodField(
        help_text="JSON Schema of the options available now, such as open weeks, categories and limits."
    )

    def get_listing_statuses(self, product: Product) -> list[str]:
        return listing_statuses()

    @extend_schema_field(serializers.DictField(child=serializers.CharField()))
    def get_options(self, product: Product) -> dict[str, str]:
        return in_short(self.get_options_schema(product))

    def get_options_schema(self, product: Product) -> dict[str, Any]:
        """Needs the offers of the site's products in the context."""
        return kind_of(product.name).options_schema(product, self.context["offers"][product.name])


class RunningWeekSerializer(serializers.Serializer[RunningWeek]):
    """The current launch week. Anything bought for it runs only until it closes."""

    week = serializers.CharField(help_text="ISO week, such as 2026-W46.")
    closes_at = serializers.DateTimeField()
    hours_left = serializers.IntegerField()
    is_closing = serializers.BooleanField(
        help_text=("Whether the week is in its last days, when launches default to the next week.")
    )


class ProductListSerializer(serializers.Serializer[Any]):
    items = ProductSerializer(many=True)
    currency = serializers.CharField()
    current_week = RunningWeekSerializer()


class WeeksQuery(SiteQuery):
    weeks = QueryIntegerField(default=12, min_value=1, max_value=WEEKS_AHEAD + 1, help_text="How many weeks.")


class WeekSpotsSerializer(serializers.Serializer[WeekSpots]):
    week = serializers.CharField(help_text="ISO week, such as 2026-W46.")
    first_day = serializers.DateField()
    free_left = serializers.IntegerField(
        allow_null=True, help_text="Spots for free launches. Null before the first week that the free queue assigns."
    )
    paid_left = serializers.IntegerField(help_text="Spots for paid launches.")
    bookable = serializers.ListField(child=serializers.CharField(), help_text="Weekly products with a spot left.")


class WeekPriceSerializer(serializers.Serializer[Product]):
    product = serializers.CharField(source="name")
    price_cents = serializers.IntegerField(help_text="US cents per unit, excluding VAT.")
    unit = serializers.ChoiceField(choices=Product.Unit.choices)


class WeekListSerializer(serializers.Serializer[Any]):
    """The coming launch weeks."""

    items = WeekSpotsSerializer(many=True)
    prices = WeekPriceSerializer(many=True, help_text="What is sold for weeks.")
    currency = serializers.CharField()
    current_week = RunningWeekSerializer()


class _WithOptions(StrictSerializer):
    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {**super().get_fields(), **option_fields()}


class ItemOptionsSerializer(_WithOptions):
    """A product's options, as list_products says."""


class ProductNameField(ListedChoiceField):
    """The name of a registered product."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(choices=product_choices(), **kwargs)


class BillingCountryField(PlainTextField):
    """A country of a billing address; also accepts other codes for it, such as EL and UK of VAT numbers."""

    def to_internal_value(self, data: Any) -> str:
        typed = super().to_internal_value(data)
        code = read_country(typed) if typed else ""
        if code is None:
            raise serializers.ValidationError(country_hint(typed), code="unknown_country")
        return code


class ItemSerializer(_WithOptions):
    """An item to buy. Options go in `options` or beside it."""

    json_schema = {
        "allOf": [
            {"not": {"required": [name, "options"], "properties": {"options": {"required": [name]}}}}
            for name in option_fields()
        ]
    }

    product = ProductNameField()
    listing_id = StrictIntegerField(
        required=False, min_value=1, max_value=MAX_ID, help_text="One of your listings, from list_my_listings."
    )
    quantity = StrictIntegerField(
        required=False, min_value=1, max_value=1000, help_text="Defaults to 1 or the number of weeks."
    )
    options = ItemOptionsSerializer(required=False)


class CartSerializer(StrictSerializer):
    """The items to price or buy."""

    items: Any = StrictListSerializer(
        child=ItemSerializer(), allow_empty=False, max_length=MAX_ITEMS, help_text=f"Items to buy, 1 to {MAX_ITEMS}."
    )
    billing_country = BillingCountryField(
        required=False,
        allow_blank=True,
        max_length=2,
        pattern=countries(*BILLING_COUNTRIES, *SPELLINGS),
        help_text="ISO country code, to calculate VAT.",
    )
    vat_number = PlainTextField(
        required=False, allow_blank=True, max_length=20, help_text="VAT number of an EU business."
    )
    promo_code = PlainTextField(
        required=False, allow_blank=True, max_length=80, help_text="Exactly as the person typed it."
    )


class QuoteItemSerializer(serializers.Serializer[Any]):
    product = serializers.CharField()
    title = serializers.CharField()
    listing_id = serializers.IntegerField(allow_null=True)
    listing_name = serializers.CharField()
    options = serializers.DictField()
    quantity = serializers.IntegerField(help_text="Units, or weeks for products sold by the week.")
    unit_price_cents = serializers.IntegerField()
    net_cents = serializers.IntegerField(help_text="After discount, excluding VAT.")
    discount_cents = serializers.IntegerField(help_text="Discount from the promo code.")
    vat_cents = serializers.IntegerField(allow_null=True)
    total_cents = serializers.IntegerField()


class VatSerializer(serializers.Serializer[Any]):
    country = serializers.CharField(allow_null=True)
    rate = serializers.IntegerField(allow_null=True, help_text="Basis points, so 2550 is 25.5%.")
    amount_cents = serializers.IntegerField(allow_null=True, help_text="Null if the country is unknown.")
    treatment = serializers.ChoiceField(choices=TREATMENTS)
    vat_number_status = serializers.ChoiceField(choices=NUMBER_STATUSES, allow_null=True)


class PromoSerializer(serializers.Serializer[Any]):
    code = serializers.CharField()
    discount_cents = serializers.IntegerField()


class QuoteSerializer(serializers.Serializer[Any]):
    """A priced cart. All amounts are in US cents."""

    site = serializers.CharField(help_text="Key of the site that sells the items.")
    items = QuoteItemSerializer(many=True)
    promo = PromoSerializer(allow_null=True)
    subtotal_cents = serializers.IntegerField(help_text="Before discount, excluding VAT.")
    discount_cents = serializers.IntegerField()
    net_cents = serializers.IntegerField(help_text="After discount, excluding VAT.")
    vat = VatSerializer()
    total_cents = serializers.IntegerField(help_text="Including VAT, if known.")
    currency = serializers.CharField()
    current_week = RunningWeekSerializer()
    notices = serializers.ListField(child=serializers.CharField(), help_text="Messages for the person.")


class CheckoutSerializer(QuoteSerializer):
    """A new order with its checkout page."""

    number = serializers.CharField()
    status = serializers.ChoiceField(choices=Order.Status.choices)
    checkout_url = serializers.CharField(help_text="Checkout page for the person. Anyone with the link can pay.")
    expires_at = serializers.DateTimeField(help_text="Prices are held until then.")

"""Products and sold placements."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone

from apps.core.stores.valkey.generations import site_name
from apps.core.stores.valkey.watch import PublicRow
from apps.core.text.dates import week_text
from apps.core.versions.models import Version

if TYPE_CHECKING:
    from apps.sites.models import Site

LAUNCH = "launch"
# The names of products with code. `products/base.py` registers them, because models can't import it.
PRODUCT_LABELS: dict[str, str] = {}


def product_choices() -> list[tuple[str, str]]:
    """Return name and label of every product. Migrations refer to this function, so a new product needs none."""
    return list(PRODUCT_LABELS.items())


class ProductQuerySet(models.QuerySet["Product"]):
    """Products of sites."""

    def on_sale(
        self, site: "Site | models.Expression", *, names: "Iterable[str] | models.Expression" = PRODUCT_LABELS
    ) -> "ProductQuerySet":
        """Return what can be bought on a site now. Rows without a product class can't."""
        return self.filter(site=site, is_active=True, name__in=names)


class Product(PublicRow):
    """Something that one site sells. An admin sets the price; orders copy it."""

    class Unit(models.TextChoices):
        ONCE = "once"
        WEEK = "week"

    site = models.ForeignKey("sites.Site", on_delete=models.CASCADE, related_name="products")
    name = models.CharField(max_length=20, choices=product_choices)
    title = models.CharField(max_length=80)
    description = models.CharField(max_length=300)
    price_cents = models.BigIntegerField("price", help_text="US cents per unit, without VAT.")
    needs_listing = models.BooleanField(default=True, help_text="Bought for one of the buyer's listings.")
    unit = models.CharField(max_length=4, choices=Unit, default=Unit.ONCE)
    min_amount_cents = models.BigIntegerField(
        "lowest price",
        null=True,
        blank=True,
        help_text="Lowest price per unit in US cents, if buyers choose the price.",
    )
    min_weeks = models.PositiveSmallIntegerField(default=1, help_text="Minimum number of weeks in one order.")
    capacity = models.PositiveSmallIntegerField(null=True, blank=True, help_text="Spots per week. Empty for no limit.")
    unlocks = ArrayField(
        models.CharField(max_length=20),
        default=list,
        blank=True,
        help_text="Listing sections this product unlocks.",
    )
    is_active = models.BooleanField(default=True, help_text="Available to buy.")
    position = models.PositiveSmallIntegerField(default=0)

    objects: ClassVar = ProductQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["site", "position", "id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["site", "name"], name="one_product_per_name"),
            models.CheckConstraint(condition=models.Q(price_cents__gte=0), name="product_price_is_not_negative"),
            models.CheckConstraint(
                condition=models.Q(min_amount_cents__isnull=True) | models.Q(min_amount_cents__gt=0),
                name="product_minimum_is_positive",
            ),
            models.CheckConstraint(condition=models.Q(min_weeks__gte=1), name="product_min_weeks_is_positive"),
        ]

    def __str__(self) -> str:
        return f"{self.title} ({self.site})"

    def generations(self) -> tuple[str, ...]:
        return (site_name(self.site_id),)


class ProductVersion(Version):
    """A product's fields and price from a time on. `snapshot` has its fields by name."""

    product = models.ForeignKey("orders.Product", on_delete=models.CASCADE, related_name="versions")

    class Meta(Version.Meta):
        indexes: ClassVar = [models.Index(fields=["product", "-id"], name="versions_of_product")]

    def __str__(self) -> str:
        return f"{self.product}, version {self.pk}"


class Placement(PublicRow):
    """A listing shown in a paid placement in one week."""

    line = models.ForeignKey("orders.OrderLine", on_delete=models.PROTECT, related_name="placements")
    site = models.ForeignKey("sites.Site", on_delete=models.PROTECT, related_name="placements")
    product = models.CharField(max_length=20, choices=product_choices)
    listing = models.ForeignKey(
        "listings.Listing", on_delete=models.CASCADE, related_name="placements", null=True, blank=True
    )
    week = models.CharField(max_length=8, help_text="ISO week such as 2026-W46.")
    categories = ArrayField(models.CharField(max_length=40), default=list, blank=True)
    amount_cents = models.BigIntegerField(help_text="Amount paid for the week. The highest is shown first.")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering: ClassVar = ["week", "-amount_cents", "id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["line", "week"], name="one_placement_per_line_and_week"),
            models.CheckConstraint(
                condition=models.Q(week__regex=r"^\d{4}-W\d{2}$"), name="placement_week_is_an_iso_week"
            ),
        ]
        indexes: ClassVar = [models.Index(fields=["site", "product", "week"], name="placement_week")]

    def __str__(self) -> str:
        return f"{self.product.replace('_', ' ').capitalize()}, {week_text(self.week)}"

    def generations(self) -> tuple[str, ...]:
        return (site_name(self.site_id),)

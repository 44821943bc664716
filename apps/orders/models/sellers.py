"""Who sells, and the VAT rates."""

from typing import ClassVar

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator
from django.db import models
from django.db.models.functions import Upper

from apps.orders.countries import read_country


class VatRate(models.Model):
    """The standard VAT rate of a country from a day on; the latest row that has begun counts."""

    country = models.CharField(max_length=2, help_text="ISO country code; XI for Northern Ireland.")
    rate = models.PositiveIntegerField(
        validators=[MaxValueValidator(10_000)], help_text="Basis points: 2550 stands for 25.5 %."
    )
    from_date = models.DateField(help_text="First day on which the rate applies.")

    class Meta:
        ordering: ClassVar = ["country", "-from_date"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["country", "from_date"], name="one_vat_rate_per_country_and_day"),
            models.CheckConstraint(condition=models.Q(rate__lte=10_000), name="vat_rate_is_at_most_100_percent"),
            models.CheckConstraint(condition=models.Q(country=Upper("country")), name="vat_rate_country_is_upper_case"),
        ]

    def __str__(self) -> str:
        return f"{self.country} {self.rate / 100:g} % from {self.from_date}"


class SellerSettings(models.Model):
    """Who sells on a site, as far as VAT and invoices ask. Without a row no VAT is charged and no real money taken."""

    class OssMode(models.TextChoices):
        DESTINATION = "destination", "VAT of the customer's country (One Stop Shop)"
        ORIGIN = "origin", "VAT of the seller's country (below the EU-wide threshold)"

    site = models.OneToOneField("sites.Site", on_delete=models.CASCADE, related_name="seller")
    legal_name = models.CharField(max_length=120)
    address = models.TextField(max_length=400, help_text="Street, postal code and city, one a line.")
    country = models.CharField(max_length=2, help_text="ISO country code.")
    vat_number = models.CharField(max_length=20, blank=True, help_text="With its country prefix.")
    is_vat_registered = models.BooleanField(default=False, help_text="Charges VAT.")
    oss_mode = models.CharField(
        max_length=12,
        choices=OssMode,
        default=OssMode.DESTINATION,
        help_text="Whose VAT EU consumers abroad pay.",
    )

    class Meta:
        verbose_name_plural = "seller settings"
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(is_vat_registered=False) | ~models.Q(vat_number=""),
                name="registered_seller_has_a_vat_number",
            ),
            models.CheckConstraint(condition=models.Q(country=Upper("country")), name="seller_country_is_upper_case"),
        ]

    def __str__(self) -> str:
        return self.legal_name

    def clean(self) -> None:
        """Refuse a country that there is not: VAT depends on it."""
        if read_country(self.country) != self.country:
            raise ValidationError({"country": "This must be an ISO country code, such as DE."})

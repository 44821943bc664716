"""Sellers and VAT rates."""

from typing import ClassVar

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, RegexValidator
from django.db import models
from django.db.models.functions import Upper
from django.utils import timezone

from apps.core.stores.valkey.watch import PublicRow
from apps.orders.countries import read_country


class VatRate(PublicRow):
    """The standard VAT rate of a country from a day on. The latest row that has begun counts."""

    country = models.CharField(max_length=2, help_text="ISO country code, or XI for Northern Ireland.")
    rate = models.PositiveIntegerField(
        validators=[MaxValueValidator(10_000)], help_text="In basis points: 2550 is 25.5%."
    )
    from_date = models.DateField(help_text="First day of this rate.")

    class Meta:
        verbose_name = "VAT rate"
        ordering: ClassVar = ["country", "-from_date"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["country", "from_date"], name="one_vat_rate_per_country_and_day"),
            models.CheckConstraint(condition=models.Q(rate__lte=10_000), name="vat_rate_is_at_most_100_percent"),
            models.CheckConstraint(condition=models.Q(country=Upper("country")), name="vat_rate_country_is_upper_case"),
        ]

    def __str__(self) -> str:
        return f"{self.country} {self.rate / 100:g}% from {self.from_date}"


class SellerSettings(PublicRow):
    """The seller on a site, for VAT and invoices. Without a row, no VAT is charged and no real payment taken."""

    class OssMode(models.TextChoices):
        DESTINATION = "destination", "Customer's country (One Stop Shop)"
        ORIGIN = "origin", "Seller's country (below the EU-wide threshold)"

    site = models.OneToOneField("sites.Site", on_delete=models.CASCADE, related_name="seller")
    legal_name = models.CharField(max_length=120)
    address = models.TextField(max_length=400, help_text="Street, postal code and city, each on its own line.")
    country = models.CharField(max_length=2, help_text="ISO country code.")
    vat_number = models.CharField(
        "VAT number", max_length=20, blank=True, help_text="With country prefix, such as DE123456789."
    )
    is_vat_registered = models.BooleanField("registered for VAT", default=False, help_text="The seller charges VAT.")
    oss_mode = models.CharField(
        "EU consumer VAT (OSS)",
        max_length=12,
        choices=OssMode,
        default=OssMode.DESTINATION,
        help_text="Which country's VAT consumers elsewhere in the EU pay.",
    )
    email = models.EmailField(max_length=254, blank=True, help_text="Contact printed on invoices.")
    register_entry = models.CharField(
        max_length=120, blank=True, help_text="Commercial register and number, printed on invoices."
    )
    invoice_prefix = models.CharField(
        max_length=12,
        blank=True,
        validators=[RegexValidator(r"^[A-Z0-9]+$", "Capital letters and digits only.")],
        help_text="Start of invoice numbers. Empty for the site's key in capitals.",
    )
    invoice_footer = models.TextField(max_length=600, blank=True, help_text="Small print at the bottom of invoices.")

    class Meta:
        verbose_name_plural = "seller settings"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["invoice_prefix"], condition=~models.Q(invoice_prefix=""), name="one_seller_per_invoice_prefix"
            ),
            models.CheckConstraint(
                condition=models.Q(is_vat_registered=False) | ~models.Q(vat_number=""),
                name="registered_seller_has_a_vat_number",
            ),
            models.CheckConstraint(condition=models.Q(country=Upper("country")), name="seller_country_is_upper_case"),
        ]

    def __str__(self) -> str:
        return self.legal_name

    def clean(self) -> None:
        """Refuse an unknown country, because VAT depends on it."""
        if self.country and read_country(self.country) != self.country:
            raise ValidationError({"country": "This must be an ISO country code, such as DE."})


class VatRegistration(PublicRow):
    """Where and from when a seller is registered for VAT: at home, in another member state, or in a One Stop Shop.

    A registration at home or in a One Stop Shop limits when VAT is charged or reported that way. Without such rows the
    seller settings alone decide.
    """

    class Scheme(models.TextChoices):
        LOCAL = "local", "Local (in that country)"
        OSS = "oss", "One Stop Shop"

    seller = models.ForeignKey("orders.SellerSettings", on_delete=models.CASCADE, related_name="registrations")
    scheme = models.CharField(max_length=5, choices=Scheme, default=Scheme.LOCAL)
    country = models.CharField(
        max_length=2, help_text="Country of registration. For the One Stop Shop, the member state of identification."
    )
    number = models.CharField(max_length=20)
    from_date = models.DateField(help_text="First day of the registration.")
    until_date = models.DateField(null=True, blank=True, help_text="Last day. Empty while it continues.")

    class Meta:
        ordering: ClassVar = ["country", "from_date"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["seller", "scheme", "country", "from_date"], name="one_registration_per_country_and_day"
            ),
            models.CheckConstraint(
                condition=models.Q(until_date__isnull=True) | models.Q(until_date__gte=models.F("from_date")),
                name="registration_ends_after_it_begins",
            ),
            models.CheckConstraint(condition=models.Q(country=Upper("country")), name="registration_country_is_upper"),
        ]

    def __str__(self) -> str:
        return f"{self.country} {self.number}"

    def clean(self) -> None:
        """Refuse an unknown country."""
        if self.country and read_country(self.country) != self.country:
            raise ValidationError({"country": "This must be an ISO country code, such as DE."})


class TermsOfSale(PublicRow):
    """The terms of sale of a site from a time on. Orders name the accepted version.

    Rows are only added: the latest counts.
    """

    site = models.ForeignKey("sites.Site", on_delete=models.CASCADE, related_name="terms")
    text = models.TextField(max_length=60_000, help_text="Plain text. Separate paragraphs with blank lines.")
    published_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = verbose_name_plural = "terms"
        ordering: ClassVar = ["site", "-published_at", "-id"]

    def __str__(self) -> str:
        return f"{self.site}, {self.published_at:%Y-%m-%d}"


class ExchangeRate(models.Model):
    """The price of a euro in US dollars on a day, as published by the European Central Bank."""

    day = models.DateField(unique=True)
    micros = models.PositiveBigIntegerField(help_text="US dollars per euro, in millionths: 1084500 is 1.0845.")

    class Meta:
        ordering: ClassVar = ["-day"]
        constraints: ClassVar = [
            models.CheckConstraint(condition=models.Q(micros__range=(100_000, 10_000_000)), name="rate_is_plausible"),
        ]

    def __str__(self) -> str:
        return f"{self.day}: {self.micros / 1_000_000:.4f}"

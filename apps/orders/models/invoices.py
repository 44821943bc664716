"""Invoices and credit notes, and the series that number them."""

from typing import ClassVar

from django.db import models
from django.utils import timezone


class InvoiceSeries(models.Model):
    """A gapless number series. Taking the next number locks its row."""

    prefix = models.CharField(max_length=24, unique=True, help_text="Start of its numbers, such as LAUNCH-2026-.")
    last_number = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name_plural = "invoice series"
        ordering: ClassVar = ["prefix"]

    def __str__(self) -> str:
        return self.prefix


class Invoice(models.Model):
    """An invoice or a credit note. The database refuses changes to its content.

    `document` is everything that is printed: seller, buyer, lines, totals, notes. Amounts of credit notes are positive:
    they are what is returned. Only print and email times, and the print itself, are written later.
    """

    class Kind(models.TextChoices):
        INVOICE = "invoice"
        CREDIT_NOTE = "credit_note", "Credit note"

    order = models.ForeignKey("orders.Order", on_delete=models.PROTECT, related_name="invoices")
    kind = models.CharField(max_length=11, choices=Kind)
    series = models.ForeignKey("orders.InvoiceSeries", on_delete=models.PROTECT, related_name="invoices")
    sequence = models.PositiveIntegerField(help_text="Position in the series.")
    number = models.CharField(max_length=40, unique=True)
    revision = models.PositiveSmallIntegerField(default=1, help_text="Counts up with each corrected invoice.")
    original = models.ForeignKey(
        "self",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="credit_notes",
        help_text="The invoice that a credit note corrects.",
    )
    refund = models.OneToOneField(
        "orders.Refund", on_delete=models.PROTECT, null=True, blank=True, related_name="credit_note"
    )
    is_test = models.BooleanField(default=False)
    issued_at = models.DateTimeField(default=timezone.now)
    issue_date = models.DateField(help_text="Date on the invoice, UTC.")
    currency = models.CharField(max_length=3)
    net_cents = models.BigIntegerField()
    vat_cents = models.BigIntegerField("VAT cents")
    total_cents = models.BigIntegerField()
    vat_country = models.CharField(
        "VAT country", max_length=2, blank=True, help_text="Country that gets the VAT. Empty if none is due."
    )
    vat_rate = models.PositiveIntegerField("VAT rate", help_text="In basis points: 2550 is 25.5%.")
    vat_treatment = models.CharField("VAT treatment", max_length=16)
    vat_scheme = models.CharField(
        "VAT scheme", max_length=5, blank=True, help_text="Reported locally or through the One Stop Shop."
    )
    document = models.JSONField(help_text="The complete content of the document.")

    pdf = models.BinaryField("PDF", null=True, blank=True)
    printed_at = models.DateTimeField(null=True, blank=True)
    emailed_at = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0, help_text="Failed attempts to create the PDF.")
    tried_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["-issued_at", "-id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["series", "sequence"], name="one_invoice_per_number"),
            models.UniqueConstraint(
                fields=["order", "revision"], condition=models.Q(kind="invoice"), name="one_invoice_per_order_revision"
            ),
            models.CheckConstraint(
                condition=models.Q(kind="invoice", original__isnull=True, refund__isnull=True)
                | models.Q(kind="credit_note", original__isnull=False),
                name="credit_note_names_its_invoice",
            ),
            models.CheckConstraint(
                condition=models.Q(
                    net_cents__gte=0, vat_cents__gte=0, total_cents=models.F("net_cents") + models.F("vat_cents")
                ),
                name="invoice_total_is_net_and_vat",
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["issue_date", "id"], name="invoices_by_day"),
            models.Index(fields=["id"], condition=models.Q(printed_at__isnull=True), name="invoices_to_print"),
        ]

    def __str__(self) -> str:
        return self.number

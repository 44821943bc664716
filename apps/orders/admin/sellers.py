"""Sellers, VAT registrations and rates, and terms of sale in the admin."""

from typing import Any, ClassVar

from django import forms
from django.contrib import admin
from django.db.models import F, OuterRef, QuerySet, Subquery
from django.http import HttpRequest
from unfold.admin import StackedInline

from apps.core.admin.base import ModelAdmin, labelled
from apps.core.admin.fields import PercentField
from apps.core.text.countries import COUNTRIES, by_name
from apps.orders.countries import BILLING_COUNTRIES
from apps.orders.models import SellerSettings, TermsOfSale, VatRate, VatRegistration
from apps.orders.tax import seller_rules
from apps.sites.models import Site


def country_field(**others: str) -> forms.ChoiceField:
    """Return a field in which a country is chosen by its name. `others` are names of more codes."""
    return forms.ChoiceField(choices=[("", "Choose a country"), *by_name({**COUNTRIES, **others})])


class VatRateForm(forms.ModelForm[VatRate]):
    country = country_field(XI=BILLING_COUNTRIES["XI"])
    rate = PercentField(help_text="Standard rate in percent, such as 21 or 25.5.")


@admin.register(VatRate)
class VatRateAdmin(ModelAdmin):
    form = VatRateForm
    list_display = ("country", "name", "percent", "from_date")
    list_filter = ("country",)
    search_fields = ("country",)
    date_hierarchy = "from_date"

    def get_readonly_fields(self, request: HttpRequest, obj: VatRate | None = None) -> tuple[str, ...]:
        return ("country", "percent", "from_date") if obj and seller_rules.is_used(obj) else ()

    def get_fieldsets(self, request: HttpRequest, obj: VatRate | None = None) -> Any:
        if obj and seller_rules.is_used(obj):
            text = "Orders were priced with this rate. Add a row with the first day of the new rate instead."
            return ((None, {"fields": ("country", "percent", "from_date"), "description": text}),)
        return ((None, {"fields": ("country", "rate", "from_date")}),)

    def get_form(self, request: HttpRequest, obj: VatRate | None = None, change: bool = False, **kwargs: Any) -> Any:
        if obj and seller_rules.is_used(obj):
            # The form's own field would stay in it.
            kwargs["form"] = forms.ModelForm
        return super().get_form(request, obj, change=change, **kwargs)

    def has_delete_permission(self, request: HttpRequest, obj: VatRate | None = None) -> bool:
        """Allow deleting a single rate that no order uses."""
        is_free = obj is not None and not seller_rules.is_used(obj)
        return is_free and bool(super().has_delete_permission(request, obj))

    @admin.display(description="country name", ordering="country")
    def name(self, rate: VatRate) -> str:
        return BILLING_COUNTRIES.get(rate.country, "")

    @admin.display(description="rate", ordering="rate")
    def percent(self, rate: VatRate) -> str:
        return f"{rate.rate / 100:g}%"


class VatRegistrationForm(forms.ModelForm[VatRegistration]):
    country = country_field()


class VatRegistrationInline(StackedInline):  # type: ignore[misc]  # published without types
    model = VatRegistration
    form = VatRegistrationForm
    verbose_name_plural = "VAT registrations"
    fields = (("scheme", "country", "number"), ("from_date", "until_date"))
    extra = 0


class SellerForm(forms.ModelForm[SellerSettings]):
    country = country_field()

    class Meta:
        labels: ClassVar = {
            "is_vat_registered": "Registered for VAT",
            "vat_number": "VAT number",
            "oss_mode": "EU consumer VAT",
        }

    def clean_invoice_prefix(self) -> str:
        return str(self.cleaned_data["invoice_prefix"] or "").strip().upper()

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        site = self.instance.site if self.instance.pk else cleaned.get("site")
        if isinstance(site, Site) and "invoice_prefix" in cleaned:
            problem = seller_rules.prefix_problem(site=site, chosen=cleaned["invoice_prefix"])
            if problem:
                self.add_error("invoice_prefix", problem)
        if cleaned.get("is_vat_registered") and not cleaned.get("vat_number"):
            self.add_error("vat_number", "Enter the VAT number. Sellers who charge VAT need one.")
        return cleaned


@admin.register(SellerSettings)
class SellerSettingsAdmin(ModelAdmin):
    form = SellerForm
    list_display = ("legal_name", "site", "country", "vat_number", "is_vat_registered", "oss_mode", "prefix")
    list_filter = ("site",)
    list_select_related = ("site",)
    search_fields = ("legal_name", "vat_number")
    inlines = (VatRegistrationInline,)
    fieldsets = (
        (None, {"fields": ("site", "legal_name", "address", "country", "email", "register_entry")}),
        (
            "VAT",
            {
                "fields": ("is_vat_registered", "vat_number", "oss_mode"),
                "description": "Without registration, no VAT is charged. Existing orders keep their VAT.",
            },
        ),
        ("Invoices", {"fields": ("invoice_prefix", "invoice_footer")}),
    )

    def get_readonly_fields(self, request: HttpRequest, obj: SellerSettings | None = None) -> tuple[str, ...]:
        """Make the site read-only on existing settings."""
        return ("site",) if obj else ()

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Without settings, no payment can be taken, so they are changed but never deleted."""
        return False

    @admin.display(description="invoice number prefix")
    def prefix(self, seller: SellerSettings) -> str:
        return seller.invoice_prefix or seller_rules.own_prefix(seller.site, "")


@admin.register(TermsOfSale)
class TermsAdmin(ModelAdmin):
    """Versions are added. Orders name the one that was accepted."""

    list_display = ("site", "published_at", "state", "beginning")
    list_filter = ("site",)
    list_select_related = ("site",)
    fields = ("site", "text", "published_at")
    readonly_fields = ("published_at",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[TermsOfSale]:
        newest = TermsOfSale.objects.filter(site=OuterRef("site")).order_by("-published_at", "-id").values("pk")[:1]
        result: QuerySet[TermsOfSale] = super().get_queryset(request)
        return result.annotate(counting=Subquery(newest)).order_by(F("site").asc(), "-published_at", "-id")

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    @labelled(description="status", colors={"current": "success", "earlier": "info"})
    def state(self, terms: Any) -> str:
        return "current" if terms.counting == terms.pk else "earlier"

    @admin.display(description="text")
    def beginning(self, terms: TermsOfSale) -> str:
        return terms.text[:80]

"""Products of a site in the admin, with their price history."""

from collections.abc import Mapping
from copy import copy
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from apps.accounts.actors import actor_of
from apps.core.admin.base import ChecksField, ModelAdmin, ReadOnlyInline
from apps.core.admin.decisions import Decision
from apps.core.admin.fields import AmountField
from apps.core.templatetags.ui import money
from apps.core.versions.admin import RestoresVersions, ShowsVersions
from apps.core.versions.differences import Difference, difference, plain
from apps.orders.models import Product, ProductVersion
from apps.orders.products import price_history
from apps.orders.products.amount import per_unit
from apps.orders.products.registry import kind_of
from apps.orders.products.rules import SECTIONS, problems_of

_SECTION_CHOICES = [(section, section.upper() if section == "faq" else section.capitalize()) for section in SECTIONS]
_MONEY = ("price_cents", "min_amount_cents")


class ProductForm(forms.ModelForm[Product]):
    """Show problems next to fields. An outdated form doesn't overwrite somebody else's change."""

    price_cents = AmountField(label="Price (USD)", help_text="Per unit, without VAT.")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            # The values when the form was opened. Only changed ones are saved.
            field.show_hidden_initial = True

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if self.errors:
            return cleaned
        draft = copy(self.instance)
        for name in cleaned.keys() & {*self.changed_data}:
            setattr(draft, name, cleaned[name])
        if not draft.pk:
            draft.unit = self.instance.unit = kind_of(draft.name).unit
        for name, problem in problems_of(draft).items():
            self.add_error(name if name in self.fields else None, problem)
        return cleaned


class ProductPageForm(ProductForm):
    """The product form, with sections as checkboxes."""

    min_amount_cents = AmountField(
        label="Lowest price (USD)", required=False, help_text="Per unit, if buyers choose the price."
    )
    unlocks = ChecksField(choices=_SECTION_CHOICES, help_text="Listing sections this product unlocks.")


class ShowsProductVersions(ShowsVersions):
    """Amounts in dollars."""

    def label_of(self, field: str) -> str:
        return super().label_of(field.removesuffix("_cents"))

    def differences(self, version: ProductVersion) -> list[Difference]:
        return [
            difference(
                self.label_of(change["field"]),
                change["before"],
                change["after"],
                text=_dollars if change["field"] in _MONEY else plain,
            )
            for change in version.changes
        ]


class ProductVersionInline(ShowsProductVersions, ReadOnlyInline):
    model = ProductVersion
    verbose_name_plural = "history"
    fields = ("created_at", "what_changed", "who")
    readonly_fields = fields
    per_page = 15

    def get_queryset(self, request: HttpRequest) -> QuerySet[ProductVersion]:
        result: QuerySet[ProductVersion] = super().get_queryset(request)
        return result.select_related("author")


@admin.register(Product)
class ProductAdmin(ModelAdmin):
    form = ProductPageForm
    list_display = ("title", "site", "price_cents", "price", "capacity", "opens", "position", "is_active")
    list_editable = ("price_cents", "position", "is_active")
    list_filter = ("site", "name", "is_active")
    list_select_related = ("site",)
    search_fields = ("title", "description")
    inlines = (ProductVersionInline,)
    fieldsets = (
        (None, {"fields": ("site", "name", "title", "description", "needs_listing")}),
        (
            "Price",
            {
                "fields": ("price_cents", "price", "min_amount_cents", "lowest"),
                "description": "A new price applies to new orders immediately. Existing orders keep theirs.",
            },
        ),
        ("Weeks and spots", {"fields": ("unit", "min_weeks", "capacity")}),
        ("Sections", {"fields": ("unlocks",)}),
        ("In the catalog", {"fields": ("is_active", "position")}),
    )

    def get_readonly_fields(self, request: HttpRequest, obj: Product | None = None) -> tuple[str, ...]:
        """Make site and name read-only: orders refer to them, and the name decides how it is sold."""
        return ("site", "name", "unit", "price", "lowest") if obj else ("unit", "price", "lowest")

    def get_changelist_form(self, request: HttpRequest, **kwargs: Any) -> Any:
        return super().get_changelist_form(request, **{**kwargs, "form": ProductForm})

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Deleting it would delete its history. Deactivate products that are not sold any more."""
        return False

    def save_model(self, request: HttpRequest, obj: Product, form: Any, change: bool) -> None:
        by = actor_of(request, via="admin")
        if change:
            values = {name: form.cleaned_data[name] for name in form.changed_data}
            price_history.change_product(product_id=obj.pk, values=values, by=by)
        else:
            price_history.save_product(product=obj, by=by)

    @admin.display(description="shown as", ordering="price_cents")
    def price(self, product: Product) -> str:
        return f"{money(product.price_cents)}{per_unit(product)}" if product.pk else ""

    @admin.display(description="lowest price")
    def lowest(self, product: Product) -> str:
        lowest = product.min_amount_cents
        return (
            "Buyers pay the price."
            if lowest is None
            else f"{money(lowest)}{per_unit(product)}. Buyers choose the amount."
        )

    @admin.display(description="unlocks")
    def opens(self, product: Product) -> str:
        return ", ".join(product.unlocks)


class FieldFilter(admin.SimpleListFilter):
    """Versions in which a field changed."""

    title = "field"
    parameter_name = "field"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(name, model_admin.label_of(name)) for name in price_history.snapshot_of(Product())]

    def queryset(self, request: HttpRequest, queryset: QuerySet[ProductVersion]) -> QuerySet[ProductVersion]:
        name = self.value()
        return queryset.filter(changes__contains=[{"field": name}]) if name else queryset


def _restore(version: ProductVersion, values: Mapping[str, Any], request: HttpRequest) -> object:
    return price_history.restore_product(version=version, by=actor_of(request, via="admin"))


@admin.register(ProductVersion)
class ProductVersionAdmin(ShowsProductVersions, RestoresVersions, ModelAdmin):
    """The history of all products. Rows are only added, by the service."""

    list_display = ("created_at", "product", "changed", "who")
    list_filter = (
        "product__site",
        "product__name",
        FieldFilter,
        ("author", admin.RelatedOnlyFieldListFilter),
        "created_at",
    )
    list_select_related = ("product__site", "author")
    search_fields = ("product__title", "author__email")
    fields = ("product", "created_at", "who", "way", "restored_from", "what_changed")
    readonly_fields = fields
    restoring = Decision(
        title="Restore this version",
        explanation=["Restores price, texts and limits for new orders. Existing orders keep theirs."],
        done="Products restored",
        decide=_restore,
        why_not=lambda version: "Current version" if price_history.is_sold_as(version) else "",
    )
    restore_permissions = ("orders.change_product",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[ProductVersion]:
        result: QuerySet[ProductVersion] = super().get_queryset(request)
        return result.select_related("product__site", "author", "restored_from__product__site")


def _dollars(value: Any) -> str:
    return "" if value is None else money(value)

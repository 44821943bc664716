"""What a site sells, and what it cost before."""

from copy import copy
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from unfold.admin import TabularInline

from apps.accounts.actors import actor_of
from apps.core.admin.base import ChecksField, ModelAdmin, ReadOnly
from apps.core.templatetags.ui import money
from apps.orders.models import Product, ProductChange
from apps.orders.products import price_history
from apps.orders.products.registry import kind_of
from apps.orders.products.rules import SECTIONS, problems_of

_SECTION_CHOICES = [(section, section.upper() if section == "faq" else section.capitalize()) for section in SECTIONS]
_MONEY = ("price_cents", "min_amount_cents")


class ProductForm(forms.ModelForm[Product]):
    """Says what is wrong beside the field. A form that was opened before somebody else's change keeps that change."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            # What was there when the form was opened: only what differs from it is saved.
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
    """With the sections as boxes."""

    unlocks = ChecksField(choices=_SECTION_CHOICES, help_text="Sections of the listing that it opens.")


class ChangeTexts:
    """A change as people read it: amounts in dollars, nothing for what was not there."""

    @admin.display(description="what")
    def what(self, change: ProductChange) -> str:
        return change.field.removesuffix("_cents").replace("_", " ")

    @admin.display(description="from")
    def old(self, change: ProductChange) -> str:
        return _text(change.field, change.before)

    @admin.display(description="to")
    def new(self, change: ProductChange) -> str:
        return _text(change.field, change.after)

    @admin.display(description="by")
    def who(self, change: ProductChange) -> str:
        return str(change.by) if change.by else "the service"


class ProductChangeInline(ChangeTexts, ReadOnly, TabularInline):  # type: ignore[misc]  # published without types
    model = ProductChange
    verbose_name_plural = "history"
    fields = ("changed_at", "what", "old", "new", "who")
    readonly_fields = fields
    extra = 0
    per_page = 15
    hide_title = True

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Whoever sees a product sees what it cost."""
        return bool(request.user.has_perm("orders.view_product") or request.user.has_perm("orders.change_product"))

    def get_queryset(self, request: HttpRequest) -> QuerySet[ProductChange]:
        found: QuerySet[ProductChange] = super().get_queryset(request)
        return found.select_related("by")


@admin.register(Product)
class ProductAdmin(ModelAdmin):
    form = ProductPageForm
    list_display = ("title", "name", "site", "price_cents", "price", "capacity", "opens", "position", "is_active")
    list_editable = ("price_cents", "position", "is_active")
    list_filter = ("site", "name", "is_active")
    list_select_related = ("site",)
    search_fields = ("title", "description")
    inlines = (ProductChangeInline,)
    fieldsets = (
        (None, {"fields": ("site", "name", "title", "description", "needs_listing")}),
        (
            "Price",
            {
                "fields": ("price_cents", "price", "min_amount_cents", "lowest"),
                "description": "A new price holds at once for new orders. Orders that are built keep theirs.",
            },
        ),
        ("Weeks and places", {"fields": ("unit", "min_weeks", "capacity")}),
        ("Sections", {"fields": ("unlocks",)}),
        ("In the catalogue", {"fields": ("is_active", "position")}),
    )

    def get_readonly_fields(self, request: HttpRequest, obj: Product | None = None) -> tuple[str, ...]:
        """Orders and places know a product by its site and name, and its name says how it is sold."""
        return ("site", "name", "unit", "price", "lowest") if obj else ("unit", "price", "lowest")

    def get_changelist_form(self, request: HttpRequest, **kwargs: Any) -> Any:
        return super().get_changelist_form(request, **{**kwargs, "form": ProductForm})

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Its history would go with it; what is not sold any more is not active."""
        return False

    def save_model(self, request: HttpRequest, obj: Product, form: Any, change: bool) -> None:
        by = actor_of(request, via="admin")
        if change:
            values = {name: form.cleaned_data[name] for name in form.changed_data}
            price_history.change_product(product_id=obj.pk, values=values, by=by)
        else:
            price_history.save_product(product=obj, by=by)

    @admin.display(description="price", ordering="price_cents")
    def price(self, product: Product) -> str:
        return f"{money(product.price_cents)}{_per(product)}" if product.pk else ""

    @admin.display(description="lowest price")
    def lowest(self, product: Product) -> str:
        lowest = product.min_amount_cents
        return "Buyers pay the price." if lowest is None else f"{money(lowest)}{_per(product)}; buyers name theirs."

    @admin.display(description="opens")
    def opens(self, product: Product) -> str:
        return ", ".join(product.unlocks)


@admin.register(ProductChange)
class ProductChangeAdmin(ChangeTexts, ReadOnly, ModelAdmin):
    """The history of all products. Rows are only added, by the service."""

    list_display = ("changed_at", "product", "what", "old", "new", "who")
    list_filter = (
        "product__site",
        "product__name",
        "field",
        ("by", admin.RelatedOnlyFieldListFilter),
        "changed_at",
    )
    list_select_related = ("product__site", "by")
    search_fields = ("product__title", "by__email")
    fields = ("product", "changed_at", "what", "old", "new", "who")
    readonly_fields = fields


def _per(product: Product) -> str:
    return " a week" if product.unit == Product.Unit.WEEK else ""


def _text(field: str, value: Any) -> str:
    if value is None or value == []:
        return ""
    if field in _MONEY:
        return money(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(value) if isinstance(value, list) else str(value)

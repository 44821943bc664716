"""Promo codes, and who used them."""

from copy import copy
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.safestring import SafeString

from apps.core.admin.base import ChecksField, ModelAdmin, ReadOnlyInline, labelled
from apps.core.admin.fields import AmountField, PercentField
from apps.core.templatetags.ui import money
from apps.orders.admin.tables import link_to
from apps.orders.models import PromoCode, PromoUse, product_choices
from apps.orders.pricing import promo_rules
from apps.orders.products.registry import kind_of

_STATES = {"active": "success", "used up": "warning", "not started": "info", "ended": "danger", "off": "danger"}


class PromoForm(forms.ModelForm[PromoCode]):
    percent_off = PercentField(
        required=False,
        min_value=0.01,
        label="Percent off",
        help_text="Percent, such as 15 or 12.5. Leave empty to use an amount.",
    )
    amount_off_cents = AmountField(label="Amount off (USD)", required=False, help_text="Off the whole order.")
    minimum_cents = AmountField(
        label="Minimum (USD)", required=False, help_text="Minimum total of these products. Empty for none."
    )
    products = ChecksField(
        choices=product_choices(),
        help_text="Leave empty for all products.",
    )

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if "minimum_cents" in cleaned:
            cleaned["minimum_cents"] = cleaned["minimum_cents"] or 0
        if self.errors:
            return cleaned
        draft = copy(self.instance)
        for name, value in cleaned.items():
            setattr(draft, name, value)
        before = PromoCode.objects.filter(pk=self.instance.pk or 0).first()
        for name, problem in promo_rules.problems_of(draft, before=before).items():
            self.add_error(name if name in self.fields else None, problem)
        return cleaned


class PromoUseInline(ReadOnlyInline):
    model = PromoUse
    verbose_name_plural = "uses"
    fields = ("order_link", "account", "state", "created_at")
    readonly_fields = fields
    per_page = 20

    def get_queryset(self, request: HttpRequest) -> QuerySet[PromoUse]:
        result: QuerySet[PromoUse] = super().get_queryset(request)
        return result.select_related("order", "account").order_by("-created_at", "-pk")

    @admin.display(description="order")
    def order_link(self, use: PromoUse) -> SafeString:
        return link_to(use.order)


@admin.register(PromoCode)
class PromoCodeAdmin(ModelAdmin):
    form = PromoForm
    list_display = ("code", "site", "off", "good_for", "uses", "starts_at", "ends_at", "state")
    list_filter = ("site", "is_active")
    list_select_related = ("site",)
    search_fields = ("code",)
    inlines = (PromoUseInline,)
    ordering = ("-is_active", "site", "code")
    _new = (
        (None, {"fields": ("site", "code")}),
        (
            "Discount",
            {
                "fields": ("percent_off", "amount_off_cents"),
                "description": "Enter one of the two. An amount reduces the whole order, a percentage its products.",
            },
        ),
        ("Products", {"fields": ("products", "minimum_cents")}),
        ("Limits", {"fields": ("max_uses", "max_uses_per_account", "starts_at", "ends_at")}),
        (None, {"fields": ("is_active",)}),
    )
    _used = (
        (
            "Terms",
            {
                "fields": ("site", "code", "off", "good_for", "minimum", "max_uses_per_account", "starts_at"),
                "description": "Used codes keep their terms. To change them, end this code and create a new one.",
            },
        ),
        ("Limits you can still change", {"fields": ("max_uses", "ends_at", "is_active")}),
    )

    def get_fieldsets(self, request: HttpRequest, obj: PromoCode | None = None) -> Any:
        return self._used if obj and promo_rules.is_used(obj) else self._new

    def get_readonly_fields(self, request: HttpRequest, obj: PromoCode | None = None) -> tuple[str, ...]:
        shown = ("off", "good_for", "minimum")
        return (*shown, *promo_rules.TERMS) if obj and promo_rules.is_used(obj) else shown

    def has_delete_permission(self, request: HttpRequest, obj: PromoCode | None = None) -> bool:
        """Allow deleting a single code that no order uses."""
        if obj is None or promo_rules.is_used(obj) or obj.orders.exists():
            return False
        return bool(super().has_delete_permission(request, obj))

    def save_model(self, request: HttpRequest, obj: PromoCode, form: Any, change: bool) -> None:
        promo_rules.save_promo(promo=obj)

    @admin.display(description="discount")
    def off(self, promo: PromoCode) -> str:
        return f"{promo.percent_off / 100:g}%" if promo.percent_off else money(promo.amount_off_cents)

    @admin.display(description="products")
    def good_for(self, promo: PromoCode) -> str:
        return ", ".join(kind_of(name).label for name in promo.products) or "all products"

    @admin.display(description="minimum")
    def minimum(self, promo: PromoCode) -> str:
        return money(promo.minimum_cents) if promo.minimum_cents else "none"

    @admin.display(description="uses", ordering="used")
    def uses(self, promo: PromoCode) -> str:
        return f"{promo.used} of {promo.max_uses}" if promo.max_uses is not None else str(promo.used)

    @labelled(description="status", colors=_STATES)
    def state(self, promo: PromoCode) -> str:
        now = timezone.now()
        if not promo.is_active:
            return "off"
        if promo.starts_at and now < promo.starts_at:
            return "not started"
        if promo.ends_at and now >= promo.ends_at:
            return "ended"
        return "used up" if promo.max_uses is not None and promo.used >= promo.max_uses else "active"

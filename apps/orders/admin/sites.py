"""Create a new site's products, and add missing ones."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse

from apps.core.admin.decisions import Decides, Decision
from apps.orders.models import Product
from apps.orders.products import catalog
from apps.orders.products.registry import all_kinds
from apps.sites.admin.sites import SiteAdmin
from apps.sites.models import Site


def _seed(site: Site, values: Any, request: HttpRequest) -> None:
    catalog.seed_products(site)


def _missing(site: Site) -> list[str]:
    there = set(Product.objects.filter(site=site).values_list("name", flat=True))
    return [kind.label for kind in all_kinds() if kind.name not in there]


def _why_not(site: Site) -> str:
    return "" if _missing(site) else "The site has every product."


ADD_PRODUCTS = Decision(
    title="Add missing products",
    explanation=["New products use the default prices and are on sale immediately. Existing products don't change."],
    done="Sites updated",
    decide=_seed,
    why_not=_why_not,
    effects=lambda site: [f"Adds {', '.join(_missing(site))}."],
)

# Sales are above sites, so this app adds to the page of sites here.
admin.site.unregister(Site)


@admin.register(Site)
class SellingSiteAdmin(Decides, SiteAdmin):
    actions = ("add_products",)

    def save_model(self, request: HttpRequest, obj: Site, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        if not change:
            catalog.seed_products(obj)
            text = "The site has its first products. Check their prices, and add seller settings."
            self.message_user(request, text, messages.INFO)

    def has_products_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm("orders.add_product"))

    @admin.action(description="Add missing products", permissions=["products"])
    def add_products(self, request: HttpRequest, sites: QuerySet[Site]) -> HttpResponse:
        return self.ask(request, sites, ADD_PRODUCTS, back=request.get_full_path())

"""Admin pages of sales: a module for each kind of record."""

from apps.orders.admin import metrics, setup
from apps.orders.admin.catalog import ProductAdmin, ProductVersionAdmin
from apps.orders.admin.invoices import InvoiceAdmin
from apps.orders.admin.orders import OrderAdmin, PlacementAdmin
from apps.orders.admin.payments import PaymentAdmin, PaymentEventAdmin, RefundAdmin
from apps.orders.admin.promos import PromoCodeAdmin
from apps.orders.admin.reports import ExchangeRateAdmin
from apps.orders.admin.sellers import SellerSettingsAdmin, TermsAdmin, VatRateAdmin
from apps.orders.admin.sites import SellingSiteAdmin

__all__ = [
    "ExchangeRateAdmin",
    "InvoiceAdmin",
    "OrderAdmin",
    "PaymentAdmin",
    "PaymentEventAdmin",
    "PlacementAdmin",
    "ProductAdmin",
    "ProductVersionAdmin",
    "PromoCodeAdmin",
    "RefundAdmin",
    "SellerSettingsAdmin",
    "SellingSiteAdmin",
    "TermsAdmin",
    "VatRateAdmin",
    "metrics",
    "setup",
]

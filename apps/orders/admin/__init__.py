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

# In the admin's sidebar: by group, each model with the name of its rows and a Material symbol.
SIDEBAR = {
    "Sales": (
        ("orders.Order", "Orders", "shopping_cart"),
        ("orders.Invoice", "Invoices and reports", "description"),
        ("orders.Payment", "Payments", "payments"),
        ("orders.Refund", "Refunds", "currency_exchange"),
        ("orders.PaymentEvent", "Provider messages", "webhook"),
        ("orders.Placement", "Placements", "ad_units"),
    ),
    "Prices and VAT": (
        ("orders.Product", "Products and prices", "sell"),
        ("orders.ProductVersion", "Price history", "price_change"),
        ("orders.PromoCode", "Promo codes", "local_offer"),
        ("orders.SellerSettings", "Sellers, VAT and OSS", "account_balance"),
        ("orders.VatRate", "VAT rates", "percent"),
        ("orders.ExchangeRate", "Exchange rates", "euro"),
        ("orders.TermsOfSale", "Terms of sale", "contract"),
    ),
}

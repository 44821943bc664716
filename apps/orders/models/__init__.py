"""The tables of orders: products, sellers, orders and their lines, payments, invoices."""

from apps.orders.models.catalog import LAUNCH, Placement, Product, ProductVersion, product_choices
from apps.orders.models.invoices import Invoice, InvoiceSeries
from apps.orders.models.orders import Order, OrderLine, launch_lines
from apps.orders.models.payments import GatewaySession, Payment, PaymentEvent, Refund
from apps.orders.models.promos import PromoCode, PromoUse
from apps.orders.models.sellers import ExchangeRate, SellerSettings, TermsOfSale, VatRate, VatRegistration

__all__ = [
    "LAUNCH",
    "ExchangeRate",
    "GatewaySession",
    "Invoice",
    "InvoiceSeries",
    "Order",
    "OrderLine",
    "Payment",
    "PaymentEvent",
    "Placement",
    "Product",
    "ProductVersion",
    "PromoCode",
    "PromoUse",
    "Refund",
    "SellerSettings",
    "TermsOfSale",
    "VatRate",
    "VatRegistration",
    "launch_lines",
    "product_choices",
]

"""The tables of orders: what is sold, who sells, orders and their lines, payments."""

from apps.orders.models.catalogue import Placement, Product
from apps.orders.models.orders import Order, OrderLine
from apps.orders.models.payments import GatewaySession, Payment, PaymentEvent, Refund
from apps.orders.models.promos import PromoCode, PromoUse
from apps.orders.models.sellers import SellerSettings, VatRate

__all__ = [
    "GatewaySession",
    "Order",
    "OrderLine",
    "Payment",
    "PaymentEvent",
    "Placement",
    "Product",
    "PromoCode",
    "PromoUse",
    "Refund",
    "SellerSettings",
    "VatRate",
]

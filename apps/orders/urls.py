from django.urls import path

from apps.orders.api.orders import OrderViewSet, ProductViewSet, WeekViewSet
from apps.orders.invoices import views as invoice_pages
from apps.orders.views import buy, checkout, orders, webhooks

api_urlpatterns = [
    path("products", ProductViewSet.as_view({"get": "list_products"})),
    path("weeks", WeekViewSet.as_view({"get": "list_weeks"})),
    path("orders", OrderViewSet.as_view({"get": "list_my_orders"})),
    path("orders/quote", OrderViewSet.as_view({"post": "quote_order"})),
    path("orders/checkout", OrderViewSet.as_view({"post": "create_checkout"})),
    path("orders/<slug:number>", OrderViewSet.as_view({"get": "get_order"})),
    path("orders/<slug:number>/cancel", OrderViewSet.as_view({"post": "cancel_order"})),
]
urlpatterns = [
    path("checkout/<slug:secret>", checkout.checkout, name="checkout"),
    path("checkout/<slug:secret>/pay", checkout.checkout_pay, name="checkout_pay"),
    path(
        "checkout/<slug:secret>/invoices/<slug:invoice_number>.pdf",
        invoice_pages.checkout_invoice_pdf,
        name="checkout_invoice_pdf",
    ),
    path(
        "checkout/<slug:secret>/invoices/<slug:invoice_number>", invoice_pages.checkout_invoice, name="checkout_invoice"
    ),
    path("test-gateway/<slug:session>", checkout.test_gateway, name="test_gateway"),
    path("webhooks/<slug:provider>", webhooks.webhook, name="webhook"),
    path("orders", orders.orders, name="orders"),
    path("orders/<slug:number>", orders.order, name="order"),
    path("orders/<slug:number>/cancel", orders.cancel, name="cancel_order"),
    path("orders/<slug:number>/invoices/<slug:invoice_number>.pdf", invoice_pages.invoice_pdf, name="invoice_pdf"),
    path("orders/<slug:number>/invoices/<slug:invoice_number>", invoice_pages.invoice, name="invoice"),
    path("terms/sale", orders.terms, name="terms_of_sale"),
    path("account/listings/<int:listing_id>/buy", buy.buy, name="buy"),
    path("account/listings/<int:listing_id>/buy-launch", buy.buy_launch, name="buy_launch"),
]

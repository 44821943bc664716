from django.urls import path

from apps.orders import pages
from apps.orders.views import OrderViewSet, ProductViewSet

api_urlpatterns = [
    path("products", ProductViewSet.as_view({"get": "list_products"})),
    path("orders", OrderViewSet.as_view({"get": "list_my_orders"})),
    path("orders/quote", OrderViewSet.as_view({"post": "quote_order"})),
    path("orders/checkout", OrderViewSet.as_view({"post": "create_checkout"})),
    path("orders/<slug:number>", OrderViewSet.as_view({"get": "get_order"})),
]
urlpatterns = [
    path("checkout/<slug:secret>", pages.checkout, name="checkout"),
    path("checkout/<slug:secret>/pay", pages.checkout_pay, name="checkout_pay"),
    path("test-gateway/<slug:session>", pages.test_gateway, name="test_gateway"),
    path("webhooks/<slug:provider>", pages.webhook, name="webhook"),
    path("orders", pages.orders, name="orders"),
    path("orders/<slug:number>", pages.order, name="order"),
    path("account/listings/<int:listing_id>/buy", pages.buy_launch, name="buy_launch"),
]

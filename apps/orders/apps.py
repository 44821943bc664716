from importlib import import_module

from django.apps import AppConfig


class OrdersConfig(AppConfig):
    name = "apps.orders"
    label = "orders"

    def ready(self) -> None:
        import_module("apps.orders.providers.checks")
        import_module("apps.orders.products.registry")

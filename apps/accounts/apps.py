from importlib import import_module

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "apps.accounts"
    label = "accounts"

    def ready(self) -> None:
        import_module("apps.accounts.founders.checks")

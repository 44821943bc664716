from importlib import import_module

from django.apps import AppConfig


class DraftsConfig(AppConfig):
    name = "apps.drafts"
    label = "drafts"

    def ready(self) -> None:
        import_module("apps.drafts.wording_model.checks")

from importlib import import_module

from django.apps import AppConfig


class ProjectConfig(AppConfig):
    name = "config"

    def ready(self) -> None:
        # In every process: tasks need the app to find their broker.
        import_module("config.celery")

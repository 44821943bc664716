from importlib import import_module

from django.apps import AppConfig


class EventsConfig(AppConfig):
    name = "apps.events"
    label = "events"

    def ready(self) -> None:
        import_module("apps.events.recording").follow_states()

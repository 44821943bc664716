from django.apps import AppConfig


class LaunchesConfig(AppConfig):
    name = "apps.launches"
    label = "launches"

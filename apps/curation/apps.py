from django.apps import AppConfig


class CurationConfig(AppConfig):
    name = "apps.curation"
    label = "curation"

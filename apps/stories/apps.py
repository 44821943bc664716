from django.apps import AppConfig


class StoriesConfig(AppConfig):
    name = "apps.stories"
    label = "stories"

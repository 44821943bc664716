from django.apps import AppConfig


class NewsletterConfig(AppConfig):
    name = "apps.newsletter"
    label = "newsletter"

from typing import Any

from allauth.account.signals import email_confirmed
from django.apps import AppConfig


class NewsletterConfig(AppConfig):
    name = "apps.newsletter"
    label = "newsletter"

    def ready(self) -> None:
        email_confirmed.connect(_hand_over, dispatch_uid="newsletter")


def _hand_over(email_address: Any, **_: Any) -> None:
    from apps.newsletter.subscriptions import hand_over  # models are loaded only now

    hand_over(email_address.user)

"""System checks of payment provider settings, so that incomplete ones don't surface at the first checkout."""

from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import urlsplit

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register  # noqa: A004 - Django's own name

from apps.orders.providers import all_gateways

_LOOPBACK = {"localhost", "127.0.0.1", "::1"}
_KINDS = {
    "STRIPE_SECRET_KEY": (("sk_", "rk_"), "a secret or restricted key, which begins with sk_ or rk_"),
    "STRIPE_WEBHOOK_SECRET": (("whsec_",), "a webhook's signing secret, which begins with whsec_"),
}


@register()
def check_providers(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """Report providers with incomplete or swapped settings, and keys that would be sent unencrypted."""
    return [*_half_configured(), *_swapped(), *_unencrypted()]


@register(Tags.security, deploy=True)
def check_test_mode(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """In production, test payments would give away real products."""
    return [
        Warning(
            f"{gateway.title} is in test mode: no money moves.",
            hint="Set its live keys before you sell.",
            id="orders.W001",
        )
        for gateway in all_gateways()
        if gateway.is_test and gateway.is_configured()
    ]


def _half_configured() -> Iterator[CheckMessage]:
    for gateway in all_gateways():
        if missing := gateway.missing_settings():
            hint = f"Set {', '.join(missing)}, or unset {', '.join(sorted({*gateway.setting_names} - {*missing}))}."
            yield Error(f"{gateway.title} is set up in half, and is not offered.", hint=hint, id="orders.E001")


def _swapped() -> Iterator[CheckMessage]:
    for name, (starts, kind) in _KINDS.items():
        value = str(getattr(settings, name))
        if value and not value.startswith(starts):
            yield Error(f"{name} is not {kind}.", id="orders.E002")


def _unencrypted() -> Iterator[CheckMessage]:
    for name in ("STRIPE_API_URL", "PAYPAL_API_URL", "BTCPAY_URL"):
        address = urlsplit(getattr(settings, name))
        if address.scheme == "http" and address.hostname not in _LOOPBACK:
            yield Error(f"{name} must begin with https: keys are sent there.", id="orders.E003")

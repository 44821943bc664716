"""Checks of payment providers, invoices and the VAT register for `manage.py doctor`."""

from collections.abc import Iterator

from django.conf import settings
from django.core import checks
from django.urls import reverse

from apps.core.operations.doctor.examinations import examines
from apps.orders.invoices import printing
from apps.orders.models import SellerSettings
from apps.orders.providers import Gateway, GatewayError, GatewayRefusalError, all_gateways
from apps.orders.tax import vies


@examines("payments")
def _payments() -> Iterator[checks.CheckMessage]:
    offered = [gateway for gateway in all_gateways() if gateway.setting_names and gateway.is_configured()]
    if not offered and not settings.LOCAL:
        hint = "Set the variables of Stripe, PayPal or BTCPay Server (docs/operations/selling.md)."
        yield checks.Warning("No payment provider is set up, so nothing can be sold.", hint=hint)
    for gateway in offered:
        yield from _provider(gateway)


def _provider(gateway: Gateway) -> Iterator[checks.CheckMessage]:
    url = settings.PUBLIC_BASE_URL + reverse("webhook", args=[gateway.key])
    try:
        known = gateway.webhook_urls()
    except GatewayRefusalError as error:
        hint = f"Check {', '.join(gateway.setting_names)}, and that the key can read webhooks."
        yield checks.Error(f"{gateway.key} rejects its credentials: {error.detail}", hint=hint)
    except GatewayError as error:
        yield checks.Error(f"{gateway.key} can't be reached: {error.detail}", hint="Check the firewall and its status.")
    else:
        if url not in known:
            hint = f"Add it at the provider: {url}"
            yield checks.Error(f"{gateway.key} doesn't send its events to this site.", hint=hint)


@examines("invoices")
def _invoices() -> Iterator[checks.CheckMessage]:
    try:
        printing.load_libraries()
    except OSError:
        hint = "Install Debian's libpango-1.0-0, libpangoft2-1.0-0 and libharfbuzz-subset0, and restart the worker."
        kind = checks.Warning if settings.LOCAL else checks.Error
        yield kind("PDF invoices can't be printed: Pango is missing.", hint=hint)


@examines("VAT register")
def _vies() -> Iterator[checks.CheckMessage]:
    # Numbers are checked only where a seller charges VAT.
    if not SellerSettings.objects.filter(is_vat_registered=True).exists() or settings.LOCAL:
        return
    if countries := vies.registers_out():
        hint = "Wait until their registers are back. Until then, customers can order without a number."
        yield checks.Warning(f"VIES can't check numbers from {', '.join(countries)} right now.", hint=hint)

"""What `manage.py doctor` says of payment providers and the VAT register."""

from typing import Any

import pytest

from apps.orders.invoices import printing
from apps.orders.models import SellerSettings
from tests.doctor import findings, problems
from tests.orders.vies_server import ViesServer
from tests.providers.btcpay_server import BTCPayServer
from tests.providers.paypal_server import PayPalServer
from tests.providers.stripe_server import StripeServer

pytestmark = pytest.mark.django_db

PROVIDERS = ("stripe", "paypal", "btcpay")
CREDENTIALS = ("STRIPE_SECRET_KEY", "PAYPAL_CLIENT_SECRET", "BTCPAY_API_KEY")


@pytest.fixture
def servers(stripe: StripeServer, paypal: PayPalServer, btcpay: BTCPayServer, settings: Any) -> list[Any]:
    """All three providers, each sending its events to this site."""
    result = [stripe, paypal, btcpay]
    for name, server in zip(PROVIDERS, result, strict=True):
        server.webhook_url = f"{settings.PUBLIC_BASE_URL}/webhooks/{name}"
    return result


def test_providers_that_know_this_site_are_fine(servers: list[Any]) -> None:
    assert problems("payments") == []


@pytest.mark.parametrize("number", range(3), ids=PROVIDERS)
def test_events_that_go_elsewhere(servers: list[Any], number: int) -> None:
    servers[number].webhook_url = "https://former.example/webhooks"
    [problem] = problems("payments")
    assert problem.startswith(PROVIDERS[number])


@pytest.mark.parametrize("number", range(3), ids=PROVIDERS)
def test_wrong_credentials(servers: list[Any], settings: Any, number: int) -> None:
    setattr(settings, CREDENTIALS[number], "sk_wrong")
    [problem] = problems("payments")
    assert "credentials" in problem


@pytest.mark.parametrize("number", range(3), ids=PROVIDERS)
def test_one_that_is_out(servers: list[Any], settings: Any, number: int) -> None:
    name = ("STRIPE_API_URL", "PAYPAL_API_URL", "BTCPAY_URL")[number]
    setattr(settings, name, "http://127.0.0.1:9")
    [problem] = problems("payments")
    assert "can't be reached" in problem


@pytest.mark.parametrize(("is_local", "level"), [(True, "warning"), (False, "error")])
def test_invoices_without_pango(settings: Any, monkeypatch: pytest.MonkeyPatch, is_local: bool, level: str) -> None:
    def fail() -> None:
        raise OSError("cannot load library 'libpango-1.0-0'")

    settings.LOCAL = is_local
    monkeypatch.setattr(printing, "load_libraries", fail)
    [finding] = findings("invoices")
    assert (finding.level, "libpango" in finding.hint) == (level, True)


def test_nothing_to_pay_with(settings: Any) -> None:
    settings.LOCAL = False
    [problem] = problems("payments")
    assert "No payment provider" in problem


@pytest.mark.slow
def test_registers_that_vies_cannot_ask(vies: ViesServer, seller: SellerSettings, settings: Any) -> None:
    settings.LOCAL = False
    states = {"DE": "Available", "FR": "Unavailable", "ES": "Monitoring Disabled"}
    vies.answer = {"countries": [{"countryCode": code, "availability": state} for code, state in states.items()]}
    [problem] = problems("VAT register")
    assert "FR, ES" in problem


def test_a_register_that_is_out(seller: SellerSettings, settings: Any) -> None:
    settings.LOCAL = False
    [problem] = problems("VAT register")
    assert "Not responding" in problem

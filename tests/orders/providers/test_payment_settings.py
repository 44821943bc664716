"""What the system checks say of the providers' settings."""

from typing import Any

import pytest
from django.core.checks import run_checks

# One of the system checks asks the database.
pytestmark = pytest.mark.django_db

NAMES = [
    "STRIPE_SECRET_KEY",
    "STRIPE_WEBHOOK_SECRET",
    "PAYPAL_CLIENT_ID",
    "PAYPAL_CLIENT_SECRET",
    "PAYPAL_WEBHOOK_ID",
    "BTCPAY_URL",
    "BTCPAY_STORE_ID",
    "BTCPAY_API_KEY",
    "BTCPAY_WEBHOOK_SECRET",
]
GOOD = {
    "STRIPE_SECRET_KEY": "sk_1",
    "STRIPE_WEBHOOK_SECRET": "whsec_1",
    "BTCPAY_URL": "https://pay.example",
}


@pytest.fixture(autouse=True)
def _nothing_is_set(settings: Any) -> None:
    settings.TEST_GATEWAY = False
    for name in NAMES:
        setattr(settings, name, "")


def found(*, deploy: bool = False) -> list[tuple[str, str]]:
    """Id and hint of what is said about orders."""
    messages = run_checks(include_deployment_checks=deploy)
    return [(message.id or "", message.hint or "") for message in messages if (message.id or "").startswith("orders.")]


def test_nothing_set_and_everything_set(settings: Any) -> None:
    assert found(deploy=True) == []
    for name in NAMES:
        setattr(settings, name, GOOD.get(name, "x1"))
    assert found(deploy=True) == []


@pytest.mark.parametrize("name", NAMES)
def test_a_provider_that_is_set_up_in_half(settings: Any, name: str) -> None:
    setattr(settings, name, GOOD.get(name, "x1"))
    [(code, hint)] = found()
    assert code == "orders.E001"
    assert hint.endswith(f"or unset {name}.")
    others = [other for other in NAMES if other != name and other.split("_")[0] == name.split("_")[0]]
    assert all(other in hint for other in others)


@pytest.mark.parametrize(("key", "secret"), [("pk_live_1", "whsec_1"), ("sk_1", "sk_1")])
def test_swapped_values(settings: Any, key: str, secret: str) -> None:
    settings.STRIPE_SECRET_KEY, settings.STRIPE_WEBHOOK_SECRET = key, secret
    assert [code for code, _ in found()] == ["orders.E002"]


@pytest.mark.parametrize("name", ["STRIPE_API_URL", "PAYPAL_API_URL"])
@pytest.mark.parametrize(("address", "codes"), [("http://x.example", ["orders.E003"]), ("http://127.0.0.1:1", [])])
def test_keys_travel_encrypted(settings: Any, name: str, address: str, codes: list[str]) -> None:
    setattr(settings, name, address)
    assert [code for code, _ in found()] == codes


def test_production_hears_of_test_modes(settings: Any) -> None:
    settings.STRIPE_SECRET_KEY, settings.STRIPE_WEBHOOK_SECRET = "sk_test_1", "whsec_1"
    settings.TEST_GATEWAY = True
    assert found() == []
    assert [code for code, _ in found(deploy=True)] == ["orders.W001", "orders.W001"]

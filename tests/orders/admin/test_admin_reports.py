"""Reports and exchange rates in the admin."""

from datetime import date
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.core.exceptions import NON_FIELD_ERRORS
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape

from apps.orders.models import ExchangeRate
from apps.orders.reports import Quarter
from apps.sites.models import Site
from tests.api import ApiClient
from tests.factories import SiteFactory, UserFactory
from tests.orders.books import at, sale

pytestmark = pytest.mark.db

DAYS = {"quarter": "", "first_date": "2026-11-01", "last_date": "2026-11-30"}


@pytest.fixture
def sold(site: Site, owner: ApiClient) -> Site:
    sale(site, owner.account, "SL-1", at("2026-11-01"))
    sale(site, owner.account, "SL-TEST", at("2026-11-02"), country="HU", vat=2673, rate=2700, is_test=True)
    return site


def ask(team: Client, **choice: Any) -> Any:
    return team.get(reverse("admin:orders_invoice_reports"), choice)


def page(answer: Any, status: int = 200) -> str:
    assert answer.status_code == status
    return str(answer.content.decode())


def file(answer: Any) -> str:
    assert answer.status_code == 200
    return b"".join(answer.streaming_content).decode()


def test_the_invoices_lead_there(team: Client) -> None:
    listed = page(team.get(reverse("admin:orders_invoice_changelist")))
    assert reverse("admin:orders_invoice_reports") in listed
    opened = page(ask(team))
    assert str(Quarter.of(timezone.now().date())) in opened
    assert "<table" not in opened


def test_vat_of_a_month_as_a_table(team: Client, sold: Site) -> None:
    shown = page(ask(team, report="vat", **DAYS))
    assert "2026-11-01 to 2026-11-30" in shown
    assert "117.81" in shown
    assert "125.73" not in shown
    assert "125.73" in page(ask(team, report="vat", with_tests="on", **DAYS))
    assert "Nothing was sold." in page(ask(team, report="vat", site=SiteFactory.create().pk, **DAYS))


def test_the_return_of_a_quarter(team: Client, sold: Site) -> None:
    quarter = {"report": "oss", "quarter": "2026-Q4"}
    refused = page(ask(team, **quarter))
    assert "2026-12-31" in refused
    assert "<table" not in refused
    assert "2026-12-31" in page(ask(team, **quarter, download="csv"))
    ExchangeRate.objects.create(day=date(2026, 12, 31), micros=1_080_000)
    shown = page(ask(team, **quarter))
    assert "91.67" in shown
    assert file(ask(team, **quarter, download="csv")).splitlines()[1].endswith(",91.67,17.42")


@pytest.mark.parametrize(("report", "words"), [("documents", "EX-2026-000001"), ("orders", "SL-1")])
def test_long_reports_are_downloaded(team: Client, sold: Site, report: str, words: str) -> None:
    assert "Download it" in page(ask(team, report=report, **DAYS))
    answer = ask(team, report=report, download="csv", **DAYS)
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert answer["Content-Disposition"] == f'attachment; filename="{report}-2026-11-01-to-2026-11-30.csv"'
    assert "no-store" in answer["Cache-Control"]
    text = file(answer)
    assert words in text
    assert not text.startswith("\ufeff")
    assert file(ask(team, report=report, download="csv", with_bom="on", **DAYS)) == "\ufeff" + text


@pytest.mark.parametrize(
    ("choice", "at", "code"),
    [
        ({"report": "vat", "quarter": ""}, NON_FIELD_ERRORS, "no_period"),
        ({"report": "vat", "quarter": "", "first_date": "2026-11-01"}, NON_FIELD_ERRORS, "no_period"),
        ({"report": "oss", **DAYS}, NON_FIELD_ERRORS, "wrong_period"),
        ({"report": "vat", **DAYS, "last_date": "2026-10-01"}, NON_FIELD_ERRORS, "wrong_period"),
        ({"report": "vat", "quarter": "2026-Q9"}, "quarter", "invalid_choice"),
        ({"report": "taxes", "quarter": "2026-Q4"}, "report", "invalid_choice"),
        ({"report": "vat", **DAYS, "first_date": "soon"}, "first_date", "invalid"),
    ],
)
def test_what_cannot_be_asked(team: Client, sold: Site, choice: dict[str, str], at: str, code: str) -> None:
    for button in ({}, {"download": "csv"}):
        answer = ask(team, **choice, **button)
        form = answer.context["form"]
        assert form.has_error(at, code)
        assert escape(form.errors[at][0]) in page(answer)


@pytest.mark.parametrize(
    ("may", "status"),
    [((), 403), (("view_invoice",), 403), (("view_order",), 403), (("view_invoice", "view_order"), 200)],
)
def test_who_may(client: Client, sold: Site, may: tuple[str, ...], status: int) -> None:
    user = UserFactory.create(is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=may, content_type__app_label="orders"))
    client.force_login(user)
    for button in ({}, {"download": "csv"}):
        assert ask(client, report="documents", **DAYS, **button).status_code == status
    client.force_login(UserFactory.create())
    assert ask(client, report="documents", **DAYS).status_code == 302


@pytest.mark.parametrize(
    ("typed", "micros"), [("1.0845", 1_084_500), ("1", 1_000_000), ("0.05", None), ("11", None), ("x", None)]
)
def test_exchange_rates_are_typed_as_the_bank_writes_them(team: Client, typed: str, micros: int | None) -> None:
    values = {"day": "2026-12-31", "micros": typed}
    answer = team.post(reverse("admin:orders_exchangerate_add"), values)
    assert answer.status_code == (302 if micros else 200)
    assert list(ExchangeRate.objects.values_list("micros", flat=True)) == ([micros] if micros else [])
    if micros:
        listed = page(team.get(reverse("admin:orders_exchangerate_changelist")))
        assert f"{micros / 1_000_000:.6f}" in listed
        form = team.get(reverse("admin:orders_exchangerate_change", args=[ExchangeRate.objects.get().pk]))
        assert f'value="{micros / 1_000_000:.6f}"' in page(form)

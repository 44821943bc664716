"""Every page of the Django admin opens, and changes there apply immediately."""

import re
from io import StringIO
from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from lxml import html

from apps.accounts.models import User
from apps.events.models import Event
from apps.launches.models import LedgerEntry
from apps.sites.models import Site
from tests.api import ApiClient
from tests.factories import UserFactory

pytestmark = pytest.mark.db

# Times of day with 12 hours, weeks as the API writes them, and words that are for code.
FOREIGN = re.compile(
    r"\b[ap]\.m\.|\d, (?:midnight|noon)\b|(?<!such as )\b\d{4}-W\d\d\b|\b(?:free|paid) places\b"
    r"|\bleases?\b|\brereads\b|\bUrl\b|^\[\]$|_cents\b",
    re.IGNORECASE | re.MULTILINE,
)

# Their rows are JSON that was recorded for programs.
RECORDS = {Event, LedgerEntry}


def foreign_words(answer: Any) -> list[str]:
    """What an admin page shows that isn't written for people."""
    page: Any = html.fromstring(answer.content.decode())
    for hidden in page.xpath("//script | //style | //template | //textarea"):
        hidden.drop_tree()
    shown = "\n".join(text for node in page.xpath("//main//text()") if (text := str(node).strip()))
    return [one for one in FOREIGN.findall(shown) if one not in {"url", "URL"}]


def crumbs(answer: Any) -> list[str]:
    """The names of the pages above the open one, and its own."""
    page: Any = html.fromstring(answer.content.decode())
    links = page.xpath("//main//a[contains(@class, 'tracking-tight')]")
    return [" ".join(link.text_content().split()) for link in links]


def test_an_empty_list_says_so_and_offers_the_next_step(team: Client, site: Site) -> None:
    empty = team.get("/admin/sites/sitepageversion/").content.decode()
    assert "No page versions yet" in empty
    assert "Clear filters" not in empty
    searched = team.get("/admin/listings/category/?q=nowhere").content.decode()
    assert "No categories match" in searched
    assert {"Add category", "Clear filters"} <= {
        " ".join(text.split()) for text in re.findall(r"</span>([^<]+)</a>", searched)
    }


@pytest.mark.slow
def test_every_list_and_form_opens(team: Client) -> None:
    call_command("seed_demo", stdout=StringIO())
    wrong: dict[str, Any] = {}
    for model in admin.site._registry:
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        rows = team.get(reverse(f"{name}_changelist"))
        assert rows.status_code == 200, model
        wrong[f"{name}, list"] = foreign_words(rows) if model not in RECORDS else []
        assert team.get(reverse(f"{name}_add")).status_code in {200, 403}, model
        # Private collections aren't shown to site admins.
        first = rows.context["cl"].queryset.first()
        if first is not None:
            row = team.get(reverse(f"{name}_change", args=[first.pk]))
            assert row.status_code == 200, model
            wrong[name] = (foreign_words(row) if model not in RECORDS else []) or crumbs(row)[-1] != " ".join(
                str(first).split()
            )
    assert {page: what for page, what in wrong.items() if what} == {}


def test_nothing_in_the_admin_shows_tokens(db: None) -> None:
    shown = {model._meta.label for model in admin.site._registry}
    secret = {model._meta.label for model in apps.get_models() if model._meta.app_label == "oauth2_provider"}
    assert not shown & secret


def test_owners_stay_outside(client: Client, db: None) -> None:
    client.force_login(UserFactory.create())
    assert client.get("/admin/").status_code == 302
    assert User.objects.filter(is_staff=True).count() == 0


def test_a_price_changed_in_the_admin_is_the_price(team: Client, site: Site, anonymous: ApiClient) -> None:
    product = apps.get_model("orders", "Product").objects.get(site=site, name="launch")
    address = reverse("admin:orders_product_change", args=[product.pk])
    form = team.get(address).context["adminform"].form
    values = {name: "" if value is None else value for name, value in form.initial.items()}
    values |= {"unlocks": [], "versions-TOTAL_FORMS": "0", "versions-INITIAL_FORMS": "0"}
    answer = team.post(address, {**values, "price_cents": "123.45"})
    assert answer.status_code == 302, answer.context["adminform"].form.errors
    prices = {item["name"]: item["price_cents"] for item in anonymous.get("/products").json()["items"]}
    assert prices["launch"] == 12345


def test_pages_are_named_as_in_the_sidebar(team: Client, site: Site) -> None:
    answer = team.get(reverse("admin:accounts_user_changelist"))
    assert crumbs(answer) == ["Accounts"]
    assert "<title>Accounts | " in " ".join(answer.content.decode().split()).replace("> Accounts", ">Accounts")
    user = UserFactory.create(email="ada@example.com", name="")
    assert crumbs(team.get(reverse("admin:accounts_user_change", args=[user.pk]))) == ["Accounts", "ada@example.com"]

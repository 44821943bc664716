"""Every page of the Django admin opens, and changes there apply immediately."""

from io import StringIO

import pytest
from django.apps import apps
from django.contrib import admin
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from apps.accounts.models import User
from apps.sites.models import Site
from tests.api import ApiClient
from tests.factories import UserFactory

pytestmark = pytest.mark.db


@pytest.mark.slow
def test_every_list_and_form_opens(team: Client) -> None:
    call_command("seed_demo", stdout=StringIO())
    for model in admin.site._registry:
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        assert team.get(reverse(f"{name}_changelist")).status_code == 200, model
        assert team.get(reverse(f"{name}_add")).status_code in {200, 403}, model
        first = model._default_manager.first()
        if first is not None:
            assert team.get(reverse(f"{name}_change", args=[first.pk])).status_code == 200, model


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

"""Products in the admin: what can be entered, and the history of every change."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from apps.accounts.actors import SYSTEM
from apps.accounts.models import User
from apps.listings.models import Listing
from apps.orders.models import Product, ProductVersion
from apps.orders.products.amount import MAX_AMOUNT_CENTS
from apps.orders.products.catalog import seed_products
from apps.orders.products.price_history import save_product
from apps.orders.products.registry import all_kinds
from apps.orders.products.rules import InvalidProduct
from apps.sites.models import Site
from tests.api import ApiClient
from tests.factories import SiteFactory, UserFactory
from tests.orders.carts import check_out, launch

pytestmark = pytest.mark.db

LIST = "/admin/orders/product/"
HISTORY = "/admin/orders/productversion/"


@pytest.fixture
def product(site: Site) -> Product:
    return Product.objects.get(site=site, name="billboard")


def form_of(page: Any) -> dict[str, Any]:
    """What a page's form would send when nothing is changed, with what it remembers of its opening."""
    form = page.context["adminform"].form
    sent: dict[str, Any] = {}
    for name, field in form.fields.items():
        value = form.get_initial_for_field(field, name)
        if value is None or value is False:
            continue
        sent[name] = field.prepare_value(value)
        sent[form.add_initial_prefix(name)] = field.prepare_value(value)
    for formset in page.context["inline_admin_formsets"]:
        sent |= {f"{formset.formset.prefix}-{name}": "0" for name in ("TOTAL_FORMS", "INITIAL_FORMS")}
    return sent


def dollars(values: dict[str, Any]) -> dict[str, Any]:
    """The values of a form: amounts in cents as they are typed, in dollars."""
    return {
        name: f"{value / 100:.2f}" if name.endswith("_cents") and isinstance(value, int) else value
        for name, value in values.items()
    }


def save(team: Client, product: Product, **changes: Any) -> Any:
    address = reverse("admin:orders_product_change", args=[product.pk])
    return team.post(address, {**form_of(team.get(address)), **dollars(changes)})


def history(product: Product) -> list[tuple[str, Any, Any, User | None]]:
    rows = ProductVersion.objects.filter(product=product).select_related("author").order_by("pk")
    return [(one["field"], one["before"], one["after"], row.author) for row in rows for one in row.changes]


def test_a_change_is_kept_with_who_and_when(team: Client, member: User, product: Product) -> None:
    assert save(team, product, price_cents=35000, title="Big board").status_code == 302
    assert history(product) == [("price_cents", 29900, 35000, member), ("title", "Billboard", "Big board", member)]
    first, newest = ProductVersion.objects.filter(product=product).order_by("pk")
    assert (first.changes, first.author, first.snapshot["price_cents"]) == ([], None, 29900)
    assert (newest.via, newest.snapshot["price_cents"]) == ("admin", 35000)
    page = team.get(reverse("admin:orders_product_change", args=[product.pk])).content.decode()
    assert "$299.00" in page
    assert "$350.00" in page
    assert "price cents" not in re.sub(r"<[^>]+>", " ", page).lower().split("history")[-1]


def test_saving_without_a_change_leaves_no_history(team: Client, product: Product) -> None:
    assert save(team, product).status_code == 302
    assert history(product) == []


def listed(team: Client, products: list[Product], **changes: Any) -> dict[str, Any]:
    """What the list's form sends for these rows."""
    sent: dict[str, Any] = {"form-TOTAL_FORMS": len(products), "form-INITIAL_FORMS": len(products), "_save": "Save"}
    for index, row in enumerate(products):
        values = {"price_cents": row.price_cents, "position": row.position, "is_active": "on"}
        sent |= {f"form-{index}-{name}": value for name, value in values.items()}
        sent |= {f"initial-form-{index}-{name}": value for name, value in values.items()}
        sent[f"initial-form-{index}-is_active"] = "True"
        sent[f"form-{index}-id"] = row.pk
    return dollars({**sent, **changes})


def test_the_list_saves_with_history_too(team: Client, member: User, site: Site) -> None:
    products = list(team.get(LIST).context["cl"].result_list)
    answer = team.post(LIST, listed(team, products, **{"form-0-price_cents": 12345}))
    assert answer.status_code == 302
    assert history(products[0]) == [("price_cents", products[0].price_cents, 12345, member)]
    assert ProductVersion.objects.exclude(changes=[]).count() == 1


def test_a_list_that_was_opened_earlier_takes_no_change_back(team: Client, site: Site) -> None:
    products = list(team.get(LIST).context["cl"].result_list)
    assert (
        f'name="initial-form-0-price_cents" value="{products[0].price_cents / 100:.2f}"'
        in team.get(LIST).content.decode()
    )
    sent = listed(team, products, **{"form-1-price_cents": 50000})
    Product.objects.filter(pk=products[0].pk).update(price_cents=777)
    assert team.post(LIST, sent).status_code == 302
    result = dict(Product.objects.values_list("pk", "price_cents"))
    assert (result[products[0].pk], result[products[1].pk]) == (777, 50000)


def test_a_form_that_was_opened_earlier_takes_no_change_back(team: Client, product: Product) -> None:
    address = reverse("admin:orders_product_change", args=[product.pk])
    sent = form_of(team.get(address)) | {"title": "Big board"}
    Product.objects.filter(pk=product.pk).update(price_cents=30100)
    assert team.post(address, sent).status_code == 302
    product.refresh_from_db()
    assert (product.title, product.price_cents) == ("Big board", 30100)
    assert [row[0] for row in history(product)] == ["title"]


def test_a_new_product_begins_its_history(team: Client, member: User) -> None:
    site = SiteFactory.create()
    values = {
        "site": site.pk,
        "name": "newsletter_slot",
        "title": "Slot",
        "description": "A place.",
        "price_cents": 100,
        "min_weeks": 2,
        "capacity": 1,
        "position": 3,
        "is_active": "on",
        "versions-TOTAL_FORMS": 0,
        "versions-INITIAL_FORMS": 0,
    }
    assert team.post(reverse("admin:orders_product_add"), dollars(values)).status_code == 302
    product = Product.objects.get(site=site)
    assert product.unit == "week"
    kept = {field: (before, after, by) for field, before, after, by in history(product)}
    assert kept["price_cents"] == (None, 100, member)
    assert kept["site"] == (None, site.pk, member)


def test_seeds_begin_their_history_and_leave_what_is_there(site: Site) -> None:
    other = SiteFactory.create()
    seed_products(other)
    first = ProductVersion.objects.filter(product__site=other)
    count = first.count()
    assert set(first.values_list("author", flat=True)) == {None}
    assert first.get(product__name="launch").snapshot["price_cents"] == 9900
    Product.objects.filter(site=other, name="launch").update(price_cents=1)
    Product.objects.filter(site=other, name="section_faq").delete()
    seed_products(other)
    assert Product.objects.get(site=other, name="launch").price_cents == 1
    assert Product.objects.filter(site=other, name="section_faq").exists()
    assert ProductVersion.objects.filter(product__site=other).count() == count


@pytest.mark.parametrize(
    ("name", "values", "field"),
    [
        ("launch", {"price_cents": -1}, "price_cents"),
        ("billboard", {"price_cents": MAX_AMOUNT_CENTS + 1}, "price_cents"),
        ("billboard", {"min_amount_cents": 0}, "min_amount_cents"),
        ("billboard", {"min_amount_cents": 29901}, "min_amount_cents"),
        ("billboard", {"min_amount_cents": MAX_AMOUNT_CENTS + 1}, "min_amount_cents"),
        ("billboard", {"min_weeks": 0}, "min_weeks"),
        ("billboard", {"min_weeks": 53}, "min_weeks"),
        ("billboard", {"capacity": 0}, "capacity"),
        ("billboard", {"unlocks": ["faq"]}, "unlocks"),
        ("launch", {"capacity": 3}, "capacity"),
        ("launch", {"min_weeks": 2}, "min_weeks"),
        ("launch", {"needs_listing": ""}, "needs_listing"),
        ("section_faq", {"unlocks": []}, "unlocks"),
        ("section_faq", {"unlocks": ["secrets"]}, "unlocks"),
        ("section_faq", {"price_cents": "9 dollars"}, "price_cents"),
    ],
)
def test_what_no_product_can_be_is_said_beside_the_field(
    team: Client, site: Site, name: str, values: dict[str, Any], field: str
) -> None:
    product = Product.objects.get(site=site, name=name)
    before = Product.objects.values().get(pk=product.pk)
    answer = save(team, product, **values)
    assert answer.status_code == 200
    assert list(answer.context["adminform"].form.errors) == [field]
    assert Product.objects.values().get(pk=product.pk) == before
    assert history(product) == []


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("launch", {"unit": "week"}),
        ("billboard", {"unit": "once", "capacity": None}),
        ("section_faq", {"unlocks": ["secrets"]}),
        ("launch", {"price_cents": MAX_AMOUNT_CENTS + 1}),
    ],
)
def test_the_service_refuses_it_as_well(site: Site, name: str, values: dict[str, Any]) -> None:
    product = Product.objects.get(site=site, name=name)
    for field, value in values.items():
        setattr(product, field, value)
    with pytest.raises(InvalidProduct):
        save_product(product=product, by=SYSTEM)
    assert history(product) == []


def test_what_orders_know_a_product_by_stays(team: Client, product: Product) -> None:
    other = SiteFactory.create()
    assert save(team, product, site=other.pk, name="launch", unit="once").status_code == 302
    product.refresh_from_db()
    assert (product.site_id == other.pk, product.name, product.unit) == (False, "billboard", "week")


def test_a_new_price_leaves_orders_alone(team: Client, owner: ApiClient, listing: Listing, site: Site) -> None:
    order = check_out(owner, launch(listing))
    total = order.total_cents
    save(team, Product.objects.get(site=site, name="launch"), price_cents=1)
    order.refresh_from_db()
    assert (order.total_cents, order.lines.get().unit_price_cents) == (total, 9900)
    assert check_out(owner, launch(listing)).lines.get().unit_price_cents == 1


def test_history_and_products_cannot_be_deleted_or_changed(team: Client, product: Product) -> None:
    save(team, product, price_cents=40000)
    change = ProductVersion.objects.get(via="admin")
    page = reverse("admin:orders_productversion_change", args=[change.pk])
    assert team.get(page).status_code == 200
    assert team.post(page, {"snapshot": "{}"}).status_code == 403
    assert team.get(reverse("admin:orders_productversion_add")).status_code == 403
    for row in (change, product):
        address = reverse(f"admin:orders_{type(row).__name__.lower()}_delete", args=[row.pk])
        assert team.post(address, {"post": "yes"}).status_code == 403
    sent = {"action": "delete_selected", "_selected_action": [change.pk], "post": "yes"}
    team.post(HISTORY, sent)
    assert ProductVersion.objects.get(via="admin").snapshot["price_cents"] == 40000


def test_the_history_is_found_by_product_and_person(team: Client, member: User, site: Site) -> None:
    for name in ("launch", "billboard"):
        save(team, Product.objects.get(site=site, name=name), price_cents=44444)
    assert team.get(HISTORY).context["cl"].result_count == 4
    for query in ({"product__name": "launch"}, {"q": "Billboard"}):
        assert team.get(HISTORY, query).context["cl"].result_count == 2
    by_person = {"author__id__exact": str(member.pk)}
    for sent, count in (({"field": "price_cents"}, 2), (by_person, 2), ({"field": "title"}, 0)):
        assert team.get(HISTORY, sent).context["cl"].result_count == count


def test_the_list_shows_dollars_beside_the_cents(team: Client, site: Site) -> None:
    page = team.get(LIST).content.decode()
    assert "$99.00" in page
    assert "$299.00 a week" in page


def test_a_new_site_sells_at_once(team: Client) -> None:
    page = team.get(reverse("admin:sites_site_add"))
    values = form_of(page) | {"name": "Second", "key": "second", "host": "second.localhost", "hue": 200}
    answer = team.post(reverse("admin:sites_site_add"), values)
    assert answer.status_code == 302, answer.context["adminform"].form.errors
    assert Product.objects.filter(site__key="second").count() == len(all_kinds())


def test_missing_products_are_added_when_asked(team: Client, site: Site) -> None:
    Product.objects.filter(site=site, name="launch").delete()
    choice = {"action": "add_products", "_selected_action": [site.pk]}
    asked = team.post(reverse("admin:sites_site_changelist"), choice)
    assert "Adds Launch." in asked.content.decode()
    assert not Product.objects.filter(site=site, name="launch").exists()
    team.post(reverse("admin:sites_site_changelist"), {**choice, "confirmed": "yes"})
    assert Product.objects.get(site=site, name="launch").price_cents == 9900


# ---- restoring ----
def restore_address(version: ProductVersion) -> str:
    return reverse("admin:orders_productversion_restore", args=[version.pk])


def test_a_product_is_sold_again_as_it_was(team: Client, member: User, product: Product) -> None:
    save(team, product, price_cents=35000, title="Big board")
    save(team, product, price_cents=40000)
    first, second, third = ProductVersion.objects.filter(product=product).order_by("pk")
    assert "Current version" in team.get(restore_address(third)).content.decode()
    assert team.post(restore_address(first), {"confirmed": "yes"}).status_code == 302
    product.refresh_from_db()
    assert (product.price_cents, product.title) == (29900, "Billboard")
    newest = ProductVersion.objects.latest("pk")
    assert (newest.restored_from, newest.author, newest.via) == (first, member, "admin")
    assert [change["field"] for change in newest.changes] == ["price_cents", "title"]
    page = team.get(reverse("admin:orders_productversion_change", args=[second.pk])).content.decode()
    assert "$299.00</del>" in page
    assert "$350.00</ins>" in page


def test_restoring_needs_the_permission_to_change_products(client: Client, member: User, product: Product) -> None:
    client.force_login(member)
    save(client, product, price_cents=35000)
    first = ProductVersion.objects.filter(product=product).earliest("pk")
    reader = UserFactory.create(is_staff=True)
    reader.user_permissions.add(Permission.objects.get(codename="view_productversion"))
    client.force_login(reader)
    assert client.get(reverse("admin:orders_productversion_change", args=[first.pk])).status_code == 200
    assert client.post(restore_address(first), {"confirmed": "yes"}).status_code == 403
    product.refresh_from_db()
    assert product.price_cents == 35000


def test_what_is_no_product_any_more_is_not_restored(team: Client, product: Product) -> None:
    save(team, product, price_cents=35000)
    first = ProductVersion.objects.filter(product=product).earliest("pk")
    ProductVersion.objects.filter(pk=first.pk).update(snapshot={**first.snapshot, "price_cents": -1})
    assert team.post(restore_address(first), {"confirmed": "yes"}).status_code == 302
    product.refresh_from_db()
    assert product.price_cents == 35000

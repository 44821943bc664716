"""Merging, edits, histories, categories and news in the admin."""

from datetime import date
from typing import Any

import pytest
from django import forms
from django.contrib import admin
from django.test import Client
from django.urls import reverse
from lxml import html

from apps.accounts.actors import Actor
from apps.listings.admin.rows import Rows
from apps.listings.fields.serializers import MAX_FAQS
from apps.listings.models import Category, Company, Listing, ListingVersion, Milestone, Update
from apps.listings.search import find_listings
from apps.listings.services.editing import update_my_listing
from apps.sites.models import Site
from tests.browsing import staff
from tests.factories import CategoryFactory, CompanyFactory, ListingFactory, UserFactory

pytestmark = pytest.mark.db


def said(answer: Any) -> list[str]:
    return [str(message) for message in answer.context["messages"]]


def form_of(client: Client, address: str) -> dict[str, Any]:
    """What the form would send back as it stands."""
    form = client.get(address).context["adminform"].form
    values: dict[str, Any] = {}
    for bound in form:
        value = bound.value()
        if isinstance(value, Rows):
            values |= {bound.html_name: "rows"} | rows_sent(bound.html_name, bound.field.widget.parts, value)
        else:
            values[bound.html_name] = "" if value is None else value
    return values


def rows_sent(name: str, parts: Any, rows: list[list[str]]) -> dict[str, str]:
    """What the inputs of rows would send."""
    return {
        f"{name}_{number}_{part.name}": text
        for number, row in enumerate(rows)
        for part, text in zip(parts, row, strict=True)
    }


# ---- merging ----
def merge_address(keep: Company, drop: Company) -> str:
    return f"{reverse('admin:listings_company_merge', args=[keep.pk])}?drop={drop.pk}"


@pytest.fixture
def pair(db: None) -> tuple[Company, Company]:
    keep, drop = CompanyFactory.create(name="Kept"), CompanyFactory.create(name="Duplicate", city="Riga")
    for company in (keep, drop):
        ListingFactory.create(live=True, company=company)
    return keep, drop


@pytest.mark.slow
def test_two_companies_are_shown_side_by_side_and_then_merged(team: Client, pair: tuple[Company, Company]) -> None:
    keep, drop = pair
    chosen = {"action": "merge_two", "_selected_action": [keep.pk, drop.pk]}
    answer = team.post("/admin/listings/company/", chosen)
    assert answer["Location"] == merge_address(keep, drop)
    page = team.get(answer["Location"]).content.decode()
    assert keep.website in page
    assert drop.website in page
    assert "Riga" in page
    assert "redirects to" in page
    drop.refresh_from_db()
    assert drop.merged_into is None
    answer = team.post(merge_address(keep, drop), {"confirmed": "yes", "owner": drop.owner.pk}, follow=True)
    assert any("0 listings moved, 1 closed" in text for text in said(answer))
    merged = Company.objects.get(pk=keep.pk)
    assert (merged.owner, merged.city) == (drop.owner, "Riga")
    assert Company.objects.get(pk=drop.pk).merged_into == keep


def test_the_account_has_to_be_chosen(team: Client, pair: tuple[Company, Company]) -> None:
    keep, drop = pair
    for owner in ({}, {"owner": UserFactory.create().pk}):
        answer = team.post(merge_address(keep, drop), {"confirmed": "yes", **owner})
        assert answer.status_code == 200
        assert answer.context["form"].errors["owner"]
    drop.refresh_from_db()
    assert drop.merged_into is None


def test_what_prevents_it_is_named(team: Client, pair: tuple[Company, Company]) -> None:
    keep, drop = pair
    week = {"plan": "paid", "status": "scheduled", "launch_week": "2027-W10"}
    Listing.objects.filter(company=drop).update(**week)
    page = team.get(merge_address(keep, drop)).content.decode()
    assert "Keep " in page
    answer = team.post(merge_address(keep, drop), {"confirmed": "yes", "owner": keep.owner.pk})
    assert answer.status_code == 200
    assert any("Keep " in text for text in said(answer))
    assert not Company.objects.exclude(merged_into=None).exists()


@pytest.mark.parametrize("number", [1, 3])
def test_two_are_merged_at_a_time(team: Client, number: int) -> None:
    companies = CompanyFactory.create_batch(number)
    chosen = {"action": "merge_two", "_selected_action": [company.pk for company in companies]}
    assert "Select two companies." in said(team.post("/admin/listings/company/", chosen, follow=True))


def test_the_other_company_can_be_looked_up(team: Client, pair: tuple[Company, Company]) -> None:
    keep, drop = pair
    page = team.get(reverse("admin:listings_company_merge", args=[keep.pk]))
    assert page.status_code == 200
    lookup = {"app_label": "listings", "model_name": "listing", "field_name": "company", "term": "Dupl"}
    result = team.get(reverse("admin:autocomplete"), lookup).json()
    assert [row["id"] for row in result["results"]] == [str(drop.pk)]


@pytest.mark.parametrize("permissions", [("change_company",), ("change_listing",), ("view_company", "view_listing")])
def test_merging_needs_both_permissions(client: Client, pair: tuple[Company, Company], permissions: tuple[str]) -> None:
    client.force_login(staff(*permissions))
    keep, drop = pair
    for answer in (
        client.get(merge_address(keep, drop)),
        client.post(merge_address(keep, drop), {"confirmed": "yes", "owner": keep.owner.pk}),
    ):
        assert answer.status_code == 403
    drop.refresh_from_db()
    assert drop.merged_into is None


# ---- edits and versions ----
def test_an_edit_in_the_admin_is_in_the_history_and_in_the_search(team: Client, site: Site) -> None:
    listing = ListingFactory.create(live=True, headline="Before")
    address = reverse("admin:listings_listing_change", args=[listing.pk])
    answer = team.post(address, {**form_of(team, address), "headline": "Marigold seeds"})
    assert answer.status_code == 302
    version = ListingVersion.objects.exclude(changes=[]).get()
    assert version.changes == [{"field": "headline", "before": "Before", "after": "Marigold seeds"}]
    assert (version.via, version.author) == ("admin", signed_in(team))
    assert [one.pk for one in find_listings(site=site, text="marigold", page=1, per_page=5).items] == [listing.pk]


def signed_in(client: Client) -> Any:
    return client.get("/admin/").wsgi_request.user


def test_a_companys_facts_and_owner_are_in_the_history(team: Client) -> None:
    company = ListingFactory.create(live=True).company
    other = UserFactory.create()
    address = reverse("admin:listings_company_change", args=[company.pk])
    before = company.owner.email
    answer = team.post(address, {**form_of(team, address), "city": "Riga", "owner": other.pk})
    assert answer.status_code == 302, answer.context["adminform"].form.errors
    changes = [change for version in ListingVersion.objects.order_by("pk") for change in version.changes]
    assert {"field": "city", "before": "", "after": "Riga"} in changes
    assert {"field": "owner", "before": before, "after": other.email} in changes


@pytest.mark.slow
def test_saving_a_form_as_it_is_makes_no_version(team: Client) -> None:
    listing = ListingFactory.create(live=True, tags=["a", "b"], faqs=[{"question": "Why?", "answer": " So.\r\n"}])
    Company.objects.update(price_from_cents=950, socials={"x": "https://x.com/acme", "of old": "http://old.example"})
    for address in (
        reverse("admin:listings_listing_change", args=[listing.pk]),
        reverse("admin:listings_company_change", args=[listing.company_id]),
    ):
        answer = team.post(address, form_of(team, address))
        assert answer.status_code == 302, answer.context["adminform"].form.errors
    assert not ListingVersion.objects.exclude(changes=[]).exists()


def test_a_companys_price_is_typed_in_its_currency(team: Client) -> None:
    company = ListingFactory.create(live=True).company
    Company.objects.update(price_from_cents=950, price_currency="EUR")
    address = reverse("admin:listings_company_change", args=[company.pk])
    assert form_of(team, address)["price_from_cents"] == "9.50"
    for typed, kept in (("12.5", 1250), ("", None)):
        answer = team.post(address, form_of(team, address) | {"price_from_cents": typed})
        assert answer.status_code == 302, answer.context["adminform"].form.errors
        company.refresh_from_db()
        assert company.price_from_cents == kept
    for typed in ("-1", "9.999", "free"):
        answer = team.post(address, form_of(team, address) | {"price_from_cents": typed})
        assert list(answer.context["adminform"].form.errors) == ["price_from_cents"]


@pytest.mark.parametrize(
    "field", ["status", "plan", "launch_week", "votes", "launched_at", "suspended_from", "company"]
)
def test_what_the_services_write_cannot_be_typed(team: Client, field: str) -> None:
    listing = ListingFactory.create(live=True)
    before = Listing.objects.filter(pk=listing.pk).values(field).get()
    address = reverse("admin:listings_listing_change", args=[listing.pk])
    values = form_of(team, address)
    assert field not in values
    sent = {"votes": 999, "launch_week": "2026-W01", "plan": "paid", "status": "draft"}
    assert team.post(address, {**values, **sent, field: sent.get(field, "")}).status_code == 302
    assert Listing.objects.filter(pk=listing.pk).values(field).get() == before


# ---- rows of inputs ----
QUESTIONS = [{"question": f"Question {number}?", "answer": f"Answer {number}."} for number in range(3)]


def read(answer: Any) -> Any:
    return html.fromstring(answer.content)


def inputs_of(answer: Any, name: str) -> dict[str, Any]:
    """The inputs of rows on a page by name, without those that scripts copy."""
    page = read(answer)
    result = page.xpath(f"//*[starts-with(@name, '{name}_')][not(ancestor::template)]")
    return {element.get("name"): element for element in result}


def questions_of(team: Client, faqs: list[dict[str, str]]) -> tuple[Listing, str]:
    listing = ListingFactory.create(live=True, faqs=faqs)
    return listing, reverse("admin:listings_listing_change", args=[listing.pk])


def links_of(team: Client, socials: dict[str, str]) -> tuple[Company, str]:
    company = ListingFactory.create(live=True, company__socials=socials).company
    return company, reverse("admin:listings_company_change", args=[company.pk])


@pytest.mark.slow
def test_every_question_and_link_has_labeled_inputs_and_there_are_empty_ones(team: Client) -> None:
    _, listing_page = questions_of(team, QUESTIONS)
    _, company_page = links_of(team, {"x": "https://x.com/acme"})
    for address, name, number in ((listing_page, "faqs", 5), (company_page, "socials", 3)):
        answer = team.get(address)
        inputs = inputs_of(answer, name)
        assert len(inputs) == number * 2
        labels = {label.get("for"): label.text_content().strip() for label in read(answer).iter("label")}
        texts = [labels[element.get("id")] for element in inputs.values()]
        assert all(texts)
        assert len({*texts}) == len(texts)


def test_questions_are_changed_added_and_removed_by_row(team: Client) -> None:
    listing, address = questions_of(team, QUESTIONS)
    sent = form_of(team, address) | {"faqs_0_question": "", "faqs_0_answer": "", "faqs_1_answer": "Changed."}
    sent |= {"faqs_7_question": "New?", "faqs_7_answer": "Yes."}
    assert team.post(address, sent).status_code == 302
    listing.refresh_from_db()
    assert [(faq["question"], faq["answer"]) for faq in listing.faqs] == [
        ("Question 1?", "Changed."), ("Question 2?", "Answer 2."), ("New?", "Yes."),
    ]  # fmt: skip
    version = ListingVersion.objects.exclude(changes=[]).get()
    assert [change["field"] for change in version.changes] == ["faqs"]


def test_links_are_changed_added_and_removed_by_row(team: Client) -> None:
    company, address = links_of(team, {"x": "https://x.com/acme", "github": "https://github.com/acme"})
    sent = form_of(team, address) | {"socials_0_address": "", "socials_1_address": "https://github.com/acme-labs"}
    sent |= {"socials_2_platform": "rss", "socials_2_address": "https://acme.example/feed"}
    assert team.post(address, sent).status_code == 302
    company.refresh_from_db()
    assert company.socials == {"github": "https://github.com/acme-labs", "rss": "https://acme.example/feed"}


@pytest.mark.parametrize(
    ("typed", "marked"),
    [
        ({"faqs_1_answer": ""}, "faqs_1_answer"),
        ({"faqs_1_question": "x" * 161}, "faqs_1_question"),
        ({"faqs_3_question": "question 0?", "faqs_3_answer": "Again."}, "faqs_3_question"),
        # An empty row is left out, which moves those below it up.
        ({"faqs_0_question": "", "faqs_0_answer": "", "faqs_2_answer": ""}, "faqs_1_answer"),
    ],
)
def test_questions_follow_the_owners_rules(team: Client, typed: dict[str, str], marked: str) -> None:
    listing, address = questions_of(team, QUESTIONS)
    answer = team.post(address, form_of(team, address) | typed)
    assert answer.status_code == 200
    assert_marked(answer, "faqs", marked)
    listing.refresh_from_db()
    assert listing.faqs == QUESTIONS


@pytest.mark.parametrize(
    ("typed", "marked"),
    [
        ({"socials_0_address": "https://github.com/acme"}, "socials_0_address"),
        ({"socials_1_platform": "github", "socials_1_address": "http://github.com/acme"}, "socials_1_address"),
        ({"socials_1_address": "https://github.com/acme"}, "socials_1_platform"),
        ({"socials_1_platform": "x", "socials_1_address": "https://x.com/other"}, "socials_1_platform"),
    ],
)
def test_links_follow_the_owners_rules(team: Client, typed: dict[str, str], marked: str) -> None:
    company, address = links_of(team, {"x": "https://x.com/acme"})
    answer = team.post(address, form_of(team, address) | typed)
    assert answer.status_code == 200
    assert_marked(answer, "socials", marked)
    company.refresh_from_db()
    assert company.socials == {"x": "https://x.com/acme"}


def assert_marked(answer: Any, field: str, marked: str) -> None:
    assert list(answer.context["adminform"].form.errors) == [field]
    inputs = inputs_of(answer, field)
    assert [name for name, element in inputs.items() if element.get("aria-invalid")] == [marked]
    assert read(answer).get_element_by_id(inputs[marked].get("aria-describedby")).text_content()


def test_lists_are_edited_line_by_line_and_keep_their_commas(team: Client) -> None:
    listing = ListingFactory.create(live=True, alternatives=["Spreadsheets, shared", "Paper"])
    address = reverse("admin:listings_listing_change", args=[listing.pk])
    sent = form_of(team, address)
    assert team.post(address, sent).status_code == 302
    assert not ListingVersion.objects.exclude(changes=[]).exists()
    typed = {"alternatives": f"{sent['alternatives']}\r\n\r\n Pens, pencils ", "unlocked_sections": ["faq"]}
    assert team.post(address, form_of(team, address) | typed).status_code == 302
    listing.refresh_from_db()
    assert listing.alternatives == ["Spreadsheets, shared", "Paper", "Pens, pencils"]
    assert listing.unlocked_sections == ["faq"]
    sections = ["faq", "unknown"]
    answer = team.post(address, form_of(team, address) | {"unlocked_sections": sections})
    assert list(answer.context["adminform"].form.errors) == ["unlocked_sections"]


def test_more_questions_than_a_listing_has_are_refused(team: Client) -> None:
    listing, address = questions_of(team, [])
    rows = [[f"Question {number}?", "Yes."] for number in range(MAX_FAQS + 1)]
    parts = team.get(address).context["adminform"].form.fields["faqs"].widget.parts
    answer = team.post(address, form_of(team, address) | rows_sent("faqs", parts, rows))
    assert list(answer.context["adminform"].form.errors) == ["faqs"]
    assert len(inputs_of(answer, "faqs")) == len(rows) * 2
    listing.refresh_from_db()
    assert listing.faqs == []


def test_no_form_shows_json(team: Client) -> None:
    request = team.get("/admin/").wsgi_request
    for model, page in admin.site._registry.items():
        if page.has_add_permission(request) or page.has_change_permission(request):
            fields = page.get_form(request).base_fields
            assert not [name for name, field in fields.items() if isinstance(field, forms.JSONField)], model


@pytest.fixture
def edited(db: None) -> ListingVersion:
    """The first version of a listing that was changed twice since."""
    listing = ListingFactory.create(live=True, headline="First")
    by = Actor(user=listing.company.owner, via="browser")
    for headline in ("Second", "Third"):
        update_my_listing(listing=listing, fields={"headline": headline}, by=by)
    return ListingVersion.objects.get(listing=listing, changes=[])


def restore_address(version: ListingVersion) -> str:
    return reverse("admin:listings_listingversion_restore", args=[version.pk])


def test_a_version_is_read_and_restored(team: Client, edited: ListingVersion) -> None:
    last = ListingVersion.objects.order_by("-pk")[0]
    page = team.get(reverse("admin:listings_listingversion_change", args=[last.pk])).content.decode()
    assert "Second</del>" in page
    assert "Third</ins>" in page
    assert team.get(restore_address(edited)).status_code == 200
    listing = Listing.objects.get()
    assert listing.headline == "Third"
    assert team.post(restore_address(edited), {"confirmed": "yes"}).status_code == 302
    listing.refresh_from_db()
    assert listing.headline == "First"
    newest = ListingVersion.objects.order_by("-pk")[0]
    assert (newest.restored_from, newest.via) == (edited, "admin")


def test_restoring_needs_the_permission_to_change(client: Client, edited: ListingVersion) -> None:
    client.force_login(staff("view_listingversion"))
    assert client.get(reverse("admin:listings_listingversion_change", args=[edited.pk])).status_code == 200
    assert client.post(restore_address(edited), {"confirmed": "yes"}).status_code == 403
    assert Listing.objects.get().headline == "Third"


def test_versions_are_not_written_by_hand(team: Client, edited: ListingVersion) -> None:
    address = reverse("admin:listings_listingversion_change", args=[edited.pk])
    assert team.post(address, {"changes": "[]"}).status_code == 403
    assert (
        team.post(reverse("admin:listings_listingversion_delete", args=[edited.pk]), {"post": "yes"}).status_code == 403
    )
    assert team.get(reverse("admin:listings_listingversion_add")).status_code == 403
    assert ListingVersion.objects.filter(pk=edited.pk).exists()


# ---- categories ----
def test_a_renamed_category_is_found_by_its_new_name(team: Client, site: Site) -> None:
    category = CategoryFactory.create(site=site, name="Marigolds")
    listing = ListingFactory.create(live=True)
    listing.categories.add(category)
    address = reverse("admin:listings_category_change", args=[category.pk])
    assert team.post(address, {**form_of(team, address), "name": "Zebrafish"}).status_code == 302
    assert [one.pk for one in find_listings(site=site, text="zebrafish", page=1, per_page=5).items] == [listing.pk]


def test_deleting_a_category_in_use_warns_first(team: Client, site: Site) -> None:
    used, unused = CategoryFactory.create(site=site, name="Marigolds"), CategoryFactory.create(site=site)
    listing = ListingFactory.create(live=True)
    listing.categories.add(used)
    warning = "Marigolds is in use: 1 listing would lose it."
    chosen = {"action": "delete_selected", "_selected_action": [used.pk, unused.pk]}
    for answer in (
        team.get(reverse("admin:listings_category_delete", args=[used.pk])),
        team.post("/admin/listings/category/", chosen),
    ):
        assert said(answer) == [warning]
    assert said(team.get(reverse("admin:listings_category_delete", args=[unused.pk]))) == []
    team.post(reverse("admin:listings_category_delete", args=[used.pk]), {"post": "yes"})
    assert not Category.objects.filter(pk=used.pk).exists()
    assert not find_listings(site=site, text="marigolds", page=1, per_page=5).items


# ---- news ----
def test_updates_are_only_removed(team: Client) -> None:
    update = Update.objects.create(listing=ListingFactory.create(live=True), title="Spam", body="Spam")
    assert team.get(reverse("admin:listings_update_add")).status_code == 403
    assert team.post(reverse("admin:listings_update_change", args=[update.pk]), {"title": "Ham"}).status_code == 403
    assert team.post(reverse("admin:listings_update_delete", args=[update.pk]), {"post": "yes"}).status_code == 403
    sent = {"confirmed": "yes", "reason": "An ad."}
    assert team.post(reverse("admin:listings_update_remove_one", args=[update.pk]), sent).status_code == 302
    assert not Update.objects.exists()


@pytest.mark.parametrize("status", ["live", "rejected"])
@pytest.mark.parametrize("is_many", [False, True])
def test_a_removed_milestone_is_in_the_history(team: Client, status: str, is_many: bool) -> None:
    listing = ListingFactory.create(status=status) if status == "rejected" else ListingFactory.create(live=True)
    milestone = Milestone.objects.create(listing=listing, date=date(2026, 1, 1), title="Spam")
    sent = {"confirmed": "yes", "reason": "An ad."}
    if is_many:
        chosen = {"action": "remove", "_selected_action": [milestone.pk], **sent}
        answer = team.post("/admin/listings/milestone/", chosen)
    else:
        answer = team.post(reverse("admin:listings_milestone_remove_one", args=[milestone.pk]), sent)
    assert answer.status_code == 302
    assert not Milestone.objects.exists()
    assert ListingVersion.objects.filter(via="admin").exists()


def test_removing_news_needs_the_permission(client: Client, db: None) -> None:
    client.force_login(staff("view_update", "change_update", "view_milestone"))
    listing = ListingFactory.create(live=True)
    update = Update.objects.create(listing=listing, title="News", body="Text")
    milestone = Milestone.objects.create(listing=listing, date=date(2026, 1, 1), title="Founded")
    for name, row in (("update", update), ("milestone", milestone)):
        address = reverse(f"admin:listings_{name}_remove_one", args=[row.pk])
        assert client.post(address, {"confirmed": "yes", "reason": "An ad."}).status_code == 403
    assert Update.objects.exists()
    assert Milestone.objects.exists()

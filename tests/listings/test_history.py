"""The version history: what an edit records, for the owner and for site admins, and restoring it."""

from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import RequestFactory

from apps.accounts.actors import SYSTEM, Actor, actor_of
from apps.core.api.audience import Audience
from apps.core.errors import DomainError
from apps.core.models import OutgoingEmail
from apps.listings import history
from apps.listings.models import Company, Listing, ListingVersion
from apps.listings.services import website_changes
from apps.listings.services.creation import WebsiteTaken, create_listing
from apps.listings.services.editing import record_admin_edit, restore_version, update_my_listing
from apps.listings.services.locks import NotEditable, lock_company
from apps.listings.services.website_changes import WebsiteListed
from apps.sites.models import Site
from tests.api import ApiClient
from tests.factories import (
    ApplicationFactory,
    CategoryFactory,
    CompanyFactory,
    ListingFactory,
    SiteFactory,
    UserFactory,
    access_token,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def listing(owner: ApiClient, site: Site) -> Listing:
    company = CompanyFactory.create(owner=owner.user, website="https://acme.example/", website_key="acme.example")
    return ListingFactory.create(live=True, company=company, site=site, headline="Old", summary="Old summary.")


@pytest.fixture
def by(owner: ApiClient) -> Actor:
    return Actor(user=owner.user, via="browser")


@pytest.fixture
def team(db: None) -> Actor:
    person = UserFactory.create(email="team@example.com", name="Tess Team", is_staff=True)
    return Actor(user=person, via="admin")


def newest(listing: Listing) -> ListingVersion:
    return history.list_versions(listing)[0]


# What is kept


def test_an_edit_leaves_a_version_of_the_company_and_one_of_the_listing(listing: Listing, by: Actor) -> None:
    update_my_listing(listing=listing, fields={"headline": "New", "tags": ["a"], "city": "Paris"}, by=by)
    texts, facts = ListingVersion.objects.exclude(changes=[])
    assert (texts.listing, facts.listing, texts.company) == (listing, None, listing.company)
    assert texts.edit_id == facts.edit_id
    assert texts.changes == [
        {"field": "headline", "before": "Old", "after": "New"},
        {"field": "tags", "before": [], "after": ["a"]},
    ]
    assert facts.changes == [{"field": "city", "before": "", "after": "Paris"}]
    assert (texts.snapshot["headline"], texts.snapshot["summary"]) == ("New", "Old summary.")
    assert (facts.snapshot["city"], facts.snapshot["website"]) == ("Paris", "https://acme.example/")
    assert (texts.author, texts.via, texts.credential) == (by.user, "browser", "")


def test_what_was_there_before_the_first_edit_is_the_first_version(listing: Listing, by: Actor) -> None:
    for headline in ("New", "Newer"):
        update_my_listing(listing=listing, fields={"headline": headline}, by=by)
    first, *others = ListingVersion.objects.filter(listing=listing).order_by("id")
    assert (first.changes, first.snapshot["headline"], first.via, first.author) == ([], "Old", "system", None)
    assert [version.snapshot["headline"] for version in others] == ["New", "Newer"]
    assert not ListingVersion.objects.filter(listing=None).exists()


def test_a_new_listing_begins_its_history(site: Site, by: Actor) -> None:
    books = CategoryFactory.create(site=site, slug="books")
    fields = {"name": "Acme", "headline": "Invoices", "summary": "In seconds.", "categories": [books.slug]}
    listing = create_listing(site=site, website="https://acme.example/", fields=fields, by=by)
    texts, facts = ListingVersion.objects.all()
    assert (texts.listing, texts.snapshot["headline"], texts.snapshot["categories"]) == (listing, "Invoices", ["books"])
    assert (facts.listing, facts.snapshot["name"]) == (None, "Acme")
    assert {version.author for version in (texts, facts)} == {by.user}
    update_my_listing(listing=listing, fields={"headline": "New"}, by=by)
    assert ListingVersion.objects.count() == 3


def test_a_second_site_begins_a_history_of_its_own_only(listing: Listing, by: Actor) -> None:
    other = create_listing(site=SiteFactory.create(), website="https://acme.example/", fields={}, by=by)
    assert ListingVersion.objects.get().listing == other


@pytest.mark.parametrize("same", [{"headline": "Old"}, {"categories": []}, {}])
def test_an_edit_that_changes_nothing_leaves_nothing(listing: Listing, by: Actor, same: dict[str, Any]) -> None:
    edit = update_my_listing(listing=listing, fields=same, by=by)
    assert edit.changed == []
    assert not ListingVersion.objects.exists()
    assert not OutgoingEmail.objects.exists()


def test_the_order_of_categories_is_no_change(listing: Listing, by: Actor) -> None:
    slugs = [CategoryFactory.create(site=listing.site).slug for _ in range(2)]
    assert update_my_listing(listing=listing, fields={"categories": slugs}, by=by).changed == ["categories"]
    assert update_my_listing(listing=listing, fields={"categories": slugs[::-1]}, by=by).changed == []


def test_a_refused_edit_leaves_nothing(listing: Listing, by: Actor) -> None:
    with pytest.raises(DomainError):
        update_my_listing(listing=listing, fields={"city": "Paris", "headline": ""}, by=by)
    with pytest.raises(TypeError):
        update_my_listing(listing=listing, fields={"status": "live"}, by=by)
    listing.company.refresh_from_db()
    assert listing.company.city == ""
    assert not ListingVersion.objects.exists()


def test_an_edit_on_other_sites_is_kept_on_each(listing: Listing, by: Actor) -> None:
    twin = ListingFactory.create(company=listing.company, site=SiteFactory.create(), headline="Theirs")
    update_my_listing(listing=listing, fields={"headline": "New"}, apply_to=["all"], by=by)
    versions = {version.listing: version for version in ListingVersion.objects.exclude(changes=[])}
    assert set(versions) == {listing, twin}
    assert versions[twin].changes == [{"field": "headline", "before": "Theirs", "after": "New"}]
    assert len({version.edit_id for version in versions.values()}) == 1


def test_who_and_by_what(owner: ApiClient, listing: Listing) -> None:
    application = ApplicationFactory.create(name="An assistant")
    token = access_token(owner.account, resource="http://testserver.localhost/api/v1", application=application)
    for number, client in enumerate([owner, ApiClient(header=f"Bearer {token}")]):
        assert client.patch(f"/me/listings/{listing.pk}", {"fields": {"headline": f"{number}"}}).status_code == 200
    assistant, key = ListingVersion.objects.exclude(changes=[])
    assert (key.author, key.via, key.credential) == (owner.user, "key", "test key")
    assert (assistant.author, assistant.via, assistant.credential) == (
        owner.user,
        "assistant",
        "Unverified app on your computer",
    )


def test_a_key_that_is_shown_to_the_mcp_server_is_an_assistant(owner: ApiClient, listing: Listing) -> None:
    owner.http.defaults["slipway.audience"] = Audience.MCP
    owner.patch(f"/me/listings/{listing.pk}", {"fields": {"headline": "New"}})
    assert (newest(listing).via, newest(listing).credential) == ("assistant", "test key")


def test_the_browser_and_the_admin_have_no_credential(owner: ApiClient) -> None:
    request = RequestFactory().get("/")
    request.user = owner.account
    assert actor_of(request) == Actor(user=owner.account, via="browser")
    assert actor_of(request, via="admin") == Actor(user=owner.account, via="admin")
    assert actor_of(request).account == owner.account
    with pytest.raises(TypeError):
        _ = SYSTEM.account


# What the owner reads


def test_the_owner_reads_the_newest_twenty(owner: ApiClient, listing: Listing, by: Actor, team: Actor) -> None:
    update_my_listing(listing=listing, fields={"headline": "New", "city": "Paris"}, by=by)
    update_my_listing(listing=listing, fields={"headline": "Theirs"}, by=team)
    versions = owner.get(f"/me/listings/{listing.pk}", {"include": "versions"}).json()["versions"]
    assert [(version["author"], version["via"], version["site"]) for version in versions] == [
        ("a site admin", "admin", listing.site.key),
        (by.account.name, "browser", listing.site.key),
        ("the system", "system", listing.site.key),
        (by.account.name, "browser", None),
        ("the system", "system", None),
    ]
    assert versions[0]["changes"] == [{"field": "headline", "before": "New", "after": "Theirs"}]
    assert "Tess" not in str(versions)
    for number in range(25):
        update_my_listing(listing=listing, fields={"headline": f"{number}"}, by=by)
    versions = owner.get(f"/me/listings/{listing.pk}", {"include": "versions"}).json()["versions"]
    assert len(versions) == 20
    assert versions[0]["changes"][0]["after"] == "24"


def test_earlier_owners_are_not_named(listing: Listing, by: Actor) -> None:
    used = Actor(user=by.user, via="key", credential="secret project key")
    update_my_listing(listing=listing, fields={"headline": "New"}, by=used)
    new_owner = ApiClient(UserFactory.create())
    Company.objects.update(owner=new_owner.user)
    shown = new_owner.get(f"/me/listings/{listing.pk}", {"include": "versions"}).json()["versions"][0]
    assert (shown["author"], shown["credential"]) == ("an earlier owner", "")
    by.account.delete()
    assert (
        new_owner.get(f"/me/listings/{listing.pk}", {"include": "versions"}).json()["versions"][0]["author"]
        == "an earlier owner"
    )


def test_long_texts_are_shortened_in_the_answer_alone(owner: ApiClient, listing: Listing, by: Actor) -> None:
    faqs = [{"question": "Why?", "answer": "a" * 1000}]
    update_my_listing(listing=listing, fields={"description": "d" * 5000, "faqs": faqs}, by=by)
    shown = {change["field"]: change["after"] for change in history.shown_versions(listing)[0]["changes"]}
    assert shown["description"] == "d" * 300 + "…"
    assert shown["faqs"][0]["answer"] == "a" * 300 + "…"
    kept = {change["field"]: change["after"] for change in newest(listing).changes}
    assert (kept["description"], kept["faqs"]) == ("d" * 5000, faqs)


def test_versions_of_other_companies_and_sites_are_not_shown(owner: ApiClient, listing: Listing, by: Actor) -> None:
    twin = ListingFactory.create(company=listing.company, site=SiteFactory.create())
    stranger = ListingFactory.create()
    update_my_listing(listing=twin, fields={"headline": "Twin"}, by=by)
    theirs = Actor(user=stranger.company.owner, via="browser")
    update_my_listing(listing=stranger, fields={"headline": "Stranger", "city": "Rome"}, by=theirs)
    assert owner.get(f"/me/listings/{listing.pk}", {"include": "versions"}).json()["versions"] == []


# What site admins read


def test_site_admins_get_a_copy_of_each_edit(listing: Listing, by: Actor) -> None:
    Site.objects.update(team_email="desk@example.com")
    used = Actor(user=by.user, via="key", credential="my script")
    fields = {
        "headline": "New\u2028line",
        "city": "Paris",
        "description": "One\n\nTwo",
        "tags": ["a", "b"],
        "faqs": [{"question": "Why?", "answer": "So."}],
    }
    update_my_listing(listing=listing, fields=fields, by=used)
    email = OutgoingEmail.objects.get()
    assert (email.to, email.subject) == ("desk@example.com", f"{listing.company.name} was edited on {listing.site}")
    assert f"{by.user} edited {listing.company.name} with the API key “my script”" in email.text
    for text in (
        "headline, before:\n> Old\n",
        "city, before:\n> (empty)\n",
        "city, after:\n> Paris\n",
        "description, after:\n> One\n> \n> Two\n",
        "tags, after:\n> a\n> b\n",
        "faqs, after:\n> question: Why?\n> answer: So.\n",
        f"/admin/listings/listing/{listing.pk}/change/",
        f"/admin/listings/company/{listing.company_id}/change/",
        listing.page_url,
    ):
        assert text in email.text
    # No line of an owner's text can pass for one of the email's own.
    assert "\nline" not in email.text


def test_without_an_address_every_site_admin_gets_it(listing: Listing, by: Actor, team: Actor) -> None:
    UserFactory.create(is_staff=True, is_active=False)
    update_my_listing(listing=listing, fields={"headline": "New"}, by=by)
    assert [email.to for email in OutgoingEmail.objects.all()] == ["team@example.com"]


def test_one_edit_on_three_sites_is_one_email_a_team(listing: Listing, by: Actor) -> None:
    Site.objects.update(team_email="desk@example.com")
    same = ListingFactory.create(company=listing.company, site=SiteFactory.create(team_email="desk@example.com"))
    other = ListingFactory.create(company=listing.company, site=SiteFactory.create(team_email="other@example.com"))
    update_my_listing(listing=listing, fields={"headline": "New", "tags": ["own"]}, apply_to=["all"], by=by)
    desk, theirs = OutgoingEmail.objects.order_by("to")
    assert (desk.to, theirs.to) == ("desk@example.com", "other@example.com")
    assert f"On {listing.site}" in desk.text
    assert f"On {same.site}" in desk.text
    assert other.site.name not in desk.text
    assert f"On {other.site}" in theirs.text
    assert "tags" not in theirs.text


def test_a_huge_value_is_cut_in_the_email(listing: Listing, by: Actor) -> None:
    Site.objects.update(team_email="desk@example.com")
    update_my_listing(listing=listing, fields={"description": "d" * 6000}, by=by)
    assert len(OutgoingEmail.objects.get().text) < 4000
    assert "d… (" in OutgoingEmail.objects.get().text


# Restoring


def test_texts_are_restored_as_a_new_version(listing: Listing, by: Actor, team: Actor) -> None:
    kept, gone = (CategoryFactory.create(site=listing.site) for _ in range(2))
    fields = {"headline": "New", "tags": ["a"], "categories": [kept.slug, gone.slug], "city": "Paris"}
    update_my_listing(listing=listing, fields=fields, by=by)
    version = ListingVersion.objects.get(listing=listing, via="browser")
    update_my_listing(listing=listing, fields={"headline": "Newer", "tags": [], "categories": [], "city": ""}, by=by)
    gone.delete()
    OutgoingEmail.objects.all().delete()
    restored = restore_version(version=version, by=team)
    assert restored is not None
    assert (restored.restored_from, restored.author, restored.via) == (version, team.user, "admin")
    listing.refresh_from_db()
    assert (listing.headline, listing.tags, listing.company.city) == ("New", ["a"], "")
    assert list(listing.categories.all()) == [kept]
    assert restored.changes == [
        {"field": "headline", "before": "Newer", "after": "New"},
        {"field": "tags", "before": [], "after": ["a"]},
        {"field": "categories", "before": [], "after": [kept.slug]},
    ]
    assert "restored an earlier version" in OutgoingEmail.objects.get().text
    assert restore_version(version=version, by=team) is None
    assert ListingVersion.objects.filter(restored_from=version).count() == 1
    assert history.shown_versions(listing)[0]["restored_from"] == version.pk


def test_facts_are_restored_with_the_website(listing: Listing, by: Actor, team: Actor) -> None:
    update_my_listing(listing=listing, fields={"website": "https://moved.example/", "name": "Moved"}, by=by)
    first = ListingVersion.objects.filter(listing=None).earliest("id")
    restored = restore_version(version=first, by=team)
    assert restored is not None
    company = Company.objects.get()
    assert (company.website, company.website_key) == ("https://acme.example/", "acme.example")
    assert {change["field"] for change in restored.changes} == {"website", "name"}


@pytest.mark.parametrize(("is_own", "error"), [(False, WebsiteTaken), (True, WebsiteListed)])
def test_a_website_that_somebody_has_meanwhile_is_not_restored(
    listing: Listing, by: Actor, team: Actor, is_own: bool, error: type[DomainError]
) -> None:
    update_my_listing(listing=listing, fields={"website": "https://moved.example/", "city": "Paris"}, by=by)
    somebody = by.user if is_own else UserFactory.create()
    CompanyFactory.create(owner=somebody, website="https://acme.example/", website_key="acme.example")
    with pytest.raises(error):
        restore_version(version=ListingVersion.objects.filter(listing=None).earliest("id"), by=team)
    listing.company.refresh_from_db()
    assert (listing.company.website_key, listing.company.city) == ("moved.example", "Paris")


def test_a_former_owner_restores_nothing(listing: Listing, by: Actor) -> None:
    update_my_listing(listing=listing, fields={"headline": "New", "city": "Paris"}, by=by)
    Company.objects.update(owner=UserFactory.create())
    for version in ListingVersion.objects.filter(changes=[]):
        with pytest.raises(NotEditable):
            restore_version(version=version, by=by)
    listing.refresh_from_db()
    assert (listing.headline, listing.company.city) == ("New", "Paris")


def test_what_was_merged_into_another_is_neither_edited_nor_restored(listing: Listing, by: Actor) -> None:
    update_my_listing(listing=listing, fields={"headline": "New", "city": "Paris"}, by=by)
    versions = list(ListingVersion.objects.all())
    twin = ListingFactory.create()
    Listing.objects.filter(pk=listing.pk).update(merged_into=twin)
    Company.objects.filter(pk=listing.company_id).update(merged_into=twin.company)
    with pytest.raises(NotEditable):
        update_my_listing(listing=listing, fields={"headline": "Newer"}, by=by)
    for version in versions:
        with pytest.raises(NotEditable):
            restore_version(version=version, by=by)
    assert ListingVersion.objects.count() == len(versions)


# Edits that a form wrote


def test_an_edit_in_the_admin_is_kept_like_any_other(listing: Listing, team: Actor) -> None:
    with transaction.atomic():
        locked = lock_company(listing.company_id)
        row = locked.listings[listing.pk]
        before = history.snapshot_of(row)
        row.headline = "Zephyrine"
        row.save()
        version = record_admin_edit(row=row, before=before, by=team)
    assert version is not None
    assert (version.via, version.changes[0]["after"]) == ("admin", "Zephyrine")
    assert ListingVersion.objects.filter(listing=listing).earliest("id").snapshot["headline"] == "Old"
    assert OutgoingEmail.objects.count() == 1
    assert record_admin_edit(row=row, before=history.snapshot_of(row), by=team) is None


def test_a_website_moved_in_the_admin_has_its_badge_looked_for(listing: Listing, team: Actor) -> None:
    Listing.objects.update(status="awaiting_badge", badge_state="found")
    company = listing.company
    before = history.snapshot_of(company)
    company.website, company.website_key = "https://moved.example/", "moved.example"
    company.save()
    record_admin_edit(row=company, before=before, by=team)
    assert Listing.objects.get().badge_state == "unchecked"


def test_a_status_is_kept_with_a_snapshot_of_the_texts(listing: Listing, team: Actor) -> None:
    states: dict[str, Any] = {"before": {"status": "live", "same": 1}, "after": {"status": "suspended", "same": 1}}
    version = history.record_states(company=listing.company, listing=listing, **states, by=team)
    assert version.changes == [{"field": "status", "before": "live", "after": "suspended"}]
    assert version.snapshot["headline"] == "Old"
    assert ListingVersion.objects.count() == 2


def test_an_unexpected_loss_of_the_website_is_no_silent_success(
    listing: Listing, by: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    CompanyFactory.create(website="https://taken.example/", website_key="taken.example")
    monkeypatch.setattr(website_changes, "_check_website", lambda *_: None)
    with pytest.raises(IntegrityError):
        update_my_listing(listing=listing, fields={"website": "https://taken.example/"}, by=by)

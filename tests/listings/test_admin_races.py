"""The admin's own forms of companies, listings and categories beside what others do meanwhile, and odd addresses."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.actors import Actor
from apps.core.models import OutgoingEmail
from apps.listings.models import Category, Company, Listing, ListingVersion
from apps.listings.search import find_listings
from apps.listings.services.editing import update_my_listing
from apps.sites.models import Site
from tests.factories import CategoryFactory, CompanyFactory, ListingFactory, SiteFactory
from tests.listings.test_admin import form_of, said

pytestmark = pytest.mark.db

HOSTILE = "<script>alert(1)</script>"


@pytest.fixture
def listing(db: None) -> Listing:
    made: Listing = ListingFactory.create(live=True, headline="Old", seo_title="Old")
    return made


def address_of(row: Company | Listing | Category) -> str:
    return reverse(f"admin:listings_{row._meta.model_name}_change", args=[row.pk])


def problems_of(answer: Any) -> Any:
    return answer.context["adminform"].form.errors


@pytest.mark.slow
def test_a_form_that_was_overtaken_saves_nothing(team: Client, listing: Listing) -> None:
    opened = form_of(team, address_of(listing))
    company_opened = form_of(team, address_of(listing.company))
    fields = {"headline": "By the owner", "city": "Riga"}
    update_my_listing(listing=listing, fields=fields, by=Actor(user=listing.company.owner, via="browser"))
    answer = team.post(address_of(listing), {**opened, "seo_title": "By the team"})
    assert answer.status_code == 200
    assert "Someone else changed this" in str(problems_of(answer))
    answer = team.post(address_of(listing.company), {**company_opened, "stage": "seed"})
    assert "Someone else changed this" in str(problems_of(answer))
    listing = Listing.objects.select_related("company").get()
    assert (listing.headline, listing.seo_title) == ("By the owner", "Old")
    assert (listing.company.city, listing.company.stage) == ("Riga", "")
    # Opened anew, both are saved.
    for row, changes in ((listing, {"seo_title": "By the team"}), (listing.company, {"stage": "seed"})):
        assert team.post(address_of(row), {**form_of(team, address_of(row)), **changes}).status_code == 302
    listing = Listing.objects.select_related("company").get()
    assert (listing.headline, listing.seo_title) == ("By the owner", "By the team")
    assert (listing.company.city, listing.company.stage) == ("Riga", "seed")


def test_what_no_edit_changes_does_not_overtake_a_form(team: Client, listing: Listing) -> None:
    opened = form_of(team, address_of(listing))
    Listing.objects.update(votes=7, badge_result="Found.")
    assert team.post(address_of(listing), {**opened, "seo_title": "New"}).status_code == 302
    listing.refresh_from_db()
    assert (listing.votes, listing.badge_result, listing.seo_title) == (7, "Found.", "New")


def test_a_listing_made_in_the_admin_is_found_once_it_is_live(team: Client, site: Site) -> None:
    company = CompanyFactory.create(name="Zebrafish")
    address = reverse("admin:listings_listing_add")
    texts = {"slug": "zebrafish", "headline": "Marigold", "summary": "Text."}
    answer = team.post(address, {"company": company.pk, "site": site.pk, **texts})
    assert answer.status_code == 302, problems_of(answer)
    week = {"launch_week": "2026-W01", "launched_at": "2026-01-01T00:00Z"}
    Listing.objects.update(status="live", **week)
    for word in ("zebrafish", "marigold"):
        assert len(find_listings(site=site, text=word, page=1, per_page=5).items) == 1
    assert ListingVersion.objects.filter(listing__slug="zebrafish", via="admin").count() == 1


def test_a_listing_has_categories_of_its_own_site_only(team: Client, site: Site, listing: Listing) -> None:
    own, foreign = CategoryFactory.create(site=site), CategoryFactory.create(site=SiteFactory.create())
    opened = form_of(team, address_of(listing))
    answer = team.post(address_of(listing), {**opened, "categories": [own.pk, foreign.pk]})
    assert "categories" in problems_of(answer)
    too_many = [CategoryFactory.create(site=site).pk for _ in range(4)]
    assert "categories" in problems_of(team.post(address_of(listing), {**opened, "categories": too_many}))
    assert not listing.categories.exists()
    assert team.post(address_of(listing), {**opened, "categories": [own.pk]}).status_code == 302
    assert list(listing.categories.all()) == [own]
    assert ListingVersion.objects.filter(listing=listing, changes__0__field="categories").exists()


def test_a_category_keeps_its_site_and_its_slug(team: Client, site: Site, listing: Listing) -> None:
    category = CategoryFactory.create(site=site, slug="plants")
    listing.categories.add(category)
    sent = {"site": SiteFactory.create().pk, "slug": "animals", "name": "Renamed"}
    assert team.post(address_of(category), {**form_of(team, address_of(category)), **sent}).status_code == 302
    category.refresh_from_db()
    assert (category.site, category.slug, category.name) == (site, "plants", "Renamed")


@pytest.mark.parametrize("field", ["socials", "faqs"])
@pytest.mark.parametrize("is_removed", [False, True])
def test_an_emptied_list_is_empty(team: Client, listing: Listing, field: str, is_removed: bool) -> None:
    Company.objects.update(socials={"x": "https://x.com/acme"})
    Listing.objects.update(faqs=[{"question": "Why?", "answer": "So."}])
    row = listing.company if field == "socials" else listing
    opened = form_of(team, address_of(row))
    rows = [name for name in opened if name.startswith(f"{field}_")]
    assert rows
    sent = {name: text for name, text in opened.items() if not (is_removed and name in rows)}
    answer = team.post(address_of(row), {**sent, **({} if is_removed else dict.fromkeys(rows, ""))})
    assert answer.status_code == 302, problems_of(answer)
    row.refresh_from_db()
    assert not getattr(row, field)


@pytest.mark.parametrize("number", ["\u00b2", "9" * 40, "\u0663"])
@pytest.mark.parametrize(
    "address",
    [
        "/admin/listings/listing/{}/change/",
        "/admin/listings/listing/{}/suspend_one/",
        "/admin/listings/company/{}/merge",
        "/admin/listings/company/{}/merge/?drop={}",
        "/admin/listings/category/{}/delete/",
        "/admin/listings/listingversion/{}/restore/",
        "/admin/listings/listing/?id={}",
    ],
)
def test_odd_numbers_break_nothing(team: Client, listing: Listing, address: str, number: str) -> None:
    assert team.get(address.replace("{}", number)).status_code in {200, 301, 302, 404}


@pytest.mark.parametrize("number", ["\u00b2", "9" * 40])
def test_an_odd_duplicate_is_asked_for_again(team: Client, listing: Listing, number: str) -> None:
    address = reverse("admin:listings_company_merge", args=[listing.company_id])
    assert team.get(f"{address}?drop={number}").status_code == 200


def test_facts_of_a_company_without_listings_are_restored(team: Client, db: None) -> None:
    company = CompanyFactory.create(city="Oslo")
    assert team.post(address_of(company), {**form_of(team, address_of(company)), "city": "Riga"}).status_code == 302
    first = ListingVersion.objects.order_by("pk")[0]
    address = reverse("admin:listings_listingversion_restore", args=[first.pk])
    assert team.post(address, {"confirmed": "yes"}).status_code == 302
    company.refresh_from_db()
    assert company.city == "Oslo"


def test_restoring_what_is_there_already_says_so(team: Client, listing: Listing) -> None:
    update_my_listing(listing=listing, fields={"headline": "New"}, by=Actor(user=None, via="system"))
    last = ListingVersion.objects.order_by("-pk")[0]
    address = reverse("admin:listings_listingversion_restore", args=[last.pk])
    answer = team.post(address, {"confirmed": "yes"}, follow=True)
    assert any("already" in text for text in said(answer))
    assert not any("restored: 1" in text for text in said(answer))
    assert ListingVersion.objects.count() == 2


def test_what_has_votes_or_a_standing_is_not_deleted(team: Client, listing: Listing) -> None:
    for row in (listing, listing.company):
        address = reverse(f"admin:listings_{row._meta.model_name}_delete", args=[row.pk])
        assert team.get(address).status_code == 200
        assert team.post(address, {"post": "yes"}).status_code in {200, 403}
    assert Listing.objects.count() == Company.objects.count() == 1


@pytest.mark.slow
def test_markup_is_text_on_every_page(team: Client, site: Site) -> None:
    company = CompanyFactory.create(name=HOSTILE, city=HOSTILE, socials={"rss": f"https://a.example/{HOSTILE}"})
    listing = ListingFactory.create(live=True, company=company, headline=HOSTILE, status_reason=HOSTILE)
    by = Actor(user=company.owner, via="key", credential=HOSTILE)
    update_my_listing(listing=listing, fields={"headline": f"{HOSTILE}2", "city": f"{HOSTILE}2"}, by=by)
    duplicate = CompanyFactory.create(name=f"{HOSTILE}3")
    pages = [
        *[reverse(f"admin:listings_{name}_changelist") for name in ("listing", "company", "listingversion")],
        address_of(listing),
        address_of(company),
        reverse("admin:listings_listing_suspend_one", args=[listing.pk]),
        f"{reverse('admin:listings_company_merge', args=[company.pk])}?drop={duplicate.pk}",
        *[
            reverse("admin:listings_listingversion_change", args=[pk])
            for pk in ListingVersion.objects.values_list("pk", flat=True)
        ],
    ]
    for page in pages:
        answer = team.get(page)
        assert answer.status_code == 200
        assert HOSTILE not in answer.content.decode(), page
    suspended = team.post(
        reverse("admin:listings_listing_suspend_one", args=[listing.pk]),
        {"confirmed": "yes", "reason": HOSTILE},
        follow=True,
    )
    assert HOSTILE not in suspended.content.decode()
    assert OutgoingEmail.objects.exists()

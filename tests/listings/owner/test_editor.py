"""The editor: what is saved, what stands beside the fields, and what travels to other sites."""

from typing import Any

import pytest
from django.test import Client
from lxml import html

from apps.accounts.models import User
from apps.listings.models import Company, Listing, ListingVersion
from tests.factories import CategoryFactory, CompanyFactory, ListingFactory, SiteFactory
from tests.listings.owner.browsing import form_of, html_of

pytestmark = pytest.mark.django_db


def test_only_what_was_changed_is_saved(browser: Client, listing: Listing) -> None:
    category = CategoryFactory.create(site=listing.site, slug="books", name="Books")
    sent = form_of(browser, listing) | {
        "headline": "Invoices that write themselves",
        "categories": [category.slug],
        "tags": "invoices\r\n\r\n billing \r\n",
        "price_from_cents": "9.50",
        "team_size": "7",
        "country": "DE",
        "new_platform": "github",
        "new_address": "https://github.com/acme-invoices",
        "faq_0_question": "Is it free?",
        "faq_0_answer": "For one person.",
    }
    answer = browser.post(f"{listing.path}/edit", sent)
    assert (answer.status_code, answer.headers["Location"]) == (302, f"{listing.path}/edit")
    changed = {change["field"] for version in ListingVersion.objects.all() for change in version.changes}
    assert changed == {
        "headline", "categories", "tags", "price_from_cents", "team_size", "country", "socials", "faqs",
    }  # fmt: skip
    listing = Listing.objects.select_related("company").get(pk=listing.pk)
    assert listing.tags == ["invoices", "billing"]
    assert listing.faqs == [{"question": "Is it free?", "answer": "For one person."}]
    assert listing.company.price_from_cents == 950
    assert listing.company.socials == {"github": "https://github.com/acme-invoices"}
    assert {version.via for version in ListingVersion.objects.exclude(changes=[])} == {"browser"}


def test_saving_an_untouched_form_changes_nothing(browser: Client, listing: Listing) -> None:
    Listing.objects.update(
        description="One\n\nTwo  ", tags=["b", "a"], faqs=[{"question": "Q", "answer": "A\nB"}], summary="  Early"
    )
    Company.objects.update(
        price_from_cents=1900, socials={"x": "https://x.com/acme"}, screenshots=["https://a.example/1"]
    )
    before = Listing.objects.values().get(pk=listing.pk)
    answer = browser.post(f"{listing.path}/edit", form_of(browser, listing), follow=True)
    assert "No changes" in html_of(answer)
    assert Listing.objects.values().get(pk=listing.pk) == before
    assert not ListingVersion.objects.exists()


@pytest.mark.parametrize(
    ("field", "typed", "beside"),
    [
        ("headline", "x" * 81, "headline"),
        ("headline", "", "headline"),
        ("website", "http://acme.example", "website"),
        ("docs_url", "javascript:alert(1)", "docs_url"),
        ("contact_email", "nobody", "contact_email"),
        ("team_size", "many", "team_size"),
        ("team_size", "٣", "team_size"),
        ("founded_year", "99999", "founded_year"),
        ("price_from_cents", "1e9", "price_from_cents"),
        ("price_from_cents", "-1", "price_from_cents"),
        ("price_from_cents", "1.005", "price_from_cents"),
        ("country", "ZZ", "country"),
        ("pricing_model", "stolen", "pricing_model"),
        ("tags", "\n".join(f"tag {number}" for number in range(9)), "tags"),
        ("tags", f"short\n{'x' * 31}", "tags"),
        ("categories", ["a", "b", "c", "d"], "categories"),
        ("categories", ["unknown"], "categories"),
        ("faq_1_question", "Without an answer?", "faq_0_answer"),
    ],
)
def test_a_problem_is_beside_its_field(
    browser: Client, listing: Listing, field: str, typed: str | list[str], beside: str
) -> None:
    sent = form_of(browser, listing) | {field: typed, "audience": "Made for everybody"}
    answer = browser.post(f"{listing.path}/edit", sent)
    assert answer.status_code == 422
    form = answer.context["form"]
    assert list(form.errors.get_json_data()) in ([beside], [beside, "__all__"])
    assert form["audience"].value() == "Made for everybody"
    if not field.startswith(("faq", "categories")):
        assert form[field].value() == typed
    assert f'href="#at-{beside}"' in html_of(answer)
    assert not ListingVersion.objects.exists()


@pytest.mark.slow
def test_a_profile_needs_its_platform(browser: Client, listing: Listing) -> None:
    Company.objects.update(socials={"x": "https://x.com/acme"})
    opened = form_of(browser, listing)
    answer = browser.post(f"{listing.path}/edit", opened | {"new_address": "https://github.com/acme"})
    assert (answer.status_code, list(answer.context["form"].errors)) == (422, ["new_platform"])
    assert answer.context["form"]["new_address"].value() == "https://github.com/acme"
    answer = browser.post(f"{listing.path}/edit", opened | {"social_x": "https://evil.example/acme"})
    assert list(answer.context["form"].errors) == ["social_x"]
    assert browser.post(f"{listing.path}/edit", opened | {"social_x": ""}).status_code == 302
    assert Company.objects.get().socials == {}


def test_a_website_of_another_account_leads_to_the_claim(browser: Client, listing: Listing) -> None:
    CompanyFactory.create(website="https://other.example", website_key="other.example")
    sent = form_of(browser, listing) | {"website": "https://other.example"}
    answer = browser.post(f"{listing.path}/edit", sent)
    assert answer.status_code == 409
    assert answer.context["form"].errors["website"]
    assert "/claims/new" in html_of(answer)


def test_only_empty_fields_without_problems_are_folded(browser: Client, listing: Listing) -> None:
    Company.objects.update(city="Haarlem", stage="", docs_url="")
    assert {"city", "headline", "categories"}.isdisjoint(folded(browser.get(f"{listing.path}/edit")))
    assert {"stage", "docs_url", "new_address", "faq_0_question"} <= folded(browser.get(f"{listing.path}/edit"))
    sent = form_of(browser, listing) | {"docs_url": "not an address", "stage": "Seed", "headline": ""}
    assert {"docs_url", "stage", "headline"}.isdisjoint(folded(browser.post(f"{listing.path}/edit", sent)))
    Company.objects.update(city="Leiden")
    sent = form_of(browser, listing) | {"city": ""}
    Company.objects.update(city="Delft")
    assert "city" not in folded(browser.post(f"{listing.path}/edit", sent))
    added = folded(browser.post(f"{listing.path}/edit", form_of(browser, listing) | {"add": "faq"}))
    assert "faq_2_question" not in added
    assert "new_address" in added


def folded(answer: Any) -> set[str]:
    """Names of the fields that the page shows after a click only."""
    page: Any = html.document_fromstring(answer.content)
    return set(page.xpath("//details[not(@open)]//*[@name]/@name"))


def test_rows_are_added_without_saving(browser: Client, listing: Listing) -> None:
    sent = form_of(browser, listing) | {"headline": "Half written", "faq_0_question": "Is it free?"}
    more = browser.post(f"{listing.path}/edit", sent | {"add": "faq"})
    assert more.context["form"]["headline"].value() == "Half written"
    assert more.context["form"]["faq_0_question"].value() == "Is it free?"
    assert more.context["form"].faq_count == 4
    added = {"add": "profile", "new_platform": "x", "new_address": "https://x.com/acme"}
    more = browser.post(f"{listing.path}/edit", sent | added)
    assert more.context["form"]["social_x"].value() == "https://x.com/acme"
    assert ("x", "X") not in more.context["form"].fields["new_platform"].widget.choices
    listing.refresh_from_db()
    assert (listing.headline, listing.faqs) != ("Half written", [])
    assert not ListingVersion.objects.exists()


def test_an_edited_listing_has_at_most_twelve_rows_of_questions(browser: Client, listing: Listing) -> None:
    Listing.objects.update(faqs=[{"question": f"Q{number}", "answer": "A"} for number in range(12)])
    page = browser.get(f"{listing.path}/edit")
    assert page.context["form"].faq_count == 12
    assert "Add question" not in html_of(page)


@pytest.mark.slow
def test_odd_characters_break_nothing(browser: Client, listing: Listing) -> None:
    odd = "\x00<b>\u202e\ufffe \U0010ffff"
    sent = form_of(browser, listing)
    for name in list(sent):
        if name != "opened":
            changed = sent | {name: odd, "apply_to": ["\x00", odd]}
            assert browser.post(f"{listing.path}/edit", changed).status_code in {302, 409, 422}, name
            sent = form_of(browser, Listing.objects.get(pk=listing.pk))
    for extra in ({"add": odd}, {"take_saved": odd}, {"take_saved": "socials.\x00"}):
        assert browser.post(f"{listing.path}/edit", sent | extra).status_code == 200
    fields = {"date": odd, "title": odd, "body": odd, "description": odd, "url": odd}
    for page in ("milestones", "updates/new"):
        assert browser.post(f"{listing.path}/{page}", fields).status_code in {302, 422}


@pytest.mark.slow
def test_texts_travel_to_other_sites_and_the_answer_says_where(browser: Client, person: User, listing: Listing) -> None:
    makers = SiteFactory.create(key="makers", name="Makers")
    games = SiteFactory.create(key="games", name="Games")
    there = ListingFactory.create(company=listing.company, site=makers)
    closed = ListingFactory.create(company=listing.company, site=games, status="rejected")
    sent = form_of(browser, listing) | {"headline": "The same everywhere", "tags": "only here"}
    assert "Makers" in html_of(browser.get(f"{listing.path}/edit"))
    page = html_of(browser.post(f"{listing.path}/edit", sent | {"apply_to": ["makers", "games"]}, follow=True))
    assert "Makers: also saved: Headline." in page
    assert "Games: not saved. " in page
    there.refresh_from_db()
    closed.refresh_from_db()
    assert (there.headline, there.tags) == ("The same everywhere", [])
    assert closed.headline != "The same everywhere"


def test_sites_of_other_companies_are_not_offered(browser: Client, person: User, listing: Listing) -> None:
    ListingFactory.create(company__owner=person, site=SiteFactory.create(name="Elsewhere"))
    assert browser.get(f"{listing.path}/edit").context["other_sites"] == []


def test_the_longest_form_fits(browser: Client, listing: Listing) -> None:
    # Characters of three bytes; the limits count characters.
    faqs = {f"faq_{row}_question": f"{row:02}" + "問" * 158 for row in range(12)}
    faqs |= {f"faq_{row}_answer": "答" * 1500 for row in range(12)}
    sent = form_of(browser, listing) | {"description": "文" * 6000, "summary": "要" * 600} | faqs
    assert browser.post(f"{listing.path}/edit", sent).status_code == 302
    listing.refresh_from_db()
    assert (len(listing.faqs), len(listing.description)) == (12, 6000)

"""An owner's pages: who gets there, what is saved, what stands beside the fields, and what others changed meanwhile."""

import json
import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from apps.accounts.actors import Actor
from apps.accounts.models import User
from apps.listings.editing import update_listing
from apps.listings.models import Company, Follow, Listing, ListingVersion, Milestone, Update
from apps.sites.models import Site
from tests.factories import CategoryFactory, CompanyFactory, ListingFactory, SiteFactory, UserFactory

pytestmark = pytest.mark.django_db

PAGES = ("manage", "edit", "milestones", "updates/new", "history")
HOSTILE = "<script>alert(1)</script>"


@pytest.fixture
def person(site: Site) -> User:
    return UserFactory.create(email="owner@example.com")


@pytest.fixture
def browser(person: User) -> Client:
    """A browser in which the owner is signed in."""
    return signed_in(person)


@pytest.fixture
def listing(person: User) -> Listing:
    made: Listing = ListingFactory.create(
        live=True, company__owner=person, company__name="Acme", company__website="https://acme.example"
    )
    return made


def signed_in(user: User) -> Client:
    client = Client(headers={"host": "testserver.localhost"})
    client.force_login(user)
    return client


def form_of(browser: Client, listing: Listing) -> dict[str, Any]:
    """What a browser would send of the editor as it is opened."""
    context = browser.get(f"{listing.path}/edit").context
    form = context["form"]
    values = {bound.html_name: "" if bound.value() is None else bound.value() for bound in form}
    return {**values, "opened": context["opened"]}


def html_of(answer: Any) -> str:
    text: str = answer.content.decode()
    return text


def by(user: User) -> Actor:
    return Actor(user=user, via="assistant", credential="An assistant")


# ---- who gets there ----


@pytest.mark.parametrize("page", PAGES)
def test_the_owner_gets_there_and_nobody_else(browser: Client, listing: Listing, page: str) -> None:
    address = f"{listing.path}/{page}"
    assert browser.get(address).status_code == 200
    for other in (UserFactory.create(), UserFactory.create(is_staff=True, is_superuser=True)):
        assert signed_in(other).get(address).status_code == 404
    anonymous = Client(headers={"host": "testserver.localhost"}).get(address)
    assert anonymous.headers["Location"] == f"/account/sign-in?next={address}"


@pytest.mark.parametrize("page", PAGES)
def test_another_site_does_not_have_the_page(browser: Client, listing: Listing, page: str) -> None:
    other = SiteFactory.create()
    assert browser.get(f"{listing.path}/{page}", headers={"host": other.host}).status_code == 404


@pytest.mark.parametrize("page", ["edit", "milestones", "updates/new"])
def test_nobody_else_changes_anything(listing: Listing, page: str) -> None:
    stranger = signed_in(UserFactory.create())
    before = listing.headline
    sent = {"headline": "Taken over", "title": "Hello", "body": "Text", "date": "2026-01-01"}
    assert stranger.post(f"{listing.path}/{page}", sent).status_code == 404
    listing.refresh_from_db()
    assert listing.headline == before
    assert not Milestone.objects.exists()
    assert not Update.objects.exists()


@pytest.mark.parametrize("page", ["edit", "milestones", "updates/new"])
def test_a_form_from_elsewhere_is_refused(person: User, listing: Listing, page: str) -> None:
    client = Client(headers={"host": "testserver.localhost"}, enforce_csrf_checks=True)
    client.force_login(person)
    assert client.post(f"{listing.path}/{page}", {"headline": "New"}).status_code == 403


def test_a_rejected_listing_shows_the_reason_and_is_not_edited(browser: Client, person: User) -> None:
    rejected = ListingFactory.create(company__owner=person, status="rejected", status_reason=f"No product. {HOSTILE}")
    for page in ("edit", "milestones", "updates/new"):
        assert browser.get(f"{rejected.path}/{page}").headers["Location"] == f"{rejected.path}/manage"
        assert browser.post(f"{rejected.path}/{page}", {"headline": "New"}).status_code == 302
    for path in (f"{rejected.path}/manage", "/account"):
        html = html_of(browser.get(path))
        assert "No product." in html
        assert HOSTILE not in html
        assert f"{rejected.path}/edit" not in html
    rejected.refresh_from_db()
    assert rejected.headline != "New"


def test_a_merged_listing_has_no_pages(browser: Client, person: User, listing: Listing) -> None:
    merged = ListingFactory.create(company__owner=person, status="archived", merged_into=listing)
    assert browser.get(f"{merged.path}/manage").status_code == 404


@pytest.mark.parametrize("status", [status for status in Listing.Status.values if status != "live"])
def test_every_status_has_an_overview(browser: Client, person: User, status: str) -> None:
    listing = ListingFactory.create(company__owner=person, status=status, launch_week="2026-W40")
    page = browser.get(f"{listing.path}/manage")
    assert page.status_code == 200
    assert page.context["standing"].text in html_of(page).replace("&#x27;", "'")
    assert browser.get("/account").status_code == 200


# ---- the editor ----


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
    assert "Nothing was changed." in html_of(answer)
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
        ("screenshots", "ftp://a.example/1.png", "screenshots"),
        ("faq_1_question", "Without an answer?", "faq_0_answer"),
    ],
)
def test_a_problem_stands_beside_its_field(
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
    assert "Add another question" not in html_of(page)


def test_what_an_assistant_changed_meanwhile_stays(browser: Client, person: User, listing: Listing) -> None:
    sent = form_of(browser, listing) | {"headline": "Mine"}
    update_listing(listing=listing, fields={"summary": "Of the assistant", "city": "Riga"}, by=by(person))
    assert browser.post(f"{listing.path}/edit", sent).status_code == 302
    listing = Listing.objects.select_related("company").get(pk=listing.pk)
    assert (listing.headline, listing.summary, listing.company.city) == ("Mine", "Of the assistant", "Riga")


def test_two_edits_of_one_field_are_a_conflict_with_both_values(
    browser: Client, person: User, listing: Listing
) -> None:
    sent = form_of(browser, listing) | {"headline": "Mine", "audience": "Teams"}
    update_listing(listing=listing, fields={"headline": f"Theirs {HOSTILE}"}, by=by(person))
    answer = browser.post(f"{listing.path}/edit", sent)
    assert answer.status_code == 409
    html = html_of(answer)
    assert "Theirs &lt;script&gt;" in html
    assert HOSTILE not in html
    form = answer.context["form"]
    assert (form["headline"].value(), list(form.conflicts)) == ("Mine", ["headline"])
    listing.refresh_from_db()
    assert listing.headline.startswith("Theirs")
    assert Company.objects.get().audience == ""

    sent["opened"] = answer.context["opened"]
    assert browser.post(f"{listing.path}/edit", sent).status_code == 302
    listing.refresh_from_db()
    assert (listing.headline, Company.objects.get().audience) == ("Mine", "Teams")


def test_what_others_wrote_can_be_taken_over(browser: Client, person: User, listing: Listing) -> None:
    sent = form_of(browser, listing) | {"headline": "Mine", "audience": "Teams"}
    update_listing(listing=listing, fields={"headline": "Theirs"}, by=by(person))
    page = browser.post(f"{listing.path}/edit", sent | {"take": "headline"})
    assert page.context["form"]["headline"].value() == "Theirs"
    assert page.context["form"]["audience"].value() == "Teams"
    sent |= {"headline": "Theirs", "opened": page.context["opened"]}
    assert browser.post(f"{listing.path}/edit", sent).status_code == 302
    listing.refresh_from_db()
    assert (listing.headline, Company.objects.get().audience) == ("Theirs", "Teams")


def test_profiles_of_two_edits_are_put_together(browser: Client, person: User, listing: Listing) -> None:
    sent = form_of(browser, listing) | {"new_platform": "x", "new_address": "https://x.com/acme"}
    theirs = {"github": "https://github.com/acme"}
    update_listing(listing=listing, fields={"socials": theirs}, by=by(person))
    assert browser.post(f"{listing.path}/edit", sent).status_code == 302
    assert Company.objects.get().socials == theirs | {"x": "https://x.com/acme"}


def test_odd_characters_break_nothing(browser: Client, listing: Listing) -> None:
    odd = "\x00<b>\u202e\ufffe \U0010ffff"
    sent = form_of(browser, listing)
    for name in list(sent):
        if name != "opened":
            changed = sent | {name: odd, "apply_to": ["\x00", odd]}
            assert browser.post(f"{listing.path}/edit", changed).status_code in {302, 409, 422}, name
            sent = form_of(browser, Listing.objects.get(pk=listing.pk))
    for extra in ({"add": odd}, {"take": odd}, {"take": "socials.\x00"}):
        assert browser.post(f"{listing.path}/edit", sent | extra).status_code == 200
    fields = {"date": odd, "title": odd, "body": odd, "description": odd, "url": odd}
    for page in ("milestones", "updates/new"):
        assert browser.post(f"{listing.path}/{page}", fields).status_code in {302, 422}


def test_a_profile_that_others_removed_can_be_put_back(browser: Client, person: User, listing: Listing) -> None:
    Company.objects.update(socials={"x": "https://x.com/acme"})
    sent = form_of(browser, listing) | {"social_x": "https://x.com/acme_new"}
    update_listing(listing=listing, fields={"socials": {}}, by=by(person))
    answer = browser.post(f"{listing.path}/edit", sent)
    assert (answer.status_code, list(answer.context["form"].conflicts)) == (409, ["socials.x"])
    assert browser.post(f"{listing.path}/edit", sent | {"opened": answer.context["opened"]}).status_code == 302
    assert Company.objects.get().socials == {"x": "https://x.com/acme_new"}


@pytest.mark.django_db(transaction=True)
def test_of_two_forms_sent_at_once_one_is_told_of_the_other(person: User, listing: Listing) -> None:
    browsers = [signed_in(person), signed_in(person)]
    forms = [form_of(client, listing) | {"headline": f"Of window {number}"} for number, client in enumerate(browsers)]
    barrier = threading.Barrier(2)
    answers: list[int] = []

    def send(client: Client, sent: dict[str, Any]) -> None:
        try:
            barrier.wait()
            answers.append(client.post(f"{listing.path}/edit", sent).status_code)
        finally:
            connection.close()

    threads = [threading.Thread(target=send, args=pair) for pair in zip(browsers, forms, strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == [302, 409]
    assert ListingVersion.objects.exclude(changes=[]).count() == 1


@pytest.mark.parametrize("opened", ["", "{}", "[]", "null", '{"headline": 1}', "\x00", "{" * 100, "[" * 100_000])
def test_a_form_without_its_marks_overwrites_nothing(browser: Client, listing: Listing, opened: str) -> None:
    answer = browser.post(f"{listing.path}/edit", {"headline": "Mine", "opened": opened})
    assert answer.status_code == 409
    before = listing.headline
    listing.refresh_from_db()
    assert listing.headline == before


def test_texts_travel_to_other_sites_and_the_answer_says_where(browser: Client, person: User, listing: Listing) -> None:
    makers = SiteFactory.create(key="makers", name="Makers")
    games = SiteFactory.create(key="games", name="Games")
    there = ListingFactory.create(company=listing.company, site=makers)
    closed = ListingFactory.create(company=listing.company, site=games, status="rejected")
    sent = form_of(browser, listing) | {"headline": "The same everywhere", "tags": "only here"}
    assert "Makers" in html_of(browser.get(f"{listing.path}/edit"))
    page = html_of(browser.post(f"{listing.path}/edit", sent | {"apply_to": ["makers", "games"]}, follow=True))
    assert "Makers: saved there as well: Headline." in page
    assert "Games: nothing was changed. The site team rejected" in page
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


def test_hostile_texts_are_texts_on_every_page(browser: Client, person: User, listing: Listing) -> None:
    fields = {
        "name": HOSTILE,
        "headline": HOSTILE,
        "summary": HOSTILE,
        "description": f'{HOSTILE}</textarea>"><img src=x onerror=alert(1)>',
        "tags": [HOSTILE[:29]],
        "audience": '"><b>',
        "faqs": [{"question": HOSTILE, "answer": HOSTILE}],
    }
    update_listing(listing=listing, fields=fields, by=Actor(user=person, via="key", credential=HOSTILE))
    Milestone.objects.create(listing=listing, date="2026-01-01", title=HOSTILE, description=HOSTILE)
    Update.objects.create(listing=listing, title=HOSTILE, body=HOSTILE)
    for path in [*(f"{listing.path}/{page}" for page in PAGES), "/account"]:
        html = html_of(browser.get(path))
        assert "<script>alert" not in html
        assert "<img src=x" not in html
        assert "<b>" not in html
        assert "&lt;script&gt;alert(1)" in html


# ---- milestones ----


def test_a_milestone_is_added_and_deleted(browser: Client, listing: Listing) -> None:
    address = f"{listing.path}/milestones"
    sent = {"date": "2026-02-03", "title": "1,000 teams", "description": "", "url": "https://acme.example/1000"}
    assert browser.post(address, sent).headers["Location"] == address
    milestone = Milestone.objects.get()
    assert (str(milestone.date), milestone.title) == ("2026-02-03", "1,000 teams")
    assert "1,000 teams" in html_of(browser.get(address))
    delete = reverse("delete_milestone", args=[listing.slug, milestone.pk])
    assert browser.get(delete).status_code == 405
    assert browser.post(delete).headers["Location"] == address
    assert not Milestone.objects.exists()
    assert browser.post(delete).status_code == 404
    assert "1,000 teams" in html_of(browser.get(f"{listing.path}/history"))


@pytest.mark.parametrize(
    ("field", "typed"),
    [("date", ""), ("date", "03.02.2026"), ("date", "1492-01-01"), ("date", "2226-01-01"), ("title", " "),
     ("title", "x" * 121), ("description", "x" * 1001), ("url", "http://acme.example"), ("url", "nonsense")],
)  # fmt: skip
def test_a_wrong_milestone_is_explained(browser: Client, listing: Listing, field: str, typed: str) -> None:
    sent = {"date": "2026-02-03", "title": "1,000 teams", "description": "Many", "url": ""} | {field: typed}
    answer = browser.post(f"{listing.path}/milestones", sent)
    assert answer.status_code == 422
    form = answer.context["form"]
    assert (list(form.errors), form[field].value()) == ([field], typed)
    assert not Milestone.objects.exists()


def test_a_foreign_milestone_is_not_deleted(browser: Client, person: User, listing: Listing) -> None:
    foreign = Milestone.objects.create(listing=ListingFactory.create(live=True), date="2026-01-01", title="Theirs")
    own_other = Milestone.objects.create(
        listing=ListingFactory.create(live=True, company__owner=person), date="2026-01-01", title="Elsewhere"
    )
    for milestone in (foreign, own_other):
        assert browser.post(reverse("delete_milestone", args=[listing.slug, milestone.pk])).status_code == 404
    assert Milestone.objects.count() == 2


@pytest.mark.parametrize(
    ("plan", "sections", "is_noted"), [("free", [], True), ("free", ["milestones"], False), ("paid", [], False)]
)
def test_hidden_milestones_are_noted(
    browser: Client, listing: Listing, plan: str, sections: list[str], is_noted: bool
) -> None:
    Listing.objects.update(plan=plan, unlocked_sections=sections)
    assert ("do not see milestones" in html_of(browser.get(f"{listing.path}/milestones"))) == is_noted


# ---- updates ----


def test_an_update_is_posted_and_followers_are_counted(browser: Client, person: User, listing: Listing) -> None:
    Follow.objects.create(listing=listing, user=UserFactory.create())
    Follow.objects.create(listing=listing, user=UserFactory.create(is_active=False))
    Follow.objects.create(listing=listing, user=person)
    page = browser.get(f"{listing.path}/updates/new")
    assert "1 follower will get it by mail." in html_of(page)
    answer = browser.post(f"{listing.path}/updates/new", {"title": "Offline mode", "body": "It works on trains."})
    assert answer.status_code == 302
    assert Update.objects.get().title == "Offline mode"
    assert "Offline mode" in html_of(browser.get("/updates"))


@pytest.mark.parametrize(("field", "typed"), [("title", ""), ("title", "x" * 121), ("body", ""), ("body", "x" * 4001)])
def test_a_wrong_update_is_explained(browser: Client, listing: Listing, field: str, typed: str) -> None:
    sent = {"title": "Offline mode", "body": "It works on trains."} | {field: typed}
    answer = browser.post(f"{listing.path}/updates/new", sent)
    assert (answer.status_code, list(answer.context["form"].errors)) == (422, [field])
    assert answer.context["form"][field].value() == typed
    assert not Update.objects.exists()


def test_the_days_updates_are_used_up(browser: Client, listing: Listing) -> None:
    Site.objects.update(updates_per_day=1)
    sent = {"title": "Offline mode", "body": "It works on trains."}
    browser.post(f"{listing.path}/updates/new", sent)
    assert "0 of 1" in html_of(browser.get(f"{listing.path}/updates/new"))
    again = browser.post(f"{listing.path}/updates/new", sent)
    assert again.status_code == 429
    assert again.context["form"].non_field_errors()
    assert again.context["form"]["body"].value() == sent["body"]
    assert Update.objects.count() == 1


def test_only_a_live_listing_posts(browser: Client, person: User) -> None:
    draft = ListingFactory.create(company__owner=person)
    answer = browser.post(f"{draft.path}/updates/new", {"title": "Soon", "body": "Text"})
    assert answer.headers["Location"] == f"{draft.path}/manage"
    assert not Update.objects.exists()


# ---- history ----


def test_the_history_says_who_by_what_and_what(browser: Client, person: User, listing: Listing) -> None:
    long = " ".join(f"word{number}" for number in range(200))
    steps: list[tuple[Actor, dict[str, Any]]] = [
        (Actor(user=person, via="browser"), {"headline": "The quick brown fox"}),
        (Actor(user=person, via="key", credential="Build script"), {"headline": "The quick red fox"}),
        (by(person), {"description": long, "tags": ["one", "two"]}),
        (Actor(user=UserFactory.create(name="Team Member", is_staff=True), via="admin"), {"tags": ["two", "three"]}),
        (by(person), {"description": long.replace("word100", "changed"), "city": "Riga"}),
    ]
    for actor, fields in steps:
        update_listing(listing=Listing.objects.get(pk=listing.pk), fields=fields, by=actor)
    html = html_of(browser.get(f"{listing.path}/history"))
    for text in ("in the browser", "with the API key Build script", "by An assistant", "The site team", "All sites"):
        assert text in html
    assert "Team Member" not in html
    assert "<del>brown</del><ins>red</ins>" in html
    assert "<del>word100</del><ins>changed</ins>" in html
    assert "<del>one</del>" in html
    assert "<ins>three</ins>" in html
    assert html.index("Riga") < html.index("Build script")


def test_the_history_is_paged_with_a_fixed_number_of_queries(
    browser: Client, person: User, listing: Listing, django_assert_num_queries: Callable[[int], Any]
) -> None:
    def edit(number: int) -> None:
        fresh = Listing.objects.select_related("company").get(pk=listing.pk)
        actor = Actor(user=UserFactory.create(), via="admin") if number % 2 else by(person)
        update_listing(listing=fresh, fields={"headline": f"Headline {number}", "city": f"City {number}"}, by=actor)

    for number in range(3):
        edit(number)
    browser.get("/account/profile")
    with CaptureQueriesContext(connection) as few:
        browser.get(f"{listing.path}/history")
    for number in range(3, 30):
        edit(number)
    with django_assert_num_queries(len(few)):
        first = html_of(browser.get(f"{listing.path}/history"))
    assert first.count("<article") == 10
    assert "<ins>29</ins>" in first
    assert "<ins>19</ins>" not in first
    assert "?page=2" in first
    assert "<ins>5</ins>" in html_of(browser.get(f"{listing.path}/history?page=3"))


def test_the_history_of_others_does_not_show(browser: Client, person: User, listing: Listing) -> None:
    other = ListingFactory.create(live=True)
    update_listing(listing=other, fields={"headline": "Of another company"}, by=by(other.company.owner))
    assert "Of another company" not in html_of(browser.get(f"{listing.path}/history"))


# ---- the dashboard ----


def test_cards_lead_to_the_listings_pages(browser: Client, person: User, listing: Listing) -> None:
    elsewhere = SiteFactory.create(name="Elsewhere")
    other = ListingFactory.create(company=listing.company, site=elsewhere, slug="there")
    html = html_of(browser.get("/account"))
    for page in ("edit", "updates/new"):
        assert f'href="{listing.path}/{page}"' in html
    assert f'href="{listing.site.url(listing.path)}/manage"' in html
    assert f'href="{elsewhere.url(other.path)}/manage"' in html
    assert "Elsewhere" in html


def test_the_overview_counts(browser: Client, listing: Listing) -> None:
    Milestone.objects.create(listing=listing, date="2026-01-01", title="One")
    context = browser.get(f"{listing.path}/manage").context["listing"]
    assert (context["milestone_count"], context["update_count"], context["follower_count"]) == (1, 0, 0)
    assert json.dumps([tab["label"] for tab in context["tabs"]]) == json.dumps(
        ["Overview", "Edit", "Milestones", "Post an update", "History"]
    )

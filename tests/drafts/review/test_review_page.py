"""The review of a draft: fields beside their evidence, what else was read, what is missing, saving, submitting."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from apps.accounts.actors import Actor
from apps.accounts.models import User
from apps.drafts.api.serializers import DraftFieldsSerializer
from apps.drafts.models import Draft
from apps.drafts.review.form import SECTIONS
from apps.drafts.services import drafts, guidance
from apps.listings.models import Listing
from apps.listings.services.creation import create_listing
from tests.browsing import signed_in
from tests.drafts.browsing import form_of, main_of, sent_of, text_of
from tests.drafts.factories import EVIDENCE, PROPOSAL, DraftFactory
from tests.factories import CategoryFactory, UserFactory

pytestmark = pytest.mark.django_db

HOSTILE = '"><script>alert(1)</script>'


def evidence(field: str, value: str, *others: str, **more: Any) -> dict[str, Any]:
    """Evidence of a field with other readings of it."""
    shared = {**EVIDENCE[0], "snippet": f"It says {value}.", "page_url": "https://acme.example/about"}
    readings = [
        {"value": other, **{key: shared[key] for key in ("page_url", "source", "selector", "snippet", "confidence")}}
        for other in others
    ]
    return {**shared, "field": field, "value": value, "runners_up": readings, **more}


FULL: dict[str, Any] = {
    **PROPOSAL,
    "logo_url": "https://acme.example/logo.png",
    "screenshots": ["https://acme.example/one.png", "https://acme.example/two.png"],
    "pricing_model": "freemium",
    "price_from_cents": 900,
    "founded_year": 2019,
    "country": "DE",
    "city": "Hamburg",
    "team_size": 12,
    "founders": [{"name": "Ada Muster", "role": "Chief", "url": "https://acme.example/team"}],
    "faqs": [{"question": "Why?", "answer": "Because."}, {"question": "How?", "answer": "So."}],
    "milestones": [{"date": "2024-05-01", "title": "Version 2", "description": "Faster.", "url": ""}],
    "categories": ["books"],
}
FULL_EVIDENCE = [
    *EVIDENCE,
    evidence("headline", FULL["headline"], "Invoicing for teams", "Send invoices", confidence=0.6),
    evidence("price_from_cents", "900", "1900", confidence=0.6),
    evidence("pricing_model", "freemium", "paid", confidence=0.6),
    evidence("country", "DE", "AT"),
    evidence("socials.github", FULL["socials"]["github"], "https://github.com/acme-labs", confidence=0.6),
    evidence("screenshots.0", FULL["screenshots"][0]),
    evidence("screenshots.1", FULL["screenshots"][1]),
    evidence("founders.0", "Ada Muster"),
    evidence("faqs.0", "Why?"),
    evidence("faqs.1", "How?"),
    evidence("milestones.0", "Version 2"),
    evidence("categories.books", "books", selector="words: invoice, time"),
    evidence("language", "en"),
]
MISSING = [
    {"field": "docs_url", "reason": "No page links to documentation."},
    {"field": "contact_email", "reason": "No page shows a mail address."},
]


@pytest.fixture
def person() -> User:
    return UserFactory.create(email="owner@example.com")


@pytest.fixture
def browser(person: User) -> Client:
    """A browser in which the owner is signed in."""
    return signed_in(person)


@pytest.fixture
def draft(person: User) -> Draft:
    """A draft with something in every part."""
    made = DraftFactory.create(
        owner=person,
        ready=True,
        proposal=FULL,
        evidence=FULL_EVIDENCE,
        missing=MISSING,
        pages_read=[
            {"url": "https://acme.example/", "kind": "home", "reason": ""},
            {"url": "https://acme.example/blog", "kind": "blog", "reason": "robots.txt disallows it."},
        ],
    )
    CategoryFactory.create(site=made.site, slug="books", name="Books")
    CategoryFactory.create(site=made.site, slug="tools", name="Tools")
    return made


def by(person: User) -> Actor:
    return Actor(user=person, via="assistant", credential="An assistant")


def test_every_field_of_update_draft_is_on_the_page() -> None:
    shown = [name for section in SECTIONS for name in section.fields]
    assert sorted(shown) == sorted({*DraftFieldsSerializer().fields, "founders", "language"})


def decisions_of(answer: Any) -> dict[str, str]:
    """The rows to decide, by the field or entry, each with its reason."""
    return {row.confirms or row.name: row.decision for row in answer.context["review"].decisions()}


def folded_in(answer: Any) -> dict[str, tuple[str, str]]:
    """Each folded field with its text and where it comes from."""
    sections = answer.context["review"].sections()
    return {fold.name: (fold.text, fold.origin) for section in sections for fold in section["folds"]}


@pytest.mark.slow
def test_each_field_has_where_it_was_read_beside_it(browser: Client, draft: Draft) -> None:
    answer = browser.get(f"/drafts/{draft.pk}")
    text, sent = text_of(answer), sent_of(answer)
    for item in FULL_EVIDENCE[1:]:
        assert item["snippet"] in text
    for told in ("og:site_name", "Home page, site name", "Ada Muster, Chief", "English", "Books"):
        assert told in text
    assert (sent["price_from_cents"], sent["faq_1_question"], sent["milestone_0_date"]) == (
        ["9.00"],
        ["How?"],
        ["2024-05-01"],
    )
    assert "No page links to documentation." in text
    assert "Not used: robots.txt disallows it." in text


@pytest.mark.parametrize(
    ("reasons", "count"),
    [(["", ""], "2"), (["", "It answers 404."], "1 of 2"), (["It couldn't be reached."], "0 of 1")],
)
def test_only_pages_that_were_used_count_as_read(browser: Client, draft: Draft, reasons: list[str], count: str) -> None:
    draft.pages_read = [{"url": f"https://acme.example/{n}", "kind": "", "reason": r} for n, r in enumerate(reasons)]
    draft.save(update_fields=["pages_read"])
    [pages] = main_of(browser.get(f"/drafts/{draft.pk}")).xpath("//details[@id='pages-read']/summary")
    assert pages.text_content() == f"Pages read{count}"


def test_the_pages_are_told_while_they_are_read(browser: Client, person: User) -> None:
    pages = [{"url": "https://acme.example/blog", "kind": "blog", "reason": "It answers 404."}]
    made = DraftFactory.create(owner=person, pages_done=1, pages_planned=2, pages_read=pages)
    text = text_of(browser.get(f"/drafts/{made.pk}"))
    assert "1 of 2 pages" in text
    assert "https://acme.example/blog · It answers 404." in text


def test_a_page_that_is_saved_as_it_is_changes_nothing(browser: Client, draft: Draft) -> None:
    before = Draft.objects.values().get()
    answer = browser.post(f"/drafts/{draft.pk}/save", form_of(browser, draft), follow=True)
    assert "No changes" in text_of(answer)
    assert Draft.objects.values().get() == before


@pytest.mark.slow
def test_corrections_are_saved_without_submitting(browser: Client, draft: Draft) -> None:
    changes = {
        "headline": "Better invoices",
        "price_from_cents": "12.50",
        "country": "FR",
        "screenshots": "https://acme.example/two.png",
        "categories": ["books", "tools"],
        "faq_0_question": "",
        "faq_0_answer": "",
        "milestone_0_title": "Version 3",
        "new_platform": "x",
        "new_address": "https://x.com/acme",
        "tags": "money\ntime",
        "docs_url": "https://docs.acme.example/",
    }
    answer = browser.post(f"/drafts/{draft.pk}/save", form_of(browser, draft, **changes), follow=True)
    assert "Draft saved." in text_of(answer)
    kept = Draft.objects.get()
    assert kept.status == "ready"
    assert not Listing.objects.exists()
    assert kept.proposal == {
        **FULL,
        "headline": "Better invoices",
        "price_from_cents": 1250,
        "country": "FR",
        "screenshots": ["https://acme.example/two.png"],
        "categories": ["books", "tools"],
        "faqs": [{"question": "How?", "answer": "So."}],
        "milestones": [{**FULL["milestones"][0], "title": "Version 3"}],
        "socials": {**FULL["socials"], "x": "https://x.com/acme"},
        "tags": ["money", "time"],
        "docs_url": "https://docs.acme.example/",
    }
    assert kept.evidence == FULL_EVIDENCE
    assert [item["field"] for item in kept.missing] == ["contact_email"]
    text = text_of(answer)
    assert "Edited by you" in text
    # The finding went with its question, and the other one stays with its own.
    assert ("It says Why?." in text, "It says How?." in text) == (False, True)


def test_the_reviewed_draft_is_submitted(browser: Client, draft: Draft) -> None:
    form = form_of(browser, draft, city="Bremen", name="Acme Ltd", pick_headline="2")
    answer = browser.post(f"/drafts/{draft.pk}/submit", form, follow=True)
    listing = Listing.objects.get()
    assert "Listing submitted" in text_of(answer)
    answer = browser.get(f"/drafts/{draft.pk}")
    text = text_of(answer)
    assert "It says Version 2." in text
    # What was read stays to be seen: for the picked headline its own place, for the written name what stood there.
    assert folded_in(answer)["name"][1] == "Edited by you"
    assert "og:site_name" in text
    assert (listing.company.city, listing.company.price_from_cents, listing.faqs) == ("Bremen", 900, FULL["faqs"])
    assert [milestone.title for milestone in listing.milestones.all()] == ["Version 2"]


@pytest.mark.parametrize(
    ("pick", "number", "field", "stands"),
    [
        ("pick_headline", "2", "headline", "Send invoices"),
        ("pick_price_from_cents", "1", "price_from_cents", 1900),
        ("pick_pricing_model", "1", "pricing_model", "paid"),
        ("pick_country", "1", "country", "AT"),
        ("pick_socials.github", "1", "socials", {"github": "https://github.com/acme-labs"}),
    ],
)
def test_another_reading_is_picked(
    browser: Client, draft: Draft, pick: str, number: str, field: str, stands: object
) -> None:
    form = form_of(browser, draft)
    assert form[pick] == [""]
    browser.post(f"/drafts/{draft.pk}/save", {**form, pick: number})
    kept = Draft.objects.get()
    assert (kept.proposal[field], kept.edited) == (stands, [field])
    # What was read first can be picked again.
    text = text_of(browser.get(f"/drafts/{draft.pk}"))
    assert "Edited by you" not in text
    browser.post(f"/drafts/{draft.pk}/save", form_of(browser, draft, **{pick: "0"}))
    assert Draft.objects.get().proposal == FULL


def test_what_was_written_and_what_was_picked_are_not_both_taken(browser: Client, draft: Draft) -> None:
    form = form_of(browser, draft, headline="My own words", pick_headline="1")
    answer = browser.post(f"/drafts/{draft.pk}/submit", form)
    assert answer.status_code == 422
    assert "Keep one." in text_of(answer)
    sent = sent_of(answer)
    assert (sent["headline"], sent["pick_headline"]) == (["My own words"], ["1"])
    assert Draft.objects.get().proposal == FULL
    browser.post(f"/drafts/{draft.pk}/submit", {**sent, "pick_headline": ""})
    assert Listing.objects.get().headline == "My own words"


@pytest.mark.parametrize("number", ["", "3", "-1", "9" * 5000, "x", "²"])
def test_a_pick_that_is_none_changes_nothing(browser: Client, draft: Draft, number: str) -> None:
    browser.post(f"/drafts/{draft.pk}/save", form_of(browser, draft, pick_headline=number))
    assert Draft.objects.get().proposal == FULL


def test_a_profile_that_was_left_out_can_come_back(browser: Client, draft: Draft) -> None:
    answer = browser.post(f"/drafts/{draft.pk}/save", form_of(browser, draft, social_github=""), follow=True)
    assert Draft.objects.get().proposal["socials"] == {}
    assert "Removed by you" in text_of(answer)
    browser.post(f"/drafts/{draft.pk}/save", {**sent_of(answer), "pick_socials.github": "0"})
    assert Draft.objects.get().proposal["socials"] == FULL["socials"]


@pytest.mark.parametrize(("add", "name"), [("faq", "faq_2_question"), ("milestone", "milestone_1_title")])
def test_a_row_is_added_without_saving(browser: Client, draft: Draft, add: str, name: str) -> None:
    form = form_of(browser, draft, headline="Typed", pick_country="1")
    assert name not in form
    answer = browser.post(f"/drafts/{draft.pk}/save", {**form, "add": add})
    sent = sent_of(answer)
    assert (sent[name], sent["headline"], sent["country"]) == ([""], ["Typed"], ["AT"])
    assert Draft.objects.get().proposal == FULL
    row = {"faq_2_question": "When?", "faq_2_answer": "Now.", "milestone_1_date": "2025-01-02"}
    changes = {key: text for key, text in {**row, "milestone_1_title": "More"}.items() if key in sent}
    browser.post(f"/drafts/{draft.pk}/save", {**sent, **changes})
    kept = Draft.objects.get().proposal
    assert (len(kept["faqs"]) + len(kept["milestones"]), kept["headline"], kept["country"]) == (4, "Typed", "AT")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("headline", " "),
        ("headline", "a" * 81),
        ("price_from_cents", "much"),
        ("founded_year", "1066"),
        ("logo_url", "http://acme.example/logo.png"),
        ("social_github", "https://evil.example/acme"),
        ("faq_0_answer", ""),
        ("milestone_0_date", "1.5.2024"),
        ("milestone_0_title", ""),
        ("contact_email", "nobody"),
        ("screenshots", "ftp://acme.example/one.png"),
        ("new_address", "https://x.com/acme"),
    ],
)
@pytest.mark.parametrize("way", ["save", "submit"])
def test_a_wrong_value_is_told_beside_its_field(browser: Client, draft: Draft, name: str, text: str, way: str) -> None:
    before = Draft.objects.values().get()
    answer = browser.post(f"/drafts/{draft.pk}/{way}", form_of(browser, draft, **{name: text}))
    assert answer.status_code == 422
    wrong = "new_platform" if name == "new_address" else name
    assert list(answer.context["form"].errors) == [wrong]
    assert f'href="#at-{wrong}"' in answer.content.decode()
    assert f'id="at-{wrong}"' in answer.content.decode()
    assert sent_of(answer)[name] == [text.strip()]
    assert Draft.objects.values().get() == before


def test_what_is_unclear_comes_first_and_the_rest_is_folded(browser: Client, draft: Draft) -> None:
    unsure = evidence("city", "Hamburg", confidence=0.5)
    Draft.objects.update(
        proposal={**FULL, "summary": ""},
        evidence=[
            *(item for item in FULL_EVIDENCE if item["field"] not in {"country", "faqs.1"}),
            unsure,
            evidence("faqs.1", "How?", confidence=0.4),
            evidence("founded_year", "2019", "1999", confidence=0.95),
        ],
    )
    answer = browser.get(f"/drafts/{draft.pk}")
    assert decisions_of(answer) == {
        "summary": "Required",
        "headline": "3 values found",
        "price_from_cents": "2 values found",
        "pricing_model": "2 values found",
        "city": "Low confidence",
        "socials.github": "2 values found",
        "faqs.1": "Low confidence",
    }
    folded = folded_in(answer)
    # Other readings alone, such as the prices of other plans, are no reason to ask.
    assert folded["founded_year"][0] == "2019"
    assert folded["name"] == ("Acme", "Home page, site name")
    assert folded["country"] == ("Germany", "")
    assert folded["faqs"] == ("Why?", "")
    assert {row.name for row in answer.context["review"].empty()} >= {"docs_url", "tags", "seo_title"}


def test_each_value_found_is_told_with_its_quote(browser: Client, draft: Draft) -> None:
    read = evidence("price_from_cents", "900", "1900", confidence=0.6)
    read["snippet"] = "<p>Crews pay $9.</p>"
    read["runners_up"][0]["snippet"] = "<p>Fleets pay $19.</p>"
    Draft.objects.update(evidence=[read])
    page = main_of(browser.get(f"/drafts/{draft.pk}"))
    [picks] = page.xpath("//fieldset[.//@name='pick_price_from_cents']")
    kept, other = (" ".join(label.text_content().split()) for label in picks.xpath(".//label"))
    assert kept == "Keep $9.00"
    assert other.startswith("$19.00 ")
    assert other.endswith("Fleets pay $19.")


@pytest.mark.parametrize(("confidence", "is_asked"), [(0.69, True), (0.7, False)])
def test_the_page_asks_about_what_assistants_are_asked_about(
    browser: Client, draft: Draft, confidence: float, is_asked: bool
) -> None:
    item = evidence("headline", "Invoices that write themselves", "Send invoices", confidence=confidence)
    Draft.objects.update(proposal={**PROPOSAL, "headline": "Invoices that write themselves"}, evidence=[item])
    asked = "headline" in decisions_of(browser.get(f"/drafts/{draft.pk}"))
    assert (asked, "headline" in guidance.unsure_of(Draft.objects.get())) == (is_asked, is_asked)


@pytest.mark.slow
def test_a_confirmed_value_is_folded_and_remembered(browser: Client, draft: Draft) -> None:
    form = form_of(browser, draft, city="Bremen", confirm="headline")
    answer = browser.post(f"/drafts/{draft.pk}/save", form)
    assert (answer.status_code, answer.headers["Location"]) == (302, f"/drafts/{draft.pk}#decisions")
    kept = Draft.objects.get()
    assert (kept.confirmed, kept.proposal["city"], kept.proposal["headline"]) == (
        ["headline"],
        "Bremen",
        FULL["headline"],
    )
    shown = browser.get(f"/drafts/{draft.pk}")
    assert "headline" not in decisions_of(shown)
    assert folded_in(shown)["headline"] == (FULL["headline"], "Confirmed by you")
    # Its own words are as clear as a confirmation.
    browser.post(f"/drafts/{draft.pk}/save", form_of(browser, draft, price_from_cents="12"))
    assert "price_from_cents" not in decisions_of(browser.get(f"/drafts/{draft.pk}"))


@pytest.mark.parametrize("field", ["tags", "faqs.9", "x" * 5000])
def test_only_what_was_read_can_be_confirmed(browser: Client, draft: Draft, field: str) -> None:
    browser.post(f"/drafts/{draft.pk}/save", form_of(browser, draft, confirm=field))
    assert Draft.objects.get().confirmed == []


def test_what_a_listing_needs_is_asked_for(browser: Client, draft: Draft) -> None:
    missing = [{"field": "summary", "reason": "No page describes the product."}]
    Draft.objects.update(proposal={**FULL, "summary": ""}, missing=missing)
    answer = browser.get(f"/drafts/{draft.pk}")
    assert decisions_of(answer)["summary"] == "Required"
    assert missing[0]["reason"] in text_of(answer)
    answer = browser.post(f"/drafts/{draft.pk}/submit", form_of(browser, draft))
    assert answer.status_code == 422
    assert answer.content.decode().count('class="error"') == 1
    assert not Listing.objects.exists()
    # What is there by then can be saved all the same.
    assert browser.post(f"/drafts/{draft.pk}/save", form_of(browser, draft, city="Bremen")).status_code == 302


def test_what_an_assistant_wrote_meanwhile_is_not_lost(browser: Client, draft: Draft, person: User) -> None:
    form = form_of(browser, draft, headline="Mine", city="Bremen")
    theirs = {"headline": "Theirs", "audience": "Theirs", "milestones": [{**FULL["milestones"][0], "title": "Theirs"}]}
    drafts.update_draft(draft=draft, fields=theirs, by=by(person))
    answer = browser.post(f"/drafts/{draft.pk}/submit", {**form, "milestone_0_title": "Mine"})
    assert answer.status_code == 409
    assert not Listing.objects.exists()
    assert answer.content.decode().count('data-conflict="saved"') == 2
    taken = browser.post(f"/drafts/{draft.pk}/submit", {**sent_of(answer), "take_saved": "milestones"})
    assert sent_of(taken)["milestone_0_title"] == ["Theirs"]
    browser.post(f"/drafts/{draft.pk}/submit", sent_of(taken))
    listing = Listing.objects.get()
    assert (listing.headline, listing.company.city, listing.company.audience) == ("Mine", "Bremen", "Theirs")
    assert listing.milestones.get().title == "Theirs"


def test_a_form_without_marks_overwrites_nothing(browser: Client, draft: Draft) -> None:
    assert browser.post(f"/drafts/{draft.pk}/save", {"headline": "Mine"}).status_code == 409
    assert Draft.objects.get().proposal == FULL


@pytest.mark.parametrize("opened", ["", "[]", "{", "[" * 100_000, '{"headline": 1}'])
def test_broken_marks_count_as_none(browser: Client, draft: Draft, opened: str) -> None:
    form = form_of(browser, draft, opened=opened, headline="Mine")
    assert browser.post(f"/drafts/{draft.pk}/save", form).status_code == 409
    assert Draft.objects.get().proposal == FULL


def test_a_text_worded_by_a_model_says_so(browser: Client, draft: Draft) -> None:
    assert "AI summary" not in text_of(browser.get(f"/drafts/{draft.pk}"))
    Draft.objects.update(evidence=[evidence("headline", FULL["headline"], "As it was read", is_worded=True)])
    answer = browser.get(f"/drafts/{draft.pk}")
    assert "AI summary" in text_of(answer)
    assert "As it was read" in text_of(answer)


@pytest.mark.parametrize("status", ["ready", "submitted", "failed"])
def test_text_of_websites_is_never_markup(browser: Client, draft: Draft, status: str) -> None:
    address = "javascript:alert(1)"
    Draft.objects.update(
        proposal={
            **{name: HOSTILE for name in ("name", "headline", "summary", "city", "language", "country")},
            "socials": {"x": address, HOSTILE: HOSTILE},
            "logo_url": address,
            "screenshots": [address, HOSTILE],
            "founders": [{"name": HOSTILE, "role": HOSTILE, "url": address}],
            "faqs": [{"question": HOSTILE, "answer": HOSTILE}],
            "milestones": [{"date": HOSTILE, "title": HOSTILE, "description": HOSTILE, "url": address}],
            "categories": [HOSTILE],
        },
        evidence=[
            evidence(field, HOSTILE, HOSTILE + "2", address, selector=HOSTILE)
            for field in (
                "name",
                "logo_url",
                "socials.x",
                f"socials.{HOSTILE}",
                "faqs.0",
                "founders.0",
                "price_from_cents",
            )
        ],
        missing=[{"field": HOSTILE, "reason": HOSTILE}],
        pages_read=[{"url": "https://acme.example/" + HOSTILE, "kind": HOSTILE, "reason": HOSTILE}],
    )
    if status == "submitted":
        listing = create_listing(site=draft.site, website="https://acme.example", fields=PROPOSAL, by=by(draft.owner))
        Draft.objects.update(status=status, listing=listing, submitted_at=draft.finished_at)
    elif status == "failed":
        Draft.objects.update(status=status, error_code="blocked")
    answer = browser.get(f"/drafts/{draft.pk}")
    assert answer.status_code == 200
    page = answer.content.decode()
    assert "<script>alert" not in page
    assert 'href="javascript' not in page
    assert 'src="javascript' not in page


def test_a_draft_that_is_not_ready_is_not_changed(browser: Client, person: User) -> None:
    for status, code in (("crawling", 409), ("cancelled", 409)):
        made = DraftFactory.create(owner=person, ready=True)
        form = form_of(browser, made, headline="Mine")
        Draft.objects.filter(pk=made.pk).update(
            status=status, finished_at=None if status == "crawling" else made.finished_at
        )
        for way in ("save", "submit"):
            assert browser.post(f"/drafts/{made.pk}/{way}", form).status_code == code
        assert Draft.objects.get(pk=made.pk).proposal == PROPOSAL
    assert not Listing.objects.exists()


def test_others_and_nobody_save_nothing(browser: Client, draft: Draft) -> None:
    form = form_of(browser, draft, headline="Mine")
    stranger = Client(headers={"host": "testserver.localhost"})
    assert stranger.post(f"/drafts/{draft.pk}/save", form).status_code == 302
    stranger.force_login(UserFactory.create())
    assert stranger.post(f"/drafts/{draft.pk}/save", form).status_code == 404
    assert Draft.objects.get().proposal == FULL


@pytest.mark.parametrize("way", ["save", "submit"])
def test_the_url_of_a_refused_form_leads_to_the_draft(browser: Client, draft: Draft, way: str) -> None:
    answer = browser.get(f"/drafts/{draft.pk}/{way}")
    assert (answer.status_code, answer["Location"]) == (302, f"/drafts/{draft.pk}")
    assert Draft.objects.get().status == Draft.Status.READY


@pytest.mark.slow
def test_the_number_of_queries_does_not_grow(
    browser: Client, draft: Draft, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    browser.get(f"/drafts/{draft.pk}")
    # The last one is for the price of a paid launch, in the preview.
    with django_assert_max_num_queries(9):
        browser.get(f"/drafts/{draft.pk}")

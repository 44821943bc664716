"""The preview beside the fields: the listing's page with what is typed, saved or not."""

from typing import Any

import pytest
from django.test import Client

from apps.accounts.models import User
from apps.drafts.models import Draft
from tests.browsing import signed_in
from tests.drafts.browsing import form_of, main_of
from tests.drafts.factories import EVIDENCE, PROPOSAL, DraftFactory
from tests.factories import CategoryFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def person() -> User:
    return UserFactory.create()


@pytest.fixture
def browser(person: User) -> Client:
    """A browser in which the owner is signed in."""
    return signed_in(person)


@pytest.fixture
def draft(person: User) -> Draft:
    summary = {**EVIDENCE[0], "field": "summary", "value": PROPOSAL["summary"]}
    made = DraftFactory.create(
        owner=person,
        ready=True,
        url="https://acme.example/",
        proposal={
            **PROPOSAL,
            "city": "Kiel",
            "screenshots": ["https://acme.example/one.png"],
            "faqs": [{"question": "Why?", "answer": "Because."}],
            "milestones": [{"date": "2024-05-01", "title": "Version 2", "description": "", "url": ""}],
            "categories": ["books"],
        },
        evidence=[*EVIDENCE, summary],
    )
    CategoryFactory.create(site=made.site, slug="books", name="Books")
    CategoryFactory.create(site=made.site, slug="tools", name="Tools")
    return made


def typed(browser: Client, draft: Draft, **changes: Any) -> dict[str, Any]:
    """What the preview shows of a form with these changes."""
    answer = browser.post(f"/drafts/{draft.pk}/preview", form_of(browser, draft, **changes))
    assert answer.status_code == 200
    shown: dict[str, Any] = answer.context["preview"]
    return shown


def facts(shown: dict[str, Any]) -> dict[str, str]:
    return {row.label: row.value for row in shown["facts"]}


def test_the_listing_is_shown_beside_the_fields(browser: Client, draft: Draft) -> None:
    answer = browser.get(f"/drafts/{draft.pk}")
    [preview] = main_of(answer).xpath("//*[@id='preview']")
    text = " ".join(preview.text_content().split())
    for part in ("Acme", "Invoices that write themselves", "Acme reads your", "Kiel", "Books", "GitHub", "Why?"):
        assert part in text
    assert [heading.text_content() for heading in preview.iter("h1")] == []
    shown = answer.context["preview"]
    assert shown["summary_source"].place == "acme.example"
    assert [row.sources for row in shown["facts"]] == [[]]


def test_what_is_typed_is_shown_and_not_saved(browser: Client, draft: Draft) -> None:
    before = Draft.objects.values().get()
    shown = typed(
        browser,
        draft,
        headline="Better invoices",
        summary="My own words.",
        city="Lübeck",
        price_from_cents="9.50",
        categories=["tools"],
        faq_0_question="How?",
        tags="money\ntime",
    )
    assert (shown["headline"], shown["faqs"]) == ("Better invoices", [{"question": "How?", "answer": "Because."}])
    assert facts(shown) == {"Pricing": "from $9.50", "Based in": "Lübeck"}
    assert [category.name for category in shown["categories"]] == ["Tools"]
    assert [tag for tag, _ in shown["tags"]] == ["money", "time"]
    assert shown["summary_source"] is None
    assert Draft.objects.values().get() == before


def test_a_picked_reading_is_shown(browser: Client, draft: Draft) -> None:
    other = {key: EVIDENCE[0][key] for key in ("page_url", "source", "selector", "snippet", "confidence")}
    item = {**EVIDENCE[0], "field": "city", "value": "Kiel", "runners_up": [{**other, "value": "Rostock"}]}
    Draft.objects.update(evidence=[item])
    assert facts(typed(browser, draft, pick_city="1")) == {"Based in": "Rostock"}


@pytest.mark.parametrize(
    ("name", "text", "part"),
    [
        ("logo_url", "http://acme.example/logo.png", "logo_key"),
        ("social_github", "javascript:alert(1)", "socials"),
        ("docs_url", "javascript:alert(1)", "resources"),
        ("video_url", "javascript:alert(1)", "video"),
        ("screenshots", "javascript:alert(1)", "screenshots"),
        ("faq_0_answer", "", "faqs"),
        ("milestone_0_date", "tomorrow", "milestones"),
        ("milestone_0_title", "", "milestones"),
        ("founded_year", "1066", "facts"),
    ],
)
def test_what_cannot_be_saved_is_left_out(browser: Client, draft: Draft, name: str, text: str, part: str) -> None:
    assert not typed(browser, draft, city="", **{name: text})[part]


def test_texts_are_shown_while_they_are_too_long_or_empty(browser: Client, draft: Draft) -> None:
    shown = typed(browser, draft, headline="a" * 200, name=" ", summary="")
    assert (shown["headline"], shown["name"], shown["summary"]) == ("a" * 200, "Your product", "")


def test_a_draft_filled_in_by_hand_has_a_preview(browser: Client, person: User) -> None:
    failed = DraftFactory.create(owner=person, failed=True)
    assert typed(browser, failed, name="Acme")["name"] == "Acme"


def test_a_preview_is_its_owners_alone(browser: Client, draft: Draft) -> None:
    path, form = f"/drafts/{draft.pk}/preview", form_of(browser, draft)
    stranger = Client(headers={"host": "testserver.localhost"})
    assert stranger.post(path, form).status_code == 302
    stranger.force_login(UserFactory.create())
    assert stranger.post(path, form).status_code == 404
    assert browser.get(path).status_code == 405
    Draft.objects.update(status="cancelled")
    assert browser.post(path, form).status_code == 204

"""An owner's milestones in the browser."""

import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.models import User
from apps.listings.models import Listing, Milestone
from tests.factories import ListingFactory
from tests.listings.owner.browsing import html_of

pytestmark = pytest.mark.django_db


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
    assert ("saves milestones" in html_of(browser.get(f"{listing.path}/milestones"))) == is_noted

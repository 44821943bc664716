"""From the facts on a website's pages to those of its listing."""

from typing import Any

import pytest

from apps.drafts.crawl import job
from apps.drafts.models import Draft
from apps.listings.models import Listing
from apps.sites.models import Site
from tests.api import ApiClient
from tests.drafts.conftest import page
from tests.pages_server import PagesServer

pytestmark = pytest.mark.django_db(transaction=True)

ABOUT = """<p>Acme was founded in 2019. We are a team of 12 people, based in Lisbon, Portugal.</p>
<div><h3>Ada Lovelace</h3><p>Co-founder &amp; CEO</p></div>"""
PRICING = "<h3>Free</h3><p>$0</p><h3>Pro</h3><p>$29</p><p>per month</p>"
FAQ = "<h3>How do I cancel?</h3><p>In the settings, at any time.</p>"


@pytest.fixture
def draft(acme: PagesServer, owner: ApiClient, site: Site) -> Draft:
    for name, text in (("about", ABOUT), ("pricing", PRICING), ("faq", FAQ)):
        acme.serve("acme.localhost", f"/{name}", page(name.capitalize()).replace("</body>", f"{text}</body>"))
    started = owner.post("/drafts", {"url": acme.url("acme.localhost", "/")})
    job.run(started.json()["id"])
    return Draft.objects.get(pk=started.json()["id"])


def sources(owner: ApiClient, draft: Draft) -> Any:
    return owner.get(f"/drafts/{draft.pk}", {"include": "evidence"}).json()["evidence"]


def test_facts_are_proposed_with_evidence_and_listed(owner: ApiClient, draft: Draft) -> None:
    shown = owner.get(f"/drafts/{draft.pk}").json()
    expected = {
        "founded_year": 2019,
        "team_size": 12,
        "city": "Lisbon",
        "country": "PT",
        "pricing_model": "freemium",
        "price_from_cents": 2900,
        "faqs": [{"question": "How do I cancel?", "answer": "In the settings, at any time."}],
    }
    assert {name: shown["proposal"].get(name) for name in expected} == expected
    assert shown["founders"] == [{"name": "Ada Lovelace", "role": "Co-founder & CEO", "url": ""}]
    assert shown["language"] == "en"
    evidence = {item["field"]: item for item in sources(owner, draft)}
    assert {"founded_year", "price_from_cents", "faqs.0", "founders.0"} <= set(evidence)
    assert all(item["is_current"] for item in evidence.values())

    body = owner.post(f"/drafts/{draft.pk}/submit").json()
    listing = Listing.objects.select_related("company").get(pk=body["listing_id"])
    company = listing.company
    assert (company.founded_year, company.team_size, company.city, company.country) == (2019, 12, "Lisbon", "PT")
    assert (company.pricing_model, company.price_from_cents) == ("freemium", 2900)
    assert listing.faqs == expected["faqs"]


def test_the_owner_sends_the_facts_back_as_they_were_read(owner: ApiClient, draft: Draft) -> None:
    names = ("founded_year", "team_size", "city", "country", "pricing_model", "price_from_cents", "faqs")
    answer = owner.patch(f"/drafts/{draft.pk}", {"fields": {name: draft.proposal[name] for name in names}})
    assert answer.status_code == 200
    assert answer.json()["edited"] == []
    changed = owner.patch(f"/drafts/{draft.pk}", {"fields": {"price_from_cents": 900, "faqs": []}}).json()
    evidence = {item["field"]: item["is_current"] for item in sources(owner, draft)}
    assert changed["edited"] == ["faqs", "price_from_cents"]
    assert (evidence["price_from_cents"], evidence["faqs.0"], evidence["founded_year"]) == (False, False, True)

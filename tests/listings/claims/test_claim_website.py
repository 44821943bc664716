"""claim_website: what to publish where, and who can't claim what."""

import pytest

from apps.listings.claims.proofs import FILE_PATH, NAME
from apps.listings.models import Claim, Company
from tests.api import ApiClient
from tests.factories import CompanyFactory

pytestmark = pytest.mark.django_db


def test_the_answer_says_what_to_publish(owner: ApiClient, company: Company) -> None:
    answer = owner.post("/claims", {"url": "www.acme.example"})
    token = Claim.objects.get().token
    assert answer.status_code == 200
    body = answer.json()
    assert (body["website"], body["status"], body["result"], body["checked_at"]) == (company.website, "open", "", None)
    proofs = {proof["method"]: (proof["place"], proof["content"]) for proof in body["proofs"]}
    assert proofs["meta"] == ("https://acme.example/", f'<meta name="{NAME}" content="{token}">')
    assert proofs["file"] == (f"https://acme.example{FILE_PATH}", token)
    assert token in proofs["dns"][1]
    assert "check_claim" in body["next_steps"][0]
    assert owner.post("/claims", {"url": "acme.example"}).json() == body


def test_below_a_shared_host_only_the_page_proves_it(owner: ApiClient) -> None:
    CompanyFactory.create(website="https://ada.github.io/acme", website_key="ada.github.io/acme")
    body = owner.post("/claims", {"url": "https://ada.github.io/acme"}).json()
    assert [proof["method"] for proof in body["proofs"]] == ["meta"]


@pytest.mark.parametrize(
    ("url", "status", "code"), [("unknown.example", 422, "not_listed"), ("http://127.0.0.1/", 422, "invalid_url")]
)
def test_other_addresses_are_refused(owner: ApiClient, company: Company, url: str, status: int, code: str) -> None:
    answer = owner.post("/claims", {"url": url})
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert not Claim.objects.exists()

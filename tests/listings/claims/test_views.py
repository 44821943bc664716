"""The pages of claims: ask, say where the word goes, check now, and what became of it."""

from datetime import timedelta
from typing import Any
from urllib.parse import quote

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from apps.accounts.models import User
from apps.listings import tasks
from apps.listings.claims.checks import run_check
from apps.listings.models import Claim, Company, Listing
from apps.sites.models import Site
from tests.browsing import signed_in
from tests.dns_server import DnsServer
from tests.factories import UserFactory
from tests.listings.claims.conftest import HOST, claim_of
from tests.listings.owner.browsing import html_of
from tests.pages_server import PagesServer

pytestmark = pytest.mark.db


@pytest.fixture
def browser(claimant: User) -> Client:
    return signed_in(claimant)


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    asked: list[int] = []
    monkeypatch.setattr(tasks.check_claim, "delay", asked.append)
    return asked


@pytest.mark.parametrize("path", ["/claims/new", "/claims/1"])
def test_sign_in_comes_first(db: None, path: str) -> None:
    answer = Client(headers={"host": "testserver.localhost"}).get(path)
    assert answer.status_code == 302
    assert answer.headers["Location"].startswith("/account/sign-in?next=/claims/")


def test_a_link_asks_and_only_the_form_claims(browser: Client, company: Company) -> None:
    page = browser.get(f"/claims/new?url={quote(company.website)}")
    assert company.website in html_of(page)
    assert not Claim.objects.exists()
    answer = browser.post("/claims/new", {"url": company.website})
    claim = Claim.objects.get()
    assert (answer.status_code, answer.headers["Location"]) == (302, f"/claims/{claim.pk}")
    assert f'href="/claims/{claim.pk}"' in html_of(browser.get("/claims/new"))


@pytest.mark.parametrize(
    "typed",
    [
        " ACME.example ",
        "\u00a0acme.example\u3000",
        "\u200eacme.example\u200b",
        "HTTPS://Acme.example:443",
        "acme.example/pricing?plan=2#top",
        "acme.example.",
        "http://acme.example",
    ],
)
def test_a_website_is_taken_as_people_type_it(browser: Client, company: Company, typed: str) -> None:
    answer = browser.post("/claims/new", {"url": typed})
    assert answer.headers["Location"] == f"/claims/{Claim.objects.get(company=company).pk}"


def test_what_was_typed_stays_in_the_form(browser: Client, company: Company) -> None:
    answer = browser.post("/claims/new", {"url": "https:// acme .example"})
    assert answer.status_code == 422
    assert 'value="https:// acme .example"' in html_of(answer)


@pytest.mark.parametrize("url", ["", "ftp://acme.example", "nobody.example"])
def test_a_website_that_cannot_be_claimed(browser: Client, company: Company, url: str) -> None:
    answer = browser.post("/claims/new", {"url": url})
    assert answer.status_code == 422
    assert answer.context["form"].errors["url"]
    assert ("/drafts/new?url=nobody.example" in html_of(answer)) is (url == "nobody.example")


def test_the_three_ways(browser: Client, claim: Claim) -> None:
    html = html_of(browser.get(f"/claims/{claim.pk}"))
    for text in (
        'value="_slipway.acme.example"',
        f'value="slipway-claim={claim.token}"',
        f"&lt;meta name=&quot;slipway-claim&quot; content=&quot;{claim.token}&quot;&gt;",
        'value="https://acme.example/.well-known/slipway-claim.txt"',
        "move to your account",
    ):
        assert text in html
    assert claim.company.owner.email not in html


def test_a_page_on_a_shared_host_has_one_way(browser: Client, claimant: User, company: Company, site: Site) -> None:
    company.website, company.website_key = "https://shop.github.io/acme", "shop.github.io/acme"
    company.save()
    html = html_of(browser.get(f"/claims/{claim_of(company, claimant, site).pk}"))
    assert "https://shop.github.io/acme" in html
    assert "_slipway" not in html
    assert ".well-known" not in html


def test_the_owner_reads_what_it_means_for_them(company: Company, site: Site) -> None:
    claim = claim_of(company, company.owner, site)
    html = html_of(signed_in(company.owner).get(f"/claims/{claim.pk}"))
    assert "nobody else" in html


def test_a_claimant_is_told_that_the_owner_has_proven_it(browser: Client, claim: Claim) -> None:
    Company.objects.update(verified_at=timezone.now())
    assert "notice-warn" in html_of(browser.get(f"/claims/{claim.pk}"))


def test_a_claim_is_its_claimants_alone(claim: Claim, looks: list[int]) -> None:
    for stranger in (UserFactory.create(), claim.company.owner):
        client = signed_in(stranger)
        assert client.get(f"/claims/{claim.pk}").status_code == 404
        assert client.post(f"/claims/{claim.pk}/look").status_code == 404
        assert claim.token not in html_of(client.get("/claims/new"))
    assert looks == []


def test_check_now(browser: Client, claim: Claim, looks: list[int], django_capture_on_commit_callbacks: Any) -> None:
    assert browser.get(f"/claims/{claim.pk}/look").status_code == 405
    with django_capture_on_commit_callbacks(execute=True):
        answer = browser.post(f"/claims/{claim.pk}/look")
    assert looks == [claim.pk]
    there = answer.headers["Location"]
    html = html_of(browser.get(there))
    assert f'hx-get="{there}"' in html
    assert browser.get(there, headers={"HX-Request": "true"}).status_code == 200
    assert 'class="spin' in html
    with time_machine.travel(timezone.now() + timedelta(minutes=2)):
        assert f'hx-get="{there}"' not in html_of(browser.get(there)), "a check that is lost is not waited for"
    Claim.objects.update(checked_at=timezone.now() + timedelta(seconds=1), result="No TXT record has it.")
    polled = browser.get(there, headers={"HX-Request": "true"})
    assert (polled.status_code, polled.headers["HX-Redirect"]) == (204, f"/claims/{claim.pk}")
    html = html_of(browser.get(there))
    assert f'hx-get="{there}"' not in html
    assert "No TXT record has it." in html


@pytest.mark.parametrize("asked", ["x", "-1", "99999999999999", "9" * 11, "1e3", "٣"])  # noqa: RUF001 - no digit of ours
def test_nonsense_in_the_address(browser: Client, claim: Claim, asked: str) -> None:
    assert browser.get(f"/claims/{claim.pk}", {"asked": asked}).status_code == 200


@pytest.mark.slow
def test_too_many_checks(browser: Client, claim: Claim, looks: list[int]) -> None:
    for _ in range(11):
        answer = browser.post(f"/claims/{claim.pk}/look", follow=True)
    assert "Too many claim checks" in html_of(answer)


@pytest.mark.parametrize(("status", "shown"), [("proven", "verified"), ("refused", "rejected"), ("expired", "expired")])
def test_an_ended_claim(browser: Client, claim: Claim, looks: list[int], status: str, shown: str) -> None:
    method = "dns" if status == "proven" else ""
    Claim.objects.update(status=status, method=method, ended_at=timezone.now())
    html = html_of(browser.get(f"/claims/{claim.pk}"))
    assert shown in html
    assert claim.token not in html
    assert "no" in html_of(browser.post(f"/claims/{claim.pk}/look", follow=True))
    assert looks == []


def test_from_the_form_to_the_company(
    browser: Client, claimant: User, listing: Listing, names: DnsServer, web: PagesServer, looks: list[int]
) -> None:
    website = web.url(HOST)
    Company.objects.update(website=website, website_key=website.removeprefix("http://"))
    browser.post("/claims/new", {"url": website})
    claim = Claim.objects.get()
    tag = f'<meta name="slipway-claim" content="{claim.token}">'
    assert tag.replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;") in html_of(
        browser.get(f"/claims/{claim.pk}")
    )
    web.serve(HOST, "/", f"<head>{tag}</head><h1>Acme</h1>")
    run_check(claim_id=claim.pk)
    assert "verified" in html_of(browser.get(f"/claims/{claim.pk}"))
    assert html_of(browser.get("/account")).count(listing.company.name)
    page = html_of(browser.get(f"{listing.path}/manage"))
    assert "Verified " in page


def test_the_overview_leads_to_the_proof(listing: Listing) -> None:
    client = signed_in(listing.company.owner)
    assert "/claims/new?url=https%3A%2F%2Facme.example" in html_of(client.get(f"{listing.path}/manage"))

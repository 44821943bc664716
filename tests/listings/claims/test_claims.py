"""Claims from the first word to the last email: who gets a company, who keeps it, and what ends a claim."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.accounts.models import User
from apps.core.errors import DomainError, TooManyRequests
from apps.core.models import OutgoingEmail
from apps.core.states import IllegalTransition
from apps.drafts.services.creation import create_draft
from apps.listings import history, tasks
from apps.listings.claims import checks, services
from apps.listings.claims.proofs import FILE_PATH, ProofCheck
from apps.listings.models import Claim, Company, Listing, ListingVersion
from apps.listings.services.editing import restore_version, update_my_listing
from apps.listings.services.merging import merge_companies
from apps.sites.models import Site
from tests.api import ApiClient
from tests.dns_server import DnsServer
from tests.factories import CompanyFactory, ListingFactory, SiteFactory, UserFactory
from tests.listings.claims.conftest import HOST, claim_of
from tests.pages_server import Answer, PagesServer

Status = Claim.Status


def by(user: User) -> Actor:
    return Actor(user=user, via="browser")


def check(claim: Claim, method: str = "dns") -> Claim:
    """What comes of a check that finds the word, or of one that does not."""
    result = ProofCheck(timezone.now(), Claim.Method(method) if method else None, "Found." if method else "Not there.")
    return checks.record_check(claim_id=claim.pk, check=result)


def verified(company: Company) -> Company:
    company.verified_at = timezone.now()
    company.save()
    return company


def emails() -> dict[str, str]:
    return dict(OutgoingEmail.objects.values_list("to", "subject"))


@pytest.fixture
def team(site: Site) -> Actor:
    """Its emails are the other staff's too."""
    Site.objects.filter(pk=site.pk).update(team_email="team@example.com")
    return Actor(user=UserFactory.create(is_staff=True), via="admin")


# ---- making one ----
@pytest.mark.parametrize(
    "url", ["acme.example", "https://www.ACME.example/?a#b", "http://acme.example/", "acme.example/features/"]
)
def test_a_claim_is_of_the_company_with_the_website(claimant: User, company: Company, site: Site, url: str) -> None:
    claim = services.claim_website(site=site, url=url, by=by(claimant))
    assert (claim.company, claim.claimant, claim.website, claim.status) == (company, claimant, company.website, "open")
    assert len(claim.token) == 32
    assert services.claim_website(site=site, url=company.website, by=by(claimant)) == claim
    assert company.owner != claimant
    assert emails() == {}


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("nobody.example", "not_listed"),
        ("http://127.0.0.1", "invalid_url"),
        ("", "invalid_url"),
        ("https://github.com/acme/a%00b", "invalid_url"),
    ],
)
def test_what_cannot_be_claimed(claimant: User, company: Company, site: Site, url: str, code: str) -> None:
    with pytest.raises(DomainError) as refusal:
        services.claim_website(site=site, url=url, by=by(claimant))
    assert refusal.value.error_code == code
    assert not Claim.objects.exists()


def test_a_merged_website_leads_to_the_company_that_has_to_be_proven(
    claimant: User, company: Company, site: Site, team: Actor
) -> None:
    """Who buys the old domain of a merged company does not get the company."""
    drop = CompanyFactory.create(owner=company.owner, website="https://old.example")
    merge_companies(keep=company, drop=drop, by=team)
    claim = services.claim_website(site=site, url="old.example", by=by(claimant))
    assert (claim.company, claim.website) == (company, company.website)


def test_open_claims_are_counted(claimant: User, site: Site) -> None:
    companies = CompanyFactory.create_batch(services.MAX_OPEN + 1)
    for company in companies[:-1]:
        services.claim_website(site=site, url=company.website, by=by(claimant))
    with pytest.raises(services.TooManyClaims):
        services.claim_website(site=site, url=companies[-1].website, by=by(claimant))
    services.claim_website(site=site, url=companies[0].website, by=by(claimant))
    services.claim_website(site=site, url=companies[-1].website, by=by(UserFactory.create()))


# ---- proven ----
@pytest.mark.parametrize("method", Claim.Method.values)
def test_a_proven_claim_moves_the_company(
    claim: Claim, listing: Listing, claimant: User, team: Actor, method: str
) -> None:
    previous = listing.company.owner
    claim = check(claim, method)
    company = Company.objects.get(pk=listing.company_id)
    assert (company.owner, company.verified_at) == (claimant, claim.checked_at)
    assert (claim.status, claim.method, claim.previous_owner) == ("proven", method, previous)
    assert claim.ended_at is not None
    assert emails() == {
        "claimant@example.com": "Acme is now in your account",
        "lister@example.com": "Acme moved to another account",
        "team@example.com": "Acme has a new owner: https://acme.example was verified",
    }
    changes = [change for version in ListingVersion.objects.all() for change in version.changes]
    assert {"field": "owner", "before": previous.email, "after": claimant.email} in changes
    assert ApiClient(claimant).get(f"/me/listings/{listing.pk}").status_code == 200
    assert ApiClient(previous).get(f"/me/listings/{listing.pk}").status_code == 404


def test_neither_account_learns_the_others_address(claim: Claim, listing: Listing, claimant: User, team: Actor) -> None:
    previous = listing.company.owner
    check(claim)
    for person, other in ((claimant, previous), (previous, claimant)):
        assert other.email not in OutgoingEmail.objects.get(to=person.email).text
    told = OutgoingEmail.objects.get(to="team@example.com").text
    assert f"moved from {previous.email} to {claimant.email}" in told
    company = Company.objects.get(pk=listing.company_id)
    shown = history.shown_versions(Listing.objects.get(pk=listing.pk))
    assert previous.email not in str(shown)
    assert company.owner == claimant


def test_site_admins_of_each_site_get_one_email(claim: Claim, listing: Listing, team: Actor) -> None:
    for email in ("team@example.com", "elsewhere@example.com"):
        ListingFactory.create(company=listing.company, site=SiteFactory.create(team_email=email))
    check(claim)
    to = list(OutgoingEmail.objects.order_by("to").values_list("to", flat=True))
    assert to == ["claimant@example.com", "elsewhere@example.com", "lister@example.com", "team@example.com"]


def test_an_owner_verifies_their_own_company(company: Company, site: Site, team: Actor) -> None:
    claim = check(claim_of(company, company.owner, site))
    company.refresh_from_db()
    assert (claim.status, claim.previous_owner) == ("proven", None)
    assert company.verified_at == claim.checked_at
    assert list(emails()) == ["lister@example.com"]


def test_a_verified_company_is_not_taken(
    claim: Claim, listing: Listing, claimant: User, site: Site, team: Actor
) -> None:
    company = verified(claim.company)
    owner, since = company.owner, company.verified_at
    claim = check(claim)
    company.refresh_from_db()
    assert (company.owner, company.verified_at, claim.status, claim.method) == (owner, since, "refused", "")
    assert set(emails()) == {"claimant@example.com", "lister@example.com", "team@example.com"}
    with pytest.raises(services.WithTheTeam, match="a site admin decides"):
        services.claim_website(site=site, url=company.website, by=by(claimant))
    with time_machine.travel(timezone.now() + Claim.LIFETIME + timedelta(minutes=1)):
        assert services.claim_website(site=site, url=company.website, by=by(claimant)).status == "open"


def test_of_two_claimants_the_first_to_prove_has_it(claim: Claim, company: Company, site: Site) -> None:
    second = claim_of(company, UserFactory.create(), site, token="other")
    assert check(second).status == "proven"
    assert check(claim).status == "refused"
    assert Company.objects.get(pk=company.pk).owner == second.claimant


def test_a_check_that_finds_nothing_changes_nothing(claim: Claim, company: Company) -> None:
    before = Company.objects.values().get(pk=company.pk)
    claim = check(claim, "")
    assert (claim.status, claim.result) == ("open", "Not there.")
    assert Company.objects.values().get(pk=company.pk) == before
    assert emails() == {}


# ---- what has changed meanwhile ----
def test_the_word_at_an_earlier_website_counts_for_nothing(
    claim: Claim, listing: Listing, claimant: User, site: Site
) -> None:
    """Neither does it take the company, nor can its owner end the claim by moving away for a moment."""
    owner = by(listing.company.owner)
    update_my_listing(listing=listing, fields={"website": "https://moved.example"}, by=owner)
    claim = check(claim)
    assert claim.status == "open"
    assert "different website" in claim.result
    assert Company.objects.get(pk=listing.company_id).owner == owner.account
    update_my_listing(listing=listing, fields={"website": "https://acme.example"}, by=owner)
    assert check(claim).status == "proven"


def test_a_claim_of_the_new_website_replaces_the_old_one(
    claim: Claim, listing: Listing, claimant: User, site: Site
) -> None:
    update_my_listing(listing=listing, fields={"website": "https://moved.example"}, by=by(listing.company.owner))
    new = services.claim_website(site=site, url="moved.example", by=by(claimant))
    claim.refresh_from_db()
    assert (claim.status, new.status, new.website) == ("expired", "open", "https://moved.example")
    assert new.token != claim.token


def test_a_merged_company_is_not_taken(claim: Claim, company: Company, team: Actor) -> None:
    keep = CompanyFactory.create(owner=company.owner)
    merge_companies(keep=keep, drop=company, by=team)
    OutgoingEmail.objects.all().delete()
    claim = check(claim)
    assert (claim.status, Company.objects.get(pk=keep.pk).owner) == ("refused", keep.owner)
    assert list(emails()) == ["claimant@example.com"]


def test_a_closed_account_gets_nothing(claim: Claim, company: Company) -> None:
    User.objects.filter(pk=claim.claimant_id).update(is_active=False)
    assert check(claim).status == "refused"
    assert Company.objects.get(pk=company.pk).owner == company.owner
    assert emails() == {}


@pytest.mark.parametrize("status", [Status.PROVEN, Status.REFUSED, Status.EXPIRED])
def test_an_ended_claim_is_left_alone(claim: Claim, company: Company, status: str) -> None:
    method = "dns" if status == Status.PROVEN else ""
    Claim.objects.update(status=status, method=method, ended_at=timezone.now())
    before = Claim.objects.values().get()
    check(claim)
    assert Claim.objects.values().get() == before
    assert Company.objects.get(pk=company.pk).owner == company.owner
    with pytest.raises(services.ClaimEnded):
        services.check_claim(claim=Claim.objects.get())


def test_a_check_that_was_overtaken_is_dropped(claim: Claim) -> None:
    Claim.objects.update(checked_at=timezone.now() + timedelta(minutes=1))
    assert check(claim).status == "open"


# ---- how long a proof lasts ----
@pytest.mark.parametrize(
    ("website", "is_kept"),
    [
        ("https://www.acme.example", True),
        ("http://acme.example/", True),
        ("https://acme.example/page", True),
        ("https://other.example", False),
    ],
)
def test_a_proof_is_of_one_website(listing: Listing, website: str, is_kept: bool) -> None:
    company = verified(listing.company)
    update_my_listing(listing=listing, fields={"website": website}, by=by(company.owner))
    company.refresh_from_db()
    assert (company.verified_at is not None) is is_kept


def test_other_edits_keep_it_and_a_version_of_another_website_does_not(listing: Listing, team: Actor) -> None:
    company, owner = listing.company, by(listing.company.owner)
    update_my_listing(listing=listing, fields={"website": "https://other.example"}, by=owner)
    verified(Company.objects.get(pk=company.pk))
    update_my_listing(listing=listing, fields={"name": "Acme Ltd", "headline": "New"}, by=owner)
    company.refresh_from_db()
    assert company.verified_at is not None
    first = ListingVersion.objects.filter(company=company, listing=None).earliest("pk")
    restore_version(version=first, by=team)
    company = Company.objects.get(pk=company.pk)
    assert company.website == "https://acme.example"
    assert company.verified_at is None


@pytest.mark.parametrize("chosen", ["keep", "drop"])
def test_a_merge_forgets_the_proof_of_an_owner_who_goes(company: Company, team: Actor, chosen: str) -> None:
    drop = verified(CompanyFactory.create())
    verified(company)
    owner = {"keep": company, "drop": drop}[chosen].owner
    merge_companies(keep=company, drop=drop, by=team, owner=owner)
    company.refresh_from_db()
    assert company.owner == owner
    assert (company.verified_at is not None) is (chosen == "keep")


# ---- checks ----
def test_due_claims_are_checked_every_hour(claim: Claim, claimant: User, site: Site) -> None:
    start = timezone.now()
    assert checks.lease_due_claims() == []
    with time_machine.travel(start + timedelta(minutes=61), tick=False):
        assert checks.lease_due_claims() == [claim.pk]
        assert checks.lease_due_claims() == []
        check(claim, "")
    with time_machine.travel(start + timedelta(minutes=100), tick=False):
        assert checks.lease_due_claims() == []
    with time_machine.travel(start + timedelta(minutes=122), tick=False):
        assert checks.lease_due_claims() == [claim.pk]
        check(claim)
    with time_machine.travel(start + timedelta(days=1), tick=False):
        assert checks.lease_due_claims() == []


def test_the_task_checks_and_ends_what_is_over(
    claimant: User, site: Site, names: DnsServer, web: PagesServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tasks.check_claim, "delay", tasks.check_claim)
    website = web.url(HOST)
    company = CompanyFactory.create(website=website, website_key=website.removeprefix("http://"))
    claim = claim_of(company, claimant, site)
    old = claim_of(CompanyFactory.create(), claimant, site, token="old")
    names.text(f"_slipway.{HOST}", f"slipway-claim={claim.token}")
    Claim.objects.filter(pk=claim.pk).update(created_at=timezone.now() - timedelta(hours=2))
    Claim.objects.filter(pk=old.pk).update(created_at=timezone.now() - Claim.LIFETIME)
    tasks.check_due_claims()
    claim.refresh_from_db()
    old.refresh_from_db()
    assert (claim.status, claim.method, old.status) == ("proven", "dns", "expired")
    assert f"_slipway.{HOST}" in claim.result
    assert f"Your claim for {old.website} expired" in OutgoingEmail.objects.values_list("subject", flat=True)


def test_one_visit_is_enough_for_all_who_claim_a_website(
    claimant: User, site: Site, names: DnsServer, web: PagesServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tasks.check_claim, "delay", tasks.check_claim)
    website = web.url(HOST)
    company = CompanyFactory.create(website=website, website_key=website.removeprefix("http://"))
    claims = [claim_of(company, UserFactory.create(), site, token=f"word{number}") for number in range(3)]
    web.serve(HOST, "/", f'<html><head><meta name="slipway-claim" content="{claims[1].token}"></head></html>')
    web.serve(HOST, FILE_PATH, Answer(claims[2].token.encode(), content_type="text/plain"))
    Claim.objects.update(created_at=timezone.now() - timedelta(hours=2))
    tasks.check_due_claims()
    assert web.paths(HOST) == ["/", FILE_PATH]
    result = {one.pk: (one.status, one.method, one.checked_at is None) for one in Claim.objects.all()}
    assert [result[one.pk] for one in claims] == [
        ("open", "", False),
        ("proven", "meta", False),
        ("refused", "", False),
    ]
    assert Company.objects.get(pk=company.pk).owner == claims[1].claimant


def test_a_word_that_is_found_too_late_proves_nothing(claim: Claim, company: Company) -> None:
    with time_machine.travel(timezone.now() + Claim.LIFETIME, tick=False):
        assert check(claim).status == "expired"
    assert Company.objects.get(pk=company.pk).owner == company.owner


def test_ten_checks_an_hour_can_be_requested(
    claim: Claim, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    asked: list[int] = []
    monkeypatch.setattr(tasks.check_claim, "delay", asked.append)
    with django_capture_on_commit_callbacks(execute=True):
        for _ in range(10):
            services.check_claim(claim=claim)
        with pytest.raises(TooManyRequests):
            services.check_claim(claim=claim)
    assert asked == [claim.pk] * 10


# ---- site admins ----
def test_site_admins_let_a_refused_claim_be_proven_again(
    claim: Claim, listing: Listing, claimant: User, team: Actor
) -> None:
    company = verified(claim.company)
    claim = check(claim)
    since = claim.created_at
    claim = services.reopen_claim(claim=claim, by=team)
    company.refresh_from_db()
    assert (claim.status, claim.ended_at, claim.checked_at, company.verified_at) == ("open", None, None, None)
    assert claim.created_at > since
    assert company.owner != claimant, "the next check decides"
    assert check(claim).status == "proven"
    assert Company.objects.get(pk=company.pk).owner == claimant
    changes = [change["field"] for version in ListingVersion.objects.order_by("pk") for change in version.changes]
    assert changes == ["website_proven_at", "owner", "website_proven_by"]


def test_an_owner_who_proves_again_keeps_it(claim: Claim, company: Company, site: Site, team: Actor) -> None:
    verified(company)
    claim = services.reopen_claim(claim=check(claim), by=team)
    check(claim_of(company, company.owner, site, token="own"))
    assert check(claim).status == "refused"
    assert OutgoingEmail.objects.filter(to="team@example.com").count() == 2


def test_site_admins_refuse_an_open_claim(claim: Claim, claimant: User, site: Site, team: Actor) -> None:
    claim = services.refuse_claim(claim=claim, reason="You wrote that you are not the owner.", by=team)
    assert (claim.status, claim.result) == ("refused", "You wrote that you are not the owner.")
    assert claim.result in OutgoingEmail.objects.get(to=claimant.email).text
    with pytest.raises(services.WithTheTeam, match="not the owner"):
        services.claim_website(site=site, url=claim.website, by=by(claimant))


def test_what_site_admins_cannot_decide(
    claim: Claim, company: Company, claimant: User, site: Site, team: Actor
) -> None:
    with pytest.raises(services.NotDecidable):
        services.reopen_claim(claim=claim, by=team)
    refused = services.refuse_claim(claim=claim, reason="No.", by=team)
    with pytest.raises(services.NotDecidable):
        services.refuse_claim(claim=refused, reason="No.", by=team)
    other = claim_of(company, claimant, site, token="another")
    assert "another open claim" in services.why_not_reopen(refused)
    other.delete()
    Company.objects.filter(pk=company.pk).update(website="https://moved.example", website_key="moved.example")
    assert "different website" in services.why_not_reopen(Claim.objects.get())
    User.objects.filter(pk=claimant.pk).update(is_active=False)
    Company.objects.filter(pk=company.pk).update(website="https://acme.example", website_key="acme.example")
    assert "closed" in services.why_not_reopen(Claim.objects.get())


# ---- the table, and the way here ----
LEGAL: dict[str, set[str]] = {
    "open": {"proven", "refused", "expired"}, "refused": {"open"}, "proven": set(), "expired": set(),
}  # fmt: skip


@pytest.mark.parametrize("before", Status.values)
def test_every_pair_of_statuses(before: str) -> None:
    for after in Status.values:
        claim = Claim(status=before)
        if after == before or after in LEGAL[before]:
            claim.check_move(after)
        else:
            with pytest.raises(IllegalTransition):
                claim.move_to(after)


def test_a_refused_draft_leads_to_the_claim(claimant: User, company: Company, site: Site) -> None:
    with pytest.raises(DomainError) as refusal:
        create_draft(site=site, url=company.website, by=by(claimant))
    assert "/claims/new?url=https%3A%2F%2Facme.example" in refusal.value.extra["claim_url"]

"""Claims at the same moment, in real threads: one owner in the end, one open claim, nobody waits in a circle."""

from functools import partial

import pytest
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.core.models import OutgoingEmail
from apps.listings.claims import checks, services
from apps.listings.claims.proofs import ProofCheck
from apps.listings.models import Claim, Company
from apps.listings.services.editing import update_my_listing
from apps.listings.services.merging import merge_companies
from apps.sites.models import Site
from tests.factories import CompanyFactory, ListingFactory, UserFactory
from tests.listings.claims.conftest import claim_of
from tests.racing import run_at_once

pytestmark = pytest.mark.django_db(transaction=True)


def prove(claim: Claim) -> str:
    return str(
        checks.record_check(claim_id=claim.pk, check=ProofCheck(timezone.now(), Claim.Method.DNS, "Found.")).status
    )


def test_of_many_proofs_at_once_one_counts(transactional_db: None, site: Site) -> None:
    company = CompanyFactory.create()
    claims = [claim_of(company, UserFactory.create(), site, token=str(number)) for number in range(5)]
    outcomes = run_at_once(*[partial(prove, claim) for claim in claims])
    assert sorted(outcomes) == ["proven", *["refused"] * 4]
    winner = claims[outcomes.index("proven")]
    assert Company.objects.get(pk=company.pk).owner == winner.claimant
    assert OutgoingEmail.objects.filter(subject__contains="in your account").count() == 1


def test_the_same_check_twice_moves_once(transactional_db: None, site: Site) -> None:
    claim = claim_of(CompanyFactory.create(), UserFactory.create(), site)
    assert run_at_once(*[partial(prove, claim)] * 3) == ["proven"] * 3
    assert OutgoingEmail.objects.filter(subject__contains="in your account").count() == 1


def test_one_open_claim_an_account_and_company(transactional_db: None, site: Site) -> None:
    company, claimant = CompanyFactory.create(), UserFactory.create()
    by = Actor(user=claimant, via="browser")
    made = run_at_once(*[lambda: str(services.claim_website(site=site, url=company.website, by=by).pk)] * 5)
    assert set(made) == {str(Claim.objects.get().pk)}


def test_a_proof_beside_edits_and_a_merge(transactional_db: None, site: Site) -> None:
    company = CompanyFactory.create()
    listing = ListingFactory.create(live=True, company=company)
    claim = claim_of(company, UserFactory.create(), site)
    by = Actor(user=company.owner, via="browser")
    team = Actor(user=UserFactory.create(is_staff=True), via="admin")
    keep = CompanyFactory.create(owner=company.owner)

    def edit(city: str) -> str:
        update_my_listing(listing=listing, fields={"city": city}, by=by)
        return "edited"

    def merge() -> str:
        merge_companies(keep=keep, drop=company, by=team, owner=keep.owner)
        return "merged"

    outcomes = run_at_once(partial(prove, claim), partial(edit, "Riga"), merge, partial(edit, "Oslo"))
    company, keep = Company.objects.get(pk=company.pk), Company.objects.get(pk=keep.pk)
    assert outcomes[0] in {"proven", "refused"}
    # Moved first, the merge joins companies of two accounts, and the one that was chosen has both.
    assert outcomes[2] == "merged"
    assert (company.owner == claim.claimant) is (outcomes[0] == "proven")
    assert keep.owner == by.account

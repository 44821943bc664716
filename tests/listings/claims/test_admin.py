"""Claims in the admin: who may look, who may decide, and that the word is shown to nobody."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.accounts.models import User
from apps.listings.claims import services
from apps.listings.models import Claim, Company, ListingVersion
from tests.browsing import signed_in, staff
from tests.factories import UserFactory

pytestmark = pytest.mark.db

LIST = "/admin/listings/claim/"


def refused(claim: Claim) -> Claim:
    by = Actor(user=UserFactory.create(is_staff=True), via="admin")
    return services.refuse_claim(claim=claim, reason="No.", by=by)


def page_of(claim: Claim, decision: str) -> str:
    return reverse(f"admin:listings_claim_{decision}", args=[claim.pk])


@pytest.fixture
def team(db: None) -> Client:
    return signed_in(staff("view_claim", "change_company"))


def test_the_list_and_the_row_are_read_only(team: Client, claim: Claim) -> None:
    for path in (LIST, f"{LIST}{claim.pk}/change/"):
        html = team.get(path).content.decode()
        assert claim.website in html
        assert claim.token not in html
    assert team.get(f"{LIST}add/").status_code == 403
    assert team.get(f"{LIST}{claim.pk}/delete/").status_code == 403


def test_refusing_asks_for_the_reason(team: Client, claim: Claim) -> None:
    path = page_of(claim, "refuse")
    assert team.post(path).status_code == 200
    assert Claim.objects.get().status == "open"
    assert team.post(path, {"confirmed": "yes", "reason": "Not yours."}).status_code == 302
    assert (Claim.objects.get().status, Claim.objects.get().result) == ("refused", "Not yours.")


def test_opening_again(team: Client, claim: Claim, claimant: User) -> None:
    Company.objects.update(verified_at=timezone.now())
    refused(claim)
    assert team.post(page_of(claim, "reopen"), {"confirmed": "yes"}).status_code == 302
    assert Claim.objects.get().status == "open"
    company = Company.objects.get(pk=claim.company_id)
    assert (company.verified_at, company.owner == claimant) == (None, False)


def test_only_what_can_be_decided_is_offered(team: Client, claim: Claim) -> None:
    page = f"{LIST}{claim.pk}/change/"
    html = team.get(page).content.decode()
    assert (page_of(claim, "refuse") in html, page_of(claim, "reopen") in html) == (True, False)
    refused(claim)
    html = team.get(page).content.decode()
    assert (page_of(claim, "refuse") in html, page_of(claim, "reopen") in html) == (False, True)


@pytest.mark.parametrize("decision", ["refuse", "reopen"])
def test_who_may_only_look_decides_nothing(claim: Claim, decision: str) -> None:
    if decision == "reopen":
        refused(claim)
    before = Claim.objects.values().get()
    client = signed_in(staff("view_claim"))
    assert client.get(LIST).status_code == 200
    assert client.post(page_of(claim, decision), {"confirmed": "yes", "reason": "x"}).status_code == 403
    assert Claim.objects.values().get() == before


def test_the_companys_page_says_when_it_was_proven_and_a_new_owner_has_proven_nothing(company: Company) -> None:
    client = Client()
    client.force_login(UserFactory.create(is_staff=True, is_superuser=True))
    Company.objects.update(verified_at=timezone.now())
    page = f"/admin/listings/company/{company.pk}/change/"
    form = client.get(page).context["adminform"].form
    sent = {name: "" if (value := form[name].value()) is None else value for name in form.fields}
    sent = {name: ",".join(value) if isinstance(value, list) else value for name, value in sent.items()}
    assert client.post(page, sent | {"city": "Riga"}).status_code == 302
    company.refresh_from_db()
    assert (company.city, company.verified_at is not None) == ("Riga", True)
    form = client.get(page).context["adminform"].form
    other = UserFactory.create()
    sent |= {"city": "Riga", "owner": other.pk, "opened": form["opened"].value()}
    assert client.post(page, sent).status_code == 302
    company.refresh_from_db()
    assert (company.owner, company.verified_at) == (other, None)
    assert ListingVersion.objects.filter(company=company).count() > 1

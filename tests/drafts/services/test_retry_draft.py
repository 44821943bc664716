"""Site admins retry a failed draft."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.accounts.models import User
from apps.drafts.models import Draft
from apps.listings.models import Company
from apps.sites.models import Site
from tests.factories import ListingFactory, UserFactory

pytestmark = pytest.mark.db

LIST = "/admin/drafts/draft/"


def make(owner: User, site: Site, name: str = "one", **values: Any) -> Draft:
    key = f"{name}.example.com"
    failed = {
        "status": "failed",
        "error_code": "blocked",
        "error_message": "It refuses.",
        "finished_at": timezone.now(),
    }
    return Draft.objects.create(
        owner=owner, site=site, url=f"https://{key}/", website_key=key, domain=key, **{**failed, **values}
    )


def press(team: Client, *drafts: Draft, **values: str) -> Any:
    form = {"action": "retry", "_selected_action": [draft.pk for draft in drafts], **values}
    return team.post(LIST, form, follow=True)


def test_failed_drafts_are_read_again_beyond_their_owners_limit(team: Client, site: Site) -> None:
    Site.objects.update(drafts_per_hour=1)
    owner = UserFactory.create()
    drafts = [make(owner, site, name) for name in ("one", "two")]
    assert "Error: It refuses." in press(team, *drafts).content.decode()
    assert Draft.objects.count() == 2
    answer = press(team, *drafts, confirmed="yes")
    assert "Drafts restarted: 2." in answer.content.decode()
    new = Draft.objects.filter(status="crawling")
    assert sorted(new.values_list("url", "owner")) == [(draft.url, owner.pk) for draft in drafts]
    press(team, *drafts, confirmed="yes")
    assert Draft.objects.count() == 4


@pytest.mark.parametrize("status", ["crawling", "ready", "cancelled"])
def test_only_a_failed_draft_is_read_again(team: Client, site: Site, status: str) -> None:
    finished = None if status == "crawling" else timezone.now()
    draft = make(UserFactory.create(), site, status=status, error_code="", finished_at=finished)
    assert "Only failed drafts" in press(team, draft).content.decode()
    assert (
        reverse("admin:drafts_draft_retry_one", args=[draft.pk])
        not in team.get(f"{LIST}{draft.pk}/change/").content.decode()
    )
    press(team, draft, confirmed="yes")
    assert Draft.objects.count() == 1


def test_what_prevents_a_new_draft_is_named(team: Client, site: Site) -> None:
    draft = make(UserFactory.create(), site)
    listing = ListingFactory.create(site=site)
    Company.objects.filter(pk=listing.company_id).update(website_key=draft.website_key)
    told = press(team, draft, confirmed="yes").context["messages"]
    assert [message.level_tag for message in told] == ["error"]
    closed = make(UserFactory.create(is_active=False), site, "two")
    [(_, problem, _)] = press(team, closed).context["lines"]
    assert "account" in problem
    assert Draft.objects.count() == 2


def test_a_failed_draft_has_the_button(team: Client, site: Site) -> None:
    draft = make(UserFactory.create(), site)
    address = reverse("admin:drafts_draft_retry_one", args=[draft.pk])
    assert address in team.get(f"{LIST}{draft.pk}/change/").content.decode()
    team.post(address, {"confirmed": "yes"})
    assert Draft.objects.filter(status="crawling").count() == 1

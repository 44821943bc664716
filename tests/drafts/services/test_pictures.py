"""The pictures of a draft are shown in its review, go to its listing, or go with it."""

from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.files.storage import default_storage
from django.test import Client
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.core.operations.personal_data.erasure import erase_rows
from apps.drafts.models import LIFETIME, Draft, DraftPicture
from apps.drafts.services.drafts import cancel_draft, expire_drafts
from apps.drafts.services.pictures import delete_lost
from apps.drafts.services.submission import submit_draft
from apps.listings.models import CompanyPicture
from apps.listings.services.pictures.files import store
from tests.accounts.founders.test_lost_photos import make_old
from tests.api import ApiClient
from tests.drafts.factories import PROPOSAL, DraftFactory
from tests.pictures import picture

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("media")]

LOGO, OTHER, SHOT = (f"https://acme.example/{name}.png" for name in ("logo", "other", "shot"))


@pytest.fixture
def actor(owner: ApiClient) -> Actor:
    return Actor(user=owner.user, via="browser")


@pytest.fixture
def draft(owner: ApiClient) -> Draft:
    """A ready draft with a logo, another one to choose, and a screenshot."""
    proposal = {**PROPOSAL, "logo_url": LOGO, "screenshots": [SHOT]}
    made: Draft = DraftFactory.create(owner=owner.user, url="https://acme.example/", ready=True, proposal=proposal)
    for field, url in (("logo_url", LOGO), ("logo_url", OTHER), ("screenshots", SHOT)):
        stored = store(field, picture("PNG", size=(800, 500)))
        DraftPicture.objects.create(draft=made, field=field, url=url, **stored._asdict())
    return made


def keys() -> dict[str, str]:
    return {one.url: one.key for one in DraftPicture.objects.all()}


def folders() -> set[str]:
    return {f"pictures/{name}" for name in default_storage.listdir("pictures")[0]}


def test_the_listing_gets_the_files(draft: Draft, actor: Actor, django_capture_on_commit_callbacks: Any) -> None:
    before = keys()
    with django_capture_on_commit_callbacks(execute=False):
        company = submit_draft(draft=draft, fields={}, by=actor).company
    company.refresh_from_db()
    assert {row.url: (row.key, row.status) for row in CompanyPicture.objects.all()} == {
        LOGO: (before[LOGO], "stored"),
        SHOT: (before[SHOT], "stored"),
    }
    assert company.logo_key == before[LOGO]
    assert not DraftPicture.objects.exists()


def test_files_that_were_not_chosen_go(draft: Draft, actor: Actor, django_capture_on_commit_callbacks: Any) -> None:
    before = keys()
    with django_capture_on_commit_callbacks(execute=True):
        submit_draft(draft=draft, fields={"logo_url": OTHER, "screenshots": []}, by=actor)
    assert folders() == {before[OTHER]}


@pytest.mark.parametrize("ending", ["canceled", "expired", "erased"])
def test_files_go_with_the_draft(
    draft: Draft, actor: Actor, ending: str, django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        if ending == "canceled":
            cancel_draft(draft=draft, by=actor)
        elif ending == "expired":
            Draft.objects.update(created_at=timezone.now() - 2 * LIFETIME)
            expire_drafts()
        else:
            erase_rows(actor.account)
    assert not DraftPicture.objects.exists()
    assert folders() == set()


def test_the_review_shows_our_copies_only(draft: Draft, owner: ApiClient, client: Client) -> None:
    client.force_login(owner.account)
    page = client.get(f"/drafts/{draft.pk}").content.decode()
    assert f"/{keys()[LOGO]}/192.webp" in page
    assert f"/{keys()[SHOT]}/480.webp" in page
    for image in page.split("<img")[1:]:
        assert "acme.example" not in image.split(">")[0]


def test_lost_files_go_after_a_day(draft: Draft, actor: Actor, media: Path) -> None:
    lost = store("logo_url", picture("PNG", size=(800, 500))).key
    assert delete_lost() == 0
    make_old(media)
    assert delete_lost() == 1
    assert folders() == set(keys().values())
    assert lost not in folders()
    submit_draft(draft=draft, fields={}, by=actor)
    make_old(media)
    delete_lost()
    assert folders() == set(CompanyPicture.objects.values_list("key", flat=True))


@pytest.mark.parametrize(
    "task", ["apps.drafts.tasks.delete_lost_pictures", "apps.listings.tasks.delete_abandoned_uploads"]
)
def test_it_is_done_every_day(task: str) -> None:
    [entry] = [entry for entry in settings.CELERY_BEAT_SCHEDULE.values() if entry["task"] == task]
    assert entry["schedule"] == 24 * 3600

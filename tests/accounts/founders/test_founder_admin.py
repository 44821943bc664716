"""Founder profiles in the admin: site admins view them, and remove what is not allowed."""

from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.founders import services
from apps.accounts.models import FounderProfile, User
from apps.core.models import OutgoingEmail
from apps.sites.models import Site
from tests.browsing import staff
from tests.factories import UserFactory
from tests.pictures import picture

pytestmark = pytest.mark.django_db

HOSTILE = "<script>alert(1)</script>"
DECISIONS = ["take_photo", "empty_texts"]
SENT = {"confirmed": "yes", "reason": "Shows somebody else."}


@pytest.fixture
def founder(site: Site) -> User:
    """Somebody with a photo and texts."""
    user: User = UserFactory.create()
    services.update_profile(
        user=user, real_name="Ada Example", role="Founder", bio=f"Builds. {HOSTILE}", links=["https://ada.example"]
    )
    services.set_photo(user=user, data=picture(), site=site)
    return user


@pytest.fixture
def team(client: Client) -> Client:
    client.force_login(staff("view_founderprofile", "change_founderprofile"))
    return client


def page_of(user: User, name: str = "change") -> str:
    return reverse(f"admin:accounts_founderprofile_{name}", args=[FounderProfile.objects.get(user=user).pk])


def values() -> dict[str, Any]:
    return {**FounderProfile.objects.values().get()}


@pytest.mark.parametrize("decision", DECISIONS)
def test_taking_away_is_asked_for_first(team: Client, founder: User, decision: str) -> None:
    before = values()
    for answer in (team.get(page_of(founder, decision)), team.post(page_of(founder, decision), {})):
        assert answer.status_code == 200
        assert "undo this" in answer.content.decode()
    assert team.post(page_of(founder, decision), {**SENT, "reason": " \u202e"}).status_code == 200
    assert values() == before
    assert not OutgoingEmail.objects.exists()


def test_the_photo_goes_with_its_files(
    team: Client, founder: User, media: Path, django_capture_on_commit_callbacks: Any
) -> None:
    assert [file for file in media.rglob("*") if file.is_file()]
    with django_capture_on_commit_callbacks(execute=True):
        assert team.post(page_of(founder, "take_photo"), SENT).status_code == 302
    profile = FounderProfile.objects.get()
    assert (profile.photo_key, profile.photo_pixels, profile.real_name) == ("", 0, "Ada Example")
    assert not [file for file in media.rglob("*") if file.is_file()]
    email = OutgoingEmail.objects.get()
    assert (email.to, "photo" in email.subject) == (founder.email, True)
    assert "Reason: Shows somebody else." in email.text
    assert "/account/profile" in email.text


def test_the_texts_go_and_the_photo_and_the_address_stay(team: Client, founder: User) -> None:
    before = values()
    assert team.post(page_of(founder, "empty_texts"), SENT).status_code == 302
    after = values()
    assert [after[name] for name in ("real_name", "role", "bio", "links")] == ["", "", "", []]
    assert [after[name] for name in ("slug", "photo_key", "photo_pixels")] == [
        before[name] for name in ("slug", "photo_key", "photo_pixels")
    ]
    email = OutgoingEmail.objects.get()
    assert (email.to, "photo" in email.subject, "profile" in email.subject) == (founder.email, False, True)


def test_the_same_can_be_told_again(team: Client, founder: User, site: Site) -> None:
    for _ in range(2):
        services.set_photo(user=founder, data=picture(), site=site)
        team.post(page_of(founder, "take_photo"), SENT)
    assert OutgoingEmail.objects.filter(to=founder.email).count() == 2


def test_a_closed_account_is_not_written_to(team: Client, founder: User) -> None:
    User.objects.filter(pk=founder.pk).update(is_active=False)
    team.post(page_of(founder, "take_photo"), SENT)
    assert not FounderProfile.objects.get().photo_key
    assert not OutgoingEmail.objects.exists()


@pytest.mark.parametrize("decision", DECISIONS)
@pytest.mark.parametrize("who", ["viewer", "founder", "nobody"])
def test_without_the_permission_nothing_happens(client: Client, founder: User, decision: str, who: str) -> None:
    before = values()
    if who != "nobody":
        client.force_login(staff("view_founderprofile", "change_user") if who == "viewer" else founder)
    answer = client.post(page_of(founder, decision), SENT)
    assert answer.status_code == (403 if who == "viewer" else 302)
    assert values() == before
    assert not OutgoingEmail.objects.exists()


def test_the_page_shows_what_is_there_and_takes_nothing(team: Client, founder: User) -> None:
    page = team.get(page_of(founder)).content.decode()
    assert HOSTILE not in page
    for shown in ("Ada Example", "&lt;script&gt;", "https://ada.example", "/192.jpg"):
        assert shown in page
    before = values()
    assert team.post(page_of(founder), {"real_name": "Somebody else"}).status_code == 403
    assert values() == before
    assert team.get(reverse("admin:accounts_founderprofile_add")).status_code == 403
    assert page_of(founder, "delete") not in page
    assert team.post(page_of(founder, "delete"), {"post": "yes"}).status_code == 403


def test_there_is_a_button_for_what_is_there(team: Client, founder: User) -> None:
    def buttons() -> list[str]:
        page = team.get(page_of(founder)).content.decode()
        return [name for name in DECISIONS if page_of(founder, name) in page]

    assert buttons() == DECISIONS
    team.post(page_of(founder, "take_photo"), SENT)
    assert buttons() == ["empty_texts"]
    team.post(page_of(founder, "empty_texts"), SENT)
    assert buttons() == []
    for decision in DECISIONS:
        answer = team.post(page_of(founder, decision), SENT, follow=True)
        assert [message.level_tag for message in answer.context["messages"]] == ["error"]
    assert OutgoingEmail.objects.count() == 2

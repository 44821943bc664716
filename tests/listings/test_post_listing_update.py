"""post_listing_update: what is posted, where it shows, who is emailed, and what a kill leaves."""

from html import escape
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.actors import SYSTEM
from apps.core.api.scopes import Scope
from apps.core.email import delivery
from apps.core.errors import TooManyRequests, Unprocessable
from apps.core.models import OutgoingEmail
from apps.listings import tasks
from apps.listings.models import Follow, Listing, Update
from apps.listings.services import updates
from apps.sites.models import Site
from tests.accounts.people import wait
from tests.api import ApiClient
from tests.browsing import browser
from tests.factories import ListingFactory, UserFactory, api_key
from tests.racing import run_at_once

pytestmark = pytest.mark.db

MARKUP = '<script>alert("x")</script> & <b>bold</b>'


@pytest.fixture
def listing(owner: ApiClient, site: Site) -> Listing:
    return ListingFactory.create(live=True, company__owner=owner.user, company__name="Acme")


def send(client: ApiClient, listing: Listing, body: Any = None, **headers: str) -> Any:
    body = body if body is not None else {"title": "Version 2", "body": "It is twice as fast."}
    return client.post(f"/me/listings/{listing.pk}/updates", body, **headers)


# ---- what is posted ----


def test_the_answer_is_the_update(owner: ApiClient, listing: Listing) -> None:
    answer = send(owner, listing)
    assert answer.status_code == 201
    update = Update.objects.get()
    body = answer.json()
    assert (body["id"], body["title"], body["body"]) == (update.pk, "Version 2", "It is twice as fast.")
    assert body["url"] == f"{listing.page_url}#update-{update.pk}"
    assert body["created_at"]
    assert owner.get(f"/me/listings/{listing.pk}").json()["updates"][0]["id"] == update.pk


def test_it_shows_on_the_listing_and_among_the_latest(owner: ApiClient, listing: Listing) -> None:
    send(owner, listing)
    page = browser().get(listing.path).content.decode()
    assert "It is twice as fast." in page
    assert f'id="update-{Update.objects.get().pk}"' in page
    assert "It is twice as fast." in browser().get("/updates").content.decode()


def test_markup_stays_text_everywhere(owner: ApiClient, listing: Listing) -> None:
    Follow.objects.create(listing=listing, user=UserFactory.create())
    answer = send(owner, listing, {"title": MARKUP, "body": MARKUP})
    assert (answer.json()["title"], answer.json()["body"]) == (MARKUP, MARKUP)
    for path in (listing.path, "/updates"):
        page = browser().get(path).content.decode()
        assert "<b>bold" not in page
        assert escape(MARKUP, quote=False).replace('"', "&quot;") in page
    tasks.notify_followers(Update.objects.get().pk)
    email = delivery._composed(OutgoingEmail.objects.get())
    assert MARKUP in email.body
    assert "<b>bold" not in str(email.alternatives[0][0])


def test_control_characters_are_taken_out(owner: ApiClient, listing: Listing) -> None:
    answer = send(owner, listing, {"title": "One\x01 \n two\x07", "body": "\x1bfirst\r\n\r\nsecond\u202e"})
    assert (answer.json()["title"], answer.json()["body"]) == ("One two", "first\n\nsecond")


@pytest.mark.parametrize(
    ("body", "errors"),
    [
        ({}, {("/title", "required"), ("/body", "required")}),
        ({"title": "", "body": " \n "}, {("/title", "blank"), ("/body", "blank")}),
        ({"title": "t" * 121, "body": "b" * 4001}, {("/title", "max_length"), ("/body", "max_length")}),
        ({"title": 5, "body": ["b"]}, {("/title", "string"), ("/body", "string")}),
        ({"title": None, "body": None}, {("/title", "null"), ("/body", "null")}),
        ({"title": "t", "body": "b", "titel": "t"}, {("/titel", "unknown_key")}),
    ],
)
def test_errors_name_each_bad_field(
    body: Any, errors: set[tuple[str, str]], owner: ApiClient, listing: Listing
) -> None:
    answer = send(owner, listing, body)
    assert answer.status_code == 422
    assert {(error["pointer"], error["code"]) for error in answer.json()["errors"]} == errors
    assert not Update.objects.exists()


def test_the_longest_is_taken(owner: ApiClient, listing: Listing) -> None:
    assert send(owner, listing, {"title": "ü" * 120, "body": "ü" * 4000}).status_code == 201


@pytest.mark.parametrize(("title", "body", "code"), [("", "b", "blank"), ("t" * 121, "b", "max_length")])
def test_the_rule_holds_without_the_api(title: str, body: str, code: str, listing: Listing) -> None:
    with pytest.raises(Unprocessable) as refused:
        updates.post_listing_update(listing=listing, title=title, body=body, by=SYSTEM)
    assert [(error.code, error.pointer) for error in refused.value.errors] == [(code, "/title")]


# ---- who may, and when ----


def test_others_and_strangers_change_nothing(
    other_owner: ApiClient, anonymous: ApiClient, owner: ApiClient, listing: Listing
) -> None:
    assert send(other_owner, listing).status_code == 404
    assert send(anonymous, listing).status_code == 401
    reading = ApiClient(owner.account, key=api_key(owner.account, [Scope.ACCOUNT_READ]))
    assert send(reading, listing).status_code == 403
    assert owner.post("/me/listings/999999/updates", {"title": "t", "body": "b"}).status_code == 404
    assert not Update.objects.exists()


@pytest.mark.parametrize("status", [status for status in Listing.Status if status != "live"])
def test_a_listing_that_is_not_live_is_refused(status: str, owner: ApiClient, site: Site) -> None:
    listing = ListingFactory.create(
        company__owner=owner.user, status=status, launch_week="2026-W46", launched_at=timezone.now()
    )
    answer = send(owner, listing)
    assert (answer.status_code, answer.json()["code"]) == (409, "not_live")
    if status in {"draft", "awaiting_badge", "scheduled"}:
        assert answer.json()["next_steps"]
    assert not Update.objects.exists()


def test_a_retry_posts_once(owner: ApiClient, listing: Listing) -> None:
    first = send(owner, listing, Idempotency_Key="abc")
    again = send(owner, listing, Idempotency_Key="abc")
    assert (again.status_code, again.json()) == (201, first.json())
    assert again["Idempotency-Replayed"] == "true"
    assert Update.objects.count() == 1
    assert send(owner, listing, {"title": "Other", "body": "text"}, Idempotency_Key="abc").status_code == 422


def test_only_so_many_a_day(owner: ApiClient, listing: Listing, site: Site, time_machine: Any) -> None:
    Site.objects.filter(pk=site.pk).update(updates_per_day=2)
    other = ListingFactory.create(live=True, company__owner=owner.user)
    time_machine.move_to("2026-11-18T08:00:00Z", tick=False)
    assert send(owner, listing).status_code == 201
    wait(time_machine, hours=1)
    assert send(owner, listing).status_code == 201
    answer = send(owner, listing)
    assert (answer.status_code, answer["Retry-After"]) == (429, str(23 * 3600))
    assert "Nov 19, 2026, 08:00 UTC" in answer.json()["detail"]
    assert send(owner, other).status_code == 201
    assert listing.updates.count() == 2
    wait(time_machine, hours=23)
    assert send(owner, listing).status_code == 201
    assert (send(owner, listing)["Retry-After"]) == str(3600)


@pytest.mark.django_db(transaction=True)
def test_posts_at_the_same_time_stay_within_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks.notify_followers, "delay", lambda update_id: None)
    Site.objects.update(updates_per_day=3)
    listing = ListingFactory.create(live=True)
    refused: list[int] = []

    def work() -> None:
        try:
            updates.post_listing_update(listing=listing, title="t", body="b", by=SYSTEM)
        except TooManyRequests as error:
            refused.append(error.retry_after or 0)

    run_at_once(*[work] * 6)
    assert (listing.updates.count(), len(refused)) == (3, 3)
    assert all(0 < seconds <= 86400 for seconds in refused)


# ---- the page of latest updates ----


def test_the_latest_updates_are_this_sites_live_ones(site: Site) -> None:
    elsewhere = Site.objects.create(key="elsewhere", host="elsewhere.localhost", name="Elsewhere")
    Update.objects.create(listing=ListingFactory.create(live=True, site=elsewhere), title="of elsewhere", body="b")
    Update.objects.create(listing=ListingFactory.create(), title="of a draft", body="b")
    Update.objects.create(listing=ListingFactory.create(live=True), title="of here", body="b")
    page = browser().get("/updates").content.decode()
    assert "of here" in page
    assert "of elsewhere" not in page
    assert "of a draft" not in page

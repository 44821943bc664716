"""One email at the launch: nothing is stored before an address's owner opens the link, and nobody gets two."""

import re
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.core import signing
from django.test import Client
from django.utils import timezone

from apps.accounts.models import User
from apps.core.errors import Conflict
from apps.core.models import OutgoingEmail
from apps.core.stores.valkey.counters import Limit
from apps.core.text.weeks import Week
from apps.launches.models import LaunchReminder
from apps.launches.services import reminders
from apps.launches.services.publish import go_live
from apps.launches.views import reminders as views
from apps.listings.models import Listing
from apps.sites.models import Site
from tests.actors import in_browser
from tests.factories import ListingFactory, SiteFactory, UserFactory
from tests.racing import run_at_once

pytestmark = pytest.mark.db

ADDRESS = "reader@example.com"


@pytest.fixture
def listing(site: Site) -> Listing:
    week = str(Week.of(timezone.now()))
    made: Listing = ListingFactory.create(status="scheduled", plan="free", launch_week=week)
    return made


def ask(client: Client, listing: Listing, email: str = ADDRESS) -> Any:
    return client.post(f"{listing.path}/remind-email", {"email": email})


def links() -> list[str]:
    result = OutgoingEmail.objects.filter(key__startswith="reminder-confirm-").values_list("text", flat=True)
    return [re.findall(r"(/launch-reminders/\S+)", text)[0] for text in result]


def rows() -> list[tuple[int | None, str]]:
    return list(LaunchReminder.objects.order_by("pk").values_list("user", "email"))


def told() -> list[str]:
    emails = OutgoingEmail.objects.filter(key__startswith="reminder-").exclude(key__startswith="reminder-confirm-")
    return sorted(emails.values_list("to", flat=True))


def launch(listing: Listing) -> None:
    go_live(listing=Listing.objects.get(pk=listing.pk), week=Week.of(timezone.now()))


def test_a_visitor_is_reminded_by_the_link_in_an_email(listing: Listing) -> None:
    strict = Client(enforce_csrf_checks=True)
    assert f"{listing.path}/remind-email" in strict.get(listing.path).content.decode()
    assert ask(strict, listing, "Reader@Example.com").status_code == 200
    [link] = links()
    assert rows() == []
    # Email programs open links: only the button acts.
    page = strict.get(link)
    assert (page.status_code, page["Referrer-Policy"], rows()) == (200, "same-origin", [])
    assert strict.post(link).status_code == 403
    for _ in range(2):
        assert Client().post(link)["Location"] == listing.path
    assert rows() == [(None, ADDRESS)]


def test_the_page_of_visitors_sets_no_cookie(listing: Listing) -> None:
    assert not Client().get(listing.path).cookies


def test_an_account_asks_and_cancels_with_a_button(listing: Listing, client: Client) -> None:
    user = UserFactory.create()
    client.force_login(user)
    for _ in range(2):
        assert client.post(f"{listing.path}/remind")["Location"] == listing.path
    assert rows() == [(user.pk, "")]
    assert client.get(listing.path).context["is_reminded"]
    client.post(f"{listing.path}/remind", {"leave": "1"})
    assert rows() == []


def test_an_address_of_an_account_is_the_accounts(listing: Listing) -> None:
    user: User = UserFactory.create(email=ADDRESS)
    ask(Client(), listing)
    Client().post(links()[0])
    assert rows() == [(user.pk, "")]


def test_everybody_is_emailed_once_when_it_launches(listing: Listing) -> None:
    user = UserFactory.create()
    reminders.remind(listing=listing, by=in_browser(user))
    reminders.confirm(listing=listing, email=ADDRESS)
    reminders.send_reminders()
    assert told() == []
    launch(listing)
    for _ in range(2):
        reminders.send_reminders()
    assert told() == sorted([user.email, ADDRESS])
    assert rows() == []


def test_workers_at_once_email_nobody_twice(transactional_db: None, site: Site) -> None:
    listing = ListingFactory.create(live=True)
    LaunchReminder.objects.bulk_create(
        LaunchReminder(listing=listing, email=f"reader{number}@example.com") for number in range(20)
    )
    run_at_once(*[reminders.send_reminders] * 4)
    assert told() == sorted(f"reader{number}@example.com" for number in range(20))


def test_accounts_that_cannot_be_emailed_are_left_out(listing: Listing) -> None:
    user = UserFactory.create()
    reminders.remind(listing=listing, by=in_browser(user))
    User.objects.filter(pk=user.pk).update(is_active=False)
    launch(listing)
    reminders.send_reminders()
    assert (told(), rows()) == ([], [])


@pytest.mark.parametrize("email", ["", "reader", "a@b", "x" * 250 + "@example.com", "a@example.com\nBcc: b"])
def test_what_is_no_address(listing: Listing, email: str) -> None:
    answer = ask(Client(), listing, email)
    assert answer.status_code == 422
    assert answer.context["form"].errors["email"]
    assert not OutgoingEmail.objects.exists()


def test_one_email_a_day_and_address(listing: Listing) -> None:
    for _ in range(3):
        assert ask(Client(), listing).status_code == 200
    assert len(links()) == 1


def test_who_is_reminded_gets_no_further_link_and_the_page_does_not_say_so(listing: Listing) -> None:
    other = ask(Client(), listing, "other@example.com").content.decode()
    reminders.confirm(listing=listing, email=ADDRESS)
    assert ask(Client(), listing).content.decode() == other.replace("other@example.com", ADDRESS)
    assert len(links()) == 1


def test_one_client_asks_for_few_addresses(listing: Listing, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "LIMIT", Limit("reminders-test", 2, 3600))
    client = Client(REMOTE_ADDR="203.0.113.77")
    assert [ask(client, listing, f"reader{number}@example.com").status_code for number in range(3)] == [200, 200, 422]
    assert len(links()) == 2


@pytest.mark.parametrize("wrong", ["changed", "old", "of another site", "of another kind", "launched"])
def test_other_links_remind_nobody(listing: Listing, wrong: str) -> None:
    token = reminders.confirm_url(listing, ADDRESS).rsplit("/", 1)[1]
    if wrong == "changed":
        token = f"x{token}"
    elif wrong == "of another site":
        elsewhere = ListingFactory.create(
            site=SiteFactory.create(), status="scheduled", launch_week=listing.launch_week
        )
        token = reminders.confirm_url(elsewhere, ADDRESS).rsplit("/", 1)[1]
    elif wrong == "of another kind":
        token = signing.dumps([listing.pk, ADDRESS])
    elif wrong == "launched":
        launch(listing)
    later = reminders.CONFIRM_WITHIN + timedelta(minutes=1) if wrong == "old" else timedelta(0)
    with time_machine.travel(timezone.now() + later, tick=False):
        assert Client().post(f"/launch-reminders/{token}").status_code == 404
    assert rows() == []


@pytest.mark.parametrize("state", [{"live": True}, {"status": "rejected"}, {"status": "archived"}, {"status": "draft"}])
def test_only_listings_on_their_way_send_a_reminder(site: Site, state: dict[str, Any], client: Client) -> None:
    changed = ListingFactory.create(site=site, **state)
    with pytest.raises(Conflict) as refused:
        reminders.remind(listing=changed, by=in_browser(UserFactory.create()))
    assert refused.value.code == "not_upcoming"
    assert ask(client, changed).status_code == 404

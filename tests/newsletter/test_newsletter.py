"""The newsletter: a page for each week, and one email of it to each subscriber when the week is over."""

import re
from collections import Counter
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.test import Client
from django.utils import timezone

from apps.accounts.models import User
from apps.core.models import OutgoingEmail
from apps.core.text.weeks import Week
from apps.launches.models import VoteLedger
from apps.listings.models import Listing, Update
from apps.newsletter import emails, subscriptions, tasks
from apps.newsletter.issues import issue_of
from apps.newsletter.models import NewsletterIssue, NewsletterSubscription
from apps.newsletter.schedule import BEAT
from apps.orders.fulfillment.services import fulfill_line
from apps.orders.models import Placement
from apps.sites.models import Site
from tests.factories import ListingFactory, SiteFactory, UserFactory
from tests.orders.actors import by_owner
from tests.orders.carts import week
from tests.orders.paid import paid_line
from tests.racing import run_at_once

pytestmark = pytest.mark.db


def launched(ahead: int, **fields: Any) -> Listing:
    """A listing that went live in a week; its board is final when the week is over."""
    chosen = Week.of(timezone.now()) + ahead
    return ListingFactory.create(
        status="live", plan="free", launch_week=str(chosen), launched_at=chosen.starts_at, **fields
    )


def slot(listing: Listing, ahead: int) -> Placement:
    line = paid_line("newsletter_slot", listing=listing, weeks=[week()])
    fulfill_line(line.pk)
    placement = Placement.objects.get(line=line)
    placement.week = week(ahead)
    placement.save()
    return placement


def readers(site: Site, count: int, *, days_ago: float = 30) -> list[User]:
    """People who subscribed, made in few statements."""
    run = uuid4().hex[:8]
    people = User.objects.bulk_create([User(email=f"reader{number}-{run}@example.com") for number in range(count)])
    EmailAddress.objects.bulk_create(
        [EmailAddress(user=person, email=person.email, verified=True, primary=True) for person in people]
    )
    since = timezone.now() - timedelta(days=days_ago)
    NewsletterSubscription.objects.bulk_create(
        [NewsletterSubscription(site=site, user=person, created_at=since) for person in people]
    )
    return people


def unsubscribe_url(site: Site, user: User) -> str:
    return subscriptions.unsubscribe_url(NewsletterSubscription(site=site, user=user), site)


def told() -> list[str]:
    result = OutgoingEmail.objects.filter(key__startswith="newsletter-").order_by("pk")
    return list(result.values_list("to", flat=True))


# ---- pages ----
def test_this_week_s_page_has_slots_launches_and_updates(site: Site) -> None:
    first, paid_for, past = launched(0), launched(-3, company__name="Paid <i>"), launched(-1)
    slot(paid_for, 0)
    Update.objects.create(listing=first, title="Faster & smaller", body="b")
    text = Client().get("/newsletter").content.decode()
    assert re.findall(r'<a href="([^"]+)" rel="sponsored">', text) == [paid_for.path]
    assert text.index(paid_for.path) < text.index(first.path) < text.index("Faster &amp; smaller")
    assert "Paid &lt;i&gt;" in text
    assert past.path not in text
    assert f'href="/newsletter/{week(-1)}"' in text
    assert f'href="/newsletter/{week()}"' not in text.replace(f'rel="canonical" href="{site.base_url}', "")


def test_a_past_week_keeps_its_page_and_slots(site: Site) -> None:
    old = launched(-2)
    slot(old, -2)
    text = Client().get(f"/newsletter/{week(-2)}").content.decode()
    assert re.findall(r'<a href="([^"]+)" rel="sponsored">', text) == [old.path]
    assert "this week" not in re.findall(r'<p class="eyebrow">.*?</p>', text)[0]


@pytest.mark.parametrize("name", [1, -5, "2026-W99", "0001-W01", "9999-W01", "now", "2026-w46"])
def test_weeks_to_come_empty_weeks_and_nonsense_are_not_there(site: Site, name: str | int) -> None:
    slot(launched(0), 1)
    where = week(name) if isinstance(name, int) else name
    assert Client().get(f"/newsletter/{where}").status_code == 404


def test_another_site_s_slots_are_not_shown(site: Site) -> None:
    slot(launched(0), 0)
    other = SiteFactory.create()
    text = Client(headers={"host": other.host}).get("/newsletter").content.decode()
    assert "Sponsored" not in text


# ---- subscribing ----
def test_subscribing_and_leaving_on_the_page(client: Client, site: Site) -> None:
    user = UserFactory.create()
    assert client.post("/newsletter/subscribe").status_code == 302
    assert not NewsletterSubscription.objects.exists()
    client.force_login(user)
    for _ in range(2):
        assert client.post("/newsletter/subscribe").status_code == 302
    assert list(NewsletterSubscription.objects.values_list("site", "user")) == [(site.pk, user.pk)]
    assert "Unsubscribe" in client.get("/newsletter").content.decode()
    client.post("/newsletter/subscribe", {"leave": "1"})
    assert not NewsletterSubscription.objects.exists()
    assert client.get("/newsletter/subscribe").status_code == 405


def test_one_click_leaves_one_site_without_signing_in(site: Site) -> None:
    other = SiteFactory.create()
    [user] = readers(site, 1)
    subscriptions.subscribe(site=other, by=by_owner(user))
    launched(-1)
    emails.send_newsletters()
    path = urlsplit(unsubscribe_url(site, user)).path
    strict = Client(enforce_csrf_checks=True)
    assert strict.get(path).status_code == 200
    assert (NewsletterSubscription.objects.count(), len(told())) == (2, 1)
    answer = strict.post(path, "List-Unsubscribe=One-Click", content_type="application/x-www-form-urlencoded")
    assert "Unsubscribed" in answer.content.decode()
    assert (answer["X-Robots-Tag"], answer["Referrer-Policy"]) == ("noindex, nofollow", "no-referrer")
    assert list(NewsletterSubscription.objects.values_list("site", flat=True)) == [other.pk]
    assert told() == []
    assert strict.post(path).status_code == 200


@pytest.mark.parametrize("change", [lambda token: token[:-1], lambda token: "9" + token, lambda token: "nonsense"])
def test_only_our_own_addresses_unsubscribe(site: Site, change: Any) -> None:
    [user] = readers(site, 1)
    token = unsubscribe_url(site, user).rsplit("/", 1)[1]
    assert Client().post(f"/newsletter/unsubscribe/{change(token)}").status_code == 404
    assert NewsletterSubscription.objects.count() == 1


# ---- emails ----
def test_the_email_has_slots_first_and_can_be_left_at_a_click(site: Site) -> None:
    listing = launched(-1, company__name="Acme & Sons", headline="Rockets")
    paid_for = launched(-5, company__name="Payer")
    slot(paid_for, -1)
    [user] = readers(site, 1)
    emails.send_newsletters()
    email = OutgoingEmail.objects.get(key__startswith="newsletter-")
    leave_url = unsubscribe_url(site, user)
    assert (email.to, email.is_bulk) == (user.email, True)
    assert email.headers["List-Unsubscribe"] == f"<{leave_url}>"
    assert email.headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert email.text.index("Sponsored: Payer") < email.text.index("1. Acme & Sons: Rockets")
    assert paid_for.page_url in email.text
    assert listing.page_url in email.text
    assert f"{site.base_url}/newsletter/{week(-1)}" in email.text
    assert leave_url in email.text


def test_each_is_emailed_once_and_only_of_last_week(site: Site) -> None:
    launched(-1)
    launched(-2)
    people = readers(site, 3)
    for _ in range(3):
        emails.send_newsletters()
    assert told() == [person.email for person in people]
    assert list(NewsletterIssue.objects.filter(site=site).values_list("week", flat=True)) == [week(-1)]
    with time_machine.travel(timezone.now() + timedelta(weeks=1), tick=False):
        emails.send_newsletters()
    # Nothing launched this week, so the next issue has nothing to say.
    assert len(told()) == 3
    assert not NewsletterIssue.objects.filter(sent_at=None).exists()


def test_who_is_emailed(site: Site) -> None:
    launched(-1)
    kept, closed, unproven = readers(site, 3)
    User.objects.filter(pk=closed.pk).update(is_active=False)
    EmailAddress.objects.filter(user=unproven).update(verified=False)
    readers(SiteFactory.create(), 1)
    late = UserFactory.create()
    NewsletterSubscription.objects.create(
        site=site, user=late, created_at=Week.parse(week()).starts_at + timedelta(seconds=1)
    )
    emails.send_newsletters()
    assert told() == [kept.email]


def test_it_waits_until_the_leaderboard_is_counted(site: Site) -> None:
    launched(-1)
    readers(site, 1)
    ledger = VoteLedger.objects.get_or_create(site=site, iso_week=week(-1))[0]
    VoteLedger.objects.filter(pk=ledger.pk).update(closed_at=None)
    emails.send_newsletters()
    assert told() == []
    VoteLedger.objects.filter(pk=ledger.pk).update(closed_at=timezone.now(), salt="")
    emails.send_newsletters()
    assert len(told()) == 1


def test_batches_go_on_where_they_broke_off(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(emails, "BATCH", 2)
    launched(-1)
    people = readers(site, 5)
    written = emails._issue_emails

    def crash(issue: Any, found: list[NewsletterSubscription]) -> Any:
        letters = written(issue, found)
        if found[0].user_id == people[2].pk:
            raise RuntimeError("killed")
        return letters

    with monkeypatch.context() as broken:
        broken.setattr(emails, "_issue_emails", crash)
        emails.send_newsletters()
    assert told() == [person.email for person in people[:2]]
    # A subscriber who left and came back meanwhile is last in line, and gets no second issue.
    subscriptions.unsubscribe(site_id=site.pk, user_id=people[4].pk)
    emails.send_newsletters()
    assert told() == [person.email for person in people[:4]]


def test_one_site_s_failure_keeps_no_other_waiting(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    other = SiteFactory.create()
    for one in (site, other):
        launched(-1, site=one)
        readers(one, 1)

    def crash(where: Site, chosen: Week) -> Any:
        if where == site:
            raise RuntimeError("odd")
        return issue_of(where, chosen)

    monkeypatch.setattr(emails, "issue_of", crash)
    emails.send_newsletters()
    assert OutgoingEmail.objects.get(key__startswith="newsletter-").site_name == other.name


@pytest.mark.django_db(transaction=True)
def test_four_workers_at_once_email_each_once(monkeypatch: pytest.MonkeyPatch) -> None:
    site = Site.objects.get(is_default=True)
    monkeypatch.setattr(emails, "BATCH", 3)
    launched(-1)
    people = readers(site, 20)
    run_at_once(*[emails.send_newsletters] * 4)
    # A worker passes over what another one holds, so the last batch may be left to the next turn.
    emails.send_newsletters()
    assert Counter(told()) == {person.email: 1 for person in people}


def test_the_schedule_sends_it(site: Site) -> None:
    assert BEAT["newsletters"]["task"] == tasks.send_newsletters.name
    launched(-1)
    readers(site, 1)
    tasks.send_newsletters()
    assert len(told()) == 1

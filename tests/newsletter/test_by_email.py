"""Subscribing with an email address alone: nothing is stored before its owner opens the link."""

import re
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from allauth.account.models import EmailAddress
from allauth.account.signals import email_confirmed
from django.core import signing
from django.test import Client
from django.utils import timezone

from apps.core.models import OutgoingEmail
from apps.core.stores.valkey.counters import Limit
from apps.newsletter import emails, subscriptions, views
from apps.newsletter.models import NewsletterSubscription
from apps.sites.models import Site
from tests.factories import SiteFactory, UserFactory
from tests.newsletter.test_newsletter import launched, told

pytestmark = pytest.mark.db

ADDRESS = "reader@example.com"


def ask(client: Client, email: str = ADDRESS) -> Any:
    return client.post("/newsletter/subscribe-email", {"email": email})


def links() -> list[str]:
    result = OutgoingEmail.objects.filter(key__startswith="newsletter-confirm-").values_list("text", flat=True)
    return [re.findall(r"(/newsletter/confirm/\S+)", text)[0] for text in result]


def rows() -> list[tuple[int, int | None, str]]:
    return list(NewsletterSubscription.objects.values_list("site", "user", "email"))


def by_email(site: Site, *, days_ago: float = 30) -> NewsletterSubscription:
    since = timezone.now() - timedelta(days=days_ago)
    return NewsletterSubscription.objects.create(site=site, email=ADDRESS, created_at=since)


def test_a_visitor_subscribes_by_the_link_in_an_email(site: Site) -> None:
    strict = Client(enforce_csrf_checks=True)
    assert ADDRESS in ask(strict, "Reader@Example.com").content.decode().lower()
    [link] = links()
    assert rows() == []
    # Email programs open links: only the button subscribes.
    page = strict.get(link)
    assert (page.status_code, page["Referrer-Policy"], rows()) == (200, "same-origin", [])
    assert strict.post(link).status_code == 403
    for _ in range(2):
        assert Client().post(link).status_code == 302
    assert rows() == [(site.pk, None, ADDRESS)]


def test_the_page_with_the_form_sets_no_cookie(site: Site) -> None:
    page = Client().get("/newsletter")
    assert "/newsletter/subscribe-email" in page.content.decode()
    assert not page.cookies


@pytest.mark.parametrize(
    "email", ["", "reader", "a@b", "a b@example.com", "x" * 250 + "@example.com", "a@example.com\nBcc: b"]
)
def test_what_is_no_address(site: Site, email: str) -> None:
    answer = ask(Client(), email)
    assert answer.status_code == 422
    assert "id_email" in answer.content.decode()
    assert not OutgoingEmail.objects.exists()


def test_local_mode_says_where_the_link_is(site: Site, settings: Any) -> None:
    settings.EMAIL_FILE_PATH = "/data/emails"
    assert "/data/emails" not in ask(Client()).content.decode()
    settings.LOCAL, settings.EMAIL_BACKEND = True, "apps.core.email.filebased.EmailBackend"
    assert "<code>/data/emails</code>" in ask(Client()).content.decode()


def test_one_email_a_day_and_address(site: Site) -> None:
    for _ in range(3):
        assert ask(Client()).status_code == 200
    assert len(links()) == 1


def test_a_subscriber_gets_no_further_link_and_the_page_does_not_say_so(site: Site) -> None:
    other = ask(Client(), "other@example.com").content.decode()
    by_email(site)
    assert ask(Client()).content.decode() == other.replace("other@example.com", ADDRESS)
    assert len(links()) == 1


def test_one_client_asks_for_few_addresses(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "LIMIT", Limit("newsletter-test", 2, 3600))
    client = Client(REMOTE_ADDR="203.0.113.77")
    statuses = [ask(client, f"reader{number}@example.com").status_code for number in range(3)]
    assert statuses == [200, 200, 422]
    assert len(links()) == 2


@pytest.mark.parametrize("wrong", ["changed", "old", "of another site", "of another kind"])
def test_other_links_subscribe_nobody(site: Site, wrong: str) -> None:
    token = subscriptions.confirm_url(site, ADDRESS).rsplit("/", 1)[1]
    if wrong == "changed":
        token = f"x{token}"
    elif wrong == "of another site":
        token = subscriptions.confirm_url(SiteFactory.create(), ADDRESS).rsplit("/", 1)[1]
    elif wrong == "of another kind":
        token = signing.dumps([site.pk, ADDRESS])
    later = subscriptions.CONFIRM_WITHIN + timedelta(minutes=1) if wrong == "old" else timedelta(0)
    with time_machine.travel(timezone.now() + later, tick=False):
        assert Client().post(f"/newsletter/confirm/{token}").status_code == 404
    assert rows() == []


def test_readers_with_and_without_an_account_are_emailed_once_and_leave_at_a_click(site: Site) -> None:
    launched(-1)
    row = by_email(site)
    emails.send_newsletters()
    email = OutgoingEmail.objects.get(key__startswith=subscriptions.email_key_prefix(site.pk))
    assert email.to == ADDRESS
    path = re.findall(r"/newsletter/unsubscribe-email/[^>]+", email.headers["List-Unsubscribe"])[0]
    assert path in email.text
    assert "/account/notifications" not in email.text
    answer = Client(enforce_csrf_checks=True).post(path, "List-Unsubscribe=One-Click", content_type="text/plain")
    assert answer.status_code == 200
    assert (rows(), told()) == ([], [])
    assert subscriptions.email_key(row, "2026-W01") == subscriptions.email_key(by_email(site), "2026-W01")


def test_a_link_of_an_account_does_not_end_the_subscription_of_the_same_number(site: Site) -> None:
    row = by_email(site)
    token = subscriptions.UNSUBSCRIBE_LINK.path(site.pk, row.pk)
    Client().post(token)
    assert rows() == [(site.pk, None, ADDRESS)]


def test_the_address_of_an_account_subscribes_the_account(site: Site) -> None:
    user = UserFactory.create(email=ADDRESS)
    EmailAddress.objects.update_or_create(user=user, email=ADDRESS, defaults={"verified": True, "primary": True})
    subscriptions.confirm(site=site, email=ADDRESS)
    assert rows() == [(site.pk, user.pk, "")]


def test_an_account_made_later_takes_the_subscription_over(site: Site) -> None:
    by_email(site)
    user = UserFactory.create(email=ADDRESS)
    address, _ = EmailAddress.objects.update_or_create(user=user, email=ADDRESS, defaults={"verified": True})
    email_confirmed.send(EmailAddress, request=None, email_address=address)
    assert rows() == [(site.pk, user.pk, "")]

"""Subscribe to and unsubscribe from the newsletter, with an account or with an email address alone."""

from datetime import timedelta

from django.contrib.auth.models import AnonymousUser
from django.core import signing
from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.accounts.models import User
from apps.accounts.models.users import can_be_emailed
from apps.core.email import outbox
from apps.core.email.text import render_words
from apps.core.email.unsubscribe import UnsubscribeLink
from apps.core.text.digest import short_digest
from apps.newsletter.models import NewsletterSubscription
from apps.sites.models import Site

UNSUBSCRIBE_LINK = UnsubscribeLink("newsletter_unsubscribe", salt="apps.newsletter", second=int)
# Its own kind, because numbers of accounts and of subscriptions are the same.
UNSUBSCRIBE_EMAIL_LINK = UnsubscribeLink("newsletter_unsubscribe_email", salt="apps.newsletter.email", second=int)

CONFIRM_WITHIN = timedelta(days=3)
_CONFIRM_SALT = "apps.newsletter.confirm"


@transaction.atomic
def subscribe(*, site: Site, by: Actor) -> None:
    """Subscribe the account to the site's newsletter, from the current week on. Repeating does nothing."""
    _subscribe_account(site, by.account)


def ask_to_confirm(*, site: Site, email: str) -> None:
    """Email a link that subscribes this address. Nothing is stored until its owner opens it.

    One email a day and address. A subscriber gets none, and the caller isn't told who subscribes.
    """
    email = email.lower()
    if NewsletterSubscription.objects.filter(site=site, email=email).exists():
        return
    url = confirm_url(site, email)
    outbox.put(
        key=f"newsletter-confirm-{site.pk}-{timezone.now():%Y-%m-%d}-{short_digest(email)}",
        to=email,
        words=render_words("newsletter/emails/confirm", {"site": site, "confirm_url": url}, subject=subject(site)),
        site=site,
    )


def confirm_url(site: Site, email: str) -> str:
    """Return the URL that subscribes an address, which works for `CONFIRM_WITHIN`."""
    return site.url(reverse("newsletter_confirm", args=[signing.dumps([site.pk, email], salt=_CONFIRM_SALT)]))


def subject(site: Site) -> str:
    """Return the subject of the email with the link."""
    return f"Confirm your subscription to the {site.name} newsletter"


def asking_email(*, site: Site, token: str) -> str | None:
    """Return the address that a link of `ask_to_confirm` subscribes, or None if it is wrong or too old."""
    try:
        site_id, email = signing.loads(token, salt=_CONFIRM_SALT, max_age=CONFIRM_WITHIN)
    except signing.BadSignature:
        return None
    return str(email) if site_id == site.pk else None


@transaction.atomic
def confirm(*, site: Site, email: str) -> None:
    """Subscribe an address whose owner opened the link: its account if there is one. Repeating does nothing."""
    account = User.objects.filter(can_be_emailed(), email=email).first()
    if account:
        _subscribe_account(site, account)
    else:
        NewsletterSubscription.objects.bulk_create(
            [NewsletterSubscription(site=site, email=email)], ignore_conflicts=True
        )


@transaction.atomic
def hand_over(account: User) -> None:
    """Move an address's subscriptions to its account, which has just confirmed it."""
    for row in NewsletterSubscription.objects.filter(email=account.email.lower()).select_related("site"):
        _subscribe_account(row.site, account)


def _subscribe_account(site: Site, account: User) -> None:
    # One person must not get two.
    NewsletterSubscription.objects.filter(site=site, email=account.email.lower()).delete()
    NewsletterSubscription.objects.bulk_create([NewsletterSubscription(site=site, user=account)], ignore_conflicts=True)


def unsubscribe(*, site_id: int, user_id: int) -> None:
    """Unsubscribe and cancel waiting emails. A deleted site or account is no error."""
    _stop(NewsletterSubscription.objects.filter(site=site_id, user=user_id).select_related("user"))


def unsubscribe_email(*, site_id: int, subscription_id: int) -> None:
    """Unsubscribe an address without an account and cancel waiting emails. Repeating does nothing."""
    _stop(NewsletterSubscription.objects.filter(site=site_id, pk=subscription_id, user=None))


def _stop(rows: QuerySet[NewsletterSubscription]) -> None:
    for row in rows:
        row.delete()
        outbox.withdraw(key_prefix=email_key_prefix(row.site_id), to=row.address)


def is_subscribed(site: Site, user: User | AnonymousUser) -> bool:
    return user.is_authenticated and has_subscription(site_id=site.pk, user_id=user.pk)


def has_subscription(*, site_id: int, user_id: int) -> bool:
    return NewsletterSubscription.objects.filter(site=site_id, user=user_id).exists()


def has_email_subscription(*, site_id: int, subscription_id: int) -> bool:
    return NewsletterSubscription.objects.filter(site=site_id, pk=subscription_id).exists()


def email_key_prefix(site_id: int) -> str:
    """Return the outbox key prefix of a site's newsletters."""
    return f"newsletter-{site_id}-"


def email_key(row: NewsletterSubscription, week: object) -> str:
    """Return the outbox key of a week's newsletter: the same for somebody who left and came back."""
    return f"{email_key_prefix(row.site_id)}{week}-{row.user_id or short_digest(row.email)}"


def unsubscribe_url(row: NewsletterSubscription, site: Site) -> str:
    """Return the permanent URL with which a person unsubscribes without signing in."""
    if row.user_id:
        return site.url(UNSUBSCRIBE_LINK.path(site.pk, row.user_id))
    return site.url(UNSUBSCRIBE_EMAIL_LINK.path(site.pk, row.pk))

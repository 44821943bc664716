"""Subscribe to and unsubscribe from the newsletter."""

from django.contrib.auth.models import AnonymousUser

from apps.accounts.actors import Actor
from apps.accounts.models import User
from apps.core.email import outbox
from apps.core.email.unsubscribe import UnsubscribeLink
from apps.newsletter.models import NewsletterSubscription
from apps.sites.models import Site

UNSUBSCRIBE_LINK = UnsubscribeLink("newsletter_unsubscribe", salt="apps.newsletter", second=int)


def subscribe(*, site: Site, by: Actor) -> None:
    """Subscribe the account to the site's newsletter, from the current week on. Repeating does nothing."""
    NewsletterSubscription.objects.bulk_create(
        [NewsletterSubscription(site=site, user=by.account)], ignore_conflicts=True
    )


def unsubscribe(*, site_id: int, user_id: int) -> None:
    """Unsubscribe and cancel waiting emails. A deleted site or account is no error."""
    NewsletterSubscription.objects.filter(site=site_id, user=user_id).delete()
    address = User.objects.filter(pk=user_id).values_list("email", flat=True).first()
    if address:
        outbox.withdraw(key_prefix=email_key_prefix(site_id), to=address)


def is_subscribed(site: Site, user: User | AnonymousUser) -> bool:
    return user.is_authenticated and has_subscription(site_id=site.pk, user_id=user.pk)


def has_subscription(*, site_id: int, user_id: int) -> bool:
    return NewsletterSubscription.objects.filter(site=site_id, user=user_id).exists()


def email_key_prefix(site_id: int) -> str:
    """Return the outbox key prefix of a site's newsletters."""
    return f"newsletter-{site_id}-"


def unsubscribe_url(*, site: Site, user_id: int) -> str:
    """Return the permanent URL with which a person unsubscribes without signing in."""
    return site.url(UNSUBSCRIBE_LINK.path(site.pk, user_id))

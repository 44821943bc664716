"""An account's choices of notifications, and sending the optional emails."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.db import transaction
from django.db.models import Q

from apps.accounts.actors import Actor
from apps.accounts.models import NotificationKind, User
from apps.accounts.models.users import EMAIL_KINDS, IN_APP_KINDS
from apps.core.email import outbox
from apps.core.email.outbox import Email
from apps.core.email.text import render_words
from apps.core.email.unsubscribe import UnsubscribeLink, one_click
from apps.core.errors import Unprocessable
from apps.sites.models import Site

# Descriptions on the settings page.
TEXTS = {
    NotificationKind.LAUNCHES: "Your launch weeks and launches. In the app, also final ranks.",
    NotificationKind.BADGES: "Badges found or missing. A missing badge can cost a free launch its week.",
    NotificationKind.ORDERS: "Payments, deliveries, invoices and refunds.",
    NotificationKind.REVIEWS: "Website claims and decisions of site admins.",
    NotificationKind.DRAFTS: "Drafts that are ready, failed or expired.",
    NotificationKind.STORIES: "Stories that were published automatically or changed by a site admin.",
    NotificationKind.COMMENTS: "Comments and reviews on your listings, answers to yours, and decisions about them.",
    NotificationKind.FOLLOWED: "Updates from listings you follow. In the app and digest, also people and collections.",
    NotificationKind.WEEKLY_NUMBERS: "Every Monday: views, visitors, clicks and votes for your live listings.",
    NotificationKind.DIGEST: "Your unread notifications in one email, on days with new ones.",
}
# How the sentence "You're receiving this email because you signed up for emails …" ends.
ABOUT = {
    NotificationKind.LAUNCHES: "about your launches",
    NotificationKind.STORIES: "about your founder stories",
    NotificationKind.COMMENTS: "about comments and reviews",
    NotificationKind.FOLLOWED: "from listings you follow",
    NotificationKind.WEEKLY_NUMBERS: "with your weekly numbers",
    NotificationKind.DIGEST: "with your unread notifications",
}
# Of the kinds whose emails nobody can turn off, because missing one costs money or a launch week, or of which there are
# no single emails.
OTHER_EMAILS = {
    NotificationKind.BADGES: "always",
    NotificationKind.ORDERS: "always",
    NotificationKind.REVIEWS: "always",
    NotificationKind.DRAFTS: "never",
}
UNSUBSCRIBE_LINK = UnsubscribeLink("stop_emails", salt="apps.accounts.notifications", second=NotificationKind)


class UnknownNotificationKind(Unprocessable):
    code = "unknown_notification_kind"
    title = "Unknown notification"


def wants_email(account: User, kind: NotificationKind) -> bool:
    """Return whether an account gets emails of a kind: it is open and hasn't turned them off."""
    return account.is_active and kind in account.email_notifications


def wants(kind: NotificationKind, account: str = "") -> Q:
    """Return the same choice as a query condition, also for closed accounts. `account` is as in `can_be_emailed`."""
    path = f"{account}__" if account else ""
    return Q(**{f"{path}email_notifications__contains": [kind]})


@transaction.atomic
def set_notifications(*, email: Iterable[str], in_app: Iterable[str] = IN_APP_KINDS, by: Actor) -> User:
    """Set which kinds an account gets by email and in the app. Cancels waiting emails of the others.

    Raises UnknownNotificationKind (422).
    """
    account = _lock(by.account.pk)
    if account is None:
        return by.account
    account.in_app_notifications = [str(kind) for kind in _known(in_app, IN_APP_KINDS, "in_app_notifications")]
    return _keep(account, _known(email, EMAIL_KINDS, "email_notifications"))


@transaction.atomic
def stop_emails(*, user_id: int, kind: NotificationKind) -> None:
    """Turn one kind off. A deleted account is no error."""
    account = _lock(user_id)
    if account is not None:
        _keep(account, [NotificationKind(name) for name in account.email_notifications if name != kind])


def put_optional(
    kind: NotificationKind, *, to: User, key: str, name: str, context: Mapping[str, Any], site: Site
) -> None:
    """Put a notification in the outbox if the account wants its kind, with an unsubscribe link.

    `name` is the name of templates that extend `emails/optional.txt`.
    """
    if wants_email(to, kind):
        outbox.put_all([optional_email(kind, to=to, key=key, name=name, context=context, site=site)])


def optional_email(
    kind: NotificationKind,
    *,
    to: User,
    key: str,
    name: str,
    context: Mapping[str, Any],
    site: Site,
    is_bulk: bool = False,
) -> Email:
    """Return the email for callers that have already checked the account's choice."""
    leave_url = stop_url(site=site, user_id=to.pk, kind=kind)
    about = {"about": ABOUT[kind], "unsubscribe_url": leave_url, "site": site}
    return Email(
        key=key,
        to=to.email,
        words=render_words(name, {**context, **about}),
        site=site,
        kind=kind,
        headers=one_click(leave_url),
        is_bulk=is_bulk,
    )


def stop_url(*, site: Site, user_id: int, kind: NotificationKind) -> str:
    """Return the permanent URL with which an account turns one kind off without signing in."""
    return site.url(UNSUBSCRIBE_LINK.path(user_id, kind))


def _lock(user_id: int) -> User | None:
    # The account model needs this package's kinds.
    from apps.accounts.models import User

    result: User | None = User.objects.select_for_update().filter(pk=user_id).first()
    return result


def _known(names: Iterable[str], kinds: Iterable[NotificationKind], field: str) -> list[NotificationKind]:
    wanted, known = set(names), list(kinds)
    if unknown := wanted - {kind.value for kind in known}:
        raise UnknownNotificationKind(f"Unknown notifications: {', '.join(sorted(unknown))}.", pointer=f"/{field}")
    return [kind for kind in known if kind in wanted]


def _keep(account: User, kinds: list[NotificationKind]) -> User:
    account.email_notifications = [str(kind) for kind in kinds]
    account.save(update_fields=["email_notifications", "in_app_notifications"])
    outbox.withdraw_kinds(kinds=[kind for kind in EMAIL_KINDS if kind not in kinds], to=account.email)
    return account

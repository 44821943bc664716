"""Email notifications: an account's choices and sending."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.db import transaction
from django.db.models import Q

from apps.accounts.actors import Actor
from apps.accounts.models import NotificationKind, User
from apps.core.email import outbox
from apps.core.email.outbox import Email
from apps.core.email.text import render_words
from apps.core.email.unsubscribe import UnsubscribeLink, one_click
from apps.core.errors import Unprocessable
from apps.sites.models import Site

# Descriptions on the settings page.
TEXTS = {
    NotificationKind.LAUNCHES: "When your launch week is set or changes, and when a listing goes live.",
    NotificationKind.STORIES: "When a pending story is published.",
    NotificationKind.FOLLOWED: "Updates from listings you follow.",
    NotificationKind.WEEKLY_NUMBERS: "Last week's views, visitors, clicks and votes of your live listings, on Mondays.",
}
# How the sentence "You get this email because you want emails …" ends.
ABOUT = {
    NotificationKind.LAUNCHES: "about your launches",
    NotificationKind.STORIES: "about your founder stories",
    NotificationKind.FOLLOWED: "of listings you follow",
    NotificationKind.WEEKLY_NUMBERS: "with your weekly numbers",
}
UNSUBSCRIBE_LINK = UnsubscribeLink("stop_emails", salt="apps.accounts.notifications", second=NotificationKind)


class UnknownNotificationKind(Unprocessable):
    code = "unknown_notification_kind"
    title = "Unknown email notification"


def wants_email(account: User, kind: NotificationKind) -> bool:
    """Return whether an account gets emails of a kind: it is open and hasn't turned them off."""
    return account.is_active and kind in account.email_notifications


def wants(kind: NotificationKind, account: str = "") -> Q:
    """Return the same choice as a query condition, also for closed accounts. `account` is as in `can_be_emailed`."""
    path = f"{account}__" if account else ""
    return Q(**{f"{path}email_notifications__contains": [kind]})


@transaction.atomic
def set_email_notifications(*, kinds: Iterable[str], by: Actor) -> User:
    """Set which kinds an account gets. Cancels waiting emails of the others.

    Raises UnknownNotificationKind (422).
    """
    wanted = set(kinds)
    if unknown := wanted - set(NotificationKind.values):
        raise UnknownNotificationKind(
            f"Unknown email notifications: {', '.join(sorted(unknown))}.", pointer="/email_notifications"
        )
    account = _lock(by.account.pk)
    return _keep(account, [kind for kind in NotificationKind if kind in wanted]) if account else by.account


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

    found: User | None = User.objects.select_for_update().filter(pk=user_id).first()
    return found


def _keep(account: User, kinds: list[NotificationKind]) -> User:
    account.email_notifications = [str(kind) for kind in kinds]
    account.save(update_fields=["email_notifications"])
    outbox.withdraw_kinds(kinds=[kind for kind in NotificationKind if kind not in kinds], to=account.email)
    return account

"""The outbox: a transaction writes emails to the database, and workers send them after the commit."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from django.db.models import QuerySet
from django.utils import timezone

from apps.core.delay_on_commit import delay_on_commit
from apps.core.email.rendering import EmailSite
from apps.core.email.text import Words, one_line
from apps.core.models import OutgoingEmail

SUBJECT_LENGTH = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """A file attached to an email. Its file extension sets the type."""

    name: str
    content: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Email:
    """An email in the name of a site. `key` names its reason: a second email with the same key is dropped.

    `is_bulk` marks one of many, such as updates for followers, which are sent after single emails. `kind` names
    optional emails that an account can turn off.
    """

    key: str
    to: str
    words: Words
    site: EmailSite
    kind: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    is_bulk: bool = False
    attachment: Attachment | None = None


def put(
    *,
    key: str,
    to: str,
    words: Words,
    site: EmailSite,
    kind: str = "",
    headers: Mapping[str, str] | None = None,
    is_bulk: bool = False,
    attachment: Attachment | None = None,
) -> None:
    """Queue an email to be sent after the transaction. The same key again changes nothing.

    It waits for neither the broker nor the email server. The sweep finds what they missed.
    """
    email = Email(
        key=key,
        to=to,
        words=words,
        site=site,
        kind=kind,
        headers=headers or {},
        is_bulk=is_bulk,
        attachment=attachment,
    )
    put_all([email])


def put_all(emails: Iterable[Email]) -> None:
    """Add many emails to the outbox in one statement."""
    rows = [
        OutgoingEmail(
            key=email.key,
            to=email.to,
            subject=one_line(email.words.subject)[:SUBJECT_LENGTH],
            text=email.words.text,
            blocks=[block.as_json() for block in email.words.blocks],
            kind=email.kind,
            headers=dict(email.headers),
            site_name=email.site.name,
            site_url=email.site.base_url,
            site_hue=email.site.hue,
            site_color=email.site.color,
            site_logo_url=email.site.logo_url,
            site_sender=email.site.sender,
            site_contact=email.site.contact_email,
            is_bulk=email.is_bulk,
            attachment=email.attachment.content if email.attachment else None,
            attachment_name=email.attachment.name if email.attachment else "",
        )
        for email in emails
    ]
    if rows:
        OutgoingEmail.objects.bulk_create(rows, ignore_conflicts=True)
        delay_on_commit("apps.core.tasks.send_emails")


def withdraw(*, key_prefix: str, to: str) -> None:
    """Cancel an address's unsent emails with a key prefix, except those that a worker already holds."""
    OutgoingEmail.objects.unsent().filter(key__startswith=key_prefix, to=to).delete()


def withdraw_kinds(*, kinds: Iterable[str], to: str) -> None:
    """Cancel unsent emails of the kinds that an account has turned off."""
    OutgoingEmail.objects.unsent().filter(kind__in=kinds, to=to).delete()


def try_again(emails: QuerySet[OutgoingEmail]) -> int:
    """Retry waiting or failed emails immediately; return how many."""
    result = OutgoingEmail.objects.unsent().filter(pk__in=emails.values("pk"))
    count = result.update(failed_at=None, leased_at=None, attempts=0, send_at=timezone.now())
    delay_on_commit("apps.core.tasks.send_emails")
    return count

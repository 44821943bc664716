"""Send emails from the outbox. Any number of workers can run in parallel."""

import logging
from contextlib import suppress
from datetime import timedelta
from smtplib import SMTPDataError, SMTPRecipientsRefused

from django.core.mail import EmailMultiAlternatives, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db import transaction
from django.utils import timezone

from apps.core.email.rendering import Sender, compose
from apps.core.email.text import Block, Words
from apps.core.models import OutgoingEmail

logger = logging.getLogger(__name__)

BATCH = 50
# A slow batch ends after this time, so that other work gets its turn. A lease lasts far longer.
BATCH_TIME = timedelta(seconds=60)
# The second pause is twice the first, and so on. At the last attempt, an email has waited for three days.
FIRST_PAUSE, LONGEST_PAUSE = timedelta(minutes=1), timedelta(hours=1)
MAX_ATTEMPTS = 76
ERROR_LENGTH = 300
# "The service is shutting down" (RFC 5321, 4.2.1): the rest of this connection is lost.
SERVICE_CLOSING = 421


def send_batch() -> bool:
    """Send one batch of due emails over one connection. Returns whether more may be due.

    Each email is marked once it is sent, so a killed worker repeats at most one. If the email server can't be reached,
    the batch waits. If it refuses a recipient permanently, only that email is given up.
    """
    batch = _lease()
    if not batch:
        return False
    connection = get_connection()
    try:
        connection.open()
    except OSError as error:
        logger.warning("the email server cannot be reached", extra={"problem": _words(error), "emails": len(batch)})
        for email in batch:
            _put_off(email, error)
        return False
    try:
        return _send_all(batch, connection)
    finally:
        with suppress(OSError):
            connection.close()


def _lease() -> list[OutgoingEmail]:
    """Lease emails that no other worker holds: single ones before bulk, and the longest waiting first."""
    with transaction.atomic():
        due = OutgoingEmail.objects.unleased().filter(send_at__lte=timezone.now())
        batch = list(due.select_for_update(skip_locked=True).order_by("is_bulk", "send_at", "pk")[:BATCH])
        now = timezone.now()
        for email in batch:
            email.leased_at = now
        OutgoingEmail.objects.filter(pk__in=[email.pk for email in batch]).update(leased_at=now)
    return batch


def _send_all(batch: list[OutgoingEmail], connection: BaseEmailBackend) -> bool:
    began = timezone.now()
    for position, email in enumerate(batch):
        if timezone.now() - began > BATCH_TIME:
            _release(batch[position:])
            return True
        if not _send(email, connection):
            _release(batch[position + 1 :])
            return False
    return len(batch) == BATCH


def _send(email: OutgoingEmail, connection: BaseEmailBackend) -> bool:
    """Send one email. Returns whether the connection can be used again."""
    try:
        sent = connection.send_messages([_composed(email)])
    except (SMTPRecipientsRefused, SMTPDataError) as error:
        code = _code(error)
        if code >= 500:
            _give_up(email, _words(error))
        else:
            _put_off(email, error)
        return code != SERVICE_CLOSING
    except OSError as error:
        logger.warning("the email server broke off", extra={"problem": _words(error), "email_id": email.pk})
        _put_off(email, error)
        return False
    except Exception as error:
        logger.exception("an email cannot be sent", extra={"email_id": email.pk})
        _give_up(email, _words(error))
        return True
    if sent:
        _mark_sent(email)
    else:
        _give_up(email, "No recipient.")
    return True


def _composed(email: OutgoingEmail) -> EmailMultiAlternatives:
    message = compose(
        to=email.to,
        words=Words(subject=email.subject, text=email.text, blocks=[Block.of_json(stored) for stored in email.blocks]),
        site=Sender(
            name=email.site_name,
            base_url=email.site_url,
            hue=email.site_hue,
            color=email.site_color,
            logo_url=email.site_logo_url,
            sender=email.site_sender,
            contact_email=email.site_contact,
        ),
        headers=email.headers,
    )
    if email.attachment is not None:
        message.attach(email.attachment_name, bytes(email.attachment))
    return message


def _mark_sent(email: OutgoingEmail) -> None:
    # Also if the lease has expired: another worker may have the email, so don't send it.
    OutgoingEmail.objects.filter(pk=email.pk, failed_at__isnull=True).update(
        sent_at=timezone.now(), leased_at=None, text="", blocks=[], headers={}, attachment=None, last_error=""
    )


def _put_off(email: OutgoingEmail, error: OSError) -> None:
    attempts = email.attempts + 1
    if attempts >= MAX_ATTEMPTS:
        _give_up(email, _words(error))
        return
    pause = min(FIRST_PAUSE * 2 ** min(attempts - 1, 10), LONGEST_PAUSE)
    OutgoingEmail.objects.still_leased(email).update(
        attempts=attempts, send_at=timezone.now() + pause, leased_at=None, last_error=_words(error)
    )


def _give_up(email: OutgoingEmail, why: str) -> None:
    logger.warning("an email is given up", extra={"email_id": email.pk, "problem": why})
    OutgoingEmail.objects.still_leased(email).update(
        attempts=email.attempts + 1, failed_at=timezone.now(), leased_at=None, last_error=why
    )


def _release(emails: list[OutgoingEmail]) -> None:
    for email in emails:
        OutgoingEmail.objects.still_leased(email).update(leased_at=None)


def _code(error: SMTPRecipientsRefused | SMTPDataError) -> int:
    if isinstance(error, SMTPRecipientsRefused):
        return min(code for code, _ in error.recipients.values())
    return int(error.smtp_code)


def _words(error: Exception) -> str:
    """Return the email server's error, or the exception's text."""
    if isinstance(error, SMTPRecipientsRefused):
        said = " ".join(f"{code} {_text(text)}" for code, text in error.recipients.values())
    elif isinstance(error, SMTPDataError):
        said = f"{error.smtp_code} {_text(error.smtp_error)}"
    else:
        said = f"{type(error).__name__}: {error}"
    return said.replace("\x00", "")[:ERROR_LENGTH]


def _text(said: bytes | str) -> str:
    return said.decode(errors="replace") if isinstance(said, bytes) else said

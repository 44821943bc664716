"""What the site team's start page shows of mails."""

from datetime import timedelta

from django.db.models import QuerySet
from django.utils import timezone

from apps.core.admin.metrics import Need
from apps.core.models import OutgoingMail

# A mail leaves within seconds: after this time the worker or the mail server is out.
LATE_AFTER = timedelta(minutes=15)


def _given_up(mails: QuerySet[OutgoingMail]) -> QuerySet[OutgoingMail]:
    return mails.filter(failed_at__isnull=False)


def _late(mails: QuerySet[OutgoingMail]) -> QuerySet[OutgoingMail]:
    return mails.filter(sent_at__isnull=True, failed_at__isnull=True, created_at__lt=timezone.now() - LATE_AFTER)


NEEDS = (
    Need(
        key="given_up",
        title="Mails given up",
        hint="Read what the mail server said, then try again.",
        model=OutgoingMail,
        rows=_given_up,
    ),
    Need(
        key="late",
        title="Mails that wait for long",
        hint="The worker or the mail server may be out.",
        model=OutgoingMail,
        rows=_late,
        urgency="now",
    ),
)

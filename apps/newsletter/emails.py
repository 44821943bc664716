"""Email last week's newsletter once to each subscriber, despite interruptions."""

import logging

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from apps.accounts.models.users import can_be_emailed
from apps.core.email import outbox
from apps.core.email.outbox import Email
from apps.core.email.text import render_words
from apps.core.email.unsubscribe import one_click
from apps.core.text.dates import week_and_year
from apps.core.text.weeks import Week
from apps.launches.calendar.launch_weeks import current_week
from apps.listings.services.updates import page_url
from apps.newsletter import subscriptions
from apps.newsletter.issues import Issue, is_settled, issue_of
from apps.newsletter.models import NewsletterIssue, NewsletterSubscription
from apps.sites.models import Site

logger = logging.getLogger(__name__)

# Subscribers per transaction.
BATCH = 500


def send_newsletters() -> None:
    """Write last week's newsletter emails for all sites, and resume interrupted ones. Safe to repeat.

    A week the schedule missed entirely is skipped, because its news is old.
    """
    week = current_week() + -1
    for site in Site.objects.order_by("pk"):
        if is_settled(site, week):
            NewsletterIssue.objects.bulk_create([NewsletterIssue(site=site, week=str(week))], ignore_conflicts=True)
    for issue_id in list(NewsletterIssue.objects.filter(sent_at=None).order_by("pk").values_list("pk", flat=True)):
        try:
            while email_subscribers(issue_id):
                pass
        except Exception:
            # One site's failure must not delay another's newsletter.
            logger.exception("a newsletter could not be written", extra={"issue": issue_id})


@transaction.atomic
def email_subscribers(issue_id: int) -> bool:
    """Put the next batch of subscriber emails in the outbox. Returns whether more remain.

    Progress is saved in the same transaction. An empty issue is not sent.
    """
    row = NewsletterIssue.objects.select_for_update(of=("self",), skip_locked=True).select_related("site")
    sent = row.filter(pk=issue_id, sent_at=None).first()
    if sent is None:
        return False
    issue = issue_of(sent.site, Week.parse(sent.week))
    readers = [] if issue.is_empty else _next_readers(sent, issue.week)
    reachable = _reachable(readers)
    outbox.put_all(_issue_emails(issue, [reader for reader in readers if reader.pk in reachable]))
    has_more = len(readers) == BATCH
    if readers:
        sent.sent_through = readers[-1].pk
    if not has_more:
        sent.sent_at = timezone.now()
    sent.save(update_fields=["sent_through", "sent_at"])
    return has_more


def _next_readers(sent: NewsletterIssue, week: Week) -> list[NewsletterSubscription]:
    """Return the next subscribers in order. Those who subscribed after the week get the next issue."""
    rest = NewsletterSubscription.objects.filter(
        site=sent.site, pk__gt=sent.sent_through, created_at__lt=week.ends_at
    ).select_related("user")
    return list(rest.order_by("pk")[:BATCH])


def _reachable(readers: list[NewsletterSubscription]) -> set[int]:
    ids = [reader.pk for reader in readers]
    result = NewsletterSubscription.objects.filter(can_be_emailed("user") | Q(user=None), pk__in=ids)
    return set(result.values_list("pk", flat=True))


def _issue_emails(issue: Issue, readers: list[NewsletterSubscription]) -> list[Email]:
    site = issue.site
    subject = f"{site.name}: {week_and_year(issue.week)}"
    emails = []
    updates = [(page_url(update), update) for update in issue.updates]
    for reader in readers:
        leave_url = subscriptions.unsubscribe_url(reader, site)
        context = {"issue": issue, "updates": updates, "site": site, "unsubscribe_url": leave_url, "reader": reader}
        emails.append(
            Email(
                key=subscriptions.email_key(reader, issue.week),
                to=reader.address,
                words=render_words("newsletter/emails/issue", context, subject=subject),
                site=site,
                headers=one_click(leave_url),
                is_bulk=True,
            )
        )
    return emails

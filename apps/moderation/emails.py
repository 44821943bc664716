"""Emails to authors about decisions and appeals."""

from typing import Any

from django.urls import reverse

from apps.core.email import outbox
from apps.core.email.text import render_words
from apps.moderation.models import Appeal, Decision


def appeal_url(decision: Decision) -> str:
    """Return the absolute URL of the page on which the author can appeal."""
    return decision.case.site.url(reverse("appeal", args=[decision.pk]))


def notify_removed(decision: Decision) -> None:
    """Email the author what was removed and why."""
    context = {"reason": decision.reason, "text": decision.text, "appeal_url": appeal_url(decision)}
    _put(decision, "removed", f"moderation-removed-{decision.pk}", context)


def answer_appeal(appeal: Appeal) -> None:
    """Email the author the answer to their appeal."""
    is_granted = appeal.outcome == Appeal.Outcome.GRANTED
    name = "appeal_granted" if is_granted else "appeal_denied"
    _put(appeal.decision, name, f"moderation-appeal-{appeal.pk}", {"answer": appeal.answer})


def _put(decision: Decision, name: str, key: str, context: dict[str, Any]) -> None:
    if not decision.author.is_active:
        return
    site = decision.case.site
    words = render_words(f"moderation/emails/{name}", {**context, "title": decision.case.title, "site": site})
    outbox.put(key=key, to=decision.author.email, words=words, site=site)

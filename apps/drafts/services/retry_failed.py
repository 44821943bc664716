"""Reading a website once more for an owner whose draft has failed, when the site team wants it."""

from apps.core.errors import Conflict
from apps.drafts.models import Draft
from apps.drafts.services.drafts import create_draft


class NotRetriable(Conflict):
    code = "draft_not_retriable"
    title = "The draft cannot be read again"


def retry_draft(draft: Draft) -> Draft:
    """Start a new draft of the same address for the same account, beyond its hourly limit; the failed one stays.

    Raises NotRetriable (409) unless the draft has failed and the account has begun no other of the website, and what
    `create_draft` raises.
    """
    if problem := why_not_retry(draft):
        raise NotRetriable(problem)
    refresh = draft.rereads_id is not None
    new, is_new = create_draft(site=draft.site, url=draft.url, refresh=refresh, by=draft.owner, is_limited=False)
    if not is_new:
        raise NotRetriable("The owner has begun anew with this website.")
    return new


def why_not_retry(draft: Draft) -> str:
    """Why a draft cannot be read again, as a sentence; empty when it can."""
    if draft.status != Draft.Status.FAILED:
        return f"The draft is {draft.get_status_display().lower()}; only a failed one is read again."
    if not draft.owner.is_active:
        return "The account is closed."
    return ""

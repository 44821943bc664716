"""The site team's decisions on listings, as pages ask for them."""

from collections.abc import Callable, Mapping
from typing import Any

from django.http import HttpRequest

from apps.accounts.actors import actor_of
from apps.core.admin.decisions import Decision, ReasonForm
from apps.listings.models import Listing
from apps.listings.services import moderation


def _decide(command: Callable[..., Listing]) -> Callable[[Listing, Mapping[str, Any], HttpRequest], Listing]:
    def decide(listing: Listing, values: Mapping[str, Any], request: HttpRequest) -> Listing:
        return command(listing=listing, **values, by=actor_of(request, via="admin"))

    return decide


def _why_not(decision: str) -> Callable[[Listing], str]:
    return lambda listing: moderation.why_not(decision, listing)


APPROVE = Decision(
    title="Approve",
    explanation=[
        "The owner can launch the listing, free or paid, and is told so by mail.",
        "There is no way back to the review; a listing can be suspended later.",
    ],
    done="Listings approved",
    decide=_decide(moderation.approve_listing),
    why_not=_why_not("approve"),
)
REJECT = Decision(
    title="Reject",
    explanation=["The listing never becomes public. This is final; the owner is told the reason by mail."],
    done="Listings rejected",
    decide=_decide(moderation.reject_listing),
    why_not=_why_not("reject"),
    form=ReasonForm,
    is_dangerous=True,
)
SUSPEND = Decision(
    title="Suspend",
    explanation=[
        "The listing leaves every public page at once: boards, search, updates, feeds, stories and badges.",
        "Its texts, votes and launch week are kept, and it can be restored. The owner is told the reason by mail.",
        "A board that closes meanwhile closes without it.",
    ],
    done="Listings suspended",
    decide=_decide(moderation.suspend_listing),
    why_not=_why_not("suspend"),
    form=ReasonForm,
    is_dangerous=True,
)
RESTORE = Decision(
    title="Restore",
    explanation=[
        "The listing is again what it was before the suspension, and the owner is told by mail.",
        "A launch whose week has passed meanwhile gets the next week with a place.",
    ],
    done="Listings restored",
    decide=_decide(moderation.restore_listing),
    why_not=_why_not("restore"),
)

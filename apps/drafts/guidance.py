"""What an owner can do with a draft, in sentences."""

from apps.drafts.models import Draft
from apps.drafts.proposals import REQUIRED


def is_required(field: str) -> bool:
    """Whether a listing needs this field."""
    return field in REQUIRED


def error_of(draft: Draft) -> dict[str, str] | None:
    """Code and message of a failed draft."""
    if draft.status != Draft.Status.FAILED:
        return None
    return {"code": draft.error_code, "message": draft.error_message}


def next_steps(draft: Draft) -> list[str]:
    """What the owner can do now."""
    match draft.status:
        case Draft.Status.CRAWLING | Draft.Status.DRAFTING:
            return ["Poll get_draft until the status is ready or failed; it usually takes seconds."]
        case Draft.Status.READY:
            lacking = [name for name in REQUIRED if not draft.proposal.get(name)]
            steps = ["Check the proposal beside its evidence, then submit it with submit_draft."]
            return [*steps, f"Send these in `fields`: {', '.join(lacking)}."] if lacking else steps
        case Draft.Status.SUBMITTED:
            return ["See the listing with get_my_listing; launch it with choose_free_listing or create_checkout."]
        case Draft.Status.FAILED | Draft.Status.EXPIRED:
            return ["Start again with create_draft."]
    return []

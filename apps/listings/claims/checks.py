"""When a claim is checked, and what each result does."""

import logging
from datetime import timedelta

from django.db import transaction
from django.db.models.functions import Coalesce
from django.utils import timezone

from apps.accounts.actors import SYSTEM
from apps.listings import history
from apps.listings.claims import emails as claim_emails
from apps.listings.claims.proofs import ProofCheck, find_proofs
from apps.listings.models import Claim
from apps.listings.models.claims import CONTESTED
from apps.listings.services.locks import LockedCompany, lock_company
from apps.listings.websites.identity import website_key

logger = logging.getLogger(__name__)

Status = Claim.Status

GAP = timedelta(hours=1)
CHECKS_AT_ONCE = 200


def run_check(*, claim_id: int) -> Claim:
    """Check an open claim and act on the result. Ended claims don't change.

    Other open claims of the same website are checked along with it, so that it is visited only once.
    """
    claim = Claim.objects.get(pk=claim_id)
    if claim.status != Status.OPEN:
        return claim
    beside = Claim.objects.open().filter(company=claim.company_id, website=claim.website).exclude(pk=claim_id)
    tokens = {claim_id: claim.token, **dict(beside.order_by("pk").values_list("pk", "token")[:CHECKS_AT_ONCE])}
    result = find_proofs(website=claim.website, tokens=tokens.values())
    for pk, token in sorted(tokens.items()):
        record_check(claim_id=pk, check=result[token])
    return Claim.objects.get(pk=claim_id)


@transaction.atomic
def record_check(*, claim_id: int, check: ProofCheck) -> Claim:
    """Save the result of a check, unless a newer one exists or the claim has ended."""
    locked, claim = lock_claim(claim_id)
    is_overtaken = claim.checked_at is not None and claim.checked_at > check.at
    if claim.status != Status.OPEN or is_overtaken or check.at < claim.created_at:
        return claim
    claim.checked_at, claim.result = check.at, check.detail[:300]
    if claim.ends_at <= check.at:
        _expire(claim)
    elif locked.company.merged_into_id is not None:
        claim.result = "The company was merged into another one. Claim that one by its website."
        claim.move_to(Status.REFUSED)
        claim_emails.notify_refused(claim)
    elif check.method is not None:
        _settle(locked, claim, check.method)
    claim.save(update_fields=["checked_at", "result", "previous_owner"])
    return claim


@transaction.atomic
def lease_due_claims() -> list[int]:
    """Return ids of open claims to check now, one per website and a few at a time, and reserve them for an hour."""
    now = timezone.now()
    waiting = Claim.objects.open().alias(last=Coalesce("checked_at", "created_at")).filter(last__lte=now - GAP)
    due = waiting.order_by("last", "pk").select_for_update(skip_locked=True, of=("self",))
    result = list(due.values_list("pk", "company", "website")[:CHECKS_AT_ONCE])
    Claim.objects.filter(pk__in=[pk for pk, *_ in result]).update(checked_at=now)
    first: dict[tuple[int, str], int] = {}
    for pk, company, website in result:
        first.setdefault((company, website), pk)
    return list(first.values())


def expire_old_claims() -> int:
    """End the open claims that nobody has proven in time, and return how many."""
    old = Claim.objects.open().filter(created_at__lte=timezone.now() - Claim.LIFETIME).order_by("pk")
    ended = 0
    for pk in old.values_list("pk", flat=True)[:CHECKS_AT_ONCE]:
        with transaction.atomic():
            _, claim = lock_claim(pk)
            if claim.status == Status.OPEN and claim.ends_at <= timezone.now():
                _expire(claim)
                ended += 1
    return ended


def lock_claim(claim_id: int) -> tuple[LockedCompany, Claim]:
    """Lock a claim's company with its listings, then the claim. Everything that ends a claim locks in this order."""
    locked = lock_company(Claim.objects.values_list("company", flat=True).get(pk=claim_id))
    claim = Claim.objects.select_for_update().get(pk=claim_id)
    claim.company = locked.company
    return locked, claim


def _settle(locked: LockedCompany, claim: Claim, method: Claim.Method) -> None:
    """Act on a proven claim: by the owner, against an owner who has proven it too, or against one who has not."""
    company, claimant = locked.company, claim.claimant
    if website_key(claim.website) != website_key(company.website):
        claim.result = f"{claim.result} But the company currently has a different website."[:300]
    elif not claimant.is_active:
        claim.result = "The account is closed."
        claim.move_to(Status.REFUSED)
    elif company.owner_id == claimant.pk:
        _prove(locked, claim, method)
        claim_emails.notify_verified(claim)
    elif company.verified_at is not None:
        claim.result = f"{claim.result[:200]} But {CONTESTED}: a site admin decides."
        claim.move_to(Status.REFUSED)
        claim_emails.notify_contested(claim, locked)
        logger.warning("claim contested", extra={"claim": claim.pk, "company": company.pk})
    else:
        _move(locked, claim, method)


def _prove(locked: LockedCompany, claim: Claim, method: Claim.Method) -> None:
    claim.move_to(Status.PROVEN, method=method)
    locked.company.verified_at = claim.checked_at
    locked.company.save(update_fields=["verified_at", "updated_at"])


def _move(locked: LockedCompany, claim: Claim, method: Claim.Method) -> None:
    """Give the company to the claimant. Orders, drafts and stories stay with their account."""
    company, previous = locked.company, locked.company.owner
    company.owner = claim.claimant
    company.save(update_fields=["owner"])
    _prove(locked, claim, method)
    claim.previous_owner = previous
    history.record_states(
        company=company,
        before={"owner": previous.email, "website_proven_by": ""},
        after={"owner": claim.claimant.email, "website_proven_by": method.label},
        by=SYSTEM,
    )
    claim_emails.notify_moved(claim, locked, previous=previous)
    extra = {"claim": claim.pk, "company": company.pk, "account": claim.claimant_id, "previous": previous.pk}
    logger.warning("company moved to a claimant", extra=extra)


def _expire(claim: Claim) -> None:
    claim.move_to(Status.EXPIRED)
    claim_emails.notify_expired(claim)

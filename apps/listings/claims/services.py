"""Commands on claims: create, check and decide."""

import logging
import secrets

from django.db import transaction
from django.utils import timezone
from redis.exceptions import RedisError

from apps.accounts.actors import Actor
from apps.accounts.models import User
from apps.core.delay_on_commit import delay_on_commit
from apps.core.errors import Conflict, Unprocessable
from apps.core.fetch import FetchError, normalise_address
from apps.core.stores.valkey.counters import Limit
from apps.core.text.dates import moment_text
from apps.listings import history
from apps.listings.claims import emails as claim_emails
from apps.listings.claims.checks import lock_claim
from apps.listings.models import Claim, Company
from apps.listings.models.claims import ClaimQuerySet
from apps.listings.websites.identity import website_key
from apps.sites.models import Site

logger = logging.getLogger(__name__)

Status = Claim.Status

# Each open claim visits somebody's website several times an hour.
MAX_OPEN = 10
CHECKS_AN_HOUR = Limit("claim-checks", 10, 3600, events="claim checks")


class NotAnAddress(Unprocessable):
    code = "invalid_url"
    title = "Not a website URL"


class NotListed(Unprocessable):
    code = "not_listed"
    title = "Website not listed"


class TooManyClaims(Conflict):
    code = "too_many_claims"
    title = "Too many open claims"


class WithTheTeam(Conflict):
    code = "claim_refused"
    title = "Claim refused"


class ClaimEnded(Conflict):
    code = "claim_ended"
    title = "Claim ended"


class NotDecidable(Conflict):
    code = "not_decidable"
    title = "Not possible for this claim"


@transaction.atomic
def claim_website(*, site: Site, url: str, by: Actor) -> Claim:
    """Claim the company whose website is at `url`, or verify one's own.

    Returns the account's open claim if there is one.

    The URL of a merged company leads to the remaining company, whose website must then be proven. Raises NotAnAddress
    and NotListed (422), WithTheTeam and TooManyClaims (409).
    """
    try:
        key = website_key(normalise_address(url))
    except FetchError:
        raise NotAnAddress(
            "This is not a public website. Enter a URL such as https://example.com.", pointer="/url"
        ) from None
    company = Company.objects.for_website(key)
    if company is None:
        raise NotListed("This website isn't listed yet. Create a draft of it instead.", pointer="/url")
    # An account opens one claim at a time, so that the count is right.
    User.objects.lock(by.account.pk)
    own = Claim.objects.visible_to(by.account)
    _check_not_refused(own, company)
    for claim in own.open().filter(company=company).select_for_update():
        if _is_of_website(claim, company):
            return claim
        # A proof for an earlier website of the company would count for nothing.
        claim.move_to(Status.EXPIRED)
    if own.open().count() >= MAX_OPEN:
        raise TooManyClaims(
            f"You have {MAX_OPEN} open claims, the maximum. Verify one first, or wait until one expires."
        )
    claim = Claim.objects.create(
        company=company, claimant=by.account, site=site, website=company.website, token=secrets.token_hex(16)
    )
    logger.info("claim made", extra={"claim": claim.pk, "company": company.pk, "account": by.account.pk})
    return claim


def check_claim(*, claim: Claim) -> None:
    """Ask a worker to check for the token now. Raises ClaimEnded (409), TooManyRequests (429) after ten in an hour."""
    if claim.status != Status.OPEN:
        raise ClaimEnded(f"The claim is {claim.status} and can't be checked.")
    try:
        CHECKS_AN_HOUR.try_take(str(claim.pk)).check()
    except RedisError:
        # The broker is probably down, too. The hourly check still runs.
        logger.warning("the limit of checks of claims cannot be counted", exc_info=True)
    delay_on_commit("apps.listings.tasks.check_claim", claim.pk)


@transaction.atomic
def refuse_claim(*, claim: Claim, reason: str, by: Actor) -> Claim:
    """End an open claim and tell the claimant why. Raises NotDecidable (409)."""
    _, claim = lock_claim(claim.pk)
    if problem := why_not_refuse(claim):
        raise NotDecidable(problem)
    claim.move_to(Status.REFUSED, result=reason[:300])
    claim_emails.notify_refused(claim)
    logger.info("claim refused", extra={"claim": claim.pk, "account": by.account.pk})
    return claim


@transaction.atomic
def reopen_claim(*, claim: Claim, by: Actor) -> Claim:
    """Reopen a refused claim, and discard the current owner's proof of the website.

    The company changes hands only when a new check finds the token. Raises NotDecidable (409).
    """
    locked, claim = lock_claim(claim.pk)
    if problem := why_not_reopen(claim):
        raise NotDecidable(problem)
    company = locked.company
    claim.move_to(Status.OPEN)
    if company.owner_id != claim.claimant_id and company.verified_at is not None:
        before = {"website_proven_at": moment_text(company.verified_at)}
        company.verified_at = None
        company.save(update_fields=["verified_at", "updated_at"])
        history.record_states(company=company, before=before, after={"website_proven_at": ""}, by=by)
    claim_emails.notify_reopened(claim)
    delay_on_commit("apps.listings.tasks.check_claim", claim.pk)
    logger.info("claim opened again", extra={"claim": claim.pk, "account": by.account.pk})
    return claim


def why_not_refuse(claim: Claim) -> str:
    """Return why a claim can't be refused, as a sentence, or an empty string."""
    return "" if claim.status == Status.OPEN else f"The claim is already {claim.status}."


def why_not_reopen(claim: Claim) -> str:
    """Return why a claim can't be reopened, as a sentence, or an empty string."""
    company = claim.company
    if claim.status != Status.REFUSED:
        return f"The claim is {claim.status}. Only refused claims can be reopened."
    if company.merged_into_id is not None:
        return "The company was merged into another one."
    if not _is_of_website(claim, company):
        return "The company has a different website now."
    if not claim.claimant.is_active:
        return "The account is closed."
    if Claim.objects.open().filter(company=company, claimant=claim.claimant_id).exists():
        return "The account has another open claim for this company."
    return ""


def _check_not_refused(own: ClaimQuerySet, company: Company) -> None:
    """Reject a new claim while one awaits a decision, or soon after a refusal."""
    since = timezone.now() - Claim.LIFETIME
    for claim in own.filter(company=company, status=Status.REFUSED, ended_at__gt=since).order_by("-ended_at"):
        if _is_of_website(claim, company):
            raise WithTheTeam(f"Your claim for this website was refused: {claim.result}")


def _is_of_website(claim: Claim, company: Company) -> bool:
    return website_key(claim.website) == website_key(company.website)

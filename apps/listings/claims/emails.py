"""Emails about claims: to the claimant, to the company's current or former owner, and to site admins."""

from typing import Any

from django.urls import reverse

from apps.accounts.models import User
from apps.core.email import outbox
from apps.core.email.text import render_words
from apps.core.web.hosts import display_url
from apps.listings import emails
from apps.listings.models import Claim
from apps.listings.services.locks import LockedCompany
from apps.sites.models import Site


def notify_verified(claim: Claim) -> None:
    """Tell the owner that they have proven their website."""
    _notify(claim, claim.claimant, "verified", subject=f"You verified {display_url(claim.website)}")


def notify_moved(claim: Claim, locked: LockedCompany, *, previous: User) -> None:
    """Tell both accounts and the admins of each site with a listing that the company changed hands."""
    name = locked.company.name
    _notify(claim, claim.claimant, "won", subject=f"{name} is now in your account", name=name)
    subject = f"{name} moved to another account"
    _notify(claim, previous, "lost", subject=subject, name=name, site=_site_of(claim, locked))
    _notify_teams(
        claim,
        locked,
        "moved",
        subject=f"{name} has a new owner: {display_url(claim.website)} was verified",
        previous=previous,
    )


def notify_contested(claim: Claim, locked: LockedCompany) -> None:
    """Tell both accounts and the site admins that two accounts proved the same website."""
    name, owner = locked.company.name, locked.company.owner
    _notify(claim, claim.claimant, "contested", subject=f"Your claim for {display_url(claim.website)} is under review")
    subject = f"Another account verified {display_url(claim.website)}"
    _notify(claim, owner, "contested_owner", subject=subject, name=name, site=_site_of(claim, locked))
    _notify_teams(
        claim, locked, "contested_team", subject=f"Two accounts verified {display_url(claim.website)}", previous=owner
    )


def notify_refused(claim: Claim) -> None:
    """Tell the claimant that the claim ended without a proof. Its result says why."""
    _notify(claim, claim.claimant, "refused", subject=f"Your claim for {display_url(claim.website)} was rejected")


def notify_expired(claim: Claim) -> None:
    """Tell the claimant that the token was not found in time."""
    _notify(claim, claim.claimant, "expired", subject=f"Your claim for {display_url(claim.website)} expired")


def notify_reopened(claim: Claim) -> None:
    """Tell the claimant that they may prove the claim again."""
    _notify(claim, claim.claimant, "reopened", subject=f"Your claim for {display_url(claim.website)} was reopened")


def _notify(claim: Claim, to: User, occasion: str, *, subject: str, site: Site | None = None, **more: Any) -> None:
    site = site or claim.site
    if not to.is_active:
        return
    context = {
        "claim": claim,
        "site": site,
        "claim_url": claim.site.url(reverse("claim", args=[claim.pk])),
        "claim_new_url": site.url(reverse("claim_new")),
        "dashboard_url": site.url(reverse("dashboard")),
        **more,
    }
    outbox.put(
        # A reopened claim may end the same way again.
        key=f"website-claim-{claim.pk}-{occasion}-{claim.created_at:%Y%m%d%H%M%S%f}",
        to=to.email,
        words=render_words(f"listings/emails/claim_{occasion}", context, subject=subject),
        site=site,
    )


def _notify_teams(claim: Claim, locked: LockedCompany, occasion: str, *, subject: str, previous: User) -> None:
    """Email the admins of each site that lists the company, or of the claim's site if none does."""
    sites = [listing.site for listing in locked.listings.values()] or [claim.site]
    teams = {site.team_email: site for site in reversed(sites)}
    for site in teams.values():
        context = {
            "claim": claim,
            "site": site,
            "company": locked.company,
            "previous": previous,
            "admin_url": site.url(reverse("admin:listings_claim_change", args=[claim.pk])),
        }
        emails.notify_team(
            site=site,
            key=f"website-claim-{claim.pk}-{occasion}-{claim.created_at:%Y%m%d%H%M%S%f}",
            words=render_words(f"listings/emails/claim_{occasion}", context, subject=subject),
        )


def _site_of(claim: Claim, locked: LockedCompany) -> Site:
    """Return the site that the company's owner knows."""
    listed: Site | None = next((listing.site for listing in locked.listings.values()), None)
    return listed or claim.site

"""What owners give to customers: links with codes, and the email domains of customers."""

import re
import secrets
from datetime import timedelta

from disposable_email_domains import blocklist
from django.db import transaction
from django.utils import timezone

from apps.accounts.actors import Actor, only_person
from apps.accounts.crowds import domain_of
from apps.accounts.email_domains import LARGE_PROVIDERS
from apps.contributions.writing import lock_listing
from apps.core.api.serializers import clean_text
from apps.core.errors import Conflict, Forbidden, Unprocessable
from apps.core.web.urls import host_of, registrable_domain
from apps.listings.models import Listing
from apps.reviews.models import CODE_LENGTH, MAX_LABEL_LENGTH, CustomerDomain, ReviewLink

_DOMAIN = re.compile(r"[^\W_](?:[\w-]*[^\W_])?(?:\.[^\W_](?:[\w-]*[^\W_])?)+")
# Without letters and digits that look alike.
_ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
MAX_LINKS = 100
MAX_DOMAINS = 200
MAX_DAYS, MAX_USES = 730, 100_000


class TooManyLinks(Conflict):
    code = "too_many_review_links"
    title = "Too many review links"


class TooManyDomains(Conflict):
    code = "too_many_customer_domains"
    title = "Too many customer domains"


@transaction.atomic
def create_link(
    *, listing: Listing, by: Actor, label: str = "", days: str = "", max_uses: str = "", network: str = ""
) -> ReviewLink:
    """Create a link that expires after `days` and `max_uses` reviews, if there are any.

    Raises Forbidden (403), Unprocessable (422) and TooManyLinks (409).
    """
    locked = _lock_as_owner(listing, by)
    label = clean_text(label)
    if len(label) > MAX_LABEL_LENGTH:
        raise Unprocessable(f"Use up to {MAX_LABEL_LENGTH} characters.", code="max_length", pointer="/label")
    lasts, uses = _number(days, MAX_DAYS, "/days"), _number(max_uses, MAX_USES, "/max_uses")
    if locked.review_links.filter(revoked_at__isnull=True).count() >= MAX_LINKS:
        raise TooManyLinks(f"A listing has up to {MAX_LINKS} review links. Revoke one first.")
    return ReviewLink.objects.create(
        listing=locked,
        code="".join(secrets.choice(_ALPHABET) for _ in range(CODE_LENGTH)),
        label=label,
        max_uses=uses,
        network=network,
        expires_at=timezone.now() + timedelta(days=lasts) if lasts else None,
    )


@transaction.atomic
def revoke_link(*, link: ReviewLink, by: Actor) -> None:
    """Make a link verify nobody any more. Reviews that it verified stay so. Doing it twice is no error."""
    _lock_as_owner(link.listing, by)
    ReviewLink.objects.filter(pk=link.pk, revoked_at__isnull=True).update(revoked_at=timezone.now())


@transaction.atomic
def add_domain(*, listing: Listing, domain: str, by: Actor) -> CustomerDomain:
    """Add a customer's email domain. Adding it twice is no error.

    Raises Forbidden (403), Unprocessable (422) and TooManyDomains (409).
    """
    locked = _lock_as_owner(listing, by)
    name = _checked_domain(domain, locked)
    if locked.customer_domains.exclude(domain=name).count() >= MAX_DOMAINS:
        raise TooManyDomains(f"A listing has up to {MAX_DOMAINS} customer domains.")
    return CustomerDomain.objects.get_or_create(listing=locked, domain=name)[0]


@transaction.atomic
def remove_domain(*, domain: CustomerDomain, by: Actor) -> None:
    """Remove a customer's email domain. Reviews that it verified stay so."""
    _lock_as_owner(domain.listing, by)
    domain.delete()


def _lock_as_owner(listing: Listing, by: Actor) -> Listing:
    account = only_person(by).account
    locked = lock_listing(listing.pk)
    if locked.company.owner_id != account.pk:
        raise Forbidden("Only the owner of the listing can do this.")
    return locked


def _checked_domain(typed: str, listing: Listing) -> str:
    text = clean_text(typed).lower().rpartition("@")[2]
    name = registrable_domain(host_of(text if "://" in text else f"https://{text}") or "")
    if not name or len(name) > 253 or not _DOMAIN.fullmatch(name):
        raise Unprocessable("Enter a domain such as example.com.", code="invalid", pointer="/domain")
    if name in LARGE_PROVIDERS or name in blocklist:
        raise Unprocessable(
            f"Anybody can get an address at {name}, so it proves nothing. Enter a customer’s own domain.",
            code="public_provider",
            pointer="/domain",
        )
    own = {domain_of(listing.company.owner.email), listing.company.website_key.partition("/")[0]}
    if name in own:
        raise Unprocessable("This is your own domain. Enter a customer’s domain.", code="own_domain", pointer="/domain")
    return name


def _number(typed: str, most: int, pointer: str) -> int | None:
    typed = typed.strip()
    if not typed:
        return None
    if not (typed.isascii() and typed.isdecimal() and len(typed) < 9 and 1 <= int(typed) <= most):
        raise Unprocessable(f"Enter a number from 1 to {most:,}.", code="invalid", pointer=pointer)
    return int(typed)

"""Find out whether the author of a review uses the product: by a link of its owner, or by an email domain."""

import re
from dataclasses import dataclass

from allauth.account.models import EmailAddress
from django.core import signing
from django.db.models import F, Q
from django.utils import timezone

from apps.accounts.crowds import burst_of, domain_of, mailbox_of
from apps.accounts.email_domains import LARGE_PROVIDERS
from apps.accounts.models import User
from apps.listings.models import Listing
from apps.reviews.models import CODE_LENGTH, Review, ReviewLink

_SIGNER = signing.Signer(salt="apps.reviews.links", sep=".")
_CODE = re.compile(rf"[A-Z0-9]{{{CODE_LENGTH}}}")
_MAX_TOKEN = 200
Proof = Review.Proof


@dataclass(frozen=True, slots=True)
class Customer:
    """The author of a review with what may prove that they use the product.

    `token` is that of a link, or a code. `network` is a digest of the network they write from.
    """

    user: User
    token: str = ""
    network: str = ""


def token_of(link: ReviewLink) -> str:
    """Return the token in a link's URL."""
    return _SIGNER.sign(link.code)


def code_text(link: ReviewLink) -> str:
    """Return a link's code as people read and type it."""
    half = CODE_LENGTH // 2
    return f"{link.code[:half]}-{link.code[half:]}"


def find_link(listing: Listing, token: str) -> ReviewLink | None:
    """Return the listing's link with this token or code, usable or not."""
    if len(token) > _MAX_TOKEN:
        return None
    code = re.sub(r"[\s-]", "", token).upper()
    if not _CODE.fullmatch(code):
        try:
            code = _SIGNER.unsign(token.strip())
        except signing.BadSignature:
            return None
    return ReviewLink.objects.filter(listing=listing, code=code).first()


def why_not_usable(link: ReviewLink | None) -> str:
    """Return why a link verifies nobody, as a sentence, or an empty string."""
    if link is None:
        return "This review link or code isn’t valid."
    if link.revoked_at is not None:
        return "The owner withdrew this review link."
    if link.expires_at is not None and link.expires_at <= timezone.now():
        return "This review link has expired."
    if link.max_uses is not None and link.uses >= link.max_uses:
        return "This review link is used up."
    return ""


def take_proof(listing: Listing, customer: Customer) -> dict[str, object]:
    """Return the fields of a review that say how its author is verified, none if they aren't. Counts a use of a link.

    Owners can't verify themselves: who shares a mailbox, a domain, a network or a burst of sign-ups with the owner
    isn't.
    """
    link = find_link(listing, customer.token) if customer.token else None
    if _is_close(customer, listing.company.owner, link):
        return {}
    if link is not None and _use(link):
        return {"is_verified": True, "proof": Proof.LINK, "link": link}
    if _domains(customer.user) & set(listing.customer_domains.values_list("domain", flat=True)):
        return {"is_verified": True, "proof": Proof.DOMAIN}
    return {}


def _use(link: ReviewLink) -> bool:
    """Count a use. One statement decides, so that uses at the same moment never exceed the maximum."""
    usable = Q(revoked_at__isnull=True) & (Q(expires_at__isnull=True) | Q(expires_at__gt=timezone.now()))
    usable &= Q(max_uses__isnull=True) | Q(uses__lt=F("max_uses"))
    return bool(ReviewLink.objects.filter(usable, pk=link.pk).update(uses=F("uses") + 1))


def _domains(user: User) -> set[str]:
    """Return the domains of an account's verified addresses, without those where anybody gets a mailbox."""
    addresses = EmailAddress.objects.filter(user=user, verified=True).values_list("email", flat=True)
    return {domain_of(address) for address in addresses} - LARGE_PROVIDERS


def _is_close(customer: Customer, owner: User, link: ReviewLink | None) -> bool:
    user = customer.user
    networks = {user.sign_up_network, customer.network} - {""}
    return (
        domain_of(owner.email) in _domains(user) | {domain_of(user.email)} - LARGE_PROVIDERS
        or mailbox_of(user.email) == mailbox_of(owner.email)
        or burst_of(user.joined_at) == burst_of(owner.joined_at)
        or bool(networks & {owner.sign_up_network, link.network if link else ""})
    )

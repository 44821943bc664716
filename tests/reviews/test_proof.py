"""Who is a verified customer: by a link or code of the owner, or by an email domain, and never by the owner's hand."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.utils import timezone

from apps.accounts.crowds import network_mark
from apps.accounts.models import User
from apps.core.operations.personal_data.retention import delete_expired_data
from apps.listings.models import Listing
from apps.reviews.models import CustomerDomain, ReviewLink
from apps.reviews.services.links import add_domain, create_link, remove_domain, revoke_link
from apps.reviews.services.proof import code_text, token_of
from apps.reviews.services.writing import delete_review, edit_review
from tests.actors import in_browser
from tests.comments.test_writing import code_of
from tests.factories import ListingFactory
from tests.reviews.people import customer, link_for, long_text, review_of

pytestmark = pytest.mark.django_db


def test_a_link_or_its_code_verifies_and_is_counted(listing: Listing) -> None:
    link = link_for(listing)
    tokens = [token_of(link), link.code, code_text(link), f" {code_text(link).lower()} "]
    assert [review_of(listing, token=token).proof for token in tokens] == ["link"] * 4
    link.refresh_from_db()
    assert link.uses == 4


def test_foreign_wrong_and_forged_tokens_verify_nobody(listing: Listing) -> None:
    link, foreign = link_for(listing), link_for(ListingFactory.create(live=True))
    tokens = [
        token_of(foreign), foreign.code, f"{token_of(link)}x", f"{link.code}.{'a' * 43}", token_of(link)[:-2], "0" * 10,
        "", "x" * 5000, "../../etc/passwd", "' OR 1=1 --", "\x00\x00", "‮" + link.code[::-1],
    ]  # fmt: skip
    assert [review_of(listing, token=token).is_verified for token in tokens] == [False] * len(tokens)
    assert set(ReviewLink.objects.values_list("uses", flat=True)) == {0}


def test_revoked_expired_and_used_up_links_verify_nobody(listing: Listing) -> None:
    owner = in_browser(listing.company.owner)
    revoked, used, old = link_for(listing), link_for(listing, max_uses="1"), link_for(listing, days="7")
    earlier = review_of(listing, token=token_of(revoked))
    revoke_link(link=revoked, by=owner)
    revoke_link(link=revoked, by=owner)
    assert review_of(listing, token=token_of(used)).is_verified
    with time_machine.travel(timezone.now() + timedelta(days=7, seconds=1)):
        assert not review_of(listing, token=token_of(old)).is_verified
    for link in (revoked, used):
        assert not review_of(listing, token=token_of(link)).is_verified
    earlier.refresh_from_db()
    assert earlier.is_verified, "the owner can't take a review's verification back"


def test_a_verified_address_at_a_customer_domain_verifies(listing: Listing) -> None:
    owner = in_browser(listing.company.owner)
    domain = add_domain(listing=listing, domain="https://www.Client.Example/about", by=owner)
    assert domain.domain == "client.example"
    review = review_of(listing, author=customer(email="ada@mail.client.example"))
    assert (review.is_verified, review.proof) == (True, "domain")
    unproven = customer(email="eve@client.example")
    EmailAddress.objects.filter(user=unproven).update(verified=False)
    assert not review_of(listing, author=unproven).is_verified
    second = customer()
    EmailAddress.objects.create(user=second, email="bob@client.example", verified=True)
    assert review_of(listing, author=second).is_verified
    remove_domain(domain=domain, by=owner)
    assert not review_of(listing, author=customer(email="cy@client.example")).is_verified
    review.refresh_from_db()
    assert review.is_verified


@pytest.mark.parametrize(
    ("domain", "code"),
    [
        ("gmail.com", "public_provider"),
        ("GMX.de", "public_provider"),
        ("ada@outlook.com", "public_provider"),
        ("mailinator.com", "public_provider"),
        ("acme.example", "own_domain"),
        ("mail.acme.example", "own_domain"),
        ("", "invalid"),
        ("com", "invalid"),
        ("co.uk", "invalid"),
        ("localhost", "invalid"),
        ("127.0.0.1", "invalid"),
        ("not a domain", "invalid"),
        ("<script>.example", "invalid"),
        ("x" * 300 + ".example", "invalid"),
    ],
)
def test_unfit_domains_are_refused(listing: Listing, domain: str, code: str) -> None:
    by = in_browser(listing.company.owner)
    assert code_of(lambda: add_domain(listing=listing, domain=domain, by=by)) == code
    assert not CustomerDomain.objects.exists()


def _colleague(owner: User) -> User:
    return customer(email="second@acme.example")


def _same_mailbox(owner: User) -> User:
    User.objects.filter(pk=owner.pk).update(email="maker.one@gmail.com")
    return customer(email="makerone+two@gmail.com")


def _same_network(owner: User) -> User:
    User.objects.filter(pk=owner.pk).update(sign_up_network=network_mark("203.0.113.0/24"))
    return customer(sign_up_network=network_mark("203.0.113.0/24"))


def _same_burst(owner: User) -> User:
    account = customer()
    account.joined_at = owner.joined_at
    account.save()
    return account


def _second_address(owner: User) -> User:
    account = customer()
    EmailAddress.objects.create(user=account, email="third@acme.example", verified=True)
    return account


@pytest.mark.parametrize("make", [_colleague, _same_mailbox, _same_network, _same_burst, _second_address])
def test_owners_do_not_verify_themselves(listing: Listing, make: Callable[[User], User]) -> None:
    owner, link = listing.company.owner, link_for(listing)
    author = make(owner)
    CustomerDomain.objects.create(listing=listing, domain="acme.example")
    review = review_of(listing, author=author, token=token_of(link))
    assert not review.is_verified
    link.refresh_from_db()
    assert link.uses == 0


def test_the_network_that_a_link_was_made_in_is_the_owners(listing: Listing) -> None:
    here = network_mark("203.0.113.0/24")
    token = token_of(link_for(listing, network=here))
    assert not review_of(listing, token=token, network=here).is_verified
    assert review_of(listing, token=token, network=network_mark("198.51.100.0/24")).is_verified


def test_large_providers_have_nothing_in_common(listing: Listing) -> None:
    User.objects.filter(pk=listing.company.owner_id).update(email="maker@gmail.com")
    author = customer(email="customer@gmail.com")
    assert review_of(listing, author=author, token=token_of(link_for(listing))).is_verified


def test_an_edit_with_a_link_verifies_once(listing: Listing) -> None:
    review, link = review_of(listing), link_for(listing)
    edit = partial(edit_review, review=review, rating=5, by=in_browser(review.author), token=token_of(link))
    assert edit(text=review.text).is_verified
    assert edit(text=long_text()).is_verified
    link.refresh_from_db()
    listing.refresh_from_db()
    assert (link.uses, listing.star_counts) == (1, [0, 0, 0, 0, 1])


def test_reviewing_again_uses_a_link_again(listing: Listing) -> None:
    link, author = link_for(listing, max_uses="1"), customer()
    delete_review(review=review_of(listing, author=author, token=token_of(link)), by=in_browser(author))
    assert not review_of(listing, author=author, token=token_of(link)).is_verified


@pytest.mark.parametrize(
    "values",
    [{"days": "0"}, {"days": "-1"}, {"days": "1.5"}, {"days": "731"}, {"max_uses": "0"}, {"max_uses": "many"},
     {"max_uses": "٣"}, {"max_uses": "9" * 30}, {"label": "x" * 61}],
)  # fmt: skip
def test_unfit_links_are_refused(listing: Listing, values: dict[str, str]) -> None:
    assert code_of(partial(link_for, listing, **values)) in {"invalid", "max_length"}
    assert not ReviewLink.objects.exists()


def test_others_make_and_revoke_no_links(listing: Listing) -> None:
    link, stranger = link_for(listing), in_browser(customer())
    domain = add_domain(listing=listing, domain="client.example", by=in_browser(listing.company.owner))
    calls: list[Callable[[], object]] = [
        partial(create_link, listing=listing, by=stranger),
        partial(revoke_link, link=link, by=stranger),
        partial(add_domain, listing=listing, domain="other.example", by=stranger),
        partial(remove_domain, domain=domain, by=stranger),
    ]
    assert [code_of(call) for call in calls] == ["forbidden"] * 4


def test_a_revoked_link_forgets_its_network(listing: Listing) -> None:
    kept, revoked = link_for(listing, network="k" * 32), link_for(listing, network="r" * 32)
    revoke_link(link=revoked, by=in_browser(listing.company.owner))
    with time_machine.travel(timezone.now() + timedelta(days=31)):
        delete_expired_data()
    assert list(ReviewLink.objects.order_by("pk").values_list("pk", "network")) == [
        (kept.pk, "k" * 32),
        (revoked.pk, ""),
    ]

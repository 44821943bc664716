"""The tokens of addresses in emails: each kind reads its own alone."""

import pytest

from apps.accounts.models import NotificationKind
from apps.accounts.notifications.services import UNSUBSCRIBE_LINK as STOP
from apps.core.email.unsubscribe import UnsubscribeLink
from apps.listings.services.followers import UNSUBSCRIBE_LINK as LISTING
from apps.newsletter.subscriptions import UNSUBSCRIBE_LINK as NEWSLETTER


def token_of(path: str) -> str:
    return path.rpartition("/")[2]


@pytest.mark.parametrize(
    ("link", "second", "address"),
    [
        (LISTING, 7, "/unsubscribe/"),
        (NEWSLETTER, 7, "/newsletter/unsubscribe/"),
        (STOP, NotificationKind.STORIES, "/unsubscribe/emails/"),
    ],
)
def test_each_kind_reads_its_own_addresses_alone(link: UnsubscribeLink[object], second: object, address: str) -> None:
    path = link.path(12, second)
    assert path.startswith(address)
    assert link.read(token_of(path)) == (12, second)
    assert all(other.read(token_of(path)) is None for other in (LISTING, NEWSLETTER, STOP) if other is not link)


@pytest.mark.parametrize("token", ["", "12-7", "12-7.x", "é.12-7", "-."])
def test_what_we_did_not_sign_is_no_address(token: str) -> None:
    assert LISTING.read(token) is None

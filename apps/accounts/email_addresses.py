"""The rule that an account signs in by one verified email address."""

from typing import TYPE_CHECKING

from allauth.account.models import EmailAddress
from django.db import transaction
from django.db.models import Exists, OuterRef, Q

if TYPE_CHECKING:
    from apps.accounts.models import User


@transaction.atomic
def vouch_for_address(user: "User") -> None:
    """Count the account's address as verified, and as its only one: whoever made or changed the account answers for it.

    People who sign up prove their address by a code instead.
    """
    EmailAddress.objects.filter(user=user).exclude(email=user.email).delete()
    EmailAddress.objects.update_or_create(user=user, email=user.email, defaults={"verified": True, "primary": True})


def can_be_emailed(account: str = "") -> Q:
    """The condition that an account is open and its address proven.

    `account` is the path to it in the query; empty in a query of accounts.
    """
    path = f"{account}__" if account else ""
    proven = EmailAddress.objects.filter(verified=True, user=OuterRef(f"{path}pk"), email=OuterRef(f"{path}email"))
    return Q(Exists(proven), **{f"{path}is_active": True})

"""The rule that an account signs in by one verified email address."""

from typing import TYPE_CHECKING

from allauth.account.models import EmailAddress
from django.db import transaction

if TYPE_CHECKING:
    from apps.accounts.models import User


@transaction.atomic
def vouch_for_address(user: "User") -> None:
    """Count the account's address as verified, and as its only one: whoever made or changed the account answers for it.

    People who sign up prove their address by a code instead.
    """
    EmailAddress.objects.filter(user=user).exclude(email=user.email).delete()
    EmailAddress.objects.update_or_create(user=user, email=user.email, defaults={"verified": True, "primary": True})

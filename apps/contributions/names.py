"""The name under which an account writes on listings."""

from apps.accounts.models import User
from apps.core.api.serializers import clean_text
from apps.core.errors import Unprocessable

MAX_NAME_LENGTH = 80
NAMELESS = "Member"


def public_name(user: User) -> str:
    """Return the name of the founder profile or the account. Never a part of the email address."""
    return _name(user) or NAMELESS


def has_name(user: User) -> bool:
    # The account's own name needs no query.
    return bool(user.name or _name(user))


def ensure_name(user: User, name: str) -> None:
    """Save a first name for an account without one. Raises Unprocessable (422) if it is missing or too long."""
    if has_name(user):
        return
    name = clean_text(name)
    if not name:
        raise Unprocessable("Enter the name to show with what you write.", code="blank", pointer="/name")
    if len(name) > MAX_NAME_LENGTH:
        raise Unprocessable(f"Use up to {MAX_NAME_LENGTH} characters for the name.", code="max_length", pointer="/name")
    user.name = name
    user.save(update_fields=["name"])


def _name(user: User) -> str:
    profile = getattr(user, "founder_profile", None)
    return (profile.real_name if profile else "") or user.name

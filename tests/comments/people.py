"""People who comment, and the listing they comment on."""

from datetime import timedelta
from typing import Any

from allauth.mfa.models import Authenticator
from django.utils import timezone

from apps.accounts.models import User
from apps.comments.models import Comment
from apps.comments.services.writing import post_comment
from apps.listings.models import Listing
from tests.actors import in_browser
from tests.factories import UserFactory


def trusted(**values: Any) -> User:
    """An account whose first comment is posted without review: some weeks old, with a passkey."""
    user: User = UserFactory.create(joined_at=timezone.now() - timedelta(days=40), **values)
    Authenticator.objects.create(user=user, type=Authenticator.Type.WEBAUTHN, data={})
    return user


def comment_on(listing: Listing, text: str = "", *, author: User | None = None, **values: Any) -> Comment:
    """A comment as the service makes it."""
    number = Comment.objects.count()
    text = text or f"Comment number {number}"
    return post_comment(listing=listing, text=text, by=in_browser(author or trusted()), **values)

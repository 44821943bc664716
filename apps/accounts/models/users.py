"""Accounts and their email settings."""

from typing import Any, ClassVar

from allauth.account.models import EmailAddress
from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.contrib.postgres.fields import ArrayField
from django.db import models, transaction
from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Lower
from django.utils import timezone

SIGN_UP_NETWORK_LENGTH = 32


class NotificationKind(models.TextChoices):
    """Kinds of notifications: in the app, by email, or both."""

    LAUNCHES = "launches", "Launches and ranks"
    BADGES = "badges", "Badges"
    ORDERS = "orders", "Orders and refunds"
    REVIEWS = "reviews", "Claims and reviews"
    DRAFTS = "drafts", "Drafts"
    STORIES = "stories", "Founder stories"
    COMMENTS = "comments", "Comments and reviews"
    FOLLOWED = "followed", "Listings and people you follow"
    WEEKLY_NUMBERS = "weekly_numbers", "Weekly numbers"
    DIGEST = "digest", "Daily digest"


_SUMMARIES = (NotificationKind.WEEKLY_NUMBERS, NotificationKind.DIGEST)
IN_APP_KINDS = tuple(kind for kind in NotificationKind if kind not in _SUMMARIES)
# Kinds whose emails people can turn off. Of the others, some cost money or a launch week when missed.
EMAIL_KINDS = (
    NotificationKind.LAUNCHES,
    NotificationKind.STORIES,
    NotificationKind.COMMENTS,
    NotificationKind.FOLLOWED,
    *_SUMMARIES,
)


def default_kinds() -> list[str]:
    """Return the email notifications of a new account: all news, no regular emails."""
    return [str(kind) for kind in EMAIL_KINDS if kind not in _SUMMARIES]


def default_in_app_kinds() -> list[str]:
    """Return what the notification center of a new account shows: everything."""
    return [str(kind) for kind in IN_APP_KINDS]


class UserManager(BaseUserManager["User"]):
    def get_by_natural_key(self, username: str | None) -> "User":
        return self.get(email__iexact=username)

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """Create an account whose email counts as verified, stored in lower case."""
        user = self.model(email=email.strip().lower(), **fields)
        user.set_password(password)
        with transaction.atomic():
            user.save(using=self._db)
            EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> "User":
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)

    def lock(self, pk: int) -> "User":
        """Lock an account before its rows are counted or changed. Rows that refer to it can still be inserted."""
        return self.select_for_update(no_key=True).get(pk=pk)


class User(AbstractBaseUser, PermissionsMixin):  # type: ignore[django-manager-missing]  # the related manager of the untyped toolkit
    """An account of a person or a site admin (`is_staff`). Signs in with an email address."""

    email = models.EmailField(max_length=254, unique=True)
    name = models.CharField(max_length=80, blank=True)
    is_staff = models.BooleanField(default=False)
    is_active = models.BooleanField(default=True)
    joined_at = models.DateTimeField(default=timezone.now)
    email_notifications = ArrayField(
        models.CharField(max_length=20, choices=NotificationKind),
        default=default_kinds,
        blank=True,
        help_text="Optional emails this person wants.",
    )
    in_app_notifications = ArrayField(
        models.CharField(max_length=20, choices=NotificationKind),
        default=default_in_app_kinds,
        blank=True,
        help_text="Kinds that the notification center shows to this person.",
    )
    # Here, so that the header of a page needs one query for the number of unread notifications.
    events_read = models.BigIntegerField(default=0, editable=False, help_text="The last event that was read, by seq.")
    updates_read = models.BigIntegerField(
        default=0, editable=False, help_text="The last followed update that was read."
    )
    launches_read = models.BigIntegerField(
        default=0, editable=False, help_text="The last launch by a followed founder that was read."
    )
    needs_proof = models.BooleanField(
        default=False, editable=False, help_text="Signed up without proof of work, so the account's votes weigh less."
    )
    sign_up_network = models.CharField(
        max_length=SIGN_UP_NETWORK_LENGTH,
        blank=True,
        editable=False,
        help_text="Keyed digest of the network of the sign-up, to tell crowds of accounts. Emptied after some days.",
    )
    deletion_due_at = models.DateTimeField(
        null=True,
        blank=True,
        db_index=True,
        editable=False,
        help_text="When the account will be deleted, unless its owner keeps it.",
    )
    erased_at = models.DateTimeField(
        null=True,
        blank=True,
        editable=False,
        help_text="When personal data was deleted. Orders still refer to this row.",
    )

    objects: ClassVar = UserManager()

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(Lower("email"), name="one_account_per_email"),
            models.CheckConstraint(condition=models.Q(email=Lower("email")), name="email_in_lower_case"),
            models.CheckConstraint(
                condition=models.Q(email_notifications__contained_by=[str(kind) for kind in EMAIL_KINDS]),
                name="email_notifications_are_of_known_kinds",
            ),
            models.CheckConstraint(
                condition=models.Q(in_app_notifications__contained_by=[str(kind) for kind in IN_APP_KINDS]),
                name="in_app_notifications_are_of_known_kinds",
            ),
        ]

    def __str__(self) -> str:
        return self.email

    @classmethod
    def normalize_username(cls, username: str) -> str:
        return super().normalize_username(username).lower()

    def get_short_name(self) -> str:
        return self.name or self.email.split("@")[0]


@transaction.atomic
def mark_email_verified(user: "User") -> None:
    """Mark the account's email as verified and as its only one. The admin who set it vouches for it.

    People who sign up confirm theirs with a code instead.
    """
    EmailAddress.objects.filter(user=user).exclude(email=user.email).delete()
    EmailAddress.objects.update_or_create(user=user, email=user.email, defaults={"verified": True, "primary": True})


def can_be_emailed(account: str = "") -> Q:
    """Return the condition that an account is open and its email verified.

    `account` is the path to it in the query, empty for queries of accounts.
    """
    path = f"{account}__" if account else ""
    proven = EmailAddress.objects.filter(verified=True, user=OuterRef(f"{path}pk"), email=OuterRef(f"{path}email"))
    return Q(Exists(proven), **{f"{path}is_active": True})

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


class NotificationKind(models.TextChoices):
    """Emails that an account can turn off. All others are always sent."""

    LAUNCHES = "launches", "Your launches"
    STORIES = "stories", "Your founder stories"
    FOLLOWED = "followed", "Listings you follow"
    WEEKLY_NUMBERS = "weekly_numbers", "Weekly numbers"


def default_kinds() -> list[str]:
    """Return the email notifications of a new account: all news, no regular emails."""
    return [str(kind) for kind in NotificationKind if kind != NotificationKind.WEEKLY_NUMBERS]


class UserManager(BaseUserManager["User"]):
    def get_by_natural_key(self, username: str | None) -> "User":
        return self.get(email__iexact=username)

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """Create an account whose email counts as verified, stored in lower case."""
        user = self.model(email=email.strip().lower(), **fields)
        user.set_password(password)
        with transaction.atomic():
            user.save(using=self._db)
            mark_email_verified(user)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> "User":
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)


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
        help_text="Emails that are not always sent, as the person chose them.",
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
                condition=models.Q(email_notifications__contained_by=NotificationKind.values),
                name="email_notifications_are_of_known_kinds",
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

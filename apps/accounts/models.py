from typing import Any, ClassVar

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone
from oauth2_provider.models import AbstractApplication


class UserManager(BaseUserManager["User"]):
    def get_by_natural_key(self, username: str | None) -> "User":
        return self.get(email__iexact=username)

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """Make an account; the address is stored in lower case."""
        user = self.model(email=email.strip().lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> "User":
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)


class User(AbstractBaseUser, PermissionsMixin):  # type: ignore[django-manager-missing]  # the toolkit is untyped
    """A person with an account, or a member of the site team (`is_staff`). Signs in by email address."""

    email = models.EmailField(max_length=254, unique=True)
    name = models.CharField(max_length=80, blank=True)
    is_staff = models.BooleanField(default=False)
    is_active = models.BooleanField(default=True)
    joined_at = models.DateTimeField(default=timezone.now)

    objects: ClassVar = UserManager()

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(Lower("email"), name="one_account_per_email")]

    def __str__(self) -> str:
        return self.email

    def get_short_name(self) -> str:
        return self.name or self.email.split("@")[0]


class Application(AbstractApplication):  # type: ignore[misc]  # the toolkit is untyped
    """An OAuth client. A model of our own from the start, since it cannot be swapped later."""

    class Meta(AbstractApplication.Meta):  # type: ignore[misc]  # the toolkit is untyped
        swappable = "OAUTH2_PROVIDER_APPLICATION_MODEL"


class ApiKeyQuerySet(models.QuerySet["ApiKey"]):
    def visible_to(self, user: User) -> "ApiKeyQuerySet":
        """The account's own keys, with their tokens."""
        return self.filter(token__user=user).select_related("token")


class ApiKey(models.Model):
    """The name that people see for an access token without an application.

    Scopes, expiry and the checksum of the secret stand in the token; the secret itself is nowhere.
    """

    token = models.OneToOneField(
        settings.OAUTH2_PROVIDER_ACCESS_TOKEN_MODEL, on_delete=models.CASCADE, related_name="api_key"
    )
    name = models.CharField(max_length=60)
    prefix = models.CharField(max_length=16, help_text="The visible beginning of the key.")
    created_at = models.DateTimeField(default=timezone.now)
    last_used_at = models.DateTimeField(null=True, blank=True)

    objects: ClassVar = ApiKeyQuerySet.as_manager()

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"

    @property
    def scopes(self) -> list[str]:
        found: list[str] = self.token.scope.split()
        return found

    @property
    def is_expired(self) -> bool:
        return bool(self.token.is_expired())


class FounderProfile(models.Model):
    """Who stands behind a company, shown on its story and needed for a free launch."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="founder_profile")
    real_name = models.CharField(max_length=80, blank=True)
    role = models.CharField(max_length=80, blank=True)
    bio = models.TextField(max_length=1000, blank=True)
    photo = models.ImageField(upload_to="founders/", blank=True)
    links = models.JSONField(default=list, blank=True)
    updated_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return self.real_name or str(self.user)

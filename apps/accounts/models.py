from datetime import timedelta
from typing import Any, ClassVar
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.db.models.functions import Lower
from django.utils import timezone
from oauth2_provider.models import AbstractApplication

from apps.accounts.clients.introductions import passes_for_another, places_of
from apps.accounts.clients.redirects import (
    APP_SCHEMES,
    clean_client_name,
    host_of,
    join_redirect_uris,
    matches_registered,
)
from apps.accounts.email_addresses import vouch_for_address
from apps.accounts.notification_kinds import NotificationKind, default_kinds
from apps.core.api.scopes import SCOPE_TEXTS, Scope


class UserManager(BaseUserManager["User"]):
    def get_by_natural_key(self, username: str | None) -> "User":
        return self.get(email__iexact=username)

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """Make an account whose address counts as verified; it is stored in lower case."""
        user = self.model(email=email.strip().lower(), **fields)
        user.set_password(password)
        with transaction.atomic():
            user.save(using=self._db)
            vouch_for_address(user)
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


class Application(AbstractApplication):  # type: ignore[misc]  # the toolkit is untyped
    """An OAuth client: an assistant that registered itself, or that is known by its metadata document.

    A model of our own from the start, since it cannot be swapped later. Every client is public: it proves itself
    by PKCE, and keeps no secret of ours.
    """

    name = models.CharField("name", max_length=255, blank=True)
    client_type = models.CharField(max_length=32, default=AbstractApplication.CLIENT_PUBLIC)
    authorization_grant_type = models.CharField(max_length=44, default=AbstractApplication.GRANT_AUTHORIZATION_CODE)
    client_secret = models.CharField(max_length=255, blank=True, default="")
    hash_client_secret = models.BooleanField(default=False)
    is_active = models.BooleanField(default=True, help_text="Without it, nobody can connect by this client.")

    class Meta(AbstractApplication.Meta):  # type: ignore[misc]  # the toolkit is untyped
        swappable = "OAUTH2_PROVIDER_APPLICATION_MODEL"
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(
                    client_type=AbstractApplication.CLIENT_PUBLIC,
                    authorization_grant_type=AbstractApplication.GRANT_AUTHORIZATION_CODE,
                    client_secret="",
                    skip_authorization=False,
                ),
                name="clients_are_public_and_ask",
            ),
        ]

    def clean(self) -> None:
        """Refuse what the toolkit lets pass: foreign hosts, our own, and too many of them."""
        super().clean()
        self.name = clean_client_name(self.name)
        try:
            join_redirect_uris(self.redirect_uris.split(), client_host=self.verified_host)
        except ValidationError as error:
            raise ValidationError({"redirect_uris": error.messages}) from None

    def get_allowed_schemes(self) -> list[str]:
        return ["https", "http", *sorted(APP_SCHEMES)]

    def is_usable(self, request: object) -> bool:
        return self.is_active

    def redirect_uri_allowed(self, uri: str) -> bool:
        return matches_registered(uri, registered=self.redirect_uris.split())

    @property
    def verified_host(self) -> str | None:
        """The host that published the client's metadata document; None for a client that only says who it is."""
        if self.registration_source != self.RegistrationSource.CIMD:
            return None
        return host_of(urlsplit(self.client_id))

    @property
    def own_name(self) -> str:
        """What the client calls itself; empty where an unverified one could pass for somebody else by it."""
        return "" if self.verified_host is None and passes_for_another(self.name) else self.name

    @property
    def label(self) -> str:
        """The name for people: the host that vouches for the client, otherwise where its answers go."""
        return self.verified_host or f"Unverified app {places_of(self.redirect_uris.split())}"[:255]


class ConnectionQuerySet(models.QuerySet["Connection"]):
    def visible_to(self, user: User) -> "ConnectionQuerySet":
        """The account's own connections, with their clients."""
        return self.filter(user=user).select_related("application")


class Connection(models.Model):
    """That an account lets a client act for it. Its row is the lock under which tokens are issued and ended."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="connections")
    application = models.ForeignKey(
        settings.OAUTH2_PROVIDER_APPLICATION_MODEL, on_delete=models.CASCADE, related_name="connections"
    )
    connected_at = models.DateTimeField(default=timezone.now, help_text="When access was first allowed.")
    last_used_at = models.DateTimeField(null=True, blank=True)

    objects: ClassVar = ConnectionQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "application"], name="one_connection_per_client"),
        ]

    def __str__(self) -> str:
        return f"{self.application} for {self.user}"


class ApiKeyQuerySet(models.QuerySet["ApiKey"]):
    def visible_to(self, user: User) -> "ApiKeyQuerySet":
        """The account's own keys, with their successors, ended ones too."""
        return self.filter(user=user).select_related("replaced_by")

    def good(self) -> "ApiKeyQuerySet":
        """Keys that still open something, those that are being replaced among them."""
        return self.filter(revoked_at__isnull=True, expires_at__gt=timezone.now())

    def active(self) -> "ApiKeyQuerySet":
        """Good keys that no other key replaces."""
        return self.good().filter(replaced_by__isnull=True)


class ApiKey(models.Model):
    """What people see of an access token without an application; kept for the history when the token is gone.

    The token has the checksum of the secret, and opens what the key opens; the secret itself is nowhere. A key that
    was replaced is good until it expires, which the rotation has brought nearer. Revoking takes the token away.
    """

    class State(models.TextChoices):
        ACTIVE = "active"
        EXPIRES_SOON = "expires_soon"
        REPLACED = "replaced"
        EXPIRED = "expired"
        REVOKED = "revoked"

    SOON: ClassVar = timedelta(days=7)

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_keys")
    token = models.OneToOneField(
        settings.OAUTH2_PROVIDER_ACCESS_TOKEN_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="api_key",
    )
    name = models.CharField(max_length=60)
    scope = models.CharField(max_length=200, help_text="As the token has it: names with blanks between them.")
    prefix = models.CharField(max_length=16, help_text="The visible beginning of the key.")
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField(help_text="As the token has it.")
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True, help_text="Ended by the owner or the site team.")
    replaced_by = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="replaces"
    )
    form_token = models.UUIDField(
        null=True, blank=True, unique=True, editable=False, help_text="The opened form that made the key."
    )
    warning_leased_at = models.DateTimeField(null=True, blank=True, help_text="A worker began to write the email.")
    warned_at = models.DateTimeField(null=True, blank=True, help_text="The email before the expiry has left.")

    objects: ClassVar = ApiKeyQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(replaced_by__isnull=True) | ~models.Q(replaced_by=models.F("id")),
                name="api_key_does_not_replace_itself",
            ),
            models.CheckConstraint(
                condition=models.Q(revoked_at__isnull=True) | models.Q(token__isnull=True),
                name="revoked_api_key_has_no_token",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"

    @property
    def scopes(self) -> list[str]:
        return self.scope.split()

    @property
    def scope_texts(self) -> list[str]:
        """What the key may do, in words for people."""
        return [SCOPE_TEXTS[Scope(scope)] for scope in self.scopes]

    @property
    def is_good(self) -> bool:
        """Whether the key opens anything now."""
        return self.revoked_at is None and self.expires_at > timezone.now()

    @property
    def can_be_rotated(self) -> bool:
        """Whether the key is good and no other replaces it."""
        return self.state in {self.State.ACTIVE, self.State.EXPIRES_SOON}

    @property
    def state(self) -> State:
        if self.revoked_at is not None:
            return self.State.REVOKED
        if self.replaced_by_id is not None:
            return self.State.REPLACED
        left = self.expires_at - timezone.now()
        if left <= timedelta(0):
            return self.State.EXPIRED
        return self.State.EXPIRES_SOON if left <= self.SOON else self.State.ACTIVE


class FounderProfile(models.Model):
    """Who stands behind a company, shown on its story and needed for a free launch.

    `photo_key` names the photo's files in the storage: square crops in WebP and JPEG, made from the upload, which is
    not kept. `slug` is the address of the founder's page, given with the first real name.
    """

    MAX_LINKS: ClassVar = 5

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="founder_profile")
    slug = models.SlugField(max_length=90, null=True, blank=True, unique=True)  # noqa: DJ001 (unique where there is one)
    real_name = models.CharField(max_length=80, blank=True)
    role = models.CharField(max_length=80, blank=True)
    bio = models.TextField(max_length=1000, blank=True)
    links = ArrayField(models.CharField(max_length=300), default=list, blank=True, help_text="Addresses by https.")
    photo_key = models.CharField(max_length=64, blank=True, help_text="Folder of the photo's files in the storage.")
    photo_pixels = models.PositiveSmallIntegerField(
        default=0, help_text="Width and height of the square that was cut out of the upload."
    )
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(photo_key="", photo_pixels=0)
                | (~models.Q(photo_key="") & models.Q(photo_pixels__gt=0)),
                name="founder_photo_has_its_size",
            ),
            models.CheckConstraint(condition=models.Q(links__len__lte=5), name="founder_has_five_links_at_most"),
            models.CheckConstraint(condition=~models.Q(slug=""), name="founder_page_has_an_address_or_none"),
        ]

    def __str__(self) -> str:
        return self.real_name or str(self.user)

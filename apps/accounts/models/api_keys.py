"""API keys."""

from datetime import timedelta
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone

from apps.accounts.models.users import User
from apps.core.api.scopes import SCOPE_TEXTS, Scope


class ApiKeyQuerySet(models.QuerySet["ApiKey"]):
    def visible_to(self, user: User) -> "ApiKeyQuerySet":
        """Return the account's own keys with their successors, including ended ones."""
        return self.filter(user=user).select_related("replaced_by")

    def good(self) -> "ApiKeyQuerySet":
        """Return keys that still work, including those being replaced."""
        return self.filter(revoked_at__isnull=True, expires_at__gt=timezone.now())

    def active(self) -> "ApiKeyQuerySet":
        """Return working keys that aren't being replaced."""
        return self.good().filter(replaced_by__isnull=True)


class ApiKey(models.Model):
    """The visible part of an access token without an application. It remains as history after the token is deleted.

    The token stores the secret's checksum and grants the key's permissions. The secret itself isn't stored. A replaced
    key works until it expires, which rotation moves closer. Revoking deletes the token.
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
    scope = models.CharField(max_length=200, help_text="Scope names, separated by spaces.")
    prefix = models.CharField(max_length=16, help_text="The first characters of the key.")
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField(help_text="When the key stops working.")
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(
        null=True, blank=True, help_text="When the owner or a site admin revoked the key."
    )
    replaced_by = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="replaces"
    )
    form_token = models.UUIDField(
        null=True,
        blank=True,
        unique=True,
        editable=False,
        help_text="The form that created the key. It can create only one.",
    )
    warning_leased_at = models.DateTimeField(null=True, blank=True, help_text="When a worker started the expiry email.")
    warned_at = models.DateTimeField(null=True, blank=True, help_text="When the expiry email was sent.")

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
        """Return the key's permissions in words."""
        return [SCOPE_TEXTS[Scope(scope)] for scope in self.scopes]

    @property
    def is_good(self) -> bool:
        """Return whether the key works now."""
        return self.revoked_at is None and self.expires_at > timezone.now()

    @property
    def can_be_rotated(self) -> bool:
        """Return whether the key works and isn't being replaced."""
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

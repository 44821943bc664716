"""OAuth clients and the accounts that allow them to act."""

from typing import ClassVar
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
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
from apps.accounts.models.users import User


class Application(AbstractApplication):
    """An OAuth client: an assistant that registered itself or has a metadata document.

    A model of our own, because it can't be swapped later. Every client is public: it uses PKCE and has no
    secret.
    """

    name = models.CharField("name", max_length=255, blank=True)
    client_type = models.CharField(max_length=32, default=AbstractApplication.CLIENT_PUBLIC)
    authorization_grant_type = models.CharField(max_length=44, default=AbstractApplication.GRANT_AUTHORIZATION_CODE)
    client_secret = models.CharField(max_length=255, blank=True, default="")
    hash_client_secret = models.BooleanField(default=False)
    is_active = models.BooleanField(default=True, help_text="Clear to block this client.")

    class Meta(AbstractApplication.Meta):
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
        """Refuse what the toolkit allows: foreign hosts, the site's own hosts, and too many URIs."""
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
        """Return the host that published the client's metadata document, or None for an unverified client."""
        if self.registration_source != self.RegistrationSource.CIMD:
            return None
        return host_of(urlsplit(self.client_id))

    @property
    def own_name(self) -> str:
        """Return the client's own name, or an empty string if an unverified client could impersonate others."""
        return "" if self.verified_host is None and passes_for_another(self.name) else self.name

    @property
    def label(self) -> str:
        """Return the display name: the verified host, otherwise where responses go."""
        return self.verified_host or f"Unverified app {places_of(self.redirect_uris.split())}"[:255]


class ConnectionQuerySet(models.QuerySet["Connection"]):
    def visible_to(self, user: User) -> "ConnectionQuerySet":
        """Return the account's own connections with their clients."""
        return self.filter(user=user).select_related("application")


class Connection(models.Model):
    """Permission of a client to act for an account. Locking the row serializes issuing and ending its tokens."""

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

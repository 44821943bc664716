"""The base model of all version histories."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.utils import timezone

from apps.core.versions.differences import Change


class Via(models.TextChoices):
    """How somebody changed something."""

    BROWSER = "browser"
    KEY = "key"
    ASSISTANT = "assistant"
    ADMIN = "admin"
    SYSTEM = "system"


@dataclass(frozen=True, slots=True)
class Author:
    """Who makes a version: a person, how they came, and the name of their API key or client.

    Without a `user` it is the service itself. `credential` is empty in the browser.
    """

    user: AbstractBaseUser | None
    via: str
    credential: str = ""


class Version(models.Model):
    """What one act changed, by whom and how. Rows are only added.

    `changes` is `[{field, before, after}]`. `snapshot` has the value of every field after the act, so that a version
    can be restored from its row alone.
    """

    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    via = models.CharField(max_length=12, choices=Via)
    credential = models.CharField(max_length=255, blank=True, help_text="Name of the API key or of the client.")
    changes = models.JSONField(default=list, encoder=DjangoJSONEncoder)
    snapshot = models.JSONField(default=dict, encoder=DjangoJSONEncoder)
    restored_from = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        abstract = True
        ordering: ClassVar = ["-id"]

    @classmethod
    def keep(
        cls,
        *,
        by: Author,
        snapshot: Mapping[str, Any],
        changes: Sequence[Change] = (),
        restored_from: Self | None = None,
        **of: Any,
    ) -> Self:
        """Add a version of `of`. Without changes, it is the history's baseline."""
        return cls._default_manager.create(
            author=by.user,
            via=by.via,
            credential=by.credential[:255],
            changes=list(changes),
            snapshot=dict(snapshot),
            restored_from=restored_from,
            **of,
        )

"""What can be reported and decided about: each app's `reportable.py` has its KINDS."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, ClassVar

from django.apps import apps
from django.db.models import QuerySet
from django.urls import reverse

from apps.accounts.actors import Actor
from apps.accounts.models import User
from apps.core.app_modules import app_modules
from apps.moderation.models import Decision
from apps.sites.models import Site


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """Something that `author` wrote. `path` is its page on the site, or the part of one."""

    author: User
    site: Site
    title: str
    text: str
    path: str


class Kind(ABC):
    """One kind of texts by people, with how to find, remove and restore them.

    `name` is part of addresses and rows. `removing` says what removal does, for the page that confirms it, and
    `written_at` is the field with the time of the last change.
    """

    name: ClassVar[str]
    label: ClassVar[str]
    model: ClassVar[str]
    remove_label: ClassVar[str] = "Remove"
    removing: ClassVar[str]
    written_at: ClassVar[str]

    @abstractmethod
    def rows(self) -> QuerySet[Any]:
        """Return all rows, loaded with what `written` reads."""

    @abstractmethod
    def public(self, site: Site) -> QuerySet[Any]:
        """Return the rows that every visitor of the site can read."""

    @abstractmethod
    def written(self, row: Any) -> Written:
        """Describe a row."""

    @abstractmethod
    def remove(self, row: Any, *, reason: str, note: str, by: Actor) -> object:
        """Take the text off all public pages, and email the reason. Raises DomainError."""

    @abstractmethod
    def restore(self, decision: Decision, *, note: str, by: Actor) -> object:
        """Undo a removal or a rejection. Raises DomainError."""

    def recent(self, since: datetime) -> QuerySet[Any]:
        """Return the rows that were written since then."""
        return self.rows().filter(**{f"{self.written_at}__gte": since})

    def why_not_remove(self, row: Any) -> str:
        """Return why a row can't be removed now, as a sentence, or an empty string."""
        return ""

    def effects(self, row: Any) -> Sequence[str]:
        """Return what a moderator reads about a row before they decide."""
        return [f"By {self.written(row).author}"]

    def find(self, object_id: int) -> Any:
        """Return a row, or None if it is gone."""
        return self.rows().filter(pk=object_id).first()

    def admin_path(self, object_id: int) -> str:
        """Return the path of the row's page in the admin."""
        options = apps.get_model(self.model)._meta
        return reverse(f"admin:{options.app_label}_{options.model_name}_change", args=[object_id])


@cache
def kinds() -> Mapping[str, Kind]:
    """Return all kinds by name."""
    result = [kind for module in app_modules("reportable") for kind in module.KINDS]
    return {kind.name: kind for kind in result}

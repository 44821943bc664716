"""What can be edited: a document of named texts that one person writes."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, Generic, NamedTuple, TypeVar

from django.db.models import QuerySet

from apps.accounts.models import User
from apps.core.api.serializers import clean_text
from apps.stories.models import WorkingText
from apps.stories.plain_text import count_links

Saved = TypeVar("Saved")


class Field(NamedTuple):
    """One text of a document: its name in the form, what people call it, its limits, and whether it is a single line.

    `max_links` is the limit of one text alone; a story counts the links of all its sections together.
    """

    name: str
    label: str
    max_characters: int
    is_line: bool = False
    max_links: int | None = None

    def clean(self, text: str) -> str:
        """The text as it would be saved."""
        return clean_text(text, multiline=not self.is_line)

    def problem(self, text: str) -> str:
        """Why a text cannot be saved, with its count and the limit; empty when it can."""
        if len(text) > self.max_characters:
            return f"This has {len(text):,} characters, {self.max_characters:,} at most."
        if self.max_links is not None and (links := count_links(text)) > self.max_links:
            return f"This has {links} web addresses, {self.max_links} at most."
        return ""


class Document(ABC, Generic[Saved]):
    """The texts that `user` edits in one place. `Saved` is what saving returns."""

    user: User

    @property
    @abstractmethod
    def fields(self) -> Mapping[str, Field]:
        """The fields by their names, in the order of the page."""

    @property
    @abstractmethod
    def place(self) -> dict[str, Any]:
        """Whose working texts: `{"listing": listing}` of a story, `{"site": site}` of an interview."""

    @abstractmethod
    def saved(self) -> dict[str, str]:
        """The saved texts by field, read from the database each time; an absent one is empty."""

    @abstractmethod
    def hold(self) -> None:
        """Lock what `saved` reads until the transaction ends, in the order in which its service locks."""

    @abstractmethod
    def write(self, texts: Mapping[str, str]) -> Saved:
        """Save these texts, possibly none, by the service; raises what that raises."""

    def working(self) -> QuerySet[WorkingText]:
        """What the person has typed and not saved."""
        return WorkingText.objects.filter(user=self.user, **self.place)

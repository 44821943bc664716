"""What the installation knows about people: a table of every model that has rows about them.

Each app has its own part in `personal_data.py`.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.apps import apps
from django.contrib.auth.base_user import AbstractBaseUser
from django.core.files.storage import default_storage
from django.db import models

from apps.core.app_modules import app_modules

WITH_ACCOUNT = "as long as the account"
# Of every version history.
VERSION_FIELDS = "author via credential changes snapshot restored_from created_at"


class AtErasure(StrEnum):
    """What happens to rows when their account is deleted. The account itself stays as a pseudonym without an email."""

    DELETE = "deleted"
    UNLINK = "kept without the account"
    CLEAR = "kept with these fields emptied"
    KEEP = "kept under the pseudonym"


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalRecords:
    """A model with rows about a person: `person` is the lookup from a row to the account, or to its email.

    Every field is in `exported` or in `withheld`. Withheld are secrets, other people's data, and internal values.
    `at_erasure` says what happens to rows whose lookup is `erased_by`, or `person` without it; CLEAR empties `cleared`.
    """

    model: str
    person: str
    exported: str
    withheld: str = ""
    is_by_email: bool = False
    files: str = ""
    why: str
    kept: str
    at_erasure: AtErasure
    erased_by: str = ""
    cleared: str = ""

    @property
    def model_class(self) -> Any:
        return apps.get_model(self.model)

    def rows(self, account: AbstractBaseUser) -> "models.QuerySet[Any]":
        """The rows about this person, in the order they were written."""
        return self._found(self.person, account)

    def rows_to_erase(self, account: AbstractBaseUser) -> "models.QuerySet[Any]":
        """Return the rows that `at_erasure` applies to."""
        return self._found(self.erased_by or self.person, account)

    def _found(self, path: str, account: AbstractBaseUser) -> "models.QuerySet[Any]":
        lookup = {f"{path}__iexact": account.get_username()} if self.is_by_email else {path: account.pk}
        manager: models.Manager[Any] = self.model_class._default_manager
        return manager.filter(**lookup).order_by("pk")

    def as_json(self, row: models.Model) -> dict[str, Any]:
        """Return a row's exported fields, without binary ones (see `attached_files`)."""
        fields = [_field(row, name) for name in self.exported.split()]
        return {field.name: _value(row, field) for field in fields if not isinstance(field, models.BinaryField)}

    def attached_files(self, row: models.Model) -> Iterator[tuple[str, bytes]]:
        """Yield name and content of a row's files: binary fields, and the stored folder that `files` names."""
        for name in self.exported.split():
            content = getattr(row, name)
            if isinstance(_field(row, name), models.BinaryField) and content:
                yield f"{row.pk}.{name}", bytes(content)
        folder = getattr(row, self.files) if self.files else ""
        # A photo that was lost keeps nobody from the rest of their data.
        with suppress(FileNotFoundError):
            for name in default_storage.listdir(folder)[1] if folder else ():
                with default_storage.open(f"{folder}/{name}") as file:
                    yield f"{row.pk}.{name}", file.read()


def records() -> list[PersonalRecords]:
    """Return the models with rows about people."""
    return table("RECORDS")


def table(name: str) -> list[Any]:
    """Return the rows of all apps' tables of this name. An app comes before those that it imports."""
    modules = reversed(list(app_modules("personal_data")))
    return [row for module in modules for row in getattr(module, name, ())]


def as_markdown(table: Iterable[PersonalRecords]) -> str:
    """What is kept, why and how long, as a table for the documentation."""
    lines = ["| data | why | kept | when the account is deleted |", "|---|---|---|---|"]
    lines += [f"| `{record.model}` | {record.why} | {record.kept} | {_on_deletion(record)} |" for record in table]
    return "\n".join(lines) + "\n"


def _on_deletion(record: PersonalRecords) -> str:
    names = ", ".join(f"`{name}`" for name in record.cleared.split())
    return f"kept under the pseudonym, without {names}" if names else record.at_erasure.value


def _field(row: models.Model, name: str) -> Any:
    return row._meta.get_field(name)


def _value(row: models.Model, field: Any) -> Any:
    if field.many_to_many:
        return [str(other) for other in getattr(row, field.name).all()]
    return field.value_from_object(row)

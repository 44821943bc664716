"""Erase a person's rows when their account is deleted, as the table of personal data says."""

from collections.abc import Iterable
from contextlib import suppress
from functools import partial
from typing import Any

from django.contrib.auth.base_user import AbstractBaseUser
from django.core.files.storage import default_storage
from django.db import transaction

from apps.core.operations.personal_data.records import AtErasure, PersonalRecords, records


@transaction.atomic
def erase_rows(account: AbstractBaseUser) -> dict[str, int]:
    """Delete, empty or keep every row about a person, and return the number of changed rows of each model.

    The caller handles the account's own row. Files are deleted after the commit.
    """
    return {record.model: _erase(record, account) for record in records()}


def _erase(record: PersonalRecords, account: AbstractBaseUser) -> int:
    rows = record.rows_to_erase(account)
    if record.at_erasure == AtErasure.KEEP:
        return 0
    if record.files:
        folders = [name for name in rows.values_list(record.files, flat=True) if name]
        transaction.on_commit(partial(_delete_folders, folders))
    if record.at_erasure == AtErasure.DELETE:
        return int(rows.delete()[1].get(record.model, 0))
    names = [record.person] if record.at_erasure == AtErasure.UNLINK else record.cleared.split()
    return rows.order_by().update(**empty_values(record.model_class, names))


def empty_values(model: Any, names: Iterable[str]) -> dict[str, Any]:
    """Return the empty value of each field: null if the column allows it, otherwise its default."""
    fields = [model._meta.get_field(name) for name in names]
    return {field.name: None if field.null else field.get_default() for field in fields}


def _delete_folders(folders: Iterable[str]) -> None:
    for folder in folders:
        # What a broken storage leaves behind, the sweep of lost files deletes.
        with suppress(OSError):
            for name in default_storage.listdir(folder)[1]:
                default_storage.delete(f"{folder}/{name}")
            default_storage.delete(folder)

"""One archive of everything that is kept about a person."""

import json
import zipfile
from typing import IO, Any

from django.contrib.auth.base_user import AbstractBaseUser
from django.core.serializers.json import DjangoJSONEncoder

from apps.core.operations.personal_data.records import records


def write_archive(account: AbstractBaseUser, target: IO[bytes]) -> dict[str, int]:
    """Write everything about a person as a ZIP archive and return the number of rows of each model.

    Each model is one JSON file; photos and invoices are in the folder named after theirs.
    """
    counts = {}
    with zipfile.ZipFile(target, "w", compression=zipfile.ZIP_DEFLATED) as archive:
        for record in records():
            rows = []
            for row in record.rows(account).iterator():
                rows.append(record.as_json(row))
                for name, content in record.attached_files(row):
                    archive.writestr(f"{record.model.lower()}/{name}", content)
            if rows:
                archive.writestr(f"{record.model.lower()}.json", _json(rows))
                counts[record.model] = len(rows)
    return counts


def _json(rows: list[dict[str, Any]]) -> str:
    return json.dumps(rows, cls=DjangoJSONEncoder, ensure_ascii=False, indent=1)

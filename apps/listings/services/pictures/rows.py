"""Keep a company's pictures in step with its fields `logo_url` and `screenshots`, which name them by URL.

The caller has locked the company.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from functools import partial
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from apps.core.delay_on_commit import delay_on_commit
from apps.core.pictures.storage import PICTURES, try_to_delete_picture
from apps.listings.models import Company, CompanyPicture, ListedPicture

Field = ListedPicture.Field
FIELDS = frozenset(Field.values)

_FILE = re.compile(r"https?://[^/]+/(pictures/[0-9a-f]{32})/[0-9]{2,4}\.(?:webp|jpg)")


def sync_pictures(company: Company, *, retry: Collection[str] = ()) -> None:
    """Add a picture for each new URL, to be downloaded after the commit, and delete those that no field names.

    Pictures of the fields in `retry` that were refused are downloaded again.
    """
    listed = _listed(company)
    rows = {(row.field, row.url): row for row in CompanyPicture.objects.filter(company=company)}
    for place, old in rows.items():
        if place not in listed and old.is_listed:
            delete_row(old)
    now = timezone.now()
    for field, url in listed:
        if (row := rows.get((field, url))) is None:
            CompanyPicture.objects.create(company=company, field=field, url=url, download_at=now)
        elif not row.is_listed or (row.problem and field in retry):
            row.is_listed = True
            if row.problem:
                row.problem, row.attempts, row.download_at = "", 0, now
            row.save()
    _keep_logo_key(company)
    if CompanyPicture.objects.filter(company=company, download_at__lte=now).exists():
        delay_on_commit("apps.listings.tasks.download_pictures", company.pk)


def resolved(company: Company, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return fields to write, with the company's pictures under their own URLs.

    Clients may send back the URL of any of our files of a picture.
    """
    values = dict(fields)
    if not any(map(_FILE.fullmatch, [values.get(Field.LOGO, ""), *values.get(Field.SCREENSHOTS, ())])):
        return values
    urls = {(row.field, row.key): row.url for row in CompanyPicture.objects.filter(company=company).exclude(key="")}
    if isinstance(logo := values.get(Field.LOGO), str):
        values[Field.LOGO] = _resolved(Field.LOGO, logo, urls)
    if isinstance(shots := values.get(Field.SCREENSHOTS), list):
        values[Field.SCREENSHOTS] = list(dict.fromkeys(_resolved(Field.SCREENSHOTS, url, urls) for url in shots))
    return values


def without_deleted(company: Company, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return fields of an earlier version, without uploads that have been deleted since."""
    values = dict(fields)
    kept = set(CompanyPicture.objects.filter(company=company).values_list("field", "url"))
    if Field.LOGO in values and _is_gone(Field.LOGO, values[Field.LOGO], kept):
        values[Field.LOGO] = ""
    if Field.SCREENSHOTS in values:
        shots = values[Field.SCREENSHOTS]
        values[Field.SCREENSHOTS] = [url for url in shots if not _is_gone(Field.SCREENSHOTS, url, kept)]
    return values


def move_pictures(*, of: Company, to: Company) -> None:
    """Move a merged company's pictures that the kept company's fields name, and delete the others."""
    known = set(CompanyPicture.objects.filter(company=to).values_list("field", "url"))
    wanted = set(_listed(to)) - known
    for row in CompanyPicture.objects.filter(company=of):
        if (row.field, row.url) not in wanted:
            delete_row(row)
        else:
            row.company = to
            row.save()
    _keep_logo_key(of)
    sync_pictures(to)


def adopt_files(company: Company, found: Iterable[ListedPicture]) -> set[str]:
    """Use the files that a crawl stored for pictures of the company that wait for a download. Returns their keys."""
    files = {(one.field, one.url): one for one in found}
    adopted = set()
    for row in CompanyPicture.objects.filter(company=company, key=""):
        if one := files.get((row.field, row.url)):
            row.key, row.width, row.height = one.key, one.width, one.height
            row.problem, row.download_at = "", None
            row.save()
            adopted.add(row.key)
    _keep_logo_key(company)
    return adopted


def keep_files(row: CompanyPicture, company: Company) -> None:
    """Save a row with its files, or with the reason why there are none."""
    row.save()
    if row.field == Field.LOGO:
        _keep_logo_key(company)


def delete_row(row: CompanyPicture) -> None:
    """Delete a picture, and its files after the commit."""
    key = row.key
    row.delete()
    if key:
        transaction.on_commit(partial(try_to_delete_picture, key))


def _listed(company: Company) -> list[tuple[str, str]]:
    """Return field and URL of each picture that the company names."""
    logo = [(str(Field.LOGO), company.logo_url)] if company.logo_url else []
    return [*logo, *((str(Field.SCREENSHOTS), url) for url in dict.fromkeys(company.screenshots))]


def _keep_logo_key(company: Company) -> None:
    logo = CompanyPicture.objects.filter(company=company, field=Field.LOGO, url=company.logo_url)
    key = logo.values_list("key", flat=True).first() or ""
    if company.logo_key != key:
        company.logo_key = key
        company.save(update_fields=["logo_key"])


def _resolved(field: str, url: str, urls: Mapping[tuple[str, str], str]) -> str:
    result = _FILE.fullmatch(url)
    return urls.get((field, result[1]), url) if result else url


def _is_gone(field: str, url: str, kept: Collection[tuple[str, str]]) -> bool:
    return url.startswith(f"{settings.PUBLIC_BASE_URL}/{PICTURES}/") and (str(field), url) not in kept

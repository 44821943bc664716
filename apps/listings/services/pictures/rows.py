"""Keep a company's pictures in step with its fields `logo_url` and `screenshots`, which name them by URL.

The caller has locked the company.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from apps.core.delay_on_commit import delay_on_commit
from apps.core.pictures.storage import PICTURES, try_to_delete_picture
from apps.listings.models import Company, CompanyPicture, ListedPicture

Field = ListedPicture.Field
FIELDS = frozenset(Field.values)

# How long History can restore replaced pictures, and how many of a company.
_LIFETIME, _MOST = timedelta(days=90), 16
_FILE = re.compile(r"https?://[^/]+/(pictures/[0-9a-f]{32})/[0-9]{2,4}\.(?:webp|jpg)")


def sync_pictures(company: Company, *, retry: Collection[str] = ()) -> None:
    """Add a picture for each new URL, to be downloaded after the commit, and delete those that no field names.

    Of those, pictures that new ones replace are kept for a while: visitors see them until the new ones are stored, and
    History can restore them. Pictures of the fields in `retry` that were refused are downloaded again.
    """
    listed = _listed(company)
    rows = {(row.field, row.url): row for row in CompanyPicture.objects.filter(company=company)}
    now = timezone.now()
    added: defaultdict[str, list[str]] = defaultdict(list)
    for field, url in listed:
        if (row := rows.get((field, url))) is None:
            CompanyPicture.objects.create(company=company, field=field, url=url, download_at=now)
            added[field].append(url)
        elif not row.is_listed or (row.problem and field in retry):
            if not row.is_listed:
                added[field].append(url)
            row.is_listed, row.replaced_at, row.replaced_by = True, None, ""
            if row.problem:
                row.problem, row.attempts, row.download_at = "", 0, now
            row.save()
    for place, old in rows.items():
        if place not in listed and old.is_listed:
            _replace(old, added[old.field].pop(0) if added[old.field] else "", now)
    _delete_surplus(company)
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
    used = set(CompanyPicture.objects.filter(company=company).values_list("field", "url"))
    if Field.LOGO in values and _is_gone(Field.LOGO, values[Field.LOGO], used):
        values[Field.LOGO] = ""
    if Field.SCREENSHOTS in values:
        shots = values[Field.SCREENSHOTS]
        values[Field.SCREENSHOTS] = [url for url in shots if not _is_gone(Field.SCREENSHOTS, url, used)]
    return values


def move_pictures(*, of: Company, to: Company) -> None:
    """Move a merged company's pictures that the kept company's fields name, and delete the others."""
    known = set(CompanyPicture.objects.filter(company=to).values_list("field", "url"))
    wanted = set(_listed(to)) - known
    for row in CompanyPicture.objects.filter(company=of):
        # What visitors see of a picture moves with it.
        if (row.field, row.replaced_by or row.url) not in wanted:
            delete_row(row)
        else:
            row.company = to
            row.save()
    _keep_logo_key(of)
    sync_pictures(to)


def adopt_files(company: Company, pictures: Iterable[ListedPicture]) -> set[str]:
    """Use the files that a crawl stored for pictures of the company that wait for a download. Returns their keys."""
    files = {(one.field, one.url): one for one in pictures}
    adopted = set()
    for row in CompanyPicture.objects.filter(company=company, key=""):
        if one := files.get((row.field, row.url)):
            row.key, row.width, row.height = one.key, one.width, one.height
            row.alt = one.alt or row.alt
            row.problem, row.download_at = "", None
            row.is_upload = is_upload(row.url)
            row.save()
            adopted.add(row.key)
    _keep_logo_key(company)
    return adopted


def is_upload(url: str) -> bool:
    """Return whether this is the URL of an upload."""
    return url.startswith(f"{settings.PUBLIC_BASE_URL}/{PICTURES}/")


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


def delete_old_replaced() -> int:
    """Delete replaced pictures that History no longer restores and no visitor sees. Returns how many."""
    with transaction.atomic():
        at = {"company": OuterRef("company"), "field": OuterRef("field"), "url": OuterRef("replaced_by")}
        waiting = CompanyPicture.objects.filter(**at, key="")
        old = CompanyPicture.objects.filter(~Exists(waiting), replaced_at__lt=timezone.now() - _LIFETIME)
        rows = list(old.select_for_update(skip_locked=True))
        for row in rows:
            delete_row(row)
    return len(rows)


def _replace(old: CompanyPicture, url: str, now: datetime) -> None:
    """Keep a picture and those before it for the one with this URL. Without one, or without files, delete it."""
    former = CompanyPicture.objects.filter(company=old.company_id, field=old.field, replaced_by=old.url)
    for row in former:
        row.replaced_by = url
        row.save() if url else delete_row(row)
    if url and old.key:
        old.is_listed, old.replaced_at, old.replaced_by = False, now, url
        old.save()
    else:
        delete_row(old)


def _delete_surplus(company: Company) -> None:
    seen = {row.shown.pk for row in company.own_pictures() if row.shown}
    replaced = CompanyPicture.objects.filter(company=company, replaced_at__isnull=False).exclude(pk__in=seen)
    for row in replaced.order_by("-replaced_at", "-pk")[_MOST:]:
        delete_row(row)


def _listed(company: Company) -> list[tuple[str, str]]:
    """Return field and URL of each picture that the company names."""
    logo = [(str(Field.LOGO), company.logo_url)] if company.logo_url else []
    return [*logo, *((str(Field.SCREENSHOTS), url) for url in dict.fromkeys(company.screenshots))]


def _keep_logo_key(company: Company) -> None:
    logos = [row.shown for row in company.own_pictures() if row.field == Field.LOGO and row.shown]
    key = logos[0].key if logos else ""
    if company.logo_key != key:
        company.logo_key = key
        company.save(update_fields=["logo_key"])


def _resolved(field: str, url: str, urls: Mapping[tuple[str, str], str]) -> str:
    result = _FILE.fullmatch(url)
    return urls.get((field, result[1]), url) if result else url


def _is_gone(field: str, url: str, used: Collection[tuple[str, str]]) -> bool:
    return is_upload(url) and (str(field), url) not in used

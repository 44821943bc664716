"""Download the pictures that listings name by URL.

Each row says when its download is due. A worker that takes it sets a later time first, so a lost worker only delays it.
"""

import logging
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from apps.core.errors import ServiceUnavailable
from apps.core.pictures.download import PictureUnreachable, download_picture
from apps.core.pictures.reading import PictureRefused
from apps.core.pictures.storage import try_to_delete_picture
from apps.core.stores.valkey.counters import Limit
from apps.listings.models import Company, CompanyPicture
from apps.listings.services.locks import NotEditable, lock_company
from apps.listings.services.pictures.files import StoredPicture, store
from apps.listings.services.pictures.rows import keep_files

logger = logging.getLogger(__name__)

DOWNLOADS_AN_HOUR = Limit("picture-downloads", 120, 3600, events="picture downloads")
MAX_ATTEMPTS = 4
# Longer than a download takes, and increasing with each attempt.
_RETRY = timedelta(minutes=2)


def companies_to_download() -> list[int]:
    """Return the ids of companies with a picture that is due for download."""
    due = CompanyPicture.objects.filter(download_at__lte=timezone.now())
    return list(due.order_by("company").values_list("company", flat=True).distinct())


def download_pictures(company_id: int) -> None:
    """Download and store the pictures of a company that are due. Safe to call any number of times, in parallel."""
    while row := _take(company_id):
        _download(row)


@transaction.atomic
def _take(company_id: int) -> CompanyPicture | None:
    """Return a picture due for download, and postpone it. Past the owner's hourly limit, all wait for its end."""
    due = CompanyPicture.objects.filter(company=company_id, download_at__lte=timezone.now())
    row = due.select_for_update(skip_locked=True).order_by("pk").first()
    if row is None:
        return None
    owner_id = Company.objects.values_list("owner_id", flat=True).get(pk=company_id)
    counter = DOWNLOADS_AN_HOUR.try_take(str(owner_id))
    if not counter.is_within:
        due.update(download_at=timezone.now() + timedelta(seconds=counter.seconds))
        return None
    row.attempts += 1
    row.download_at = timezone.now() + _RETRY * row.attempts
    row.save()
    return row


def _download(row: CompanyPicture) -> None:
    try:
        stored = store(row.field, download_picture(row.url))
    except (PictureUnreachable, ServiceUnavailable) as error:
        _finish(row, problem=error.detail, is_last=row.attempts >= MAX_ATTEMPTS)
    except PictureRefused as refusal:
        _finish(row, problem=refusal.detail)
    else:
        _finish(row, stored=stored)


def _finish(
    row: CompanyPicture, *, stored: StoredPicture | None = None, problem: str = "", is_last: bool = True
) -> None:
    """Save the result, unless the owner replaced the picture during the download. It is due again unless `is_last`."""
    with transaction.atomic():
        result = _locked(row)
        if result is not None:
            result.problem = problem[:200]
            if is_last:
                result.download_at = None
            if stored:
                result.key, result.width, result.height = stored
            keep_files(result, result.company)
    if result is None and stored:
        try_to_delete_picture(stored.key)
    logger.info("picture downloaded", extra={"company": row.company_id, "field": row.field, "problem": problem})


def _locked(row: CompanyPicture) -> CompanyPicture | None:
    """Return the row with its locked company while it still waits for this download."""
    try:
        company = lock_company(row.company_id).company
    except NotEditable:
        return None
    result = CompanyPicture.objects.filter(pk=row.pk, company=company, attempts=row.attempts, key="").first()
    if result is not None:
        result.company = company
    return result

"""Owners' pictures: upload, choose, order and describe."""

from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.core.api.serializers import clean_text
from apps.core.errors import FieldProblem, Unprocessable
from apps.core.pictures.storage import try_to_delete_picture
from apps.core.stores.valkey.counters import Limit
from apps.listings.fields.serializers import MAX_SCREENSHOTS
from apps.listings.models import CompanyPicture, ListedPicture, Listing, image_url
from apps.listings.services.editing import Edit, update_my_listing
from apps.listings.services.locks import LockedCompany, check_editable, lock_company
from apps.listings.services.pictures.files import StoredPicture, store
from apps.listings.services.pictures.rows import delete_row

Field = ListedPicture.Field

UPLOADS_AN_HOUR = Limit("picture-uploads", 60, 3600, events="picture uploads")
MAX_ALT = 160
# An owner has a day to save an upload.
_ABANDONED = timedelta(days=1)
_MAX_UNSAVED = 2 * MAX_SCREENSHOTS


class TooManyScreenshots(Unprocessable):
    code = "too_many_screenshots"
    title = "Too many screenshots"

    def __init__(self, count: int) -> None:
        super().__init__(f"Use up to {MAX_SCREENSHOTS} screenshots. This would be {count}.", pointer="/screenshots")


def upload_picture(*, listing: Listing, field: str, data: bytes, by: Actor) -> CompanyPicture:
    """Store an upload for `save_pictures`. It is deleted if it isn't saved within a day.

    Raises PictureRefused (422) with the reason, TooManyRequests (429), NotEditable (409), and PicturesBusy or
    PicturesUnavailable (503). Then nothing is stored.
    """
    UPLOADS_AN_HOUR.take(str(by.account.pk))
    stored = store(field, data)
    try:
        return _add_upload(listing, field, stored, by)
    except BaseException:
        try_to_delete_picture(stored.key)
        raise


@transaction.atomic
def discard_uploads(uploads: Collection[CompanyPicture]) -> None:
    """Delete uploads that aren't saved."""
    for row in CompanyPicture.objects.filter(pk__in=[upload.pk for upload in uploads], is_listed=False):
        delete_row(row)


@transaction.atomic
def save_pictures(
    *,
    listing: Listing,
    logo: str | None,
    screenshots: Sequence[str],
    alts: Mapping[str, str],
    seen: Collection[str],
    by: Actor,
) -> Edit:
    """Save these pictures, by URL and in this order, with descriptions from `alts`. Without a logo, keep the saved one.

    `seen` are the screenshots that the owner saw. Those added since stay, at the end, and those deleted since stay
    deleted. Raises TooManyScreenshots and Unprocessable (422), and what `update_my_listing` raises.
    """
    locked = lock_company(listing.company_id)
    saved = locked.company.screenshots
    added = [url for url in saved if url not in seen and url not in screenshots]
    urls = [url for url in dict.fromkeys(screenshots) if url in saved or url not in seen]
    if len(urls) + len(added) > MAX_SCREENSHOTS:
        raise TooManyScreenshots(len(urls) + len(added))
    texts = clean_alts(alts)
    fields: dict[str, Any] = {str(Field.SCREENSHOTS): [*urls, *added]}
    if logo is not None:
        fields[str(Field.LOGO)] = logo
    edit = update_my_listing(listing=listing, fields=fields, by=by)
    for row in CompanyPicture.objects.filter(company=locked.company, field=Field.SCREENSHOTS, url__in=texts):
        if row.alt != texts[row.url]:
            row.alt = texts[row.url]
            row.save()
    return edit


def delete_abandoned_uploads() -> int:
    """Delete uploads that nobody saved within a day. Returns how many."""
    with transaction.atomic():
        old = _unsaved().filter(created_at__lt=timezone.now() - _ABANDONED)
        rows = list(old.select_for_update(skip_locked=True))
        for row in rows:
            delete_row(row)
    return len(rows)


@transaction.atomic
def _add_upload(listing: Listing, field: str, stored: StoredPicture, by: Actor) -> CompanyPicture:
    locked = lock_company(listing.company_id)
    check_editable(locked.listing(listing.pk), by)
    _make_room(locked)
    added: CompanyPicture = CompanyPicture.objects.create(
        company=locked.company,
        field=field,
        url=image_url(stored.key, stored.width),
        key=stored.key,
        width=stored.width,
        height=stored.height,
        is_upload=True,
        is_listed=False,
    )
    return added


def _make_room(locked: LockedCompany) -> None:
    """Delete the oldest unsaved uploads beyond what one form can hold."""
    for row in _unsaved().filter(company=locked.company).order_by("-pk")[_MAX_UNSAVED - 1 :]:
        delete_row(row)


def _unsaved() -> QuerySet[CompanyPicture]:
    return CompanyPicture.objects.filter(is_listed=False, replaced_at__isnull=True)


def alt_problem(text: str) -> str:
    """Return why a description can't be saved. Empty if it can."""
    return f"Use up to {MAX_ALT} characters. This has {len(text):,}." if len(text) > MAX_ALT else ""


def clean_alts(alts: Mapping[str, str]) -> dict[str, str]:
    """Return descriptions of pictures, by URL, as they are saved. Raises Unprocessable (422)."""
    texts = {url: clean_text(alt) for url, alt in alts.items()}
    problems = [
        FieldProblem("max_length", problem, f"/alts/{number}")
        for number, text in enumerate(texts.values())
        if (problem := alt_problem(text))
    ]
    if problems:
        raise Unprocessable("A description is too long. Nothing was saved.", errors=problems)
    return texts

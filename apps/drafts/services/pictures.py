"""The pictures of drafts: their listing takes them over, or they go with the draft."""

from collections.abc import Collection, Iterable, Mapping
from functools import partial

from django.db import transaction

from apps.accounts.actors import Actor
from apps.core.pictures.storage import PICTURES, delete_lost_pictures, try_to_delete_picture
from apps.drafts.models import Draft, DraftPicture
from apps.listings.models import Company, CompanyPicture, Listing, image_url
from apps.listings.services.pictures.files import store
from apps.listings.services.pictures.rows import adopt_files
from apps.listings.services.pictures.uploads import UPLOADS_AN_HOUR, clean_alts


def upload_draft_picture(*, draft: Draft, field: str, data: bytes, by: Actor) -> DraftPicture:
    """Store an upload, which the draft's fields name by its URL once they are saved.

    Raises PictureRefused (422) with the reason, TooManyRequests (429), and PicturesBusy or PicturesUnavailable (503).
    """
    UPLOADS_AN_HOUR.take(str(by.account.pk))
    stored = store(field, data)
    try:
        added: DraftPicture = DraftPicture.objects.create(
            draft=draft, field=field, url=image_url(stored.key, stored.width), **stored._asdict()
        )
    except BaseException:
        try_to_delete_picture(stored.key)
        raise
    return added


def describe_screenshots(draft: Draft, alts: Mapping[str, str]) -> None:
    """Save descriptions of a draft's screenshots, by URL, for its listing. Raises Unprocessable (422)."""
    texts = clean_alts(alts)
    rows = list(draft.pictures.filter(field=DraftPicture.Field.SCREENSHOTS, url__in=texts))
    for row in rows:
        row.alt = texts[row.url]
    DraftPicture.objects.bulk_update(rows, ["alt"])


def discard_uploads(uploads: Collection[DraftPicture]) -> None:
    """Delete uploads that no field names."""
    with transaction.atomic():
        _delete(list(uploads))


def hand_over_pictures(draft: Draft, listing: Listing) -> None:
    """Give the listing the files of its pictures, and delete the others. The caller has locked the company."""
    result = list(DraftPicture.objects.filter(draft=draft))
    _delete(result, except_of=adopt_files(Company.objects.get(pk=listing.company_id), result))


def discard_pictures(drafts: Iterable[Draft]) -> None:
    """Delete the pictures of drafts that ended without a listing."""
    _delete(list(DraftPicture.objects.filter(draft__in=[draft.pk for draft in drafts])))


def delete_lost() -> int:
    """Delete files of logos and screenshots that no listing or draft has known for a day. Returns how many pictures."""
    return delete_lost_pictures(PICTURES, _known)


def _known() -> set[str]:
    return {
        key
        for model in (CompanyPicture, DraftPicture)
        for key in model.objects.values_list("key", flat=True).iterator()
    }


def _delete(pictures: list[DraftPicture], *, except_of: Collection[str] = ()) -> None:
    DraftPicture.objects.filter(pk__in=[picture.pk for picture in pictures]).delete()
    for picture in pictures:
        if picture.key not in except_of:
            transaction.on_commit(partial(try_to_delete_picture, picture.key))

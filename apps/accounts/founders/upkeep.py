"""Files in the storage that no profile names: of uploads that broke off, and of deletions that failed."""

import logging
from datetime import datetime, timedelta

from django.core.files.storage import default_storage
from django.utils import timezone

from apps.accounts.founders.photos import FOLDER, KEY, try_to_delete_photo
from apps.accounts.models import FounderProfile

logger = logging.getLogger(__name__)

# A photo is stored before its profile names it.
_AGE = timedelta(days=1)


def delete_lost_photos() -> int:
    """Remove what lies among the photos for a day or more without a profile; returns how many photos and files."""
    try:
        folders, files = default_storage.listdir(FOLDER)
    except FileNotFoundError:
        return 0
    # After the listing: what was named since is there, what was stored since is not listed.
    known = set(FounderProfile.objects.exclude(photo_key="").values_list("photo_key", flat=True))
    before = timezone.now() - _AGE
    keys = {key for name in folders if KEY.fullmatch(key := f"{FOLDER}/{name}")}
    lost = [key for key in sorted(keys - known) if _newest(key, before) < before]
    for key in lost:
        try_to_delete_photo(key)
    # Whole uploads, from when they were kept: with where and when they were taken.
    old = [path for name in files if default_storage.get_modified_time(path := f"{FOLDER}/{name}") < before]
    for path in old:
        default_storage.delete(path)
    if lost or old:
        logger.info("lost photos deleted", extra={"photos": len(lost), "files": len(old)})
    return len(lost) + len(old)


def _newest(key: str, otherwise: datetime) -> datetime:
    """When the folder was last written to; a moment before `otherwise` when nothing is in it."""
    times = [default_storage.get_modified_time(f"{key}/{name}") for name in default_storage.listdir(key)[1]]
    return max(times, default=otherwise - _AGE)

"""Data exports: requested by people, made by a worker, downloaded by their owner, deleted when they expire."""

import logging
import tempfile
from datetime import timedelta
from uuid import uuid4

from django.conf import settings
from django.core.files.base import File
from django.core.files.storage import default_storage
from django.db import transaction
from django.utils import timezone

from apps.accounts.models import DataExport, User
from apps.accounts.own_data import emails
from apps.core.delay_on_commit import delay_on_commit
from apps.core.operations.personal_data.archive import write_archive

logger = logging.getLogger(__name__)

LIFETIME = timedelta(days=3)
# Until then a copy is fresh enough, and asking again gives the same.
PAUSE = timedelta(hours=1)


@transaction.atomic
def request_data_export(*, user: User) -> DataExport:
    """Request an export of everything about an account. A second request within an hour returns the same one."""
    User.objects.select_for_update().get(pk=user.pk)
    fresh = DataExport.objects.filter(user=user, requested_at__gt=timezone.now() - PAUSE)
    export: DataExport = fresh.last() or DataExport.objects.create(user=user)
    if export.made_at is None:
        delay_on_commit("apps.accounts.tasks.make_data_export", export.pk)
    return export


def make_data_export(export_id: int) -> bool:
    """Write a requested export and email its owner. Returns False if another worker made it or it is gone."""
    export = DataExport.objects.select_related("user").filter(pk=export_id, made_at__isnull=True).first()
    if export is None:
        return False
    with tempfile.TemporaryFile() as file:
        write_archive(export.user, file)
        size = file.tell()
        name = default_storage.save(f"{settings.EXPORTS_FOLDER}/{uuid4().hex}.zip", File(file))
    if _keep(export, name=name, size=size):
        return True
    default_storage.delete(name)
    return False


def unmade_exports() -> list[int]:
    """Return requested exports that weren't made, for example because the broker was down."""
    return list(DataExport.objects.filter(made_at__isnull=True).order_by("pk").values_list("pk", flat=True))


def delete_expired_exports() -> None:
    """Delete expired exports, and files that belong to none."""
    DataExport.objects.filter(expires_at__lte=timezone.now()).delete()
    try:
        names = default_storage.listdir(settings.EXPORTS_FOLDER)[1]
    except FileNotFoundError:
        return
    stored = set(DataExport.objects.values_list("file", flat=True))
    for name in names:
        path = f"{settings.EXPORTS_FOLDER}/{name}"
        # A worker may be about to enter a new file.
        if path not in stored and default_storage.get_modified_time(path) < timezone.now() - PAUSE:
            default_storage.delete(path)


@transaction.atomic
def _keep(export: DataExport, *, name: str, size: int) -> bool:
    now = timezone.now()
    made = DataExport.objects.filter(pk=export.pk, made_at__isnull=True)
    if not made.update(made_at=now, expires_at=now + LIFETIME, file=name, size=size):
        return False
    export.refresh_from_db()
    emails.tell_export_is_ready(export)
    logger.info("data export made", extra={"account": export.user_id, "bytes": size})
    return True

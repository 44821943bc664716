"""Record writes outside requests, and those that invalidate caches. Imported only with a replica."""

from typing import Any

from celery.signals import task_postrun

from apps.core.stores.replica.reading import note_write
from apps.core.stores.valkey import generations


@task_postrun.connect
def note_task(**_: Any) -> None:
    note_write()


# Otherwise a cache could be refilled from a replica that does not have the change yet.
generations.before_change.append(note_write)

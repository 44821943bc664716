"""The Celery application. Tasks are in each app's `tasks` module."""

import os
import time
import warnings
from typing import Any

from celery import Celery, Task
from celery.exceptions import CPendingDeprecationWarning
from celery.signals import (
    beat_init,
    before_task_publish,
    worker_init,
    worker_process_init,
    worker_process_shutdown,
    worker_shutdown,
)

from apps.core.request.request_ids import begin_request, current_request_id
from config import telemetry
from config.start import read_settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# Celery announces another default whenever the broker is lost, also to those who set the option.
warnings.filterwarnings("ignore", message=r"\s*In Celery 5\.1", category=CPendingDeprecationWarning)


class RequestTask(Task):  # type: ignore[type-arg]
    """A task that logs under the ID of the request that queued it."""

    def apply_async(self, *args: Any, **options: Any) -> Any:
        headers = {"request_id": current_request_id(), **(options.pop("headers", None) or {})}
        return super().apply_async(*args, headers=headers, **options)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        begin_request(getattr(self.request, "request_id", None))
        return super().__call__(*args, **kwargs)


app = Celery("slipway", task_cls=RequestTask)
# Celery reads settings on first use, and its error for an unreadable setting is a page of its own code.
app.on_configure.connect(read_settings)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
# By name, because the web process imports this module, too, and doesn't need a worker's modules.
app.steps["consumer"].add("config.supervisor.heartbeat:WorkerHeartbeat")


@before_task_publish.connect
def note_when_queued(headers: dict[str, Any], **_: object) -> None:
    """Write the time into the message, from which /metrics and doctor tell how long tasks wait."""
    headers["queued_at"] = time.time()


@beat_init.connect
def beat_at_once(**_: object) -> None:
    """Run the scheduler's own task at the start, because `doctor` and /readyz wait for it."""
    app.send_task("apps.core.tasks.record_beat")


@worker_init.connect
def prepare_telemetry(sender: Any, **_: object) -> None:
    """Patch libraries before tasks are loaded. A worker with threads also begins to send."""
    telemetry.prepare()
    # By name, because only workers need the module of this pool.
    if sender.pool_cls.__module__ == "celery.concurrency.prefork":
        telemetry.report_errors()
    else:
        telemetry.start(_name(sender.hostname))


@worker_process_init.connect
def start_telemetry(sender: str, **_: object) -> None:
    """Begin to send in a process that runs tasks."""
    telemetry.start(_name(sender))


@worker_process_shutdown.connect
@worker_shutdown.connect
def stop_telemetry(**_: object) -> None:
    telemetry.stop()


def _name(hostname: str) -> str:
    """Return `worker` for `worker@host`."""
    return hostname.partition("@")[0]

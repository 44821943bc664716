"""The Celery application. Tasks are in each app's `tasks` module."""

import os
from typing import Any

from celery import Celery, Task

from apps.core.request.request_ids import begin_request, current_request_id
from config.start import read_settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")


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
app.steps["consumer"].add("config.heartbeat:WorkerHeartbeat")

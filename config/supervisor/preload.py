"""What the programs of `manage.py up` need from the start, imported once by the process that forks them."""

from importlib import import_module

from config.celery import app
from config.rsgi import application

__all__ = ["application"]

# Granian's and Celery's command lines and what they import at start.
for name in (
    "granian.cli",
    "granian.server",
    "granian._loops",
    "celery.bin.celery",
    "celery.app.amqp",
    "celery.app.control",
    "celery.app.events",
    "celery.app.log",
    "celery.apps.worker",
    "celery.apps.beat",
    "celery.backends.base",
    "celery.concurrency.prefork",
    "celery.concurrency.thread",
    "celery.worker.autoscale",
    "celery.worker.components",
    "celery.worker.consumer",
    "celery.worker.loops",
    "celery.worker.pidbox",
    "kombu.transport.redis",
    "config.supervisor.heartbeat",
):
    import_module(name)
app.loader.import_default_modules()
app.finalize()

"""Configuration of the project: settings, addresses, processes."""

from config.celery import app as celery_app

__all__ = ["celery_app"]

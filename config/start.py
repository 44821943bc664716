"""The first step of every program: commands, web servers, workers, scheduler."""

import os
import sys

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured


def read_settings(**_: object) -> None:
    """Read the settings. An unreadable one ends the process with a one-line message."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        settings.INSTALLED_APPS  # noqa: B018 - reads them all
    except ImproperlyConfigured as error:
        sys.exit(f"Slipway doesn't start with these settings:\n  {error}")

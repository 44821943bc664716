"""The first step of every program: commands, web servers, workers, the scheduler."""

import os
import sys

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured


def read_settings(**_: object) -> None:
    """Read the settings, and end the process with one line where one can't be read; takes what signals send."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        settings.INSTALLED_APPS  # noqa: B018 - reads them all
    except ImproperlyConfigured as error:
        sys.exit(f"Slipway doesn't start with these settings:\n  {error}")

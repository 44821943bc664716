"""The first step of every program: commands, web servers, workers, scheduler.

usage: python -m config.start      (exits with 78 if Slipway doesn't start with these settings)
"""

import os
import sys
from importlib import import_module

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured


def read_settings(**_: object) -> None:
    """Read the settings. Unreadable and unsafe ones end the process with a line for each.

    The exit status is 78 (EX_CONFIG in sysexits.h). Supervisors can be told not to restart such a process.
    """
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        settings.INSTALLED_APPS  # noqa: B018 - reads them all
    except ImproperlyConfigured as error:
        sys.stderr.write(f"Slipway doesn't start with these settings:\n  {error}\n")
        sys.exit(os.EX_CONFIG)
    # Before the applications, which take long to load: a web server may take a worker that ends later for a crash.
    import_module("apps.core.operations.checks.production").refuse_unsafe_settings()


if __name__ == "__main__":
    read_settings()

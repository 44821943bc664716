#!/usr/bin/env python
"""Runs Slipway's management commands; `manage.py up` starts everything."""

import os
import sys
from pathlib import Path

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line

from config.local import data_dir_from


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    if sys.argv[1:2] == ["up"]:
        # Settings follow from these, and are read before the command line is.
        os.environ.setdefault("SLIPWAY_LOCAL", "1")
        if data_dir := data_dir_from(sys.argv[2:]):
            os.environ["SLIPWAY_DATA_DIR"] = str(Path(data_dir).resolve())
    try:
        settings.INSTALLED_APPS  # noqa: B018 - reads them all
    except ImproperlyConfigured as error:
        sys.exit(f"Slipway doesn't start with these settings:\n  {error}")
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()

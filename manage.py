#!/usr/bin/env python
"""Runs Slipway's management commands; `manage.py up` starts everything."""

import os
import sys
from importlib import import_module
from pathlib import Path

from django.core.management import execute_from_command_line

from config.local import data_dir_from
from config.start import read_settings


def main() -> None:
    if sys.argv[1:2] == ["up"]:
        # Settings follow from these, and are read before the command line is.
        os.environ.setdefault("SLIPWAY_LOCAL", "1")
        if data_dir := data_dir_from(sys.argv[2:]):
            os.environ["SLIPWAY_DATA_DIR"] = str(Path(data_dir).resolve())
        read_settings()
        # Only the processes that it starts load the applications, so they are not asked here.
        import_module("apps.core.checks.production").refuse_unsafe_settings()
        import_module("apps.core.management.commands.up").Command().run_from_argv(sys.argv)
        return
    read_settings()
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()

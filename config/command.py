"""The command line of Slipway: `manage.py` in a checkout, `slipway` where it is installed from a wheel."""

import os
import sys
from importlib import import_module
from pathlib import Path

from django.core.management import execute_from_command_line

from config.local import data_dir_from
from config.start import read_settings


def main() -> None:
    """Run what the command line says; `up` only reads the settings, and its processes load the applications."""
    if sys.argv[1:2] == ["up"]:
        # Settings follow from these, and are read before the command line is.
        os.environ.setdefault("SLIPWAY_LOCAL", "1")
        if data_dir := data_dir_from(sys.argv[2:]):
            os.environ["SLIPWAY_DATA_DIR"] = str(Path(data_dir).resolve())
        read_settings()
        import_module("apps.core.checks.production").refuse_unsafe_settings()
        import_module("apps.core.management.commands.up").Command().run_from_argv(sys.argv)
        return
    read_settings()
    execute_from_command_line(sys.argv)

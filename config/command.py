"""Slipway's command line: `manage.py` in a checkout, `slipway` when installed from a wheel."""

import os
import sys
from importlib import import_module
from pathlib import Path

from django.core.management import execute_from_command_line

from config.local import data_dir_from
from config.start import read_settings


def main() -> None:
    """Run a command. `up` only reads the settings, and its processes load the applications."""
    if sys.argv[1:2] == ["up"]:
        # Settings depend on these and are read before the command line is parsed.
        os.environ.setdefault("SLIPWAY_LOCAL", "1")
        if data_dir := data_dir_from(sys.argv[2:]):
            os.environ["SLIPWAY_DATA_DIR"] = str(Path(data_dir).resolve())
        read_settings()
        import_module("config.management.commands.up").Command().run_from_argv(sys.argv)
        return
    read_settings()
    execute_from_command_line(sys.argv)

"""Pytest plugin: what lets a process of tests start sooner. It comes first, before anything large is loaded.

Compiled modules stay for the next run where PYTHONDONTWRITEBYTECODE keeps them from the checkout: compiling a thousand
of them takes longer than running one test. The processes that tests start do the same.
"""

import gc
import os
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

# Until the tests are collected (tests/conftest.py). It went again and again through what is loaded, and found nothing.
gc.disable()

if sys.dont_write_bytecode:
    sys.dont_write_bytecode = False
    sys.pycache_prefix = str(Path(__file__).resolve().parents[1] / ".pytest_cache" / "bytecode")
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix

# It loads each of these that it finds, to seed them before each test. None of ours draws from them.
_SEEDED = ("factory", "faker", "numpy")
_absent: dict[str, Any] = dict.fromkeys(_SEEDED)
sys.modules.update(_absent)
import_module("pytest_randomly")
for _name in _SEEDED:
    del sys.modules[_name]

"""Pytest plugin: compiled modules stay for the next run where PYTHONDONTWRITEBYTECODE keeps them from the checkout.

Compiling a thousand modules anew takes longer than running one test. This comes first, before anything large is loaded.
"""

import sys
from pathlib import Path

if sys.dont_write_bytecode:
    sys.dont_write_bytecode = False
    sys.pycache_prefix = str(Path(__file__).resolve().parents[1] / ".pytest_cache" / "bytecode")

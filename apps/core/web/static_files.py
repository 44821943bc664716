"""Static files: named with a hash of their content, compressed, and cached by browsers for a year."""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import brotli
from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.management import call_command
from whitenoise.compress import Compressor
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.storage import CompressedManifestStaticFilesStorage

# From packages whose pages we don't show: half of all bytes.
_UNUSED = ["redoc", "rest_framework", "oauth2_provider"]
_STAMP = "sources.txt"
# Above this size, the best compression takes seconds and saves a tenth.
_MOST_BYTES_AT_BEST = 128 * 1024


class _Compressor(Compressor):
    """Best Brotli compression for files that every page loads, and faster for the bundles of the admin."""

    SKIP_COMPRESS_EXTENSIONS = (*Compressor.SKIP_COMPRESS_EXTENSIONS, "map")

    @staticmethod
    def compress_brotli(data: bytes) -> bytes:
        compressed: bytes = brotli.compress(data, quality=11 if len(data) <= _MOST_BYTES_AT_BEST else 9)
        return compressed


class HashedFilesStorage(CompressedManifestStaticFilesStorage):
    """Hashed names for collected files. Tests and single commands use plain names."""

    manifest_strict = False

    def stored_name(self, name: str) -> str:
        if self.hash_key(self.clean_name(name)) not in self.hashed_files:
            return name
        stored: str = super().stored_name(name)
        return stored

    def create_compressor(self, **options: Any) -> Compressor:
        return _Compressor(**options)


class StaticFilesMiddleware(WhiteNoiseMiddleware):
    """WhiteNoise, caching hashed names for one year instead of ten."""

    FOREVER = 365 * 24 * 60 * 60


def collect_if_changed() -> bool:
    """Collect static files into STATIC_ROOT unless this release's are there. Returns whether it did."""
    stamp, now = Path(settings.STATIC_ROOT) / _STAMP, _fingerprint()
    if stamp.is_file() and stamp.read_text() == now:
        return False
    # Copies may look newer than a reinstalled release. Hashed files stay, for pages that are still cached.
    for name, _ in _sources():
        Path(settings.STATIC_ROOT, name).unlink(missing_ok=True)
    call_command("collectstatic", interactive=False, ignore_patterns=_UNUSED, verbosity=0)
    stamp.write_text(now)
    return True


def _fingerprint() -> str:
    """Return a value that changes with the names, sizes and times of the files to collect."""
    facts = ((name, path.stat()) for name, path in _sources())
    lines = sorted(f"{name} {result.st_size} {result.st_mtime_ns}" for name, result in facts)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def _sources() -> Iterator[tuple[str, Path]]:
    """Yield the files to collect, with their names in STATIC_ROOT."""
    for finder in finders.get_finders():
        for name, storage in finder.list(_UNUSED):
            yield name, Path(storage.path(name))

"""System checks of the photo bucket, so that incomplete settings don't surface at the first upload."""

from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from typing import Any
from urllib.parse import urlsplit

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning, register  # noqa: A004 - Django's own name

_LOOPBACK = {"localhost", "127.0.0.1", "::1"}
_KEYS = ("S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY")


@register()
def check_bucket(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """Report bucket settings without a name, half a key pair, keys sent unencrypted, or a missing client library."""
    return list(_problems())


def _problems() -> Iterator[CheckMessage]:
    others = [name for name in ("S3_ENDPOINT_URL", "S3_REGION", *_KEYS) if getattr(settings, name)]
    if not settings.S3_BUCKET:
        if others:
            hint = f"Set S3_BUCKET. If only backups use a bucket, ignore this. Otherwise, unset {', '.join(others)}."
            yield Warning("S3_BUCKET isn't set, so uploads go to the data directory.", hint=hint, id="accounts.W001")
        return
    missing = [name for name in _KEYS if not getattr(settings, name)]
    if len(missing) == 1:
        hint = f"Set {missing[0]}, or unset {' and '.join(_KEYS)} to use the machine's own role."
        yield Error("The S3 key is incomplete.", hint=hint, id="accounts.E002")
    if find_spec("storages") is None or find_spec("boto3") is None:
        hint = "Install the extra s3 (docs/operations/running.md#extras)."
        yield Error("S3_BUCKET is set, but the package for it isn't installed.", hint=hint, id="accounts.E003")
    address = urlsplit(settings.S3_ENDPOINT_URL)
    if settings.S3_ENDPOINT_URL and not (
        address.hostname and (address.scheme == "https" or (address.scheme == "http" and address.hostname in _LOOPBACK))
    ):
        yield Error("S3_ENDPOINT_URL must begin with https: keys are sent there.", id="accounts.E004")

"""Where uploads are stored: in the data directory, or in an S3 bucket."""

from importlib.util import find_spec
from typing import Any

_SECONDS = 5


def storage(*, bucket: str, endpoint_url: str, region: str, access_key: str, secret_key: str) -> dict[str, Any]:
    """Return the default entry for STORAGES. All settings may be empty."""
    if not bucket:
        return {"BACKEND": "django.core.files.storage.FileSystemStorage"}
    options: dict[str, Any] = {
        "bucket_name": bucket,
        "endpoint_url": endpoint_url or None,
        "region_name": region or None,
        # The bucket stays private: the web process reads photos and lets browsers cache them.
        "default_acl": None,
        # Every photo has its own name, so nothing is checked before writing.
        "file_overwrite": True,
    }
    # Without keys, the machine's own role is used.
    if access_key:
        options |= {"access_key": access_key, "secret_key": secret_key}
    if find_spec("botocore"):
        options["client_config"] = _client(has_own_endpoint=bool(endpoint_url))
    return {"BACKEND": "storages.backends.s3.S3Storage", "OPTIONS": options}


def _client(*, has_own_endpoint: bool) -> Any:
    from botocore.config import Config  # comes with the extra s3 alone

    return Config(
        # An unreachable bucket must not block the web server's threads.
        connect_timeout=_SECONDS,
        read_timeout=_SECONDS,
        retries={"total_max_attempts": 2},
        signature_version="s3v4",
        # Amazon's buckets have their own host names and trailing checksums. Most other servers have neither.
        s3={"addressing_style": "path" if has_own_endpoint else "auto"},
        request_checksum_calculation="when_required",
        response_checksum_validation="when_required",
    )

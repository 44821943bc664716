"""Where uploads are kept: in the data directory, or in an S3 bucket when one is named."""

from importlib.util import find_spec
from typing import Any

_SECONDS = 5


def storage(*, bucket: str, endpoint_url: str, region: str, access_key: str, secret_key: str) -> dict[str, Any]:
    """The default storage, for STORAGES; all of it may be empty."""
    if not bucket:
        return {"BACKEND": "django.core.files.storage.FileSystemStorage"}
    options: dict[str, Any] = {
        "bucket_name": bucket,
        "endpoint_url": endpoint_url or None,
        "region_name": region or None,
        # The bucket stays closed to the world: the web process reads the photos, and tells browsers to keep them.
        "default_acl": None,
        # Every photo has a name of its own, so that there is nothing to ask before it is written.
        "file_overwrite": True,
    }
    # Without keys, those of the machine's own role are taken.
    if access_key:
        options |= {"access_key": access_key, "secret_key": secret_key}
    if find_spec("botocore"):
        options["client_config"] = _client(has_own_endpoint=bool(endpoint_url))
    return {"BACKEND": "storages.backends.s3.S3Storage", "OPTIONS": options}


def _client(*, has_own_endpoint: bool) -> Any:
    from botocore.config import Config  # comes with the extra s3 alone

    return Config(
        # A bucket that does not answer must not keep the threads of the web server.
        connect_timeout=_SECONDS,
        read_timeout=_SECONDS,
        retries={"total_max_attempts": 2},
        signature_version="s3v4",
        # Amazon's buckets have host names of their own and checksums behind the body, most other servers' have not.
        s3={"addressing_style": "path" if has_own_endpoint else "auto"},
        request_checksum_calculation="when_required",
        response_checksum_validation="when_required",
    )

"""Idempotency-Key: run an operation once, and repeat its response to retries.

The record and everything the operation builds are one transaction: a crash or a refusal leaves neither.
"""

import hashlib
import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import orjson
from django.db import OperationalError, connection, transaction
from django.utils import timezone
from psycopg import errors as pg
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from apps.core import encryption
from apps.core.api.renderers import OrjsonRenderer
from apps.core.errors import Conflict, Malformed, Unprocessable
from apps.core.models import IdempotencyRecord

LIFETIME = timedelta(hours=24)
WAIT_FOR_FIRST = "2s"
REPLAYED = "Idempotency-Replayed"
_PURPOSE = "slipway kept responses"
_KEY = re.compile(r"[\x21-\x7e]{1,255}")


class KeyReused(Unprocessable):
    code = "idempotency_key_reused"
    title = "Idempotency-Key already used"


class KeyInUse(Conflict):
    code = "idempotency_key_in_use"
    title = "Request still in progress"


def run_once(
    name: str,
    request: Request,
    run: Callable[[], Response],
    *,
    settle: Callable[[Response], Response] | None = None,
    is_secret: bool = False,
) -> Response:
    """Run the operation, or return its earlier response for the same key.

    Without the header it just runs. `settle` may update the response after the commit. Until then, retries get the
    earlier one. With `is_secret`, the response is kept encrypted. Raises Malformed (400) for a bad key, KeyReused (422)
    for a key of another request, KeyInUse (409) when the first request takes longer than two seconds.
    """
    raw = request.headers.get("Idempotency-Key")
    if raw is None:
        response = run()
        return settle(response) if settle else response
    key = _read_key(raw)
    account_id = request.user.pk
    if account_id is None:
        raise NotAuthenticated
    fingerprint = _fingerprint(name, request)
    record = IdempotencyRecord.objects.filter(account_id=account_id, key=key, fingerprint=fingerprint)
    with transaction.atomic():
        if not _reserve(account_id, key, fingerprint):
            return _replay(account_id, key, fingerprint, is_secret=is_secret)
        response = run()
        record.update(**_kept(response, is_secret=is_secret))
    if settle:
        response = settle(response)
        record.update(**_kept(response, is_secret=is_secret))
    return response


def delete_expired() -> int:
    """Remove records older than 24 hours, and return how many."""
    count, _ = IdempotencyRecord.objects.filter(created_at__lt=timezone.now() - LIFETIME).delete()
    return count


def _kept(response: Response, *, is_secret: bool) -> dict[str, Any]:
    body = OrjsonRenderer().render(response.data).decode()
    return {
        "status": response.status_code,
        "body": encryption.encrypt(body, purpose=_PURPOSE) if is_secret else body,
    }


def _read_key(raw: str) -> str:
    key = raw.strip()
    if len(key) >= 2 and key[0] == key[-1] == '"':
        key = key[1:-1]
    if not _KEY.fullmatch(key):
        raise Malformed(
            "Use 1 to 255 visible ASCII characters as the Idempotency-Key.", code="idempotency_key_malformed"
        )
    return key


def _fingerprint(name: str, request: Request) -> str:
    body = orjson.dumps(request.data, option=orjson.OPT_SORT_KEYS)
    return hashlib.sha256(b"\n".join([name.encode(), request.build_absolute_uri().encode(), body])).hexdigest()


def _reserve(account_id: int, key: str, fingerprint: str) -> bool:
    """Insert the record. A second request waits here until the first one's transaction ends."""
    table = connection.ops.quote_name("core_idempotencyrecord")
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('lock_timeout', %s, true)", [WAIT_FOR_FIRST])
        try:
            cursor.execute(
                f"INSERT INTO {table} (account_id, key, fingerprint, created_at) VALUES (%s, %s, %s, now())"  # noqa: S608 - the table's own name
                " ON CONFLICT (account_id, key) DO UPDATE"
                " SET fingerprint = excluded.fingerprint, status = NULL, body = NULL, created_at = now()"
                f" WHERE {table}.created_at < now() - %s::interval",
                [account_id, key, fingerprint, f"{LIFETIME.total_seconds()} seconds"],
            )
        except OperationalError as error:
            if isinstance(error.__cause__, pg.LockNotAvailable):
                raise KeyInUse(
                    (
                        "The first request with this Idempotency-Key is still running. Send the same "
                        "request again in a moment."
                    ),
                    retry_after=2,
                ) from None
            raise
        is_reserved: bool = cursor.rowcount == 1
        cursor.execute("SELECT set_config('lock_timeout', '0', true)")
    return is_reserved


def _replay(account_id: int, key: str, fingerprint: str, *, is_secret: bool) -> Response:
    record = IdempotencyRecord.objects.get(account_id=account_id, key=key)
    if record.fingerprint != fingerprint:
        raise KeyReused("This Idempotency-Key was used for a different request. Use a new key.")
    body = record.body or "null"
    try:
        body = encryption.decrypt(body, purpose=_PURPOSE) if is_secret else body
    except encryption.UnreadableSecret:
        raise KeyReused("The response to this Idempotency-Key can't be read anymore. Use a new key.") from None
    return Response(orjson.loads(body), status=record.status, headers={REPLAYED: "true"})

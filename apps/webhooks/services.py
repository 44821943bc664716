"""Create, change, test and delete endpoints, and send events again."""

from collections.abc import Iterable
from datetime import timedelta
from math import ceil
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from apps.accounts.models import User
from apps.core.api.serializers import clean_text
from apps.core.delay_on_commit import delay_on_commit
from apps.core.errors import Conflict, TooManyRequests, Unprocessable, unknown_id
from apps.core.fetch import FetchError, FetchFailure, allowed_private_hosts, normalise_address
from apps.events.log import check_position
from apps.events.models import Event
from apps.events.recording import record
from apps.events.types import GROUPS, TYPES
from apps.webhooks.delivery import queueing
from apps.webhooks.delivery.formats import TEST_TYPE, body_of, event_of
from apps.webhooks.delivery.signing import NewSecret, new_secret
from apps.webhooks.models import MAX_NAME_LENGTH, Attempt, Cursor, Delivery, Endpoint

MAX_ENDPOINTS = 10
ROTATION_OVERLAP = timedelta(hours=24)
MAX_OLD_SECRETS = 3
MAX_TESTS_PER_MINUTE = 5
MAX_RANGE = 1000
_RECORDED_FIELDS = ("name", "url", "types", "format")


class TooManyOldSecrets(Conflict):
    """409: as many old secrets as are kept still sign."""

    code = "too_many_old_secrets"


class TooManyEndpoints(Conflict):
    """409: the account has reached its limit of endpoints."""

    code = "too_many_endpoints"


def create_webhook_endpoint(
    *,
    account: User,
    url: str,
    types: Iterable[str] = (),
    format_: str = Endpoint.Format.STANDARD,
    signature: str = Endpoint.Signature.V1,
    name: str = "",
) -> tuple[Endpoint, str]:
    """Create an endpoint that gets the account's events from now on.

    Returns it and its secret, which is shown once. With v1a there is no shared secret, and it is empty. Raises
    Unprocessable (422) for a wrong URL, type or name, and TooManyEndpoints (409).
    """
    endpoint = Endpoint(account=account, format=format_, signature=signature)
    _set(endpoint, url=url, types=types, name=name)
    with transaction.atomic():
        User.objects.lock(account.pk)
        if Endpoint.objects.visible_to(account).count() >= MAX_ENDPOINTS:
            raise TooManyEndpoints(f"You have {MAX_ENDPOINTS} endpoints, the maximum. Delete one you no longer need.")
        return endpoint, start_endpoint(endpoint)


def start_endpoint(endpoint: Endpoint) -> str:
    """Save a new endpoint with a secret, from the next event on. Returns the secret to show once."""
    secret = new_secret(endpoint.signature)
    _use(endpoint, secret)
    with transaction.atomic():
        endpoint.save()
        queueing.start_now(endpoint)
        _record("created", endpoint)
    return secret.shown_once


def update_webhook_endpoint(
    *,
    endpoint: Endpoint,
    url: str | None = None,
    types: Iterable[str] | None = None,
    format_: str | None = None,
    name: str | None = None,
    is_active: bool | None = None,
) -> Endpoint:
    """Change an endpoint. None keeps a value. Raises Unprocessable (422) for a wrong URL, type or name.

    Turned on again, it gets what it missed.
    """
    with transaction.atomic():
        locked = _lock(endpoint)
        before = {field: getattr(locked, field) for field in _RECORDED_FIELDS}
        _set(locked, url=url, types=types, name=name)
        locked.format = format_ or locked.format
        changed = [field for field, value in before.items() if getattr(locked, field) != value]
        if changed:
            _record("changed", locked, fields=changed)
        if is_active is not None and is_active != locked.is_active:
            locked.status = Endpoint.Status.ACTIVE if is_active else Endpoint.Status.PAUSED
            locked.failures, locked.failing_since, locked.waits_until, locked.warned_at = 0, None, None, None
            _record("resumed" if is_active else "paused", locked)
        locked.save()
    return locked


@transaction.atomic
def rotate_webhook_secret(*, endpoint: Endpoint) -> tuple[Endpoint, str]:
    """Give an endpoint a new secret. The old one signs, too, for 24 hours. Returns the secret to show once.

    Raises TooManyOldSecrets (409) until one of the old secrets ends.
    """
    locked, now = _lock(endpoint), timezone.now()
    old = locked.valid_old_secrets(now)
    if len(old) >= MAX_OLD_SECRETS:
        ends = old[-1][1]
        raise TooManyOldSecrets(
            f"{MAX_OLD_SECRETS} old secrets are still valid. Rotate again after {ends:%b %-d, %Y, %H:%M} UTC.",
            retry_after=ceil((ends - now).total_seconds()),
        )
    locked.older_secrets = [(secret, until.isoformat()) for secret, until in old]
    locked.old_secret, locked.old_secret_until = locked.secret, now + ROTATION_OVERLAP
    secret = new_secret(locked.signature)
    _use(locked, secret)
    locked.save()
    _record("secret_rotated", locked)
    return locked, secret.shown_once


def clear_old_secrets() -> int:
    """Delete old secrets that no longer sign. Returns how many."""
    old = Endpoint.objects.filter(old_secret_until__lte=timezone.now())
    return old.update(old_secret="", old_secret_until=None, older_secrets=[])


@transaction.atomic
def delete_webhook_endpoint(*, endpoint: Endpoint) -> None:
    """Delete an endpoint with its log of deliveries."""
    _record("deleted", _lock(endpoint))
    _delete(endpoint)


def delete_account_endpoints(*, account: User) -> None:
    """Delete an account's endpoints before its other data, one by one, because each can have a long log."""
    for endpoint in list_webhook_endpoints(account=account):
        with transaction.atomic():
            _delete(_lock(endpoint))


@transaction.atomic
def send_webhook_test(*, endpoint: Endpoint) -> Delivery:
    """Queue a test, which is sent once, also to a paused endpoint. Raises TooManyRequests (429)."""
    _lock(endpoint)
    since = timezone.now() - timedelta(minutes=1)
    if Delivery.objects.filter(endpoint=endpoint, created_at__gt=since, test_id__isnull=False).count() >= (
        MAX_TESTS_PER_MINUTE
    ):
        raise TooManyRequests("Wait a minute before the next test.", retry_after=60)
    test_id = uuid4()
    delivery: Delivery = Delivery.objects.create(
        endpoint=endpoint, test_id=test_id, type=TEST_TYPE, object_key=f"test:{test_id.hex}"
    )
    _send_soon()
    return delivery


@transaction.atomic
def redeliver_webhook(*, delivery: Delivery) -> None:
    """Send a delivery again, under the same id. Raises Unprocessable (422) for a test."""
    if not queueing.queue_again([delivery.pk], endpoint=delivery.endpoint):
        raise Unprocessable("A test can't be sent again. Send a new one.", code="is_test")
    _send_soon()


@transaction.atomic
def redeliver_events(*, endpoint: Endpoint, after: int, until: int | None = None) -> None:
    """Send an account's events after a `seq` again: all of them, or those up to `until`, under the same ids.

    Raises Unprocessable (422) for a position after the last event, and for a range without events or with too many.
    """
    locked = _lock(endpoint)
    if locked.account:
        check_position(after, locked.account)
    if until is not None and until <= after:
        raise Unprocessable("Send an `until` above `after`.", pointer="/until", code="empty_range")
    if until is None:
        queueing.rewind(locked, seq=after)
    else:
        result = Event.objects.filter(account=locked.account_id, seq__gt=after, seq__lte=until).order_by("seq")
        events = list(result[: MAX_RANGE + 1])
        if len(events) > MAX_RANGE:
            raise Unprocessable(
                f"A range has at most {MAX_RANGE} events. Leave out `until` to send everything since `after`.",
                pointer="/until",
                code="range_too_large",
            )
        queueing.add_deliveries(locked, events)
    _send_soon()


def list_webhook_endpoints(*, account: User) -> QuerySet[Endpoint]:
    """Return an account's endpoints, oldest first."""
    result: QuerySet[Endpoint] = Endpoint.objects.visible_to(account)
    return result


def get_webhook_endpoint(*, account: User, endpoint_id: int) -> Endpoint:
    """Return one of the account's endpoints. Raises NotFound (404) for any other."""
    result: Endpoint | None = Endpoint.objects.visible_to(account).filter(pk=endpoint_id).first()
    if result is None:
        raise unknown_id("list_webhook_endpoints", "You have no webhook endpoint with this id.")
    return result


def get_webhook_delivery(*, endpoint: Endpoint, delivery_id: int) -> Delivery:
    """Return one of an endpoint's deliveries. Raises NotFound (404) for any other."""
    rows = Delivery.objects.filter(endpoint=endpoint, pk=delivery_id)
    result: Delivery | None = rows.select_related("endpoint", "event__site").first()
    if result is None:
        raise unknown_id("list_webhook_deliveries", "This endpoint has no delivery with this id.")
    return result


def list_webhook_deliveries(*, endpoint: Endpoint, status: str = "") -> QuerySet[Delivery]:
    """Return an endpoint's deliveries, newest first, all or those with one status."""
    result: QuerySet[Delivery] = Delivery.objects.filter(endpoint=endpoint).select_related("endpoint", "event")
    return result.filter(status=status) if status else result


def sent_body(delivery: Delivery) -> str:
    """Return what is sent, or an empty text if the event was deleted."""
    event = event_of(delivery, delivery.endpoint)
    return body_of(event, delivery.endpoint).decode() if event else ""


def clean_url(url: str) -> str:
    """Return the checked URL of an endpoint. Raises Unprocessable (422)."""
    try:
        address = normalise_address(url)
    except FetchError as error:
        is_private = error.code == FetchFailure.PRIVATE_ADDRESS
        detail = "This host is private. Use a public one." if is_private else "Use a public https URL without a login."
        raise Unprocessable(detail, pointer="/url", code=str(error.code)) from None
    parts = urlsplit(address)
    if parts.scheme != "https" and parts.netloc not in allowed_private_hosts():
        raise Unprocessable("Use an https URL.", pointer="/url", code="not_https")
    return address


def clean_types(types: Iterable[str]) -> list[str]:
    """Return types and groups, each once. Raises Unprocessable (422) for an unknown one."""
    result = list(dict.fromkeys(types))
    for index, name in enumerate(result):
        if name not in TYPES and name not in GROUPS:
            raise Unprocessable(
                f"Unknown type {name[:40]}. See the list of types in the reference.",
                pointer=f"/types/{index}",
                code="unknown_type",
            )
    return result


def _set(
    endpoint: Endpoint, *, url: str | None = None, types: Iterable[str] | None = None, name: str | None = None
) -> None:
    if url is not None:
        endpoint.url = clean_url(url)
    if types is not None:
        endpoint.types = clean_types(types)
    if name is not None:
        endpoint.name = clean_text(name)
        if len(endpoint.name) > MAX_NAME_LENGTH:
            detail = f"Use a name of at most {MAX_NAME_LENGTH} characters."
            raise Unprocessable(detail, pointer="/name", code="max_length")


def _record(action: str, endpoint: Endpoint, **data: Any) -> None:
    record(f"webhook_endpoint.{action}", endpoint.event_subject(), **data)


def _use(endpoint: Endpoint, secret: NewSecret) -> None:
    endpoint.secret, endpoint.public_key = secret.encrypted, secret.public_key


def _lock(endpoint: Endpoint) -> Endpoint:
    result: Endpoint = Endpoint.objects.select_for_update(no_key=True).get(pk=endpoint.pk)
    return result


def _delete(endpoint: Endpoint) -> None:
    # Without reading the rows, of which there can be many.
    deliveries = Delivery.objects.filter(endpoint=endpoint)
    for rows in (Attempt.objects.filter(delivery__in=deliveries), deliveries, Cursor.objects.filter(endpoint=endpoint)):
        rows._raw_delete(rows.db)  # noqa: SLF001 - Django has no public way
    endpoint.delete()


def _send_soon() -> None:
    delay_on_commit("apps.webhooks.tasks.send_webhooks")

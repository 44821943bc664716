"""Signatures and bodies, against the examples of the specification and the samples of our own page."""

import base64
import json
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from apps.core import encryption
from apps.events.api import EventSerializer
from apps.events.models import Event
from apps.events.types import TYPES
from apps.sites.models import Site
from apps.webhooks import reference
from apps.webhooks.delivery.formats import body_of
from apps.webhooks.delivery.signing import new_secret, signed_headers
from apps.webhooks.models import Endpoint
from apps.webhooks.samples import verify, verify_v1a
from tests.factories import ListingFactory
from tests.node import run_node

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
BODY = b'{"test": 2432232314}'
SAMPLES = Path(reference.__file__).parent / "samples"


def endpoint_with(secret: str, **more: str) -> Endpoint:
    return Endpoint(secret=encryption.encrypt(secret, purpose="slipway webhook secrets"), **more)


def test_the_example_of_the_specification_is_signed_as_there() -> None:
    now = datetime.fromtimestamp(1614265330, UTC)
    headers = signed_headers(endpoint_with(SECRET), id_="msg_p5jXN8AQM9LWM0D4loKWxJek", body=BODY, now=now)

    assert headers["webhook-signature"] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    assert headers["webhook-timestamp"] == "1614265330"


def test_a_secret_has_its_prefix_and_256_bits() -> None:
    made = new_secret("v1")

    assert len(base64.b64decode(made.shown_once.removeprefix("whsec_"))) == 32
    assert made.shown_once not in made.encrypted + repr(made)
    assert encryption.decrypt(made.encrypted, purpose="slipway webhook secrets") == made.shown_once
    with pytest.raises(encryption.UnreadableSecret):
        encryption.decrypt(made.encrypted, purpose="slipway second factors")


def test_a_public_key_verifies() -> None:
    made = new_secret("v1a")
    headers = signed_headers(Endpoint(secret=made.encrypted), id_="evt_1", body=BODY, now=datetime.now(UTC))
    version, _, signature = headers["webhook-signature"].partition(",")
    key = Ed25519PublicKey.from_public_bytes(base64.b64decode(made.public_key.removeprefix("whpk_")))
    message = f"evt_1.{headers['webhook-timestamp']}.".encode() + BODY

    assert version == "v1a"
    key.verify(base64.b64decode(signature), message)
    with pytest.raises(InvalidSignature):
        key.verify(base64.b64decode(signature), message + b" ")


Kind = tuple[str, str, dict[str, str]]
IsValid = Callable[[bytes, Mapping[str, str], str], bool]


def signed_by(version: str, *, at: datetime | None = None) -> Kind:
    """What a sample needs: its name, the secret or public key, and the headers of a request."""
    made = new_secret(version)
    headers = signed_headers(Endpoint(secret=made.encrypted), id_="evt_1", body=BODY, now=at or datetime.now(UTC))
    return ("verify" if version == "v1" else "verify_v1a"), made.shown_once or made.public_key, headers


def refused(headers: dict[str, str], key: str, *, other_key: str) -> list[tuple[str, dict[str, str], str]]:
    """Requests of strangers: body, headers and key."""
    version = headers["webhook-signature"].partition(",")[0]
    changes = [{"webhook-id": "evt_2"}, {"webhook-signature": f"{version},é"}, {"webhook-signature": f"{version},AAAA"}]
    changes += [{"webhook-signature": version}]
    changes += [{"webhook-timestamp": value} for value in ("soon", "-1", "1" * 5000, "nan", "")]
    missing = [{name: value for name, value in headers.items() if name != left_out} for left_out in headers]
    bodies = [(f"{BODY.decode()} ", headers, key), (BODY.decode(), headers, other_key)]
    return [
        *bodies,
        *((BODY.decode(), each, key) for each in [*(headers | change for change in changes), *missing, {}]),
    ]


@pytest.mark.parametrize(("version", "is_valid"), [("v1", verify.is_valid), ("v1a", verify_v1a.is_valid)])
def test_the_python_samples_accept_ours_and_refuse_others(version: str, is_valid: IsValid) -> None:
    _, key, headers = signed_by(version)
    _, old_key, old = signed_by(version, at=datetime.fromtimestamp(time.time() - 301, UTC))

    assert is_valid(BODY, headers, key)
    rotated = f"{old['webhook-signature']} {headers['webhook-signature']}"
    assert is_valid(BODY, headers | {"webhook-signature": rotated}, key)
    assert not is_valid(BODY, old, old_key)
    for body, wrong, used in refused(headers, key, other_key=old_key):
        assert not is_valid(body.encode(), wrong, used), wrong


@pytest.mark.interop
@pytest.mark.parametrize("version", ["v1", "v1a"])
def test_the_typescript_samples_accept_ours_and_refuse_others(version: str, tmp_path: Path) -> None:
    name, key, headers = signed_by(version)
    _, other_key, _ = signed_by(version)
    cases = [(BODY.decode(), headers, key), *refused(headers, key, other_key=other_key)]
    sample = tmp_path / "verify.ts"
    sample.write_text((SAMPLES / f"{name}.ts").read_text())
    script = tmp_path / "check.mjs"
    calls = json.dumps(cases)
    script.write_text(
        f'import {{ isValid }} from "./verify.ts";\n'
        f"console.log(JSON.stringify({calls}.map((each) => isValid(...each))));\n"
    )
    answers = json.loads(run_node("--no-warnings", str(script)))
    assert answers == [True, *[False] * (len(cases) - 1)]


def an_event(**data: object) -> Event:
    return Event(
        seq=3,
        type="order.paid",
        site=Site(key="main"),
        via="key",
        credential="Deploy",
        object_type="order",
        object_id="SL-1",
        data=data,
    )


def test_slack_and_discord_get_messages_that_mention_nobody() -> None:
    event = an_event(title="<!channel> & @everyone", empty=None)
    slack, discord = (json.loads(body_of(event, Endpoint(format=format_))) for format_ in ("slack", "discord"))

    assert slack.keys() == {"text"}
    assert "&lt;!channel&gt; &amp; @everyone" in slack["text"]
    assert "SL-1" in slack["text"]
    assert "empty" not in slack["text"]
    assert discord["allowed_mentions"] == {"parse": []}
    text, url = discord["content"].split("\n")
    assert text.endswith(": order SL-1, “<!channel> & @everyone”.")
    assert url.endswith("/orders/SL-1")
    long = body_of(an_event(**{str(n): "x" * 500 for n in range(20)}), Endpoint(format="discord"))
    assert len(json.loads(long)["content"]) <= 2000


MESSAGES: list[tuple[str, dict[str, Any], str]] = [
    (
        "order.paid",
        {"total_cents": 11781, "currency": "usd", "previous_status": "pending"},
        "An order was paid: order SL-1, $117.81.",
    ),
    ("order_line.fulfilled", {"order": "SL-1", "product": "category_feature"}, ": order SL-1, category feature."),
    (
        "webhook_endpoint.created",
        {"host": "hooks.example"},
        "created: hooks.example. It is the",
    ),
]


@pytest.mark.parametrize(("type_", "data", "text"), MESSAGES)
def test_a_message_is_a_sentence_with_facts_as_on_pages(type_: str, data: dict[str, Any], text: str) -> None:
    event = an_event(**data)
    event.type, event.object_type = type_, type_.partition(".")[0]
    assert text in json.loads(body_of(event, Endpoint(format="discord")))["content"]


@pytest.mark.django_db
def test_a_message_about_a_listing_has_its_name_and_page() -> None:
    listing = ListingFactory.create(live=True, company__name="Orbitly")
    event = an_event(slug=listing.slug, plan="free", launch_week="2026-W48", previous_status=None)
    event.type, event.object_type, event.object_id = "listing.live", "listing", str(listing.pk)
    text = json.loads(body_of(event, Endpoint(format="discord")))["content"]
    assert text == f"A listing is public: Orbitly, plan free, Week 48, 2026.\n{listing.page_url}"


def test_the_body_is_the_event_of_the_api() -> None:
    event = an_event(total_cents=3)

    assert json.loads(body_of(event, Endpoint())) == EventSerializer(event).data


@pytest.mark.parametrize("name", TYPES)
def test_every_type_has_an_example_with_its_data(name: str) -> None:
    shown = json.loads(reference.example_of(TYPES[name], site=Site(key="main")))

    assert shown["type"] == name
    assert shown["data"].keys() == TYPES[name].data.keys()
    assert shown.keys() == {"seq", "id", "type", "at", "site", "actor", "object", "data"}

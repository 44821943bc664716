"""Signatures and bodies, against the examples of the specification and the samples of our own page."""

import base64
import json
import time
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
from apps.webhooks.samples.verify import is_valid
from tests.factories import ListingFactory
from tests.node import run_node

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
BODY = b'{"test": 2432232314}'
SAMPLE = Path(reference.__file__).parent / "samples/verify.ts"


def endpoint_with(secret: str, **more: str) -> Endpoint:
    return Endpoint(secret=encryption.encrypt(secret, purpose="slipway webhook secrets"), **more)


def headers_now(body: bytes = BODY) -> dict[str, str]:
    return signed_headers(endpoint_with(SECRET), id_="evt_1", body=body, now=datetime.now(UTC))


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


def test_the_python_sample_accepts_ours_and_refuses_others() -> None:
    headers = headers_now()
    old = signed_headers(
        endpoint_with(SECRET), id_="evt_1", body=BODY, now=datetime.fromtimestamp(time.time() - 301, UTC)
    )

    assert is_valid(BODY, headers, SECRET)
    assert is_valid(BODY, headers | {"webhook-signature": f"v1,AAAA {headers['webhook-signature']}"}, SECRET)
    assert not is_valid(BODY + b" ", headers, SECRET)
    assert not is_valid(BODY, headers, "whsec_AAAA")
    assert not is_valid(BODY, headers | {"webhook-id": "evt_2"}, SECRET)
    assert not is_valid(BODY, headers | {"webhook-signature": "v1,é"}, SECRET)
    assert not is_valid(BODY, old, SECRET)


@pytest.mark.interop
def test_the_typescript_sample_accepts_ours_and_refuses_others(tmp_path: Path) -> None:
    headers = headers_now()
    cases = [
        (BODY.decode(), headers, SECRET),
        (BODY.decode() + " ", headers, SECRET),
        (BODY.decode(), headers, "whsec_AAAA"),
        (BODY.decode(), headers | {"webhook-signature": "v1,AAAA"}, SECRET),
        (BODY.decode(), headers | {"webhook-timestamp": "1"}, SECRET),
        (BODY.decode(), headers | {"webhook-timestamp": "soon"}, SECRET),
    ]
    sample = tmp_path / "verify.ts"
    sample.write_text(SAMPLE.read_text())
    script = tmp_path / "check.mjs"
    calls = json.dumps(cases)
    script.write_text(
        f'import {{ isValid }} from "./verify.ts";\n'
        f"console.log(JSON.stringify({calls}.map((each) => isValid(...each))));\n"
    )
    assert json.loads(run_node("--no-warnings", str(script))) == [True, False, False, False, False, False]


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
    assert text == "An order was paid: order SL-1, “<!channel> & @everyone”."
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

"""post_listing_update as a tool: it posts once, and refuses as REST does."""

from typing import Any

import orjson
import pytest

from apps.listings.models import Update
from apps.mcp.registry import KEY_ARGUMENT
from tests.mcp.clients import VERSIONS, call_message, post
from tests.mcp.conftest import World
from tests.mcp.test_transport import of_version

pytestmark = pytest.mark.django_db


def call(base_url: str, version: str, key: str, **arguments: Any) -> dict[str, Any]:
    message, headers = of_version(call_message("post_listing_update", arguments), version)
    result: dict[str, Any] = post(base_url, message, **headers, authorization=f"Bearer {key}").json()["result"]
    return result


@pytest.mark.parametrize("version", VERSIONS)
def test_an_assistant_posts_once(version: str, base_url: str, world: World) -> None:
    arguments = {
        "listing_id": world.listing.pk,
        "title": f"Version {version}",
        "body": "Faster.\n\n<b>Much</b> faster.",
        KEY_ARGUMENT: f"posted-{version}",
    }
    first, again = (call(base_url, version, world.key, **arguments) for _ in range(2))
    assert not first.get("isError")
    posted = first["structuredContent"]
    assert again["structuredContent"] == posted
    rows = world.committed(lambda: list(Update.objects.filter(title=f"Version {version}").values("id", "body")))
    assert rows == [{"id": posted["id"], "body": "Faster.\n\n<b>Much</b> faster."}]

    before = world.committed(Update.objects.count)
    arguments = {"listing_id": world.listing.pk, "title": "t", "body": "b"}
    message, headers = of_version(call_message("post_listing_update", arguments), version)
    response = post(base_url, message, **headers, authorization=f"Bearer {world.reading_key}")
    assert response.status_code == 403
    problem = orjson.loads(response.json()["error"]["data"]["content"][0]["text"])
    assert problem["code"] == "insufficient_scope"
    assert world.committed(Update.objects.count) == before

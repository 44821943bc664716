"""The tools that change listings and drafts: an assistant edits, and is named in the history."""

from collections.abc import Iterator
from typing import Any

import orjson
import pytest

from apps.drafts.models import Draft
from apps.listings.models import Listing, ListingVersion, Milestone
from apps.mcp.registry import KEY_ARGUMENT
from tests.drafts.factories import DraftFactory
from tests.mcp.clients import VERSIONS, call_message, post
from tests.mcp.conftest import World
from tests.mcp.test_transport import of_version

pytestmark = pytest.mark.django_db


@pytest.fixture
def draft(world: World) -> Iterator[Draft]:
    made: Draft = world.committed(
        lambda: DraftFactory.create(owner=world.owner, url="https://tools.example/", ready=True)
    )
    yield made
    world.committed(lambda: Draft.objects.filter(pk=made.pk).delete())


def call(base_url: str, version: str, tool: str, world: World, **arguments: Any) -> dict[str, Any]:
    message, headers = of_version(call_message(tool, arguments), version)
    result: dict[str, Any] = post(base_url, message, **headers, authorization=f"Bearer {world.key}").json()["result"]
    return result


@pytest.mark.parametrize("version", VERSIONS)
def test_an_assistant_edits_a_listing(version: str, base_url: str, world: World) -> None:
    arguments = {
        "listing_id": world.listing.pk,
        "fields": {"headline": f"By {version}"},
        "socials": {"x": f"https://x.com/v_{version.replace('-', '_')}"},
        "apply_to": ["nowhere"],
        KEY_ARGUMENT: f"edit-{version}",
    }
    first, again = (call(base_url, version, "update_my_listing", world, **arguments) for _ in range(2))
    body = first["structuredContent"]
    assert again["structuredContent"] == body
    assert (body["headline"], body["changed"]) == (f"By {version}", ["socials", "headline"])
    assert body["applied"][0]["site"] == "nowhere"
    shown = call(base_url, version, "get_my_listing", world, listing_id=world.listing.pk, include="versions")
    newest = shown["structuredContent"]["versions"][0]
    assert (newest["via"], newest["credential"]) == ("assistant", "test key")
    stored = world.committed(lambda: Listing.objects.get(pk=world.listing.pk).headline)
    assert stored == f"By {version}"


@pytest.mark.parametrize("version", VERSIONS)
def test_a_bad_field_is_named_as_rest_names_it(version: str, base_url: str, world: World) -> None:
    before = world.committed(ListingVersion.objects.count)
    arguments = {"listing_id": world.listing.pk, "fields": {"headlin": "a", "logo_url": "http://a.example/"}}
    result = call(base_url, version, "update_my_listing", world, **arguments)
    assert result["isError"]
    problem = orjson.loads(result["content"][0]["text"])
    assert (problem["status"], problem["errors"][0]["pointer"]) == (422, "/fields/headlin")
    assert "Did you mean headline?" in problem["errors"][0]["detail"]
    assert world.committed(ListingVersion.objects.count) == before


@pytest.mark.parametrize("version", VERSIONS)
def test_a_milestone_comes_and_goes(version: str, base_url: str, world: World) -> None:
    own = {"listing_id": world.listing.pk}
    added = call(base_url, version, "add_milestone", world, **own, date="2024-02-29", title=version)
    milestone_id = added["structuredContent"]["id"]
    assert world.committed(lambda: Milestone.objects.get(pk=milestone_id).title) == version
    again = own | {"milestone_id": milestone_id, KEY_ARGUMENT: f"gone-{version}"}
    for _ in range(2):
        gone = call(base_url, version, "delete_milestone", world, **again)
        assert not gone.get("isError")
        assert gone["content"][0]["text"] == "Done."
    assert not world.committed(Milestone.objects.filter(pk=milestone_id).exists)


@pytest.mark.parametrize("version", VERSIONS)
def test_an_assistant_edits_a_draft(version: str, base_url: str, world: World, draft: Draft) -> None:
    result = call(base_url, version, "update_draft", world, id=draft.pk, fields={"name": version})
    body = result["structuredContent"]
    assert (body["proposal"]["name"], body["edited"]) == (version, ["name"])
    shown = call(base_url, version, "get_draft", world, id=draft.pk, include="evidence")["structuredContent"]
    assert shown["evidence"][0]["is_current"] is False
    assert world.committed(lambda: Draft.objects.get(pk=draft.pk).edited) == ["name"]

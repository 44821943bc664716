"""set_founder_story as a tool: an assistant writes section by section, and learns what is missing as by REST."""

from collections.abc import Iterator
from typing import Any

import orjson
import pytest

from apps.accounts.models import FounderProfile
from apps.mcp.registry import KEY_ARGUMENT
from apps.stories.models import FounderStory, StoryVersion
from tests.factories import complete_profile
from tests.mcp.clients import VERSIONS, call_message, post
from tests.mcp.conftest import World
from tests.mcp.test_transport import of_version
from tests.stories.writing import enough, words

pytestmark = pytest.mark.django_db


@pytest.fixture
def with_profile(world: World) -> Iterator[None]:
    """The owner's profile is complete; it and the story are gone afterwards."""
    world.committed(lambda: complete_profile(world.owner))
    yield
    world.committed(FounderStory.objects.all().delete)
    world.committed(FounderProfile.objects.all().delete)


def call(base_url: str, version: str, world: World, **arguments: Any) -> dict[str, Any]:
    message, headers = of_version(
        call_message("set_founder_story", {"listing_id": world.listing.pk, **arguments}), version
    )
    result: dict[str, Any] = post(base_url, message, **headers, authorization=f"Bearer {world.key}").json()["result"]
    return result


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.usefixtures("with_profile")
def test_an_assistant_writes_until_it_is_published(version: str, base_url: str, world: World) -> None:
    asked = call(base_url, version, world)["structuredContent"]
    assert (asked["status"], len(asked["missing"])) == ("draft", 5)
    draft = call(base_url, version, world, **enough(hard_parts=""))["structuredContent"]
    assert draft["status"] == "draft"
    assert [entry["reason"].split(".")[0] for entry in draft["missing"]] == [
        "Write 1 more section of 40 words or more",
        "Add 75 more words",
    ]
    arguments = {"challenges": words(75), KEY_ARGUMENT: f"story-{version}"}
    first, again = (call(base_url, version, world, **arguments)["structuredContent"] for _ in range(2))
    assert again == first
    assert (first["status"], first["missing"], first["shown_on_listing"]) == ("published", [], True)
    newest = world.committed(lambda: StoryVersion.objects.latest("id"))
    assert (newest.via, newest.credential, newest.action) == ("assistant", "test key", "published")
    assert world.committed(StoryVersion.objects.count) == 2


@pytest.mark.parametrize("version", VERSIONS)
def test_a_refusal_is_told_as_rest_tells_it(version: str, base_url: str, world: World) -> None:
    result = call(base_url, version, world, problem="x" * 10_001, title="t" * 91, milestones="Fine.")
    assert result["isError"]
    problem = orjson.loads(result["content"][0]["text"])
    assert problem["status"] == 422
    assert {error["pointer"]: error["code"] for error in problem["errors"]} == {
        "/problem": "max_length",
        "/title": "max_length",
    }
    assert not world.committed(FounderStory.objects.exists)

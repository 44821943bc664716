"""A vote shows in the tools immediately, as on the pages."""

from typing import Any

import pytest

from apps.launches.votes.voting import toggle_vote
from apps.listings.models import Listing
from tests.actors import in_browser
from tests.factories import UserFactory
from tests.mcp.clients import VERSIONS, call_message, post
from tests.mcp.conftest import World
from tests.mcp.test_transport import of_version

pytestmark = pytest.mark.django_db


def items(base_url: str, version: str, key: str, tool: str, **arguments: Any) -> dict[int, int]:
    """People who vote, by listing, as a tool tells them."""
    message, headers = of_version(call_message(tool, arguments), version)
    result = post(base_url, message, **headers, authorization=f"Bearer {key}").json()["result"]
    return {item["id"]: item["votes"] for item in result["structuredContent"]["items"]}


@pytest.mark.parametrize("version", VERSIONS)
def test_a_vote_shows_at_once(version: str, base_url: str, world: World) -> None:
    listing = world.listing

    def vote() -> int:
        toggle_vote(listing=listing, by=in_browser(UserFactory.create()))
        current: int = Listing.objects.get(pk=listing.pk).current_votes
        return current

    votes = world.committed(vote)
    assert votes
    for tool in ("search_listings", "get_leaderboard", "list_my_listings"):
        arguments = {"board": "community-weekly"} if tool == "get_leaderboard" else {}
        assert items(base_url, version, world.key, tool, **arguments)[listing.pk] == votes, tool

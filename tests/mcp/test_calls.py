"""Conversion of arguments and answers."""

from typing import Any

import orjson
import pytest

from apps.mcp.bridge import Answer
from apps.mcp.results import result_of
from tests.mcp.clients import VERSIONS, call_message, post, text_of
from tests.mcp.conftest import World
from tests.mcp.test_transport import of_version


def problem_of(base_url: str, world: World, version: str, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    message, headers = of_version(call_message(tool, arguments), version)
    result = post(base_url, message, **headers, authorization=f"Bearer {world.key}").json()["result"]
    assert result["isError"] is True
    assert "structuredContent" not in result
    problem: dict[str, Any] = orjson.loads(result["content"][0]["text"])
    return problem


@pytest.mark.django_db
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(
    ("tool", "arguments", "pointer", "code"),
    [
        ("get_my_listing", {}, "/listing_id", "required"),
        ("get_my_listing", {"listing_id": "1"}, "/listing_id", "invalid"),
        ("get_my_listing", {"listing_id": 1.5}, "/listing_id", "invalid"),
        ("get_my_listing", {"listing_id": True}, "/listing_id", "invalid"),
        ("get_my_listing", {"listing_id": None}, "/listing_id", "invalid"),
        ("get_leaderboard", {"board": "../../me/listings"}, "/board", "invalid"),
        ("get_leaderboard", {"board": ""}, "/board", "invalid"),
        ("search_listings", {"page": "2"}, "/page", "invalid"),
        ("search_listings", {"q": ["a"]}, "/q", "invalid"),
        ("choose_free_listing", {"listing_id": 1, "idempotency_key": 5}, "/idempotency_key", "invalid"),
    ],
)
def test_what_no_request_can_carry_is_refused_in_the_same_shape(
    version: str, tool: str, arguments: dict[str, Any], pointer: str, code: str, base_url: str, world: World
) -> None:
    problem = problem_of(base_url, world, version, tool, arguments)

    assert (problem["status"], problem["code"]) == (422, "invalid")
    assert [(error["pointer"], error["code"]) for error in problem["errors"]] == [(pointer, code)]
    assert problem["detail"].startswith(pointer)
    assert problem["request_id"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("tool", "arguments", "instance"),
    [
        ("get_my_listing", {}, None),
        ("search_listings", {"page": "2"}, "/api/v1/listings"),
        ("choose_free_listing", {"listing_id": 5, "idempotency_key": 5}, "/api/v1/me/listings/5/free"),
    ],
)
def test_a_refusal_names_the_address_that_was_meant(
    tool: str, arguments: dict[str, Any], instance: str | None, base_url: str, world: World
) -> None:
    assert problem_of(base_url, world, "2025-11-25", tool, arguments)["instance"] == instance


@pytest.mark.django_db
@pytest.mark.parametrize("version", VERSIONS)
def test_null_is_absent_and_a_whole_float_an_integer(version: str, base_url: str, world: World) -> None:
    result = [
        content_of(base_url, world, version, "search_listings", arguments)
        for arguments in ({"q": None, "week": None, "page": 1.0, "per_page": 5.0}, {"page": 1, "per_page": 5})
    ]
    assert result[0] == result[1]
    assert content_of(base_url, world, version, "get_my_listing", {"listing_id": float(world.listing.pk)})["id"]
    content_of(base_url, world, version, "update_profile", {"bio": "Writes tide tables."})
    body = content_of(base_url, world, version, "update_profile", {"bio": None, "links": None})
    assert body["bio"] == "Writes tide tables."


def content_of(base_url: str, world: World, version: str, tool: str, arguments: dict[str, Any]) -> Any:
    message, headers = of_version(call_message(tool, arguments), version)
    answer = post(base_url, message, **headers, authorization=f"Bearer {world.key}")
    return answer.json()["result"]["structuredContent"]


def test_an_answer_without_body_is_text_alone() -> None:
    result = result_of(Answer(204, {}, b""))

    assert (result.is_error, result.structured_content, text_of(result)) == (False, None, "Done.")


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        (Answer(500, {"content-type": "text/html"}, b"<h1>Secret</h1>"), 500),
        (Answer(400, {"content-type": "text/html"}, b"<h1>Secret</h1>"), 400),
        (Answer(301, {"location": "/secret"}, b""), 500),
        (Answer(200, {"content-type": "text/html"}, b"<h1>Secret</h1>"), 500),
    ],
)
def test_an_answer_that_is_not_the_apis_own_becomes_a_problem(answer: Answer, status: int) -> None:
    result = result_of(answer)
    problem = orjson.loads(text_of(result))

    assert result.is_error
    assert problem["status"] == status
    assert "ecret" not in text_of(result)


def test_a_403_of_the_domain_is_no_challenge() -> None:
    answer = Answer(403, {"content-type": "application/problem+json"}, b'{"code":"forbidden"}')

    assert answer.challenge is None
    assert result_of(answer).is_error

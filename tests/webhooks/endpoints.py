"""Endpoints made by REST."""

from typing import Any

from tests.api import ApiClient

PATH = "/me/webhook-endpoints"
URL = "https://hooks.example/in"


def created(client: ApiClient, **body: Any) -> dict[str, Any]:
    answer = client.post(PATH, {"url": URL, **body})
    assert answer.status_code == 201, answer.content
    result: dict[str, Any] = answer.json()
    return result

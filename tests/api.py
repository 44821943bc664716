"""A client of the API that checks every answer against the published schema."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

import orjson
from django.test import Client
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from apps.accounts.models import User
from apps.core.api import schema
from apps.core.api.scopes import Scope
from tests.factories import api_key
from tests.hints import unnamed

_DOCUMENT = "urn:openapi"


class ApiClient:
    """Calls /api/v1 as an account, or as nobody, and checks status, media type and body of each answer."""

    def __init__(
        self,
        user: User | None = None,
        *,
        key: str | None = None,
        header: str | None = None,
        host: str = "testserver.localhost",
    ) -> None:
        self.user = user
        self.key = key or (api_key(user, Scope) if user else None)
        self.header = header or (f"Bearer {self.key}" if self.key else None)
        self.host = host
        self.http = Client(raise_request_exception=False)

    @property
    def account(self) -> User:
        """The account that it calls as."""
        assert self.user is not None
        return self.user

    def browser(self) -> Client:
        """A browser in which this account is signed in."""
        browser = Client(headers={"host": self.host})
        browser.force_login(self.account)
        return browser

    def get(self, path: str, query: Mapping[str, Any] | None = None, **headers: str) -> Any:
        return self._send("GET", path, None, query, headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Any:
        return self._send("POST", path, body, None, headers)

    def put(self, path: str, body: Any = None, **headers: str) -> Any:
        return self._send("PUT", path, body, None, headers)

    def patch(self, path: str, body: Any = None, **headers: str) -> Any:
        return self._send("PATCH", path, body, None, headers)

    def delete(self, path: str, **headers: str) -> Any:
        return self._send("DELETE", path, None, None, headers)

    def _send(self, method: str, path: str, body: Any, query: Mapping[str, Any] | None, headers: dict[str, str]) -> Any:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.header:
            sent["Authorization"] = self.header
        raw = body if isinstance(body, bytes) else b"" if body is None else orjson.dumps(body)
        response: Any = self.http.generic(
            method,
            f"/api/v1{path}",
            raw,
            content_type="application/json",
            query_params=query,
            headers=sent,
            HTTP_HOST=self.host,
        )
        check_response(method, path, response)
        return response


def check_response(method: str, path: str, response: Any) -> None:
    """Fail when the answer is not what the OpenAPI document declares for this operation and status."""
    spec = _operation(method, path)
    if spec is None:
        assert response.status_code in {404, 405}, f"{method} {path} is no operation of the schema"
        return
    declared = spec["responses"].get(str(response.status_code))
    assert declared is not None, f"{method} {path} answered {response.status_code}, which is not declared"
    if "content" not in declared:
        assert response.content == b""
        return
    media_type, content = next(iter(declared["content"].items()))
    assert response["Content-Type"].split(";")[0] == media_type
    body = orjson.loads(response.content)
    _validator(orjson.dumps(content["schema"]).decode()).validate(body)
    assert unnamed(body) == []


def _operation(method: str, path: str) -> dict[str, Any] | None:
    for pattern, methods in _paths():
        if method.lower() in methods and pattern.fullmatch(f"/api/v1{path}"):
            result: dict[str, Any] = methods[method.lower()]
            return result
    return None


@cache
def _paths() -> list[tuple[re.Pattern[str], dict[str, Any]]]:
    paths = schema.document()["paths"].items()
    return [(re.compile(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(path))), methods) for path, methods in paths]


@cache
def _validator(raw_schema: str) -> Draft202012Validator:
    document = schema.document()
    registry: Registry[Any] = Registry().with_resource(
        _DOCUMENT, Resource.from_contents(document, default_specification=DRAFT202012)
    )
    wanted = orjson.loads(raw_schema.replace('"#/', f'"{_DOCUMENT}#/'))
    return Draft202012Validator(wanted, registry=registry, format_checker=Draft202012Validator.FORMAT_CHECKER)

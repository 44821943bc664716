"""A server on loopback that people sign in with: OpenID Connect, and GitHub's and Google's interfaces."""

import base64
import hashlib
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

from tests.providers.http import Answer, ProviderServer, Request, json_answer

CLIENT_ID, CLIENT_SECRET = "slipway", "a-client-secret"
_KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)


@dataclass
class Person:
    """Who is at the browser. `claims` are in the ID token, `emails` are what GitHub tells."""

    sub: str = "person-1"
    email: str | None = "ada@example.com"
    email_verified: Any = True
    name: str = "Ada Example"
    claims: dict[str, Any] = field(default_factory=dict)
    emails: list[dict[str, Any]] = field(default_factory=list)


class IdentityServer(ProviderServer):
    """Signs `person` in without asking, or refuses with `error`. Every code works once, for who has its verifier."""

    def __init__(self) -> None:
        super().__init__()
        self.person = Person()
        self.error = ""
        self._codes: dict[str, Request] = {}

    def answer(self, request: Request) -> Answer:
        routes: dict[str, Callable[[Request], Answer]] = {
            "/.well-known/openid-configuration": self._configuration,
            "/authorize": self._authorize,
            "/token": self._token,
            "/userinfo": self._userinfo,
            "/login/oauth/authorize": self._authorize,
            "/login/oauth/access_token": self._token,
            "/api/v3/user": self._github_user,
            "/api/v3/user/emails": lambda _: json_answer(self.person.emails),
        }
        return routes[request.path](request)

    def refusal(self, status: int) -> Answer:
        return json_answer({"error": "server_error"}, status)

    def _configuration(self, request: Request) -> Answer:
        return json_answer(
            {
                "issuer": self.url,
                "authorization_endpoint": f"{self.url}/authorize",
                "token_endpoint": f"{self.url}/token",
                "userinfo_endpoint": f"{self.url}/userinfo",
                "jwks_uri": f"{self.url}/jwks",
                "token_endpoint_auth_methods_supported": ["client_secret_post"],
            }
        )

    def _authorize(self, request: Request) -> Answer:
        code = secrets.token_urlsafe()
        self._codes[code] = request
        said = {"error": self.error} if self.error else {"code": code}
        back = urlencode({**said, "state": request.query["state"]})
        return Answer(302, b"", {"Location": f"{request.query['redirect_uri']}?{back}"})

    def _token(self, request: Request) -> Answer:
        form = request.form
        asked = self._codes.pop(form["code"], None)
        digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).decode().rstrip("=")
        if asked is None or (form["client_id"], form["client_secret"]) != (CLIENT_ID, CLIENT_SECRET):
            return json_answer({"error": "invalid_grant"}, 400)
        if asked.query["code_challenge"] != challenge or asked.query["redirect_uri"] != form["redirect_uri"]:
            return json_answer({"error": "invalid_grant"}, 400)
        token = {"access_token": "an-access-token", "token_type": "bearer", "expires_in": 300}
        return json_answer(token | {"id_token": self._id_token()})

    def _id_token(self) -> str:
        now = int(time.time())
        issued = {"iss": self.url, "aud": CLIENT_ID, "iat": now, "exp": now + 300}
        return jwt.encode(self._told() | issued | self.person.claims, _KEY, algorithm="RS256", headers={"kid": "1"})

    def _userinfo(self, request: Request) -> Answer:
        assert request.headers["authorization"] == "Bearer an-access-token"
        return json_answer(self._told())

    def _told(self) -> dict[str, Any]:
        person = self.person
        told = {"sub": person.sub, "name": person.name}
        return told | ({"email": person.email, "email_verified": person.email_verified} if person.email else {})

    def _github_user(self, request: Request) -> Answer:
        return json_answer({"id": 7, "login": "ada", "name": self.person.name, "email": None, "plan": {"name": "pro"}})

"""Which pages let the page that opened them in a popup keep hold of them."""

import pytest
from django.test import Client

from apps.sites.models import Site
from tests.accounts.people import newest_code, sign_in
from tests.browsing import browser
from tests.factories import UserFactory

pytestmark = pytest.mark.db

HEADER = "Cross-Origin-Opener-Policy"


@pytest.mark.parametrize(
    "path",
    [
        "/oauth/authorize?client_id=unknown",
        "/account/sign-in",
        "/account/sign-in/passkey",
        "/account/sign-in/second-step",
        "/account/sign-up",
        "/account/verify",
        "/account/password/reset",
        "/account/password/reset/code",
    ],
)
def test_on_the_way_to_the_consent_page_nothing_cuts_off_the_opener(path: str, client: Client, site: Site) -> None:
    assert client.get(path)[HEADER] == "unsafe-none"


def test_the_redirects_on_the_way_do_not_either(site: Site) -> None:
    client = browser()
    form = {"email": "new@example.com", "password1": "a long password of mine", "next": "/oauth/authorize?a=b"}
    answers = [client.get("/oauth/authorize"), client.post("/account/sign-up", form)]
    answers.append(client.post("/account/verify", {"code": newest_code("new@example.com")}))
    answers.append(sign_in(browser(), UserFactory.create().email))
    assert [answer[HEADER] for answer in answers if answer.status_code == 302] == ["unsafe-none"] * 3


@pytest.mark.parametrize("path", ["/", "/account/profile", "/account/api-keys", "/account/security", "/listings/x"])
def test_other_pages_keep_strangers_away(path: str, client: Client, site: Site) -> None:
    client.force_login(UserFactory.create())
    assert client.get(path)[HEADER] == "same-origin"

"""One EMAIL_URL becomes Django's settings of the email server."""

import pytest
from django.core.exceptions import ImproperlyConfigured

from config.email_urls import email_server


@pytest.mark.parametrize(
    ("url", "host", "port", "starttls", "tls"),
    [
        ("smtp://localhost", "localhost", 25, False, False),
        ("smtp://127.0.0.1:1025", "127.0.0.1", 1025, False, False),
        ("smtp+starttls://mail.example", "mail.example", 587, True, False),
        ("smtps://mail.example", "mail.example", 465, False, True),
        ("smtps://mail.example:2465", "mail.example", 2465, False, True),
        ("smtp://[::1]:25", "::1", 25, False, False),
    ],
)
def test_servers(url: str, host: str, port: int, starttls: bool, tls: bool) -> None:
    result = email_server(url)
    assert (result.host, result.port, result.starttls, result.tls) == (host, port, starttls, tls)


def test_reserved_characters_of_name_and_password() -> None:
    result = email_server("smtps://hello%40slipway.example:p%2Fa%3As%25s@mail.example")
    assert (result.user, result.password) == ("hello@slipway.example", "p/a:s%s")
    assert result.password not in repr(result)


@pytest.mark.parametrize(
    "url", ["", "mail.example", "http://mail.example", "smtp://", "smtp://host:port", "smtp://[::1"]
)
def test_others_are_refused(url: str) -> None:
    with pytest.raises(ImproperlyConfigured):
        email_server(url)

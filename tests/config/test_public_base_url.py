"""PUBLIC_BASE_URL and ALLOWED_HOSTS: the forms in which hosts are written, and what is refused in one line."""

import os

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import env
from tests.config.production import in_production


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("https://slipway.example", "https://slipway.example"),
        ("https://slipway.example/", "https://slipway.example"),
        ("HTTPS://Slipway.Example:443", "https://slipway.example"),
        ("http://127.0.0.1:8000", "http://127.0.0.1:8000"),
        ("http://[::1]:8000/", "http://[::1]:8000"),
        ("https://bücher.example", "https://xn--bcher-kva.example"),
        ("https://xn--bcher-kva.example", "https://xn--bcher-kva.example"),
        ("https://старт.рф:8443", "https://xn--80a6abec.xn--p1ai:8443"),
        ("https://slipway.example.", "https://slipway.example"),
        ("https://bücher.example.:8443", "https://xn--bcher-kva.example:8443"),
        ("http://[2001:DB8:0:0:0:0:0:1]", "http://[2001:db8::1]"),
        ("", "http://default.example"),
    ],
)
def test_an_address_becomes_an_origin(monkeypatch: pytest.MonkeyPatch, text: str, url: str) -> None:
    monkeypatch.setenv("PUBLIC_BASE_URL", text)
    assert env.base_url("PUBLIC_BASE_URL", "http://default.example") == url


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("https://example.com/slipway", "path"),
        ("https://example.com/?a=1", "path"),
        ("https://example.com#top", "path"),
        ("https://me:word@example.com", "user name"),
        ("example.com", "absolute"),
        ("ftp://example.com", "absolute"),
        ("https://exa mple.com", "absolute"),
        ("https://", "absolute"),
        ("https://[::1", "valid"),
        ("https://example.com:port", "valid"),
        ("https://bü..example", "valid"),
        ("https://a..example", "absolute"),
        ("https://-a.example", "absolute"),
        ("https://a_b.example", "absolute"),
        (f"https://{'a' * 64}.example", "absolute"),
        (f"https://{'a.' * 130}example", "absolute"),
    ],
)
def test_what_is_no_origin_is_refused(monkeypatch: pytest.MonkeyPatch, text: str, reason: str) -> None:
    monkeypatch.setenv("PUBLIC_BASE_URL", text)
    with pytest.raises(ImproperlyConfigured) as refused:
        env.base_url("PUBLIC_BASE_URL", "http://default.example")
    name, told = str(refused.value).split(" ", 1)
    assert (name, reason in told) == ("PUBLIC_BASE_URL", True)


@pytest.mark.parametrize(
    ("text", "hosts"),
    [
        ("Slipway.example, .slipway.example", ["slipway.example", ".slipway.example"]),
        ("bücher.example,.bücher.example", ["xn--bcher-kva.example", ".xn--bcher-kva.example"]),
        ("::1,[2001:db8::5],*", ["[::1]", "[2001:db8::5]", "*"]),
        ("2001:DB8:0::5,slipway.example.", ["[2001:db8::5]", "slipway.example"]),
    ],
)
def test_hosts_are_written_in_any_form(monkeypatch: pytest.MonkeyPatch, text: str, hosts: list[str]) -> None:
    monkeypatch.setenv("ALLOWED_HOSTS", text)
    assert env.hosts("ALLOWED_HOSTS") == hosts


@pytest.mark.parametrize(
    "text",
    [
        "slipway.example:8000",
        "[::1]:8000",
        "https://slipway.example",
        "*.slipway.example",
        "a slipway.example",
        "a_b.example",
        "a..example",
        ".",
        "bü..example",
        "fe80::1%eth0",
    ],
)
def test_hosts_that_no_request_can_have_are_refused(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("ALLOWED_HOSTS", f"slipway.example,{text}")
    with pytest.raises(ImproperlyConfigured, match=r"^ALLOWED_HOSTS must be a comma-separated list of host names"):
        env.hosts("ALLOWED_HOSTS")


@pytest.mark.processes
def test_a_path_ends_the_start_in_one_line() -> None:
    ended = in_production("manage.py", "check", PUBLIC_BASE_URL="https://slipway.example/launches")
    assert ended.returncode == os.EX_CONFIG
    assert ended.stderr == (
        "Slipway doesn't start with these settings:\n"
        "  PUBLIC_BASE_URL must end with the host or port. Slipway needs a host of its own, not a path.\n"
    )


@pytest.mark.processes
def test_an_address_of_ipv6_is_served_and_sends_no_email_of_its_own() -> None:
    look = (
        "from config.start import read_settings; read_settings(); from django.conf import settings; "
        "print(settings.ALLOWED_HOSTS, settings.DEFAULT_FROM_EMAIL, settings.IS_LOOPBACK)"
    )
    ended = in_production("-c", look, PUBLIC_BASE_URL="http://[::1]:8000", ALLOW_HTTP="1")
    assert ended.stdout == (
        "['[::1]', '127.0.0.1', 'localhost', '.localhost', '[::1]'] Slipway <hello@localhost> True\n"
    )

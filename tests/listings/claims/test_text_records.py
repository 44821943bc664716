"""TXT records over real UDP and TCP sockets, from servers that also lie, point elsewhere or say nothing."""

from typing import Any

import pytest
from dns.nameserver import Nameserver

from apps.listings.claims import text_records as module
from apps.listings.claims.text_records import NoAnswerError, text_records
from tests.dns_server import DnsServer, Zone

NAME = "_slipway.acme.localhost"


@pytest.mark.parametrize(
    ("zone", "records"),
    [
        (Zone(texts=[["a"], ["b"]]), ["a", "b"]),
        (Zone(texts=[["slipway-", "claim=", "word"]]), ["slipway-claim=word"]),
        (Zone(texts=[["a" * 250]] * 20, is_truncated=True), ["a" * 250]),
        (Zone(texts=[["true"]], forged=["forged"]), ["true"]),
        (Zone(), []),
        (None, []),
        # Whom a name points to is not who owns it.
        (Zone(alias="stranger.localhost"), []),
        (Zone(alias="nowhere.localhost"), []),
    ],
)
def test_what_is_at_a_name(names: DnsServer, zone: Zone | None, records: list[str]) -> None:
    names.text("stranger.localhost", "slipway-claim=word")
    if zone is not None:
        names.book[NAME] = zone
    assert sorted(set(text_records(NAME))) == sorted(records)
    assert ("tcp" in {transport for _, transport in names.asked}) == bool(zone and zone.is_truncated)


@pytest.mark.parametrize("zone", [Zone(rcode="SERVFAIL"), Zone(rcode="REFUSED"), Zone(is_silent=True)])
def test_no_answer_is_not_no_record(names: DnsServer, monkeypatch: pytest.MonkeyPatch, zone: Zone) -> None:
    monkeypatch.setattr(module, "LOOKUP_SECONDS", 0.3)
    names.book[NAME] = zone
    with pytest.raises(NoAnswerError):
        text_records(NAME)


@pytest.mark.parametrize("name", ["a..b", "a" * 64 + ".localhost", ".".join(["a" * 60] * 5)])
def test_a_name_that_cannot_be_asked_for(names: DnsServer, name: str) -> None:
    with pytest.raises(NoAnswerError):
        text_records(name)
    assert names.asked == []


def test_the_search_domains_of_the_machine_are_not_tried(names: DnsServer) -> None:
    assert text_records("acme") == []
    assert names.asked == [("acme", "udp")]


@pytest.mark.parametrize(
    ("server", "host", "port"),
    [
        ("192.0.2.1", "192.0.2.1", 53),
        ("192.0.2.1:5353", "192.0.2.1", 5353),
        ("2001:db8::1", "2001:db8::1", 53),
        ("[2001:db8::1]:5353", "2001:db8::1", 5353),
        ("[2001:db8::1]", "2001:db8::1", 53),
    ],
)
def test_servers_as_the_setting_names_them(settings: Any, server: str, host: str, port: int) -> None:
    settings.CLAIM_DNS_SERVERS = (server,)
    (result,) = module._resolver().nameservers
    assert isinstance(result, Nameserver)
    assert (result.answer_nameserver(), result.answer_port()) == (host, port)

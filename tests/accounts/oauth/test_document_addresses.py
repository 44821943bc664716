"""Addresses of metadata documents that are not even tried, and names that lead where nothing may be fetched."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import Application
from tests.accounts.oauth.flow import Person, named
from tests.accounts.oauth.publisher import ADDRESS, PUBLISHER, Publisher, document, known_by
from tests.accounts.oauth.test_authorize import is_broken
from tests.core.hostile_server import PUBLIC

pytestmark = pytest.mark.django_db


ADDRESSES = {
    "without TLS": f"http://{PUBLISHER}/client.json",
    "file": "file:///etc/passwd",
    "FTP": f"ftp://{PUBLISHER}/client.json",
    "no path": f"https://{PUBLISHER}",
    "only a slash": f"https://{PUBLISHER}/",
    "only a query": f"https://{PUBLISHER}?client.json",
    "way up": f"https://{PUBLISHER}/a/../client.json",
    "way up at the end": f"https://{PUBLISHER}/a/..",
    "here": f"https://{PUBLISHER}/./client.json",
    "hidden way up": f"https://{PUBLISHER}/a/%2e%2e/client.json",
    "hidden way up in capitals": f"https://{PUBLISHER}/a/%2E%2E/client.json",
    "half hidden way up": f"https://{PUBLISHER}/a/.%2e/client.json",
    "hidden here": f"https://{PUBLISHER}/%2e/client.json",
    "user name": f"https://user@{PUBLISHER}/client.json",
    "password": f"https://user:password@{PUBLISHER}/client.json",
    "empty user name": f"https://@{PUBLISHER}/client.json",
    "host as user name": f"https://{PUBLISHER}@evil.example/client.json",
    "fragment": f"{ADDRESS}#a",
    "empty fragment": f"{ADDRESS}#",
    "another port": f"https://{PUBLISHER}:8443/client.json",
    "mail server": f"https://{PUBLISHER}:25/client.json",
    "port zero": f"https://{PUBLISHER}:0/client.json",
    "port out of range": f"https://{PUBLISHER}:65536/client.json",
    "port of letters": f"https://{PUBLISHER}:a/client.json",
    "negative port": f"https://{PUBLISHER}:-1/client.json",
    "backslash": f"https://evil.example\\@{PUBLISHER}/client.json",
    "backslash in the path": f"https://{PUBLISHER}/a\\..\\client.json",
    "space": f"https://{PUBLISHER}/a b.json",
    "space at the end": f"{ADDRESS} ",
    "space at the beginning": f" {ADDRESS}",
    "tab": f"https://{PUBLISHER}/a\tb.json",
    "line feed": f"https://{PUBLISHER}/client.json\r\nHost: evil.example",
    "tab in the scheme": f"ht\ttps://{PUBLISHER}/client.json",
    "delete character": f"https://{PUBLISHER}/\x7f.json",
    "other letters": f"https://{PUBLISHER}/ä.json",
    "international name": "https://bücher.example/client.json",
    "Cyrillic look-alike": "https://\u0441lient.example.com/client.json",
    "full-width letters": "https://ｃｌｉｅｎｔ.example.com/client.json",
    "ideographic full stop": "https://client\u3002example.com/client.json",
    "slash look-alike": "https://client.example.com\u2215evil/client.json",
    "bidi override": f"https://{PUBLISHER}/\u202enosj.client",
    "too long": f"https://{PUBLISHER}/{'a' * 300}",
    "no host": "https:///client.json",
    "one slash": f"https:/{PUBLISHER}/client.json",
    "unclosed bracket": "https://[::1/client.json",
    "empty label": "https://client..example.com/client.json",
    "percent in the host": "https://client%2eexample.com/client.json",
    "wildcard": "https://*.example.com/client.json",
    "bare word": "https://intranet/client.json",
    "localhost": "https://localhost/client.json",
    "localhost with a dot": "https://localhost./client.json",
    "under localhost": "https://app.localhost/client.json",
    "loopback": "https://127.0.0.1/client.json",
    "another loopback": "https://127.0.0.2/client.json",
    "short loopback": "https://127.1/client.json",
    "hexadecimal loopback": "https://0x7f.1/client.json",
    "octal loopback": "https://0177.0.0.1/client.json",
    "loopback as a number": "https://2130706433/client.json",
    "any": "https://0.0.0.0/client.json",
    "private": "https://10.0.0.1/client.json",
    "private in 172": "https://172.16.0.1/client.json",
    "private in 192": "https://192.168.0.1/client.json",
    "shared": "https://100.64.0.1/client.json",
    "cloud metadata": "https://169.254.169.254/latest/meta-data",
    "Azure's channel": "https://168.63.129.16/client.json",
    "dummy": "https://192.0.0.8/client.json",
    "documentation": "https://192.0.2.1/client.json",
    "benchmark": "https://198.18.0.1/client.json",
    "multicast": "https://224.0.0.1/client.json",
    "reserved": "https://240.0.0.1/client.json",
    "broadcast": "https://255.255.255.255/client.json",
    "IPv6 loopback": "https://[::1]/client.json",
    "IPv6 any": "https://[::]/client.json",
    "mapped": "https://[::ffff:169.254.169.254]/client.json",
    "mapped public": f"https://[::ffff:{PUBLIC}]/client.json",
    "compatible": "https://[::169.254.169.254]/client.json",
    "translated": "https://[64:ff9b::a9fe:a9fe]/client.json",
    "translated locally": "https://[64:ff9b:1::a9fe:a9fe]/client.json",
    "6to4": "https://[2002:a9fe:a9fe::1]/client.json",
    "Teredo": "https://[2001::1]/client.json",
    "unique local": "https://[fd00::1]/client.json",
    "link-local": "https://[fe80::1]/client.json",
    "link-local with a zone": "https://[fe80::1%25eth0]/client.json",
    "site-local": "https://[fec0::1]/client.json",
    "IPv6 multicast": "https://[ff02::1]/client.json",
    "IPv6 documentation": "https://[2001:db8::1]/client.json",
}


@pytest.mark.parametrize("address", named(ADDRESSES))
def test_addresses_that_are_not_tried(
    address: str, publisher: Publisher, person: Person, caplog: pytest.LogCaptureFixture
) -> None:
    publisher.names = {host: [[PUBLIC]] for host in (PUBLISHER, "evil.example", "intranet", "xn--bcher-kva.example")}
    publisher.publish(document(client_id=address))
    assert is_broken(person.ask(known_by(address, "http://127.0.0.1/callback")))
    assert publisher.network.dials == []
    assert publisher.lookups == []
    assert not Application.objects.exists()
    assert [record.message for record in caplog.records if record.levelname == "ERROR"] == []


# What a name may be made to lead to.
INSIDE = [
    "127.0.0.1",
    "127.8.8.8",
    "0.0.0.1",
    "10.1.2.3",
    "172.31.255.255",
    "192.168.1.1",
    "100.100.100.200",
    "169.254.169.254",
    "168.63.129.16",
    "192.0.0.8",
    "192.0.0.170",
    "192.88.99.1",
    "198.19.255.255",
    "203.0.113.1",
    "224.0.0.251",
    "239.255.255.250",
    "255.255.255.255",
    "::",
    "::1",
    "::7f00:1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b::808:808",
    "64:ff9b:1::1",
    "100::1",
    "2001::7f00:1",
    "2001:db8::1",
    "2002:7f00:1::",
    "3fff::1",
    "5f00::1",
    "fc00::1",
    "fd12:3456::1",
    "fe80::1",
    "fe80::1%lo",
    "fec0::1",
    "ff02::fb",
    "ff0e::1",
    "not an address",
]


@pytest.mark.parametrize("inside", INSIDE)
def test_names_that_lead_inside(inside: str, publisher: Publisher, person: Person) -> None:
    publisher.names = {PUBLISHER: [[inside]]}
    assert is_broken(person.ask(known_by()))
    assert publisher.network.dials == []
    assert not Application.objects.exists()


@pytest.mark.parametrize(
    "answers", [[PUBLIC, "127.0.0.1"], ["127.0.0.1", PUBLIC], [PUBLIC, "::1"], ["169.254.169.254"] * 2, []]
)
def test_one_address_inside_is_enough(answers: list[str], publisher: Publisher, person: Person) -> None:
    publisher.names = {PUBLISHER: [answers]}
    assert is_broken(person.ask(known_by()))
    assert publisher.network.dials == []


def test_a_name_is_looked_up_once(publisher: Publisher, person: Person) -> None:
    """Rebinding: the name's server gives another address the second time."""
    publisher.names = {PUBLISHER: [[PUBLIC], ["127.0.0.1"]]}
    assert person.ask(known_by()).status_code == 200
    assert (publisher.lookups, publisher.network.dials) == ([PUBLISHER], [(PUBLIC, 443)])


def test_a_name_that_turns_inside_later(publisher: Publisher, person: Person, time_machine: Any) -> None:
    publisher.names = {PUBLISHER: [[PUBLIC], ["127.0.0.1"]]}
    assert person.ask(known_by()).status_code == 200
    publisher.publish(document(client_name="From inside"))
    time_machine.move_to(timezone.now() + timedelta(hours=25), tick=False)
    assert b"Example Assistant" in person.ask(known_by()).content
    assert publisher.network.dials == [(PUBLIC, 443)]
    assert Application.objects.get().name == "Example Assistant"


def test_a_name_without_an_address(publisher: Publisher, person: Person) -> None:
    publisher.names = {}
    assert is_broken(person.ask(known_by()))
    assert publisher.network.dials == []


@pytest.mark.parametrize("name", ["other.example.com", "example.com", f"a.{PUBLISHER}"])
def test_a_certificate_for_another_name(name: str, publisher: Publisher, person: Person) -> None:
    publisher.names = {name: [[PUBLIC]]}
    address = f"https://{name}/client.json"
    publisher.publish(document(client_id=address, redirect_uris=[f"https://{name}/callback"]))
    assert is_broken(person.ask(known_by(address, f"https://{name}/callback")))
    assert publisher.network.dials == [(PUBLIC, 443)]
    assert publisher.reads == 0

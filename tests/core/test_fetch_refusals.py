"""Everything that must be refused without a TCP connection, at the front door and at every hop."""

import asyncio
from collections.abc import Sequence

import pytest

from apps.core.fetch import Fetched, FetchError, FetchFailure, SafeClient
from apps.core.fetch.backend import GuardedBackend
from tests.core.hostile_server import OK, PUBLIC, LeadingTo, Names, answer, serve

PRIVATE_ANSWERS = [
    "127.0.0.1",
    "127.8.8.8",
    "0.0.0.0",  # noqa: S104 - an answer to refuse, nothing listens on it
    "0.1.2.3",
    "10.0.0.1",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "100.100.100.200",
    "100.127.255.255",
    "192.0.0.192",
    "192.0.2.1",
    "192.88.99.1",
    "168.63.129.16",
    "198.18.0.1",
    "198.19.255.255",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::93.184.215.14",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::ffff:0:127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b::169.254.169.254",
    "64:ff9b:1::7f00:1",
    "100::1",
    "2001::7f00:1",
    "2001:0:4136:e378:8000:63bf:3fff:fdd2",
    "2001:db8::1",
    "2002:7f00:1::",
    "2002:a9fe:a9fe::1",
    "3fff::1",
    "4000::1",
    "5f00::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fec0::1",
    "ff02::1",
]

ODD_FORMS = [
    "127.1",
    "127.0.1",
    "2130706433",
    "0x7f000001",
    "0x7f.1",
    "0x7F.0x0.0x0.0x1",
    "017700000001",
    "0177.0.0.1",
    "0177.1",
    "127.000.000.001",
    "127.0.0.1.",
    "0",
    "0.0",
    "00",
    "0x0",
    "localhost",
    "LOCALHOST",
    "localhost.",
    "a.localhost",
    "127。0。0。1",
    "127．0．0．1",
    "１２７.0.0.1",
    "①②⑦.⓪.⓪.①",
    "ｌｏｃａｌｈｏｓｔ",
    "2852039166",
    "0xa9fea9fe",
    "169.254.43518",
]

BAD_FORMS = [
    "http://user@93.184.215.14/",
    "http://user:word@good.example/",
    "http://good.example@127.0.0.1/",
    "http://127.0.0.1#@good.example@x/",
    "http://good.example\\@127.0.0.1/",
    "http:\\\\127.0.0.1/",
    "http://good.example/\r\nX: y",
    "http://good.example/\x00",
    "http://good\t.example/",
    "ftp://good.example/",
    "file:///etc/passwd",
    "gopher://good.example:80/",
    "unix:///run/docker.sock",
    "http+unix://%2frun%2fdocker.sock/",
    "ws://good.example/",
    "http://good.example:22/",
    "http://good.example:8080/",
    "http://good.example:65616/",
    "https://good.example:8443/",
    "http://[fe80::1%25eth0]/",
    "http://4294967296/",
    "http://127.0.0.1.1/",
    "http://256.0.0.1/",
    "good.example",
]

REFUSALS = {FetchFailure.BAD_ADDRESS, FetchFailure.PRIVATE_ADDRESS}


def bracketed(literal: str) -> str:
    return f"[{literal}]" if ":" in literal else literal


def attack_addresses() -> list[str]:
    hosts = [bracketed(literal) for literal in PRIVATE_ANSWERS] + ODD_FORMS
    return [f"http://{host}/" for host in hosts] + [f"https://{host}/" for host in hosts[:3]] + BAD_FORMS


def fetch(url: str, *, network: LeadingTo, names: Names) -> Fetched:
    async def run() -> Fetched:
        async with SafeClient(user_agent="Test", resolver=names, allow_private=frozenset(), network=network) as client:
            return await client.get(url)

    return asyncio.run(run())


def test_the_playground_reaches_the_server_when_nothing_is_wrong() -> None:
    with serve(answer(OK)) as server:
        network = LeadingTo(server)
        page = fetch("http://good.example/", network=network, names=Names({"good.example": [[PUBLIC]]}))

    assert page.body == b"ok"
    assert network.dials == [(PUBLIC, 80)]
    assert server.accepts == 1


def test_hostile_addresses_open_no_connection() -> None:
    names = Names({"good.example": [[PUBLIC]]})
    outcomes: dict[str, FetchFailure] = {}
    with serve(answer(OK)) as server:
        network = LeadingTo(server)
        for url in attack_addresses():
            with pytest.raises(FetchError) as refusal:
                fetch(url, network=network, names=names)
            outcomes[url] = refusal.value.code

    assert set(outcomes.values()) <= REFUSALS, outcomes
    assert {outcomes[f"http://{bracketed(literal)}/"] for literal in PRIVATE_ANSWERS} == {FetchFailure.PRIVATE_ADDRESS}
    assert names.asked == []
    assert network.dials == []
    assert server.accepts == 0


def test_the_backend_alone_refuses_what_slips_past_the_address_check() -> None:
    """As if a parser had been fooled: every host goes straight to the network layer."""
    hosts = PRIVATE_ANSWERS + ["fe80::1%eth0"]
    with serve(answer(OK)) as server:
        network = LeadingTo(server)
        backend = GuardedBackend(
            resolver=Names({"odd": [["127.0.0.1"]]}),
            allow_private=frozenset(),
            max_head_bytes=1000,
            network=network,
        )
        for host in [*hosts, "odd"]:
            with pytest.raises(FetchError) as refusal:
                asyncio.run(backend.connect_tcp(host, 80))
            assert refusal.value.code is FetchFailure.PRIVATE_ADDRESS, host
        for port in (0, 22, 25, 6379, 8080):
            with pytest.raises(FetchError) as refusal:
                asyncio.run(backend.connect_tcp(PUBLIC, port))
            assert refusal.value.code is FetchFailure.BAD_ADDRESS, port
        with pytest.raises(FetchError):
            asyncio.run(backend.connect_unix_socket("/run/docker.sock"))

    assert network.dials == []
    assert server.accepts == 0


@pytest.mark.parametrize("lie", [*PRIVATE_ANSWERS, "fe80::1%eth0", "not an address", ""])
def test_one_private_answer_refuses_the_name(lie: str) -> None:
    with serve(answer(OK)) as server:
        network = LeadingTo(server)
        for answers in ([lie], [PUBLIC, lie], [lie, PUBLIC]):
            with pytest.raises(FetchError) as refusal:
                fetch("http://lying.example/", network=network, names=Names({"lying.example": [answers]}))
            assert refusal.value.code is FetchFailure.PRIVATE_ADDRESS

    assert network.dials == []
    assert server.accepts == 0


def test_a_rebinding_name_is_dialled_where_it_was_checked() -> None:
    names = Names({"rebinding.example": [[PUBLIC], ["127.0.0.1"]]})
    with serve(answer(b"HTTP/1.1 302 Found\r\nLocation: /again\r\nConnection: close\r\n\r\n")) as server:
        network = LeadingTo(server)
        with pytest.raises(FetchError) as refusal:
            fetch("http://rebinding.example/", network=network, names=names)

    assert refusal.value.code is FetchFailure.PRIVATE_ADDRESS
    assert names.asked == ["rebinding.example", "rebinding.example"]
    assert network.dials == [(PUBLIC, 80)]
    assert server.accepts == 1


def test_redirects_to_hostile_addresses_are_refused_at_the_hop() -> None:
    names = Names({"good.example": [[PUBLIC]], "inside.example": [["10.0.0.7"]]})
    # Control characters cannot travel in a header, and `good.example` alone is a relative path.
    targets = [url for url in attack_addresses() if url.isprintable() and url.isascii() and url != "good.example"]
    targets += ["//127.0.0.1/", "//localhost/", "//[::1]/", "http://inside.example/"]
    for target in targets:
        head = b"HTTP/1.1 302 Found\r\nLocation: " + target.encode() + b"\r\nContent-Length: 0\r\n\r\n"
        with serve(answer(head)) as server:
            network = LeadingTo(server)
            with pytest.raises(FetchError) as refusal:
                fetch("http://good.example/", network=network, names=names)
        assert refusal.value.code in REFUSALS, target
        assert network.dials == [(PUBLIC, 80)], target
        assert server.accepts == 1, target


@pytest.mark.parametrize("url", ["http://{0}/", "http://localhost:{1}/", "http://[::ffff:127.0.0.1]:{1}/"])
def test_a_real_loopback_server_is_never_reached(url: str) -> None:
    """Without any stand-in: system resolver, real sockets."""

    async def run(target: str) -> None:
        async with SafeClient(user_agent="Test", allow_private=frozenset()) as client:
            await client.get(target)

    with serve(answer(OK)) as server, pytest.raises(FetchError) as refusal:
        asyncio.run(run(url.format(server.host, server.port)))

    assert refusal.value.code in REFUSALS
    assert server.accepts == 0


@pytest.mark.parametrize(
    ("answers", "dialled"),
    [
        (["93.184.215.14"], "93.184.215.14"),
        (["::ffff:93.184.215.14"], "93.184.215.14"),
        (["2606:4700::1111", "93.184.215.14"], "2606:4700::1111"),
    ],
)
def test_public_answers_are_dialled_in_numbers(answers: Sequence[str], dialled: str) -> None:
    with serve(answer(OK)) as server:
        network = LeadingTo(server)
        fetch("http://good.example/", network=network, names=Names({"good.example": [answers]}))

    assert network.dials == [(dialled, 80)]

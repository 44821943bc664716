"""Which anchors of a page lead to the site; only real ones count."""

import pytest

from apps.core.html import UnreadablePage
from apps.launches.badges.anchors import find_link, origin_of

PAGE = "https://acme.example/about/"
OURS = "https://slipway.example"


def is_there(html: str | bytes, *, target: str = OURS, page_url: str = PAGE, content_type: str = "text/html") -> bool:
    body = b"<p>Acme</p>" + (html.encode() if isinstance(html, str) else html)
    return find_link(body, content_type=content_type, page_url=page_url, target=target).link is not None


@pytest.mark.parametrize(
    "html",
    [
        '<a href="https://slipway.example/listings/x">badge</a>',
        '<a rel="nofollow sponsored" href="//slipway.example"><img src="badge.svg"></a>',
        "<A HREF='https://SLIPWAY.Example/'>text only</A>",
        '<a href=" https://slipway.example/ ">blanks around</a>',
        '<a href="https://slip\nway.example/">a line break inside</a>',
        '<a href="https:\\\\slipway.example\\x">backslashes</a>',
        '<a href="https://slipway.example:443/">its own port</a>',
        '<a href="http://slipway.example/">by http</a>',
        '<a href="http://slipway.example:80/">by http with its own port</a>',
        '<a href="https://slipway.example./">a dot at the end</a>',
        '<a href="https://slipway.example?x=1#y">no path</a>',
        '<base href="https://slipway.example/deep/"><a href="../x">relative to a base</a>',
        '<a href=""></a><svg><a href="https://slipway.example/"><text>svg</text></a></svg>',
        '<noscript>no</noscript><a href="https://slipway.example/">after</a>',
        '<template>no</template><a href="https://slipway.example/">after</a>',
        '<!-- <noscript> --><a href="https://slipway.example/">after a comment</a>',
        '<!-- <template> --!><a href="https://slipway.example/">after a comment that ends oddly</a>',
        '<!--><a href="https://slipway.example/">after a comment of nothing</a><!-- -->',
        '<p title="<template>"><a href="https://slipway.example/">a tag in an attribute is none</a>',
        '<script>"<template>"</script><a href="https://slipway.example/">nor is one in a script</a>',
        '<template><template></template></template><a href="https://slipway.example/">after both</a>',
        '<template><select></template><a href="https://slipway.example/">after both, one not closed</a>',
        '<select><option>1<input><a href="https://slipway.example/">an input closes a select</a>',
        '<select><select><a href="https://slipway.example/">so does another select</a>',
        '<head><noscript><p></noscript></head><a href="https://slipway.example/">after one in the head</a>',
        '<noscript><!--</noscript><a href="https://slipway.example/">to browsers a noscript is text</a>',
        '</template></select><a href="https://slipway.example/">after ends of nothing</a>',
        '<a href="https&#58;//slipway&period;example/">entities</a>',
        '<div hidden>x</div><a href="https://slipway.example/">after</a>',
        '<div class="hidden md:block"><a href="https://slipway.example/">on larger screens</a></div>',
        '<div style="opacity: 0"><a href="https://slipway.example/">fading in</a></div>',
        '<div hidden><a href="https://slipway.example/">x</a></div><a href="https://slipway.example/">and shown</a>',
        '<style>@media print { .x { display: none } }</style><a class="x" href="https://slipway.example/">x</a>',
    ],
)
def test_these_count(html: str) -> None:
    assert is_there(html)


@pytest.mark.parametrize(
    "html",
    [
        '<!-- <a href="https://slipway.example/">badge</a> -->',
        "<script>'<a href=\"https://slipway.example/\">'</script>",
        '<script type="application/json">{"html": "<a href=\\"https://slipway.example/\\">x</a>"}</script>',
        '<style><a href="https://slipway.example/">x</a></style>',
        '<template><a href="https://slipway.example/">x</a></template>',
        '<noscript><a href="https://slipway.example/">x</a></noscript>',
        '<textarea><a href="https://slipway.example/">x</a></textarea>',
        '<div><textarea></div><a href="https://slipway.example/">x</a></textarea></div>',
        '<iframe srcdoc="<a href=https://slipway.example/>x</a>"></iframe>',
        '<iframe><a href="https://slipway.example/">x</a></iframe>',
        '<title><a href="https://slipway.example/">x</a></title>',
        '<select><option><a href="https://slipway.example/">x</a></select>',
        '&lt;a href="https://slipway.example/"&gt;x&lt;/a&gt;',
        '<img src="https://slipway.example/badge.svg"><link href="https://slipway.example/">',
        '<div hidden><p>unclosed <a href="https://slipway.example/">badge',
        '<a hidden href="https://slipway.example/">x</a>',
        '<a hidden="until-found" href="https://slipway.example/">x</a>',
        '<div aria-hidden="True"><a href="https://slipway.example/">x</a></div>',
        '<div style="color: red; DISPLAY:NONE !important"><a href="https://slipway.example/">x</a></div>',
        '<div style="visibility: hidden"><p><a href="https://slipway.example/">x</a></div>',
        '<div popover><a href="https://slipway.example/">x</a></div>',
        '<dialog><a href="https://slipway.example/">x</a></dialog>',
        '<footer class="d-none"><a href="https://slipway.example/">x</a></footer>',
        '<div class="tab-pane fade"><a href="https://slipway.example/">x</a></div>',
        '<div role="tabpanel" data-state="inactive"><a href="https://slipway.example/">x</a></div>',
        '<style>.x, .y { display: none }</style><div class="y"><a href="https://slipway.example/">x</a></div>',
        '<style>#f{visibility:hidden}</style><div id="f"><a href="https://slipway.example/">x</a></div>',
        '<style>aside{display:none}</style><aside><a href="https://slipway.example/">x</a></aside>',
        '<div hidden><div><div hidden></div><a href="https://slipway.example/">still hidden</a></div></div>',
        '<a name="https://slipway.example/">no address</a>',
        '<a data-href="https://slipway.example/">no address</a>',
        '<a href="https://slipway.example.evil.test/">begins with ours</a>',
        '<a href="https://slipway.example-evil.test/">begins with ours</a>',
        '<a href="https://notslipway.example/">ends with ours</a>',
        '<a href="https://www.slipway.example/">another host</a>',
        '<a href="https://evil.test/slipway.example/">in the path</a>',
        '<a href="https://evil.test/?u=https://slipway.example">in the query</a>',
        '<a href="https://slipway.example@evil.test/">user name</a>',
        '<a href="https://slipway.example:x@evil.test/">user name and password</a>',
        '<a href="https://evil.test\\@slipway.example/">a backslash before the user name</a>',
        '<a href="https://someone@slipway.example/">a user name at ours</a>',
        '<a href="https://slipway.example:8443/">another port</a>',
        '<a href="http://slipway.example:443/">the other scheme\'s port</a>',
        '<a href="https://slipway.example:99999/">no port</a>',
        '<a href="ftp://slipway.example/">another scheme</a>',
        "<a href=\"javascript:location='https://slipway.example'\">script</a>",
        '<a href="mailto:hello@slipway.example">mail</a>',
        "<a href='http://[::1'>broken</a>",
        '<base href="https://evil.test/"><base href="https://slipway.example/"><a href="/x">the first base counts</a>',
        '<template><base href="https://slipway.example/"></template><a href="/x">a base in a template</a>',
        '<div><template></div><a href="https://slipway.example/">x</a></template>',
        '<div><template></div><a href="https://slipway.example/">never closed</a>',
        '<p a=b="><template><p c="></p><a href="https://slipway.example/">a quote that opens nothing</a>',
        '<p =\'><template></p><a href="https://slipway.example/">another one</a></template>',
        '<!--a--!><div><template></div><a href="https://slipway.example/">x</a></template>-->',
        "<script><!--<script></script><!--</script><div><template></div><a href='https://slipway.example/'>x</a>-->",
        '<div><noscript></div><a href="https://slipway.example/">x</a></noscript>',
        '<div><noscript></div><!-- --><a href="https://slipway.example/">never closed</a>',
        '<div><select></div><a href="https://slipway.example/">x</a></select>',
        '<select><template></select></template><a href="https://slipway.example/">still in the select</a>',
        '<table><tr><td><template></td></tr></table><a href="https://slipway.example/">x</a></template>',
        '<video><a href="https://slipway.example/">what stands in for a video</a></video>',
        '<canvas><a href="https://slipway.example/">x</a></canvas>',
        '<plaintext><a href="https://slipway.example/">text</a>',
        '<meta http-equiv="refresh" content="0; url=https://slipway.example/">',
        '<map name="m"><area href="https://slipway.example/"></map>',
    ],
)
def test_these_do_not_count(html: str) -> None:
    assert not is_there(html)


@pytest.mark.parametrize(
    ("target", "href", "counts"),
    [
        ("https://xn--bcher-kva.example", "https://bücher.example/", True),
        ("https://xn--bcher-kva.example", "https://BÜCHER.example/", True),
        ("https://xn--bcher-kva.example", "https://bucher.example/", False),
        ("https://slipway.example", "https://slіpway.example/", False),
        ("http://127.0.0.1:8000", "http://127.0.0.1:8000/listings/x", True),
        ("http://127.0.0.1:8000", "https://127.0.0.1:8000/listings/x", True),
        ("http://127.0.0.1:8000", "http://127.0.0.1/listings/x", False),
    ],
)
def test_hosts_are_compared_in_ascii_with_their_ports(target: str, href: str, counts: bool) -> None:
    assert is_there(f'<a href="{href}">x</a>', target=target) is counts


def test_the_page_may_be_in_any_character_set() -> None:
    html = '<meta charset="utf-16"><a href="https://slipway.example/">ä</a>'.encode("utf-16")
    result = find_link(html, content_type="text/html", page_url=PAGE, target=OURS)
    assert result.link is not None


def test_the_evidence_is_short_and_counts_the_links() -> None:
    html = "<a href='/one'>1</a><a>no</a><a href='/two'>2</a>"
    assert find_link(html.encode(), content_type="", page_url=PAGE, target=OURS).links_seen == 2
    long = f'{html}<a href="{OURS}/{"x" * 900}">' + "\n y" * 900 + "</a>"
    result = find_link(long.encode(), content_type="", page_url=PAGE, target=OURS)
    assert result.link is not None
    assert result.links_seen == 3
    assert len(result.link.href) == 300
    assert len(result.link.snippet) == 200
    assert "\n" not in result.link.snippet


@pytest.mark.slow
def test_a_deep_page_is_walked_once() -> None:
    html = f"{'<div>' * 200}{'<a href=/x>y</a>' * 20_000}"
    assert find_link(html.encode(), content_type="", page_url=PAGE, target=OURS).links_seen == 20_000


@pytest.mark.parametrize("body", [b"", b"\x00\x00", b"<!-- -->"])
def test_what_is_no_page_is_said(body: bytes) -> None:
    with pytest.raises(UnreadablePage):
        find_link(body, content_type="", page_url=PAGE, target=OURS)


def test_a_hidden_link_is_told_from_a_missing_one() -> None:
    html = '<a href="/x">x</a><div hidden><a href="/y">y</a><a href="https://slipway.example/">badge</a></div>'
    result = find_link(html.encode(), content_type="", page_url=PAGE, target=OURS)
    assert (result.link, result.links_seen, result.is_hidden) == (None, 1, True)


def test_odd_addresses_have_no_origin() -> None:
    assert [origin_of(href) for href in ("", "/x", "https://", "https:///x", "https://a b.example", "\x00")] == [
        None, None, None, None, ("a b.example", None), None,
    ]  # fmt: skip

"""What a rule matches, however it is spelled, and what only looks similar."""

import pytest
from django.core.exceptions import ValidationError

from apps.blocklists.matching import Sample, normalized, words_of
from apps.blocklists.models import BlockRule


def rule(kind: str, value: str) -> BlockRule:
    return BlockRule(kind=kind, value=normalized(kind, value))


@pytest.mark.parametrize(
    ("kind", "typed", "stored"),
    [
        ("domain", "https://www.Spam.example/path?x", "spam.example"),
        ("domain", "ads@spam.example", "spam.example"),
        ("domain", "Bücher.example.", "xn--bcher-kva.example"),
        ("word", "  Buy\u200b   NOW ", "buy now"),
        ("word", "\uff22uy", "buy"),
        ("word", "赌场", "赌场"),
        ("network", "192.0.2.7/24", "192.0.2.0/24"),
        ("network", "2001:db8::1/48", "2001:db8::/48"),
        ("network", "192.0.2.7", "192.0.2.7/32"),
    ],
)
def test_values_are_stored_in_one_spelling(kind: str, typed: str, stored: str) -> None:
    assert normalized(kind, typed) == stored
    assert normalized(kind, stored) == stored


@pytest.mark.parametrize(
    ("kind", "typed"),
    [
        ("domain", "com"),
        ("domain", "not a domain"),
        ("domain", ""),
        ("word", "a"),
        ("word", "\u202e"),
        ("network", "0.0.0.0/0"),
        ("network", "10.0.0.0/8"),
        ("network", "2001::/16"),
        ("network", "everybody"),
        ("word", "x" * 254),
    ],
)
def test_what_would_block_too_much_or_nothing_is_refused(kind: str, typed: str) -> None:
    with pytest.raises(ValidationError):
        normalized(kind, typed)


@pytest.mark.parametrize(
    ("kind", "value", "text", "is_match"),
    [
        ("domain", "spam.example", "See https://spam.example/x", True),
        ("domain", "spam.example", "See https://a.b.SPAM.example.", True),
        ("domain", "spam.example", "Write to ads@spam.example", True),
        ("domain", "spam.example", "spam.example is great", True),
        ("domain", "spam.example", "sp\u200bam.exam\u00adple", True),
        ("domain", "spam.example", "https://notspam.example", False),
        ("domain", "spam.example", "https://spam.example.org", False),
        ("domain", "spam.example", "https://spam.example-shop.org", False),
        ("domain", "bücher.example", "https://bücher.example", True),
        ("domain", "bücher.example", "https://xn--bcher-kva.example/", True),
        ("domain", "xn--strae-oqa.example", "https://straße.example/", True),
        ("word", "casino", "The CASINO, again", True),
        ("word", "casino", "ca\u200bs\u00adino", True),
        ("word", "casino", "\uff23\uff21\uff33\uff29\uff2e\uff2f", True),
        ("word", "casino", "casinos", False),
        ("word", "ass", "a class of its own", False),
        ("word", "buy now", "Buy\n  now!", True),
        ("word", "赌场", "欢迎来到赌场吧", True),
        ("word", "казино", "Лучшее КАЗИНО", True),
        ("word", "c++", "I like c++ and more", True),
        ("network", "192.0.2.0/24", "192.0.2.9", False),
    ],
)
def test_texts(kind: str, value: str, text: str, is_match: bool) -> None:
    assert Sample(text).matches(rule(kind, value)) is is_match


@pytest.mark.parametrize(
    ("network", "address", "is_match"),
    [
        ("192.0.2.0/24", "192.0.2.9", True),
        ("192.0.2.0/24", "192.0.3.9", False),
        ("2001:db8::/48", "2001:db8:0:1::5", True),
        ("2001:db8::/48", "192.0.2.9", False),
        ("192.0.2.0/24", "unknown", False),
        ("192.0.2.0/24", "", False),
    ],
)
def test_addresses(network: str, address: str, is_match: bool) -> None:
    assert Sample(address=address).matches(rule("network", network)) is is_match


def test_words_of_nested_values() -> None:
    assert words_of([{"question": "Why?", "answer": "Because"}, 5, None, ["a"]]) == "Why?\nBecause\na"

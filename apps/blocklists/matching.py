"""Find rules that texts, email addresses and clients match, and refuse what matches."""

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from ipaddress import ip_address, ip_network
from typing import Any

from django.core.exceptions import ValidationError

from apps.blocklists.models import MAX_VALUE, BlockRule
from apps.core.editing.plain_text import UNSPACED
from apps.core.editing.written import clean_writing
from apps.core.errors import FieldProblem, Unprocessable
from apps.core.web.hosts import ascii_host, unicode_host
from apps.sites.models import Site

Kind = BlockRule.Kind

# Larger ones would block whole countries by a slip of the keyboard.
LARGEST = {4: 12, 6: 24}
_DOMAIN = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]{2,}")
_BLANKS = re.compile(r"\s+")


class Blocked(Unprocessable):
    code = "blocked"
    title = "Text not allowed"


def normalized(kind: str, value: str) -> str:
    """Return a value in the spelling that is stored. Raises ValidationError with what to do."""
    value = _plain(value)
    if kind == Kind.DOMAIN:
        value = value.rpartition("@")[2].partition("://")[2] or value.rpartition("@")[2]
        value = value.partition("/")[0].strip(".").removeprefix("www.")
        value = _ascii(value)
        if not _DOMAIN.fullmatch(value):
            raise ValidationError("Enter a domain such as spam.example.")
    elif kind == Kind.NETWORK:
        try:
            network = ip_network(value, strict=False)
        except ValueError:
            raise ValidationError("Enter a network such as 192.0.2.0/24 or 2001:db8::/48.") from None
        if network.prefixlen < LARGEST[network.version]:
            raise ValidationError(f"Enter a smaller network, /{LARGEST[network.version]} or longer.")
        value = str(network)
    elif len(value) < 3 and not re.search(f"[{UNSPACED}]", value):
        raise ValidationError("Enter a word of 3 letters or more.")
    if len(value) > MAX_VALUE:
        raise ValidationError(f"Use up to {MAX_VALUE} characters.")
    return value


class Sample:
    """A text, an email address and a client's IP address to try rules on."""

    def __init__(self, text: str = "", *, email: str = "", address: str = "") -> None:
        self._text = _plain(text)
        # Texts name domains in links, in email addresses, and without either.
        self._text_and_email = f"{self._text}\n{_plain(email)}"
        self._address = address

    def matches(self, rule: BlockRule) -> bool:
        """Return whether a rule matches any of them."""
        if rule.kind == Kind.NETWORK:
            return _is_in(rule.value, self._address)
        if rule.kind == Kind.DOMAIN:
            return bool(_domain(rule.value).search(self._text_and_email))
        return bool(_word(rule.value).search(self._text))


def find_match(text: str = "", *, site: Site | None, email: str = "", address: str = "") -> BlockRule | None:
    """Return the first active rule that a text, an email address or a client's IP address matches. One query."""
    sample = Sample(text, email=email, address=address)
    return next(filter(sample.matches, BlockRule.objects.active(site)), None)


def check_texts(texts: Mapping[str, str], *, site: Site | None, address: str = "") -> None:
    """Refuse texts that match a rule, by the names of their fields, or whose client does. Raises Blocked (422)."""
    filled = {name: text for name, text in texts.items() if text}
    rules = list(BlockRule.objects.active(site)) if filled else []
    if any(map(Sample(address=address).matches, rules)):
        raise Blocked("You can't post from your network. Contact us if this is a mistake.")
    problems = [
        FieldProblem("blocked", refusal(rule), f"/{name}")
        for name, text in filled.items()
        if (rule := next(filter(Sample(text).matches, rules), None))
    ]
    if problems:
        raise Blocked(problems[0].detail, errors=problems)


def words_of(value: Any) -> str:
    """Return the texts in a value, which may be a list or an object with more of them."""
    match value:
        case str():
            return value
        case Mapping():
            return words_of(list(value.values()))
        case list() | tuple():
            return "\n".join(filter(None, map(words_of, value)))
    return ""


def refusal(rule: BlockRule) -> str:
    """Return a sentence that tells an author what to change."""
    return f"“{rule.value}” isn’t allowed here. Remove it, then save again."


def _plain(text: str) -> str:
    """Return a text without what only hides words: case, width, invisible characters and runs of spaces."""
    text = unicodedata.normalize("NFKC", clean_writing(text)).casefold()
    return _BLANKS.sub(" ", text).strip()


def _ascii(domain: str) -> str:
    try:
        return ascii_host(domain)
    except ValueError:
        return domain


def _is_in(network: str, address: str) -> bool:
    try:
        return ip_address(address) in ip_network(network)
    except ValueError:
        return False


@lru_cache(maxsize=2048)
def _domain(domain: str) -> re.Pattern[str]:
    """Match a domain and its subdomains, in both spellings, but neither a longer name nor a longer ending."""
    names = "|".join(map(re.escape, sorted({domain, unicode_host(domain).casefold()})))
    return re.compile(rf"(?<![\w-])(?:{names})(?![\w-])(?!\.[\w-])")


@lru_cache(maxsize=2048)
def _word(word: str) -> re.Pattern[str]:
    """Match a word or phrase, not as a part of a longer word where a script separates words."""
    before = "" if re.match(f"[{UNSPACED}]", word) else r"(?<!\w)"
    after = "" if re.search(f"[{UNSPACED}]$", word) else r"(?!\w)"
    return re.compile(f"{before}{re.escape(word)}{after}")

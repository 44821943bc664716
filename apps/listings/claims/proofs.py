"""Look for a claim's token in places that only the owner of a website controls: DNS, the page's head, a file."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias
from urllib.parse import urlsplit

from django.utils import timezone

from apps.core.fetch import HTML_TYPES, Fetched, FetchError, FetchFailure, fetch_url, normalise_address
from apps.core.html import decode
from apps.core.html.heads import meta_tags
from apps.core.web.hosts import display_url
from apps.core.web.urls import is_ip_address
from apps.listings.claims.text_records import NoAnswerError, text_records
from apps.listings.models import Claim
from apps.listings.websites.identity import home_address, page_key

Method = Claim.Method
# Where each method publishes the token, and the error if it is missing.
_Words: TypeAlias = tuple[dict[str, str], str]

NAME = "slipway-claim"
LABEL = "_slipway"
FILE_PATH = "/.well-known/slipway-claim.txt"
FILE_TYPES = frozenset({"text/plain", "application/octet-stream"})
MAX_FILE_BYTES = 4096
_FAILURES = {
    FetchFailure.TIMEOUT: "took too long to respond",
    FetchFailure.TOO_LARGE: "is too large",
    FetchFailure.HEADERS_TOO_LARGE: "has HTTP headers of over 64 KB",
    FetchFailure.TOO_MANY_REDIRECTS: "redirects more than 5 times",
    FetchFailure.NOT_HTML: "has the wrong content type",
    FetchFailure.PRIVATE_ADDRESS: "isn't on the public internet",
    FetchFailure.BAD_ADDRESS: "redirects to an invalid URL",
    FetchFailure.BAD_RESPONSE: "sent an invalid response",
    FetchFailure.BLOCKED: "refused us",
}


@dataclass(frozen=True, slots=True)
class Places:
    """Where a claim's token may be published. `names` and `file_url` are empty if others share the host."""

    page_url: str
    names: tuple[str, ...]
    file_url: str


@dataclass(frozen=True, slots=True)
class ProofCheck:
    """Which method has proven the claim, if any, and the findings for people. `at` is the time before the check."""

    at: datetime
    method: Claim.Method | None
    detail: str


def places_of(website: str) -> Places:
    """Return where to publish the token for a website.

    On a shared host, the path belongs to the website, so only the page itself proves anything. The query is dropped,
    because it may make a page say anything. Raises FetchError for a non-public URL.
    """
    parts = urlsplit(home_address(normalise_address(website)))
    origin = f"{parts.scheme}://{parts.netloc}"
    path = parts.path.rstrip("/")
    if path:
        return Places(page_url=f"{origin}{parts.path}", names=(), file_url="")
    host = (parts.hostname or "").removeprefix("www.")
    names = () if is_ip_address(host) else (f"{LABEL}.{host}", host)
    return Places(page_url=f"{origin}/", names=names, file_url=f"{origin}{FILE_PATH}")


def ways_to_prove(claim: Claim) -> dict[str, str]:
    """Return what to publish where. Empty for an ended claim, and without methods that can't prove this website."""
    if claim.status != Claim.Status.OPEN:
        return {}
    try:
        places = places_of(claim.website)
    except FetchError:
        return {}
    ways = {"page_url": places.page_url, "meta": f'<meta name="{NAME}" content="{claim.token}">'}
    if places.names:
        ways |= {"record_name": places.names[0], "record_text": record_text(claim.token)}
    if places.file_url:
        ways |= {"file_url": places.file_url, "file_text": claim.token}
    return ways


def find_proofs(*, website: str, tokens: Collection[str]) -> dict[str, ProofCheck]:
    """Look for the tokens of a website's claims in all its places, until each is found. Returns the check of each.

    Each place is requested once, however many claims there are.
    """
    at = timezone.now()
    try:
        places = places_of(website)
    except FetchError as error:
        return dict.fromkeys(
            tokens, ProofCheck(at, None, f"The check failed: {display_url(website)} {_failure(error)}.")
        )
    result: dict[str, ProofCheck] = {}
    notes = []
    for method, words_at in ((Method.DNS, _in_dns), (Method.META, _in_page), (Method.FILE, _in_file)):
        words, note = words_at(places)
        seen = (words.keys() & set(tokens)) - result.keys()
        result |= {token: ProofCheck(at, method, f"Found in {words[token]}.") for token in seen}
        if len(result) == len(set(tokens)):
            break
        notes.append(note)
    return {**dict.fromkeys(tokens, ProofCheck(at, None, " ".join(note for note in notes if note))), **result}


def record_text(token: str) -> str:
    """Return the text of the TXT record."""
    return f"{NAME}={token}"


def _in_dns(places: Places) -> _Words:
    note = f"Not found in the TXT records of {places.names[0]}." if places.names else ""
    words: dict[str, str] = {}
    for name in places.names:
        try:
            records = text_records(name)
        except NoAnswerError:
            note = f"No DNS response for {name}."
            continue
        for record in records:
            # Some DNS panels keep the quotes that people type around a record.
            label, _, token = record.strip().strip('"').partition("=")
            if label == NAME:
                words.setdefault(token, f"a TXT record of {name}")
    return words, note


def _in_page(places: Places) -> _Words:
    page, problem = _fetch(places.page_url, HTML_TYPES, is_exact=not places.file_url)
    if page is None:
        return {}, f"The page {problem}."
    if not page.is_html:
        return {}, "The page isn't HTML."
    html = decode(page.body, content_type=page.headers.get("content-type", ""))
    tags = (tag for tag in meta_tags(html) if tag.get("name", "").strip().lower() == NAME)
    words = {tag.get("content", "").strip(): f"the head of {display_url(page.url)}" for tag in tags}
    return words, "The page's head doesn't contain the meta tag."


def _in_file(places: Places) -> _Words:
    if not places.file_url:
        return {}, ""
    file, problem = _fetch(places.file_url, FILE_TYPES, is_exact=True, max_bytes=MAX_FILE_BYTES)
    if file is None:
        return {}, f"The file {problem}."
    lines = file.body.decode("utf-8-sig", "replace").splitlines()
    return {line.strip(): file.url for line in lines}, "The file has different content."


def _fetch(
    address: str, media_types: Collection[str], *, is_exact: bool, max_bytes: int | None = None
) -> tuple[Fetched | None, str]:
    """Fetch a page from the website itself, or return its problem. `is_exact` allows no other path."""
    try:
        page = fetch_url(address, media_types=media_types, max_bytes=max_bytes, partial=media_types is HTML_TYPES)
    except FetchError as error:
        return None, _failure(error)
    if problem := _stray(address, page, is_exact=is_exact):
        return None, problem
    return (page, "") if page.status == 200 else (None, f"returned a {page.status}")


def _stray(address: str, page: Fetched, *, is_exact: bool) -> str:
    """Reject redirects to other hosts. `www` and the upgrade to https are the same host."""
    for hop in (*page.redirects, page.url):
        if _host(hop) != _host(address):
            return "redirects to another host"
        if address.startswith("https:") and not hop.startswith("https:"):
            return "redirects to http"
        if is_exact and page_key(hop) != page_key(address):
            return "redirects to another page"
    return ""


def _host(url: str) -> str:
    return page_key(url).partition("/")[0]


def _failure(error: FetchError) -> str:
    return _FAILURES.get(error.code, "can't be reached")

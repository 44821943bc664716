"""Looking for a claim's word where only the owner of a website can put it: in DNS, in its page's head, in a file."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from ipaddress import ip_address
from urllib.parse import urlsplit

from django.utils import timezone

from apps.core.fetch import HTML_TYPES, Fetched, FetchError, FetchFailure, fetch_page, normalise_address
from apps.core.html import decode
from apps.listings.claims.heads import meta_tags
from apps.listings.claims.text_records import NoAnswerError, text_records
from apps.listings.models import Claim
from apps.listings.websites import website_key

Method = Claim.Method

NAME = "slipway-claim"
LABEL = "_slipway"
FILE_PATH = "/.well-known/slipway-claim.txt"
FILE_TYPES = frozenset({"text/plain", "application/octet-stream"})
MAX_FILE_BYTES = 4096
_FAILURES = {
    FetchFailure.TIMEOUT: "did not answer in time",
    FetchFailure.TOO_LARGE: "is too large to be read",
    FetchFailure.TOO_MANY_REDIRECTS: "redirects in a circle",
    FetchFailure.NOT_HTML: "is of another type",
    FetchFailure.PRIVATE_ADDRESS: "does not lead to the public internet",
    FetchFailure.BAD_ADDRESS: "leads to an address that is not valid",
    FetchFailure.BAD_RESPONSE: "gave a broken answer",
    FetchFailure.BLOCKED: "refused us",
}


@dataclass(frozen=True, slots=True)
class Places:
    """Where the word of a claim may stand; `names` and `file_url` are empty where the host is not the owner's alone."""

    page_url: str
    names: tuple[str, ...]
    file_url: str


@dataclass(frozen=True, slots=True)
class Look:
    """By which method the claim is proven, if by any, and what was found, for people; `at` is the moment before."""

    at: datetime
    method: Claim.Method | None
    detail: str


def places_of(website: str) -> Places:
    """Where to put the word for a website.

    Its path is a part of whose it is: of a page on a shared host nothing proves but the page itself. A query is no
    part of it, since it may make a page say anything. Raises FetchError for what is no public address.
    """
    parts = urlsplit(normalise_address(website))
    origin = f"{parts.scheme}://{parts.netloc}"
    path = parts.path.rstrip("/")
    if path:
        return Places(page_url=f"{origin}{parts.path}", names=(), file_url="")
    host = (parts.hostname or "").removeprefix("www.")
    names = () if _is_numeric(host) else (f"{LABEL}.{host}", host)
    return Places(page_url=f"{origin}/", names=names, file_url=f"{origin}{FILE_PATH}")


def look_for_proof(*, website: str, token: str) -> Look:
    """Look for a claim's token in all places of a website, until it is found in one."""
    at = timezone.now()
    try:
        places = places_of(website)
    except FetchError as error:
        return Look(at, None, f"We could not look: {website} {_failure(error)}.")
    notes = []
    for method, look in ((Method.DNS, _in_dns), (Method.META, _in_page), (Method.FILE, _in_file)):
        found, note = look(places, token)
        if found:
            return Look(at, method, note)
        notes.append(note)
    return Look(at, None, " ".join(note for note in notes if note))


def record_text(token: str) -> str:
    """The text of the TXT record."""
    return f"{NAME}={token}"


def _in_dns(places: Places, token: str) -> tuple[bool, str]:
    note = f"No TXT record of {places.names[0]} has it." if places.names else ""
    for name in places.names:
        try:
            records = text_records(name)
        except NoAnswerError:
            note = f"DNS gave no answer for {name}."
            continue
        # Some panels keep the quotes that people type around a record.
        if record_text(token) in {record.strip().strip('"') for record in records}:
            return True, f"Found in a TXT record of {name}."
    return False, note


def _in_page(places: Places, token: str) -> tuple[bool, str]:
    page, problem = _fetch(places.page_url, HTML_TYPES, is_exact=not places.file_url)
    if page is None:
        return False, f"The page {problem}."
    if not page.is_html:
        return False, "The page is no HTML."
    html = decode(page.body, content_type=page.headers.get("content-type", ""))
    for tag in meta_tags(html):
        if tag.get("name", "").strip().lower() == NAME and tag.get("content", "").strip() == token:
            return True, f"Found in the head of {page.url}."
    return False, "The page's head has no such meta tag."


def _in_file(places: Places, token: str) -> tuple[bool, str]:
    if not places.file_url:
        return False, ""
    file, problem = _fetch(places.file_url, FILE_TYPES, is_exact=True, max_bytes=MAX_FILE_BYTES)
    if file is None:
        return False, f"The file {problem}."
    lines = file.body.decode("utf-8-sig", "replace").splitlines()
    if token in {line.strip() for line in lines}:
        return True, f"Found in {file.url}."
    return False, "The file has another text."


def _fetch(
    address: str, media_types: Collection[str], *, is_exact: bool, max_bytes: int | None = None
) -> tuple[Fetched | None, str]:
    """A page that the website itself serves, or what is wrong with it; `is_exact` allows no other path."""
    try:
        page = fetch_page(address, media_types=media_types, max_bytes=max_bytes)
    except FetchError as error:
        return None, _failure(error)
    if problem := _stray(address, page, is_exact=is_exact):
        return None, problem
    return (page, "") if page.status == 200 else (None, f"answered with status {page.status}")


def _stray(address: str, page: Fetched, *, is_exact: bool) -> str:
    """Whoever is redirected to has proven nothing; `www` and the way from http to https are no other host."""
    for hop in (*page.redirects, page.url):
        if _host(hop) != _host(address):
            return "leads to another host"
        if address.startswith("https:") and not hop.startswith("https:"):
            return "leads away from https"
        if is_exact and website_key(hop) != website_key(address):
            return "leads to another page"
    return ""


def _host(url: str) -> str:
    return website_key(url).partition("/")[0]


def _failure(error: FetchError) -> str:
    return _FAILURES.get(error.code, "cannot be reached")


def _is_numeric(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True

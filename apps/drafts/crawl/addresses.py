"""Validate website URLs when they are sent, and follow them to their final URL."""

from urllib.parse import urljoin, urlsplit, urlunsplit

from apps.core.errors import FieldProblem, Unprocessable
from apps.core.fetch import FetchError, FetchFailure, normalise_address
from apps.drafts.extraction.document.addresses import domain_of
from apps.listings.websites.identity import STORE_PAGE, home_address, is_store_page, page_key

MAX_ADDRESS = 300


class InvalidAddress(Unprocessable):
    code = "bad_address"
    title = "Not a website URL"


class PrivateAddress(Unprocessable):
    code = "private_address"
    title = "URL not public"


def check_address(raw: str) -> str:
    """Return the home page of the website that a URL belongs to, without any lookup.

    On a shared host it keeps the part of the path that identifies the owner. Raises InvalidAddress or PrivateAddress
    (422, pointer /url).
    """
    try:
        address = home_address(normalise_address(raw))
    except FetchError as error:
        if error.code == FetchFailure.PRIVATE_ADDRESS:
            raise PrivateAddress(
                "This URL is on a private network. Use the website's public URL.", pointer="/url"
            ) from None
        raise InvalidAddress(
            "This isn't a website URL. Use one such as https://example.com, without a user name or port.",
            pointer="/url",
        ) from None
    if is_store_page(address):
        raise InvalidAddress(STORE_PAGE, pointer="/url")
    if len(address) > MAX_ADDRESS:
        detail = f"The URL is over {MAX_ADDRESS} characters. Send the home page instead."
        raise InvalidAddress("The URL is too long.", errors=[FieldProblem("max_length", detail, "/url")])
    return address


def domain_key(address: str) -> str:
    """Return the domain that only one crawl may read at a time: the registrable domain, with any unusual port."""
    port = urlsplit(address).port
    return domain_of(address) + (f":{port}" if port not in {None, 80, 443} else "")


def website_of(asked: str, final: str) -> str:
    """Return the home page that the listing links to, given where the requested one redirected.

    On the same host, only the scheme and www are adopted, because such a redirect usually picks a language.
    """
    same_host = page_key(urljoin(asked, "/")) == page_key(urljoin(final, "/"))
    path = urlsplit(asked if same_host else final).path
    try:
        website = home_address(urlunsplit(urlsplit(final)._replace(path=path)))
    except ValueError:
        return asked
    return website if len(website) <= MAX_ADDRESS else asked

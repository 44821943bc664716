"""JSON-LD for search engines and assistants, in schema.org's vocabulary."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.utils.safestring import SafeString, mark_safe

Data = dict[str, Any]

# Inside a script element nothing may end it or open a comment; JSON reads these escapes as the characters.
_ESCAPES = {ord(char): f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"}


def json_ld(things: Iterable[Mapping[str, Any]]) -> SafeString:
    """The text of a script element that describes these things as one graph; nothing in it can be markup."""
    graph = {"@context": "https://schema.org", "@graph": [filled(thing) for thing in things]}
    text = json.dumps(graph, ensure_ascii=False, separators=(",", ":")).translate(_ESCAPES)
    # Half of a surrogate pair is no text, and could not be sent.
    return mark_safe(text.encode("utf-8", "replace").decode())  # noqa: S308 (escaped above)


def filled(data: Mapping[str, Any]) -> Data:
    """The facts that there are; what is empty would say nothing. Zero and False stay."""
    return {key: value for key, value in data.items() if value not in (None, "", [], {})}


def organization(*, name: str, url: str) -> Data:
    return {"@type": "Organization", "name": name, "url": url}


def web_site(*, name: str, url: str, description: str, search_url: str) -> Data:
    """A whole site, and how to search it: `search_url` ends where the words belong."""
    return filled(
        {
            "@type": "WebSite",
            "@id": f"{url}#website",
            "name": name,
            "url": url,
            "description": description,
            "publisher": organization(name=name, url=url),
            "potentialAction": {
                "@type": "SearchAction",
                "target": {"@type": "EntryPoint", "urlTemplate": f"{search_url}{{search_term_string}}"},
                "query-input": "required name=search_term_string",
            },
        }
    )


def web_page(*, name: str, url: str, site_url: str, kind: str = "WebPage", **facts: Any) -> Data:
    """A page of a site; `kind` is WebPage or one of its kinds, `facts` are properties of schema.org."""
    return filled({"@type": kind, "name": name, "url": url, "isPartOf": {"@id": f"{site_url}#website"}, **facts})


def breadcrumbs(steps: Sequence[tuple[str, str]]) -> Data:
    """The way to a page as names and addresses, from the front page on to the page itself."""
    return {
        "@type": "BreadcrumbList",
        "itemListElement": [
            {"@type": "ListItem", "position": place, "name": name, "item": url}
            for place, (name, url) in enumerate(steps, start=1)
        ],
    }


def item_list(entries: Iterable[tuple[int, str, str]], *, name: str, url: str, is_ranked: bool = False) -> Data:
    """A list of pages, each with its place, its name and its address; `is_ranked` says that the first is the best."""
    found = [
        {"@type": "ListItem", "position": place, "name": title, "url": address} for place, title, address in entries
    ]
    return {
        "@type": "ItemList",
        "name": name,
        "url": url,
        "itemListOrder": f"https://schema.org/ItemListOrder{'Descending' if is_ranked else 'Unordered'}",
        "numberOfItems": len(found),
        "itemListElement": found,
    }


def faq_page(faqs: Iterable[tuple[str, str]], *, url: str) -> Data:
    """Questions, each with the one answer that its owner gives."""
    return {
        "@type": "FAQPage",
        "url": url,
        "mainEntity": [
            {"@type": "Question", "name": question, "acceptedAnswer": {"@type": "Answer", "text": answer}}
            for question, answer in faqs
        ],
    }

"""JSON-LD for search engines and assistants, with schema.org's vocabulary."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.utils.safestring import SafeString, mark_safe

Data = dict[str, Any]

# Nothing may end the script element or open a comment. JSON reads these escapes as the characters.
_ESCAPES = {ord(char): f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"}


def json_ld(things: Iterable[Mapping[str, Any]]) -> SafeString:
    """Return the text of a script element that describes these things as one graph. Markup is escaped."""
    graph = {"@context": "https://schema.org", "@graph": [filled(thing) for thing in things]}
    text = json.dumps(graph, ensure_ascii=False, separators=(",", ":")).translate(_ESCAPES)
    # Half a surrogate pair can't be encoded.
    return mark_safe(text.encode("utf-8", "replace").decode())  # noqa: S308 (escaped above)


def filled(data: Mapping[str, Any]) -> Data:
    """Return the facts without empty ones. Zero and False stay."""
    return {key: value for key, value in data.items() if value not in (None, "", [], {})}


def organization(*, name: str, url: str) -> Data:
    return {"@type": "Organization", "name": name, "url": url}


def web_site(*, name: str, url: str, description: str, search_url: str) -> Data:
    """Describe a whole site and its search. `search_url` ends where the search words go."""
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
    """Describe a page. `kind` is WebPage or a subtype, and `facts` are schema.org properties."""
    return filled({"@type": kind, "name": name, "url": url, "isPartOf": {"@id": f"{site_url}#website"}, **facts})


def breadcrumbs(steps: Sequence[tuple[str, str]]) -> Data:
    """Describe the path to a page as names and URLs, from the front page to the page itself."""
    return {
        "@type": "BreadcrumbList",
        "itemListElement": [
            {"@type": "ListItem", "position": place, "name": name, "item": url}
            for place, (name, url) in enumerate(steps, start=1)
        ],
    }


def item_list(entries: Iterable[tuple[int, str, str]], *, name: str, url: str, is_ranked: bool = False) -> Data:
    """Describe a list of pages with position, name and URL. `is_ranked` means the first is the best."""
    result = [
        {"@type": "ListItem", "position": place, "name": title, "url": address} for place, title, address in entries
    ]
    return {
        "@type": "ItemList",
        "name": name,
        "url": url,
        "itemListOrder": f"https://schema.org/ItemListOrder{'Descending' if is_ranked else 'Unordered'}",
        "numberOfItems": len(result),
        "itemListElement": result,
    }


def faq_page(faqs: Iterable[tuple[str, str]], *, url: str) -> Data:
    """Describe questions, each with its owner's answer."""
    return {
        "@type": "FAQPage",
        "url": url,
        "mainEntity": [
            {"@type": "Question", "name": question, "acceptedAnswer": {"@type": "Answer", "text": answer}}
            for question, answer in faqs
        ],
    }

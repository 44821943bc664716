"""What search engines read of stories and founders: JSON-LD by the words of schema.org."""

import json
from typing import Any

from django.utils.safestring import SafeString, mark_safe

from apps.accounts.founders.photos import photo_url
from apps.accounts.models import FounderProfile
from apps.sites.models import Site
from apps.stories.article import Article, Author
from apps.stories.models import FounderStory

# Inside a script element nothing may end it or open a comment; JSON reads these escapes as the characters.
_ESCAPES = {ord(char): f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"}


def story_data(story: FounderStory, *, article: Article, url: str, image_url: str) -> SafeString:
    """An Article about the company, by its founder; for a published story."""
    site, company = story.listing.site, story.listing.company
    return _script(
        {
            "@context": "https://schema.org",
            "@type": "Article",
            "headline": article.title,
            "description": article.summary,
            "image": image_url,
            "url": url,
            "mainEntityOfPage": url,
            "datePublished": story.published_at.isoformat() if story.published_at else None,
            "dateModified": max(story.updated_at, story.published_at or story.updated_at).isoformat(),
            "wordCount": article.words,
            "timeRequired": f"PT{article.minutes}M",
            "author": _person(article.author, site=site),
            "publisher": {"@type": "Organization", "name": site.name, "url": site.url("/")},
            "about": {"@type": "Organization", "name": company.name, "url": company.website or story.listing.page_url},
        }
    )


def founder_data(author: Author, *, site: Site, url: str) -> SafeString:
    """A ProfilePage of a founder, with the addresses that they call their own."""
    person = {**_person(author, site=site), "description": author.profile.bio, "sameAs": author.profile.links}
    return _script(
        {
            "@context": "https://schema.org",
            "@type": "ProfilePage",
            "url": url,
            "dateModified": author.profile.updated_at.isoformat(),
            "mainEntity": _filled(person),
        }
    )


def _person(author: Author, *, site: Site) -> dict[str, Any]:
    return _filled(
        {
            "@type": "Person",
            "name": author.name,
            "jobTitle": author.role,
            "url": site.url(author.page_url) if author.page_url else "",
            "image": _photo(author.profile, site),
        }
    )


def _photo(profile: FounderProfile, site: Site) -> str:
    address = photo_url(profile, size=512, kind="jpg")
    return site.url(address) if address.startswith("/") else address


def _filled(data: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in data.items() if value}


def _script(data: dict[str, Any]) -> SafeString:
    """The text of a script element; nothing in it can be markup."""
    return mark_safe(json.dumps(_filled(data), ensure_ascii=False).translate(_ESCAPES))  # noqa: S308 (escaped above)

"""JSON-LD about stories and founders, with schema.org's vocabulary."""

from django.urls import reverse

from apps.accounts.founders.photos import photo_url
from apps.accounts.models import FounderProfile
from apps.sites.models import Site
from apps.sites.seo.json_ld import Data, filled
from apps.sites.seo.structured_data import crumbs, page_data, publisher_of
from apps.stories.models import FounderStory
from apps.stories.views.article import Article, Author


def story_data(story: FounderStory, *, article: Article, url: str, image_url: str) -> list[Data]:
    """Describe a published story: an Article about the company by its founder."""
    site, company = story.listing.site, story.listing.company
    return [
        filled(
            {
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
                "publisher": publisher_of(site),
                "about": {
                    "@type": "Organization",
                    "name": company.name,
                    "url": company.website or story.listing.page_url,
                },
            }
        ),
        crumbs(site, ("Founder stories", reverse("stories")), (article.title, reverse("story", args=[_slug(story)]))),
    ]


def founder_data(author: Author, *, site: Site, path: str) -> list[Data]:
    """Describe a founder: a ProfilePage with their links."""
    person = {**_person(author, site=site), "description": author.profile.bio, "sameAs": author.profile.links}
    updated_at = author.profile.updated_at.isoformat()
    return [
        page_data(
            site, name=author.name, path=path, kind="ProfilePage", dateModified=updated_at, mainEntity=filled(person)
        ),
        crumbs(site, ("Founders", reverse("founders")), (author.name, path)),
    ]


def _slug(story: FounderStory) -> str:
    slug: str = story.listing.slug
    return slug


def _person(author: Author, *, site: Site) -> Data:
    return filled(
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

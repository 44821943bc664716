"""Preview images of stories and founders."""

from django.urls import reverse

from apps.accounts.founders.completeness import get_profile
from apps.core.pictures.storage import read_picture
from apps.sites.models import Site
from apps.sites.seo.preview_images import Picture
from apps.sites.seo.site_preview import picture_on
from apps.stories.models import FounderStory
from apps.stories.views.article import Author, author_name

_PHOTO_SIZE = 192


def picture_of(story: FounderStory) -> Picture:
    """Return the image of a story loaded with its author's profile and its listing's company and site."""
    listing, profile = story.listing, get_profile(story.author)
    # The company's name replaces a title that can't be drawn, and is then not repeated.
    return picture_on(
        listing.site,
        path=reverse("story", args=[listing.slug]),
        label="Founder story",
        title=story.title,
        instead=f"The story of {listing.company.name}",
        name=author_name(story.author),
        role=", ".join(text for text in (profile.role, listing.company.name) if text),
        photo_key=profile.photo_key,
    )


def picture_of_founder(author: Author, *, site: Site, products: list[str]) -> Picture:
    """Return the image of a founder with their listings on a site."""
    return picture_on(
        site,
        path=author.profile.path,
        label="Founder",
        title=author.name,
        instead="A founder",
        text=author.role,
        name=", ".join(products),
        photo_key=author.profile.photo_key,
    )


def photo_of(key: str) -> bytes:
    """Return a photo's JPEG for an image. Raises what reading it raises."""
    return read_picture(key, f"{_PHOTO_SIZE}.jpg")

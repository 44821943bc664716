"""A site with something of everything on it, and the addresses of its public pages."""

from collections.abc import Mapping
from io import BytesIO
from urllib.parse import urlsplit

from django.test import Client
from django.utils import timezone
from lxml import etree
from PIL import Image

from apps.accounts.founders import photos
from apps.curation.models import Collection, CollectionItem
from apps.listings.models import Listing, Milestone, Update
from apps.sites.models import Site
from tests.factories import (
    CategoryFactory,
    CompanyFactory,
    ListingFactory,
    UserFactory,
    complete_profile,
    store_pictures,
)
from tests.launches.voting import WEEK, play_week
from tests.stories.writing import enough, write

# In turn: a long name, one from right to left, signs that no typeface of ours has, and texts that would be markup.
TEXTS: Mapping[str, str] = {
    "plain": "Lathe & Sons",
    "long": "Pneumonoultramicroscopicsilicovolcanoconiosis " * 2,
    "right-to-left": "שלום \u202eעולם\u202c",
    "emoji": "🚀 Rocket 👩🏽‍🚀",
    "hostile": "</script><script>alert(1)</script><!-- & \u2028 ]]> \"'",
}

# The number of the first listing's collection.
COLLECTION = 4711


def make_listing(site: Site, slug: str, text: str) -> Listing:
    """A live listing with everything, by a founder with a page, with a story; `text` is its name and all its words."""
    owner = UserFactory.create()
    profile = complete_profile(owner)
    profile.slug, profile.real_name, profile.role, profile.bio = slug, text[:80], text[:80], f"{text} " * 10
    profile.links = ["https://ada.example/"]
    stored = photos.store_photo(_photo(), min_pixels=256)
    profile.photo_key, profile.photo_pixels = stored.key, stored.pixels
    profile.save()
    company = CompanyFactory.create(
        owner=owner,
        name=text[:80],
        legal_name=text[:80],
        logo_url="https://pictures.example/logo.png",
        founded_year=2021,
        country="DE",
        city=text[:40],
        team_size=4,
        pricing_model="freemium",
        price_from_cents=1950,
        platforms=["Web", "macOS"],
        audience=text[:80],
        screenshots=["https://pictures.example/one.png"],
        docs_url="https://docs.example/",
        socials={"github": "https://github.com/lathe"},
    )
    store_pictures(company)
    listing: Listing = ListingFactory.create(
        live=True,
        site=site,
        slug=slug,
        company=company,
        plan="paid",
        votes=3,
        headline=text[:80],
        summary=text,
        tags=[text[:30]],
        faqs=[{"question": text, "answer": text}],
    )
    listing.categories.add(CategoryFactory.create(site=site, slug=f"{slug}-tools", name=text[:30]))
    Milestone.objects.create(listing=listing, title=text[:80], date=timezone.now().date())
    Update.objects.create(listing=listing, title=text[:80], body=text)
    collection = Collection.objects.create(
        pk=COLLECTION + Collection.objects.count(),
        site=site,
        author=owner,
        name=text[:60],
        slug=slug,
        description=text[:500],
        status="public",
        published_at=timezone.now(),
    )
    CollectionItem.objects.create(collection=collection, listing=listing, note=text[:280], position=0)
    write(enough(title=f"How it began: {text}"[:90], problem=f"{text} {'word ' * 75}"), listing=listing)
    return listing


def _photo() -> bytes:
    stream = BytesIO()
    Image.new("RGB", (256, 256), "#884422").save(stream, "PNG")
    return stream.getvalue()


def paths(slug: str) -> list[str]:
    """The public pages of every kind, those of one listing among them, on a site with a closed week."""
    return [
        "/",
        "/boards",
        "/boards/community-weekly",
        f"/boards/community-weekly?week={WEEK}",
        f"/boards/community-weekly?category={slug}-tools",
        "/boards/community-all-time",
        "/categories",
        f"/categories/{slug}-tools",
        f"/listings/{slug}",
        "/stories",
        f"/stories/{slug}",
        "/founders",
        f"/founders/{slug}",
        "/collections",
        "/updates",
        "/weeks",
        "/pricing",
        "/search",
        "/about/ranking",
        "/ledgers",
        "/newsletter",
        "/connect",
        "/terms",
        "/privacy",
        "/reference",
        "/reference/search_listings",
    ]


def play(site: Site) -> None:
    """A closed week with a winner."""
    play_week(site)


def sitemap_paths(visitor: Client) -> list[str]:
    """Every page that the sitemap names, as paths."""
    index = _places(visitor, "/sitemap.xml")
    return [path for section in index for path in _places(visitor, section)]


def _places(visitor: Client, path: str) -> list[str]:
    tree = etree.fromstring(visitor.get(path).content)
    result = [urlsplit(place.text or "") for place in tree.iter("{http://www.sitemaps.org/schemas/sitemap/0.9}loc")]
    return [f"{parts.path}?{parts.query}" if parts.query else parts.path for parts in result]

"""Demo companies with their listings, updates and milestones. The app above adds the launches."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from importlib.resources import files
from typing import Any

from django.utils.text import slugify

from apps.accounts import demo as accounts
from apps.accounts.models import User
from apps.core.demo import Demo, read_demo_data
from apps.listings import search
from apps.listings.models import Category, Company, CompanyPicture, Listing, Milestone, Update
from apps.listings.services.categories import seed_categories
from apps.listings.services.evidence import Fact, keep_evidence
from apps.listings.services.pictures.files import Field, store
from apps.listings.websites.identity import website_key
from apps.sites.demo import DEFAULT, MAKERS
from apps.sites.models import Site

OF_DEMO_OWNER = frozenset({"sundial", "marginalia"})


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoCompany:
    """A company with its listing, from demo_data/companies.yaml.

    `socials` are platform names, milestones have `days_ago`. `makers` has the headline and summary of its listing
    on the second site, if it has one. Its logo and as many `screenshots` are in demo_data/pictures; `founder` is empty
    for companies of the demo owner.
    """

    name: str
    headline: str
    summary: str
    categories: Sequence[str]
    tags: Sequence[str]
    country: str
    city: str
    founded: int
    team: int
    founder: str = ""
    screenshots: int = 0
    pricing: str
    price_cents: int | None = None
    platforms: Sequence[str] = ("Web",)
    tech: Sequence[str] = ()
    audience: str = ""
    description: str = ""
    alternatives: Sequence[str] = ()
    has_docs: bool = False
    socials: Sequence[str] = ()
    faqs: Sequence[Mapping[str, str]] = ()
    updates: Sequence[Mapping[str, str]] = ()
    milestones: Sequence[Mapping[str, Any]] = ()
    makers: Mapping[str, str] | None = None

    @property
    def key(self) -> str:
        """The slug of its listings, and its name among the demo objects."""
        return slugify(self.name)

    @property
    def domain(self) -> str:
        return f"{self.key}.example"

    def pictures(self) -> dict[str, Any]:
        """Return its logo and screenshots as fields of its company: URLs on its website, which nobody asks."""
        shots = [f"https://{self.domain}/screenshots/{number}.webp" for number in range(1, self.screenshots + 1)]
        return {"logo_url": f"https://{self.domain}/logo.webp", "screenshots": shots}


@cache
def companies() -> Sequence[DemoCompany]:
    """The demo companies, in the order in which their listings are created."""
    return [DemoCompany(**entry) for entry in read_demo_data("apps.listings", "companies")]


def seed(demo: Demo) -> None:
    """Create the companies and their draft listings, kept as `default/orbitly` or `makers/tessera`."""
    seed_categories(Category, demo.get(Site, MAKERS))
    accounts.make_founders(demo, [(written.key, written.founder) for written in companies() if written.founder])
    made = Company.objects.bulk_create([_company(demo, written) for written in companies()])
    _make_pictures(made)
    pairs = list(zip(companies(), made, strict=True))
    _make_listings(demo, DEFAULT, pairs)
    _make_listings(demo, MAKERS, [(written, company) for written, company in pairs if written.makers])
    _make_news(demo)
    _make_evidence(demo)
    search.index(listing_ids=[listing.pk for listing in demo.all(Listing).values()])


def _company(demo: Demo, written: DemoCompany) -> Company:
    owner = demo.get(User, accounts.OWNER if written.key in OF_DEMO_OWNER else written.key)
    home = f"https://{written.domain}"
    return Company(
        owner=owner,
        name=written.name,
        website=home,
        website_key=website_key(home),
        **written.pictures(),
        founded_year=written.founded,
        country=written.country,
        city=written.city,
        team_size=written.team,
        contact_email=f"hello@{written.domain}",
        pricing_model=written.pricing,
        price_from_cents=written.price_cents,
        price_period=Company.PricePeriod.MONTH if written.price_cents else "",
        platforms=list(written.platforms),
        tech_stack=list(written.tech),
        audience=written.audience,
        docs_url=f"https://docs.{written.domain}" if written.has_docs else "",
        socials={platform: _profile(platform, written) for platform in written.socials},
        created_at=demo.now - timedelta(days=demo.random.randint(75, 130)),
    )


def _make_pictures(made: list[Company]) -> None:
    """Store each company's pictures, as if they had been downloaded."""
    folder = files("apps.listings").joinpath("demo_data", "pictures")
    rows = []
    for company in made:
        named = [(Field.LOGO, company.logo_url), *((Field.SCREENSHOTS, url) for url in company.screenshots)]
        for field, url in named:
            data = folder.joinpath(slugify(company.name), url.rpartition("/")[2]).read_bytes()
            stored = store(field, data)
            rows.append(CompanyPicture(company=company, field=field, url=url, **stored._asdict()))
            if field == Field.LOGO:
                company.logo_key = stored.key
    CompanyPicture.objects.bulk_create(rows)
    Company.objects.bulk_update(made, ["logo_key"])


def _profile(platform: str, written: DemoCompany) -> str:
    """Return a profile URL on the platform that nobody else can own."""
    handle = f"{written.key}-example"
    addresses = {
        "bluesky": f"https://bsky.app/profile/{written.domain}",
        "github": f"https://github.com/{handle}",
        "instagram": f"https://www.instagram.com/{written.key}.example",
        "linkedin": f"https://www.linkedin.com/company/{handle}",
        "mastodon": f"https://social.{written.domain}/@team",
        "rss": f"https://{written.domain}/feed.xml",
        "threads": f"https://www.threads.net/@{written.key}.example",
        "x": f"https://x.com/{written.key}_example",
        "youtube": f"https://www.youtube.com/@{handle}",
    }
    return addresses[platform]


def _make_listings(demo: Demo, site_key: str, pairs: list[tuple[DemoCompany, Company]]) -> None:
    site = demo.get(Site, site_key)
    taken = set(Listing.objects.filter(site=site).values_list("slug", flat=True))
    listings = Listing.objects.bulk_create(
        [_listing(written, company=company, site=site, slug=_slug(written, taken)) for written, company in pairs]
    )
    categories = {category.slug: category for category in Category.objects.filter(site=site)}
    membership = Listing.categories.through
    memberships = []
    for (written, _), listing in zip(pairs, listings, strict=True):
        demo.keep(f"{site_key}/{written.key}", listing)
        # An admin may have removed a category of the first site.
        for slug in categories.keys() & set(written.categories):
            memberships.append(membership(listing_id=listing.pk, category_id=categories[slug].pk))
    membership.objects.bulk_create(memberships)


def _listing(written: DemoCompany, *, company: Company, site: Site, slug: str) -> Listing:
    listing = Listing(company=company, site=site, slug=slug, tags=list(written.tags))
    if site.key == MAKERS and written.makers:
        listing.headline, listing.summary = written.makers["headline"], written.makers["summary"]
        return listing
    listing.headline = written.headline
    listing.summary = written.summary
    listing.description = written.description
    listing.alternatives = list(written.alternatives)
    listing.faqs = [dict(entry) for entry in written.faqs]
    return listing


def _slug(written: DemoCompany, taken: set[str]) -> str:
    return f"{written.key}-demo" if written.key in taken else written.key


def _make_news(demo: Demo) -> None:
    updates: list[Update] = []
    milestones: list[Milestone] = []
    today = demo.now.date()
    for written in companies():
        listing = demo.get(Listing, f"{DEFAULT}/{written.key}")
        # Newest first. They get dates once the launch weeks are known.
        updates += [Update(listing=listing, **entry) for entry in reversed(written.updates)]
        if written.makers:
            twin = demo.get(Listing, f"{MAKERS}/{written.key}")
            updates += [Update(listing=twin, **entry) for entry in written.updates[:1]]
        milestones += [
            Milestone(
                listing=listing,
                date=today - timedelta(days=entry["days_ago"]),
                title=entry["title"],
                description=entry["description"],
            )
            for entry in written.milestones
        ]
    Update.objects.bulk_create(updates)
    Milestone.objects.bulk_create(milestones)


def _make_evidence(demo: Demo) -> None:
    """Add sources to the most detailed listings, as if a draft had read their websites."""
    read_at = demo.now - timedelta(days=75)
    for written in companies():
        if not written.description:
            continue
        listing = demo.get(Listing, f"{DEFAULT}/{written.key}")
        read = [
            ("name", written.name, "", f"{written.name}: {written.headline}"),
            ("headline", written.headline, "", f"{written.name}: {written.headline}"),
            ("summary", written.summary, "", written.summary[:300]),
            ("founded_year", written.founded, "/about", f"{written.name} was founded in {written.founded}."),
            ("team_size", written.team, "/about", f"We are a team of {written.team}."),
            ("city", written.city, "/about", f"Our office is in {written.city}."),
            ("pricing_model", written.pricing, "/pricing", "Plans and prices"),
            ("price_from_cents", written.price_cents, "/pricing", "Plans and prices"),
        ]
        website = listing.company.website
        facts = [Fact(field, value, f"{website}{page}", words, read_at) for field, value, page, words in read]
        keep_evidence(listing=listing, website_key=listing.company.website_key, facts=facts)

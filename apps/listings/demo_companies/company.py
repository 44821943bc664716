"""The shape in which demo companies are written down."""

from dataclasses import dataclass

from django.utils.text import slugify


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoCompany:
    """A company as its listing tells of it.

    `socials` are platform names. A milestone is (days ago, title, description), an update (title, body),
    an FAQ (question, answer). `makers` is (headline, summary) for its listing on the second site, if it has one.
    """

    name: str
    headline: str
    summary: str
    categories: tuple[str, ...]
    tags: tuple[str, ...]
    country: str
    city: str
    founded: int
    team: int
    pricing: str
    price_cents: int | None = None
    platforms: tuple[str, ...] = ("Web",)
    tech: tuple[str, ...] = ()
    audience: str = ""
    description: str = ""
    alternatives: tuple[str, ...] = ()
    has_docs: bool = False
    socials: tuple[str, ...] = ()
    faqs: tuple[tuple[str, str], ...] = ()
    updates: tuple[tuple[str, str], ...] = ()
    milestones: tuple[tuple[int, str, str], ...] = ()
    makers: tuple[str, str] | None = None

    @property
    def key(self) -> str:
        """Slug of its listings, and its name among the demo objects."""
        return slugify(self.name)

    @property
    def domain(self) -> str:
        return f"{self.key}.example"

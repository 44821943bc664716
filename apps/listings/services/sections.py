"""Paid sections of a listing's page: their content, visibility and unlocking."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.urls import reverse

from apps.core.templatetags.ui import money
from apps.listings.models import Listing
from apps.sites.models import Site

Status = Listing.Status


@dataclass(frozen=True, slots=True)
class Section:
    """A paid section: the fields of a listing that it shows, and its label."""

    name: str
    title: str
    fields: tuple[str, ...]


SECTIONS: Mapping[str, Section] = {
    section.name: section
    for section in (
        Section("faq", "FAQs", ("faqs",)),
        Section("gallery", "screenshots and video", ("screenshots", "video_url")),
        Section("milestones", "milestones", ("milestones",)),
    )
}
_BUYABLE = frozenset({*Listing.LAUNCHABLE, Status.LIVE})


@dataclass(frozen=True, slots=True)
class Unlock:
    """A product that unlocks a section, and where to buy it. Without a listing there is no URL yet."""

    product: str
    title: str
    price_cents: int
    url: str | None = None

    @property
    def text(self) -> str:
        return f"{self.title} ({money(self.price_cents).removesuffix('.00')})"


@dataclass(frozen=True, slots=True)
class Shown:
    """Whether visitors see a section, and if not, why and what unlocks it."""

    section: Section
    is_unlocked: bool
    is_public: bool
    unlock_with: list[Unlock] = field(default_factory=list)
    # The status in which nothing is sold for the listing. Empty if its status is not the reason.
    blocked_by: str = ""

    @property
    def shown_on_listing(self) -> bool:
        return self.is_unlocked and self.is_public

    @property
    def locked_text(self) -> str:
        """Return a text for the owner's pages, which link to the shop. Empty for an unlocked section."""
        if self.is_unlocked:
            return ""
        ways = " or ".join(unlock.text for unlock in self.unlock_with)
        if self.blocked_by:
            unlock = f"Not available while the listing is {self.blocked_by}."
        else:
            unlock = f"Unlock with {ways}." if ways else "Nothing that unlocks it is currently for sale."
        return f"Your plan saves {self.section.title} but doesn't show them. {unlock}"

    @property
    def buy_url(self) -> str:
        return next((unlock.url for unlock in self.unlock_with if unlock.url), "")

    @property
    def next_steps(self) -> list[str]:
        """Return how to make visitors see it, for the API. Empty if they do."""
        steps = [self.locked_text] if not self.is_unlocked else []
        if self.unlock_with:
            names = " or ".join(unlock.product for unlock in self.unlock_with)
            where = f", or on {self.buy_url}" if self.buy_url else " once the draft is submitted"
            steps[-1] += f" Buy {names} with create_checkout{where}."
        return steps if self.is_public else [*steps, "They appear once the listing is live."]


def shows(listing: Listing, section: str) -> bool:
    """Return whether a paid section is visible: on paid listings, and where it was unlocked."""
    return listing.plan == Listing.Plan.PAID or section in listing.unlocked_sections


def hidden_fields(listing: Listing) -> set[str]:
    """Return the fields that the listing's plan hides from visitors."""
    return {name for section in SECTIONS.values() if not shows(listing, section.name) for name in section.fields}


def shown_sections(listing: Listing, names: Iterable[str] = tuple(SECTIONS)) -> list[Shown]:
    """Return the state of these sections on a listing loaded with its site, with one query if any is locked."""
    unlocked = {name for name in names if shows(listing, name)}
    blocked_by = "" if listing.status in _BUYABLE else Status(listing.status).label.lower()
    is_sold = not blocked_by and not unlocked.issuperset(names)
    products = _products(listing.site) if is_sold else []
    url = listing.site.url(reverse("buy", args=[listing.pk])) if is_sold else None
    is_public = listing.status == Status.LIVE
    return [
        Shown(
            SECTIONS[name],
            name in unlocked,
            is_public,
            [] if name in unlocked else _unlocks(products, name, url),
            blocked_by,
        )
        for name in names
    ]


def sections_before_submitting(site: Site, names: Iterable[str]) -> list[Shown]:
    """Return the state that these sections will have on a draft's listing, on the free plan."""
    products = _products(site)
    return [Shown(SECTIONS[name], False, False, _unlocks(products, name, None)) for name in names]


def locked_sections(listing: Listing) -> dict[str, Shown]:
    """Return the sections that the listing's plan hides, by name."""
    return {section.section.name: section for section in shown_sections(listing) if not section.is_unlocked}


def _products(site: Site) -> list[Any]:
    # Orders are above this app, so a site finds its products by the reverse relation.
    products: Any = site.products
    return list(products.filter(is_active=True))


def _unlocks(products: Iterable[Any], section: str, url: str | None) -> list[Unlock]:
    """Return what unlocks one section: its own products before the launch, which unlocks all."""
    own = [product for product in products if section in product.unlocks and product.name != "launch"]
    launch = [product for product in products if product.name == "launch"]
    return [Unlock(product.name, product.title, product.price_cents, url) for product in [*own, *launch]]

"""Objects for tests, with sensible defaults."""

from collections.abc import Iterable
from typing import Any

import factory
from django.utils import timezone

from apps.accounts.credentials import create_api_key
from apps.accounts.models import FounderProfile, User
from apps.core.scopes import OWNER_SCOPES, Scope
from apps.core.weeks import Week
from apps.listings import search
from apps.listings.models import Category, Company, Listing
from apps.sites.models import Site

PASSWORD = "a long test password"


class UserFactory(factory.django.DjangoModelFactory[User]):
    class Meta:
        model = User
        skip_postgeneration_save = True

    email = factory.Sequence(lambda number: f"person{number}@example.com")
    name = factory.Sequence(lambda number: f"Person {number}")

    @factory.post_generation
    def password(self: User, create: bool, extracted: str | None, **_: Any) -> None:
        self.set_password(extracted or PASSWORD)
        self.save(update_fields=["password"])


class SiteFactory(factory.django.DjangoModelFactory[Site]):
    class Meta:
        model = Site

    key = factory.Sequence(lambda number: f"site{number}")
    host = factory.Sequence(lambda number: f"site{number}.localhost")
    name = factory.Sequence(lambda number: f"Site {number}")


class CategoryFactory(factory.django.DjangoModelFactory[Category]):
    class Meta:
        model = Category

    site: Any = factory.SubFactory(SiteFactory)
    slug = factory.Sequence(lambda number: f"category-{number}")
    name = factory.Sequence(lambda number: f"Category {number}")


class CompanyFactory(factory.django.DjangoModelFactory[Company]):
    class Meta:
        model = Company

    owner: Any = factory.SubFactory(UserFactory)
    name = factory.Sequence(lambda number: f"Company {number}")
    website = factory.Sequence(lambda number: f"https://company{number}.example.com")
    website_key: Any = factory.LazyAttribute(lambda company: company.website.removeprefix("https://"))


class ListingFactory(factory.django.DjangoModelFactory[Listing]):
    """A listing in status draft; `ListingFactory(live=True)` makes one of the current week."""

    class Meta:
        model = Listing
        skip_postgeneration_save = True

    class Params:
        live: Any = factory.Trait(
            status=Listing.Status.LIVE,
            plan=Listing.Plan.FREE,
            launch_week=factory.LazyFunction(lambda: str(Week.of(timezone.now()))),
            launched_at=factory.LazyFunction(timezone.now),
        )

    company: Any = factory.SubFactory(CompanyFactory)
    site: Any = factory.LazyFunction(lambda: Site.objects.get(is_default=True))
    slug = factory.Sequence(lambda number: f"company-{number}")
    headline = factory.Sequence(lambda number: f"Headline of company {number}")
    summary = "What the product does, in a sentence or two."

    @factory.post_generation
    def indexed(self: Listing, create: bool, extracted: object, **_: Any) -> None:
        search.index(listing_ids=[self.pk])


def complete_profile(user: User) -> FounderProfile:
    """A founder profile with everything the default site asks for."""
    return FounderProfile.objects.create(
        user=user,
        real_name="Ada Example",
        role="Founder",
        bio="Builds small tools that do one thing well, and writes about what went wrong on the way there.",
        photo="founders/ada.png",
    )


def api_key(user: User, scopes: Iterable[Scope] = OWNER_SCOPES) -> str:
    """A fresh API key of the account; returns the secret."""
    _, raw = create_api_key(user=user, name="test key", scopes=scopes)
    return raw

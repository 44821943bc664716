"""Objects for tests, with sensible defaults."""

import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import factory
from django.utils import timezone
from oauth2_provider.models import get_access_token_model

from apps.accounts.api_keys import services
from apps.accounts.api_keys.secret import checksum
from apps.accounts.models import Application, Connection, FounderProfile, User
from apps.core.api.scopes import OWNER_SCOPES, Scope
from apps.core.text.weeks import Week
from apps.launches.models import Standing, VoteLedger
from apps.launches.votes.rankings import enter_board, store_totals
from apps.launches.votes.weights import WHOLE_VOTE
from apps.listings import search
from apps.listings.models import Category, Company, CompanyPicture, Listing
from apps.sites.models import Site

PASSWORD = "a long test password"


class UserFactory(factory.django.DjangoModelFactory[User]):
    """An account that can sign in: its address is verified."""

    class Meta:
        model = User

    email = factory.Sequence(lambda number: f"person{number}@example.com")
    name = factory.Sequence(lambda number: f"Person {number}")
    password = PASSWORD

    @classmethod
    def _create(cls, model_class: type[User], *args: Any, **kwargs: Any) -> User:
        user: User = model_class.objects.create_user(*args, **kwargs)
        return user


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


def store_pictures(company: Company) -> list[CompanyPicture]:
    """Stored pictures for all URLs that the company names, without files."""
    company.pictures.all().delete()
    named = [("logo_url", company.logo_url), *(("screenshots", url) for url in company.screenshots)]
    rows = [
        CompanyPicture(company=company, field=field, url=url, key=f"pictures/{uuid4().hex}", width=1600, height=1000)
        for field, url in named
        if url
    ]
    CompanyPicture.objects.bulk_create(rows)
    company.logo_key = next((row.key for row in rows if row.field == "logo_url"), "")
    company.save(update_fields=["logo_key"])
    return rows


class ListingFactory(factory.django.DjangoModelFactory[Listing]):
    """A listing in status draft; `ListingFactory(live=True)` makes one of the current week, on its board."""

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
    suspended_from: Any = factory.LazyAttribute(lambda listing: "live" if str(listing.status) == "suspended" else "")
    status = Listing.Status.DRAFT

    @factory.post_generation
    def on_board(self: Listing, create: bool, extracted: object, **_: Any) -> None:
        """What was launched has a standing: on an open board that it can be voted on, or on one that is final."""
        if self.launched_at and self.week:
            stand(self)

    @factory.post_generation
    def indexed(self: Listing, create: bool, extracted: object, **_: Any) -> None:
        search.index(listing_ids=[self.pk])


def stand(listing: Listing) -> Standing:
    """A launched listing on the board of its week, with a whole vote's points for each of its votes.

    Boards of weeks that are over are ranked again, as if they had been closed with this listing on them.
    """
    standing = enter_board(listing=listing)
    standing.votes, standing.points = listing.votes, listing.votes * WHOLE_VOTE
    standing.save(update_fields=["votes", "points"])
    if standing.is_final:
        ledger, _ = VoteLedger.objects.get_or_create(
            site=listing.site, iso_week=standing.iso_week, defaults={"closed_at": Week.parse(standing.iso_week).ends_at}
        )
        ranked = Standing.objects.filter(site=listing.site, iso_week=standing.iso_week, is_final=True)
        ranked.update(rank=None)
        live = ranked.filter(listing__status=Listing.Status.LIVE).order_by("-points", "launched_at", "listing")
        for rank, pk in enumerate(live.values_list("pk", flat=True), start=1):
            Standing.objects.filter(pk=pk).update(rank=rank)
        store_totals(ledger, [{"votes": votes, "categories": []} for votes in live.values_list("votes", flat=True)])
        ledger.save()
        standing.refresh_from_db()
    return standing


def complete_profile(user: User) -> FounderProfile:
    """A founder profile with everything the default site asks for."""
    return FounderProfile.objects.create(
        user=user,
        real_name="Ada Example",
        role="Founder",
        bio="Builds small tools that do one thing well, and writes about what went wrong on the way there.",
        photo_key=f"founders/{uuid4().hex}",
        photo_pixels=512,
    )


def api_key(user: User, scopes: Iterable[Scope] = OWNER_SCOPES) -> str:
    """A fresh API key of the account, made without counting those it has; returns the secret."""
    scope, ends_at = services._clean_scopes(scopes), timezone.now() + services.DEFAULT_LIFETIME
    _, raw = services._make(user=user, name="test key", scope=scope, expires_at=ends_at)
    return raw


class ApplicationFactory(factory.django.DjangoModelFactory[Application]):
    """An OAuth client that registered itself."""

    class Meta:
        model = Application

    name = "An assistant"
    redirect_uris = "http://127.0.0.1/callback"


def access_token(
    user: User,
    *,
    resource: str,
    application: Application | None = None,
    scopes: Iterable[Scope] = OWNER_SCOPES,
    expires_at: datetime | None = None,
) -> str:
    """An access token of a client that the account has connected; returns the secret."""
    application = application or ApplicationFactory.create()
    Connection.objects.get_or_create(user=user, application=application)
    raw = f"slat_{secrets.token_urlsafe(32)}"
    get_access_token_model().objects.create(
        user=user,
        application=application,
        token_checksum=checksum(raw),
        scope=" ".join(scopes),
        resource=[resource],
        expires=expires_at or timezone.now() + timedelta(hours=1),
    )
    return raw

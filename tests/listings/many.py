"""Many live listings, with everything that lists show about them."""

from itertools import count
from typing import Any

from django.db import connection
from django.utils import timezone

from apps.accounts.models import User
from apps.core.text.weeks import Week
from apps.launches.models import Standing, Vote
from apps.listings import search
from apps.listings.models import Category, Company, Follow, Listing, Milestone, Update
from apps.sites.models import Site
from apps.stories.models import FounderStory

_numbers = count(1)


def make_live(site: Site, number: int, *, owner: User, category: Category) -> list[Listing]:
    """So many listings of this week, all with the same texts.

    Each has a vote, a follow, an update, a milestone and a story of `owner`, and is in `category`.
    """
    now = timezone.now()
    numbers = [next(_numbers) for _ in range(number)]
    companies = Company.objects.bulk_create(
        Company(
            owner=owner, name="Paper boats", website=f"https://boats{one}.example", website_key=f"boats{one}.example"
        )
        for one in numbers
    )
    week = str(Week.of(now))
    made = Listing.objects.bulk_create(
        Listing(
            company=company,
            site=site,
            slug=f"boats-{one}",
            headline="Boats made of paper",
            status=Listing.Status.LIVE,
            plan=Listing.Plan.FREE,
            unlocked_sections=["milestones"],
            launch_week=week,
            launched_at=now,
            votes=1,
        )
        for one, company in zip(numbers, companies, strict=True)
    )
    through = Listing.categories.through
    through.objects.bulk_create(through(listing=listing, category=category) for listing in made)
    _surround(made, owner, now)
    _index_like_the_first([listing.pk for listing in made])
    return made


def _surround(made: list[Listing], owner: User, now: Any) -> None:
    Standing.objects.bulk_create(
        Standing(
            site=one.site, iso_week=one.launch_week, listing=one, launched_at=now, votes=1, points=100, is_final=False
        )
        for one in made
    )
    Vote.objects.bulk_create(Vote(listing=listing, user=owner) for listing in made)
    Follow.objects.bulk_create(Follow(listing=listing, user=owner) for listing in made)
    Update.objects.bulk_create(Update(listing=listing, title="News", body="Good news.") for listing in made)
    Milestone.objects.bulk_create(Milestone(listing=listing, date=now.date(), title="One") for listing in made)
    FounderStory.objects.bulk_create(
        FounderStory(listing=listing, author=owner, title="A story", sections={"problem": "Rain."}, published_at=now)
        for listing in made
    )


def _index_like_the_first(listing_ids: list[int]) -> None:
    """All have the same texts, so all have the same vector: cutting one is enough."""
    search.index(listing_ids=listing_ids[:1])
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE listings_listing SET search_vector = first.search_vector"
            " FROM (SELECT search_vector FROM listings_listing WHERE id = %s) first WHERE id = ANY(%s)",
            [listing_ids[0], listing_ids[1:]],
        )

"""A site on which one thing grows at a time, for comparing what its pages ask the database."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import cycle
from typing import Any
from uuid import uuid4

from django.db import connection
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.accounts.models import User
from apps.comments.models import Comment
from apps.core.text.weeks import Week
from apps.curation.models import Collection, CollectionFollow, CollectionItem
from apps.events.recording import Subject, record
from apps.events.types import TYPES
from apps.launches.models import Standing, VoteLedger
from apps.listings.models import Category, Company, Follow, Listing, ListingVersion, Milestone, Update
from apps.listings.services.ratings import count_reviews
from apps.moderation.models import Appeal, Case, Decision, Report
from apps.orders.checkout.create import create_checkout
from apps.orders.checkout.quote import QuoteRequest
from apps.orders.models import Order, Placement, Product
from apps.orders.products.catalog import seed_products
from apps.reviews.models import CustomerDomain, Review, ReviewLink
from apps.sites.models import Site
from apps.stories.models import FounderStory, InterviewAnswer, InterviewQuestion, InterviewVersion, StoryVersion
from tests.api import ApiClient
from tests.drafts.factories import DraftFactory
from tests.factories import CategoryFactory, ListingFactory, SiteFactory, UserFactory, api_key, complete_profile
from tests.listings.many import make_live
from tests.orders.carts import make_paid_orders, week

# A week and a year that are over.
WEEK, YEAR = "2025-W52", 2025
# The number of the collection that grows.
COLLECTION = 4711
_PUBLIC: dict[str, Any] = {"name": "Boats", "status": "public", "published_at": datetime(2026, 11, 1, tzinfo=UTC)}


@dataclass
class Scene:
    """What the paths of the table name: `acme` is the person's listing, in the category `boats`."""

    site: Site
    person: User
    category: Category
    listing: Listing


def make_scene(site: Site) -> Scene:
    """Someone with a page of their own, and `acme` with a story, beside `zeta`."""
    person = UserFactory.create()
    profile = complete_profile(person)
    profile.slug = "ada-example"
    profile.save()
    category = CategoryFactory.create(site=site, slug="boats", name="Water")
    listing, _ = [ListingFactory.create(live=True, slug=slug, plan="paid", site=site) for slug in ("acme", "zeta")]
    Company.objects.filter(pk=listing.company_id).update(owner=person)
    listing.categories.add(category)
    FounderStory.objects.create(listing=listing, author=person, title="Ours", published_at=timezone.now())
    return Scene(site, person, category, Listing.objects.get(pk=listing.pk))


Grow = Callable[[Scene, int], object]


def listings(scene: Scene, number: int) -> list[Listing]:
    """Live ones of the person, with everything that lists show beside them."""
    return make_live(scene.site, number, owner=scene.person, category=scene.category)


def waiting(scene: Scene, number: int) -> None:
    """Listings of the person whose badge was not found yet."""
    made = [listing.pk for listing in listings(scene, number)]
    Standing.objects.filter(listing__in=made).delete()
    Listing.objects.filter(pk__in=made).update(status="awaiting_badge", launch_week="", launched_at=None)


def past_launches(scene: Scene, number: int) -> None:
    """Listings of one closed week."""
    _close(scene, WEEK)
    ranked = Standing.objects.filter(iso_week=WEEK).count()
    for rank, listing in enumerate(listings(scene, number), start=ranked + 1):
        _move_to(WEEK, listing, rank=rank)


def past_boards(scene: Scene, number: int) -> None:
    """Closed weeks, each with a listing that is compared with `acme`."""
    closed = VoteLedger.objects.filter(site=scene.site).count()
    for number_of_week, listing in enumerate(listings(scene, number), start=closed + 1):
        iso_week = f"{YEAR}-W{number_of_week:02d}"
        _close(scene, iso_week)
        _move_to(iso_week, listing, rank=1)
        Listing.objects.filter(pk=listing.pk).update(alternatives=[scene.listing.company.name])
        Listing.objects.filter(pk=scene.listing.pk).update(alternatives=[listing.company.name])


def _close(scene: Scene, iso_week: str) -> None:
    closed = {"closed_at": timezone.now(), "launches": 1, "votes": 1, "length": 1}
    VoteLedger.objects.get_or_create(site=scene.site, iso_week=iso_week, defaults=closed)


def _move_to(iso_week: str, listing: Listing, *, rank: int) -> None:
    at = Week.parse(iso_week).starts_at
    Listing.objects.filter(pk=listing.pk).update(launch_week=iso_week, launched_at=at)
    Standing.objects.filter(listing=listing).update(iso_week=iso_week, launched_at=at, rank=rank, is_final=True)


def categories(scene: Scene, number: int) -> None:
    for listing in listings(scene, number):
        listing.categories.add(CategoryFactory.create(site=scene.site))


def contents(scene: Scene, number: int) -> None:
    """What the page of a listing shows of it."""
    listing, today = scene.listing, timezone.now().date()
    Update.objects.bulk_create(Update(listing=listing, title="News", body="Good news.") for _ in range(number))
    Milestone.objects.bulk_create(Milestone(listing=listing, date=today, title="One") for _ in range(number))
    listing.alternatives = [f"Company {one}" for one in range(number)][:12]
    listing.company.tech_stack = ["Python"] * min(number, 20)
    listing.save()
    listing.company.save()
    listing.categories.add(*CategoryFactory.create_batch(2, site=scene.site))


def comments(scene: Scene, number: int) -> None:
    """By several people; every third is a reply to the first."""
    authors, of = UserFactory.create_batch(3), scene.listing
    first = Comment.objects.create(listing=of, author=authors[0], text="First", status="posted")
    Comment.objects.bulk_create(
        Comment(listing=of, author=author, text="Next", status="posted", parent=None if one % 3 else first)
        for one, author in zip(range(1, number), cycle(authors), strict=False)
    )
    Listing.objects.filter(pk=of.pk).update(comment_count=Comment.objects.count())


def collected(scene: Scene, number: int) -> None:
    """Listings in one collection of the person, which is public, with notes and followers."""
    collection, _ = Collection.objects.get_or_create(
        pk=COLLECTION, site=scene.site, author=scene.person, slug="boats", **_PUBLIC
    )
    CollectionItem.objects.bulk_create(
        CollectionItem(collection=collection, listing=listing, note="Good", position=listing.pk)
        for listing in listings(scene, number)
    )


def collections(scene: Scene, number: int) -> None:
    """Public ones by several people, all with `acme` and the same others. The person follows them."""
    shown = [scene.listing, *listings(scene, 4)]
    for author in UserFactory.create_batch(number):
        collection = Collection.objects.create(site=scene.site, author=author, slug="boats", **_PUBLIC)
        CollectionItem.objects.bulk_create(
            CollectionItem(collection=collection, listing=listing, position=place)
            for place, listing in enumerate(shown)
        )
        CollectionFollow.objects.create(collection=collection, user=scene.person)


def own_collections(scene: Scene, number: int) -> None:
    """Private ones of the person, with `acme`."""
    for _ in range(number):
        collection = Collection.objects.create(
            site=scene.site, author=scene.person, name="Boats", slug=f"boats-{uuid4()}"
        )
        CollectionItem.objects.create(collection=collection, listing=scene.listing, position=0)


def reviews(scene: Scene, number: int) -> None:
    """By as many people, every other verified, with links and domains of as many customers."""
    of = scene.listing
    authors = UserFactory.create_batch(min(number, 30))
    for one in range(number - len(authors)):
        authors.append(User(email=f"reviewer{one}-{uuid4()}@example.com"))
    User.objects.bulk_create(authors[30:])
    Review.objects.bulk_create(
        Review(
            listing=of,
            author=author,
            rating=one % 5 + 1,
            text="Well made",
            status="posted",
            is_verified=one % 2 == 0,
            proof="" if one % 2 else "link",
        )
        for one, author in enumerate(authors)
    )
    ReviewLink.objects.bulk_create(ReviewLink(listing=of, code=uuid4().hex[:10].upper()) for _ in range(number))
    CustomerDomain.objects.bulk_create(CustomerDomain(listing=of, domain=f"{uuid4()}.example") for _ in range(number))
    count_reviews(of.pk)


def cases(scene: Scene, number: int) -> None:
    """Comments by the person: each was reported and removed, appealed, and reported again."""
    comments(scene, number)
    reporters = UserFactory.create_batch(2)
    by_others = Comment.objects.exclude(pk__in=Case.objects.values("object_id"))
    for comment in by_others.order_by("-pk")[:number]:
        about = {"author": scene.person, "site": scene.site, "title": "Comment on Acme", "text": comment.text}
        case = Case.objects.create(kind="comment", object_id=comment.pk, **about)
        removed = {"author": scene.person, "action": Decision.Action.REMOVED, "reason": "Rude."}
        decision = Decision.objects.create(case=case, by=reporters[0], **removed)
        Appeal.objects.create(decision=decision, text="No.")
        Report.objects.bulk_create(Report(case=case, reporter=reporter, reason="spam") for reporter in reporters)
        closed = {"closed_at": timezone.now(), "decision": decision}
        Report.objects.create(case=case, reporter=scene.person, reason="spam", **closed)


def founders(scene: Scene, number: int) -> None:
    """With a page, a live listing and a story; the person follows them."""
    for listing in listings(scene, number):
        user = UserFactory.create()
        profile = complete_profile(user)
        profile.slug = f"founder-{user.pk}"
        profile.save()
        Company.objects.filter(pk=listing.company_id).update(owner=user)
        FounderStory.objects.filter(listing=listing).update(author=user)
        Follow.objects.create(user=scene.person, founder=profile)


def answers(scene: Scene, number: int) -> None:
    """Of the person, each to a question of its own."""
    asked = InterviewQuestion.objects.bulk_create(
        InterviewQuestion(site=scene.site, text="Why boats?") for _ in range(number)
    )
    InterviewAnswer.objects.bulk_create(
        InterviewAnswer(question=question, user=scene.person, text="They float.") for question in asked
    )
    change = {"field": str(asked[0].pk), "before": "", "after": "They float."}
    _keep(InterviewVersion, change, number, user=scene.person, site=scene.site)


def story_versions(scene: Scene, number: int) -> None:
    change = {"field": "title", "before": "Old", "after": "New"}
    _keep(StoryVersion, change, number, story=scene.listing.founder_story, action="edited")


def listing_versions(scene: Scene, number: int) -> None:
    """Of edits that changed the listing and its company."""
    for edit_id in [uuid4() for _ in range(number)]:
        edit = {"company": scene.listing.company, "edit_id": edit_id}
        _keep(ListingVersion, {"field": "headline", "before": "Old", "after": "New"}, 1, listing=scene.listing, **edit)
        _keep(ListingVersion, {"field": "city", "before": "Riga", "after": "Lisbon"}, 1, **edit)


def _keep(model: Any, change: dict[str, str], number: int, **of: Any) -> None:
    """Add versions by somebody else, each of which restores an earlier one."""
    by: dict[str, Any] = {"author": UserFactory.create(), "via": "admin", "changes": [change]}
    snapshot = {"title": "A story", "sections": {}}
    first = model.objects.first() or model.objects.create(**of, **by, snapshot=snapshot)
    model.objects.bulk_create(model(**of, **by, snapshot=snapshot, restored_from=first) for _ in range(number))


def notifications(scene: Scene, number: int) -> None:
    """Of updates that the person follows, and of what happened to the person's listings and orders."""
    known = TYPES["order.paid"]
    for listing in listings(scene, number):
        record("badge.found", listing.event_subject())
        record("order.paid", Subject(known.kind, known.object_id, scene.person.pk, scene.site.pk, known.data))
    Follow.objects.update(created_at=timezone.now() - timedelta(days=1))
    # Numbers the events, as a commit does.
    connection.check_constraints()


def placements(scene: Scene, number: int) -> None:
    """On the front page and in the category in turn."""
    sections_of = [{"product": "section_faq", "listing_id": listing.pk} for listing in listings(scene, number)]
    values: dict[str, Any] = {"amount_cents": 100, "categories": [scene.category.slug], "week": week()}
    Placement.objects.bulk_create(
        Placement(line=line, listing=line.listing, site=scene.site, product=product, **values)
        for line, product in zip(
            _check_out(scene, *sections_of).lines.all(), cycle(("billboard", "category_feature")), strict=False
        )
    )


def keys(scene: Scene, number: int) -> None:
    for _ in range(number):
        api_key(scene.person)


def drafts(scene: Scene, number: int) -> None:
    DraftFactory.create_batch(number, owner=scene.person, ready=True)


def orders(scene: Scene, number: int) -> None:
    """Open ones, each for a listing of its own."""
    for listing in listings(scene, number):
        _check_out(scene, {"product": "section_faq", "listing_id": listing.pk})


def launches(scene: Scene, number: int) -> None:
    """Open orders in pairs that launch the same listing, so that each names the other."""
    for listing in ListingFactory.create_batch(number // 2, company__owner=scene.person, site=scene.site):
        for _ in range(2):
            _check_out(scene, {"product": "launch", "listing_id": listing.pk, "week": "now"})


def paid_orders(scene: Scene, number: int) -> None:
    """With invoices and refunds. A few are enough: each is paid through the pages."""
    make_paid_orders(ApiClient(scene.person), min(number, 8))


def _check_out(scene: Scene, *items: dict[str, Any]) -> Order:
    by = Actor(user=scene.person, via="browser")
    order, _ = create_checkout(QuoteRequest(items=items), site=scene.site, by=by, address="127.0.0.1")
    return order


def products(scene: Scene, number: int) -> None:
    """On sale, of those that the site has."""
    known = Product.objects.filter(site=scene.site).order_by("pk").values_list("pk", flat=True)
    Product.objects.update(is_active=False)
    Product.objects.filter(pk__in=known[:number]).update(is_active=True)


def catalogs(scene: Scene, number: int) -> None:
    """Products of other sites, with their versions: about a dozen each."""
    for _ in range(0, number, 12):
        seed_products(SiteFactory.create())

"""One of each that people write and others can report."""

from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import Permission
from django.utils import timezone

from apps.accounts.models import User
from apps.listings.models import Company, Listing, Milestone, Update
from apps.moderation.kinds import kinds
from apps.moderation.models import Report
from apps.moderation.services.reports import report
from apps.reviews.services.writing import answer_review
from apps.sites.models import Site
from apps.stories.models import FounderStory, InterviewAnswer, InterviewQuestion
from tests.actors import in_browser
from tests.comments.people import comment_on
from tests.curation.making import make_collection
from tests.factories import ListingFactory, UserFactory, complete_profile
from tests.reviews.people import customer, review_of

KINDS = (
    "listing",
    "update",
    "milestone",
    "story",
    "answer",
    "founder_profile",
    "comment",
    "review",
    "review_answer",
    "collection",
)
SECTIONS = {"how_started": "We began in a kitchen.", "problem": "Nobody had boats."}


@dataclass
class World:
    """`rows` are by kind. `owner` wrote what belongs to the listing, and `author` the rest."""

    site: Site
    owner: User
    author: User
    listing: Listing
    rows: dict[str, Any]

    def author_of(self, kind: str) -> User:
        return self.author if kind in {"comment", "review", "collection"} else self.owner

    def report(self, kind: str, *, by: User | None = None, **values: str) -> Report:
        """A report as the service makes it."""
        values = {"reason": "spam", "note": "An ad.", **values}
        return report(kind=kinds()[kind], row=self.rows[kind], by=in_browser(by or UserFactory.create()), **values)


def make_world(site: Site) -> World:
    owner, author = UserFactory.create(), customer()
    profile = complete_profile(owner)
    profile.slug = f"founder-{owner.pk}"
    profile.save()
    listing = ListingFactory.create(live=True, plan="paid", site=site, company__name="Acme")
    Company.objects.filter(pk=listing.company_id).update(owner=owner)
    listing = Listing.objects.get(pk=listing.pk)
    question = InterviewQuestion.objects.create(site=site, text="Why boats?")
    now = timezone.now()
    review = review_of(listing, "Good boats", author=author)
    review = answer_review(review=review, text="Thank you", by=in_browser(owner))
    rows = {
        "review": review,
        "review_answer": review,
        "collection": make_collection(author, "Boats", number=3),
        "listing": listing,
        "update": Update.objects.create(listing=listing, title="News", body="Good news.", notified_at=now),
        "milestone": Milestone.objects.create(listing=listing, date=now.date(), title="First boat", description="Red."),
        "story": FounderStory.objects.create(
            listing=listing, author=owner, title="Our story", sections=SECTIONS, published_at=now
        ),
        "answer": InterviewAnswer.objects.create(question=question, user=owner, text="They float."),
        "founder_profile": profile,
        "comment": comment_on(listing, "Nice boats", author=author),
    }
    return World(site, owner, author, listing, rows)


def moderator() -> User:
    """A site admin who may moderate and nothing else."""
    user: User = UserFactory.create(is_staff=True)
    names = [f"{action}_{model}" for action in ("view", "change") for model in ("case", "appeal", "decision")]
    result = Permission.objects.filter(content_type__app_label="moderation", codename__in=names)
    user.user_permissions.set([*result, Permission.objects.get(codename="view_user")])
    return user

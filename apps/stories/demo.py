"""Demo stories with profiles and history, and an interview for each site."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from apps.accounts import demo as accounts
from apps.accounts.models import User
from apps.core.demo import Demo, read_demo_data
from apps.core.versions.models import Via
from apps.listings.models import Listing
from apps.sites.demo import DEFAULT, MAKERS
from apps.sites.models import Site
from apps.stories.models import FounderStory, InterviewAnswer, InterviewQuestion, StoryVersion
from apps.stories.rules.site_rules import Rules
from apps.stories.services import history
from apps.stories.services.first_questions import seed_questions

_Action = StoryVersion.Action
_DRAFTED = timedelta(days=2)


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoStory:
    """A story for the default site's listing `company` with its team's profile, from demo_data/stories.yaml.

    Without `days_ago` it is a draft. Its first version has the title `first_title`.
    """

    company: str
    title: str
    sections: dict[str, str]
    role: str
    bio: str
    portrait: int
    days_ago: int | None = None
    first_title: str = ""
    links: Sequence[str] = ()


def seed(demo: Demo) -> None:
    """Create published stories, a draft, and some interview answers."""
    makers = demo.get(Site, MAKERS)
    if not InterviewQuestion.objects.filter(site=makers).exists():
        seed_questions(InterviewQuestion, makers)
    texts = [DemoStory(**entry) for entry in read_demo_data("apps.stories", "stories")]
    stories = [_story(demo, written) for written in texts]
    FounderStory.objects.bulk_create(stories)
    for written, story in zip(texts, stories, strict=True):
        StoryVersion.objects.bulk_create(_versions(written, story))
        if written.bio:
            accounts.make_profile(
                story.author, role=written.role, bio=written.bio, portrait=written.portrait, links=list(written.links)
            )
    _answer(demo)


def _story(demo: Demo, written: DemoStory) -> FounderStory:
    listing = demo.get(Listing, f"{DEFAULT}/{written.company}")
    story = FounderStory(
        listing=listing,
        author=listing.company.owner,
        title=written.title,
        sections=written.sections,
        created_at=demo.now - _DRAFTED,
        updated_at=demo.now - timedelta(hours=20),
        rules_applied_at=demo.now,
    )
    if written.days_ago is not None:
        told_at = demo.now - timedelta(days=written.days_ago, hours=written.days_ago)
        story.published_at = max(told_at, listing.launched_at or demo.now)
        story.published_rules = Rules.of(listing.site).to_json()
        story.updated_at = story.published_at
        story.created_at = story.published_at - _DRAFTED
    return story


def _versions(written: DemoStory, story: FounderStory) -> list[StoryVersion]:
    """Return a version by the founder and, for a published story, a second one by an assistant."""
    last = history.snapshot_of(story)
    if story.published_at is None:
        return [_version(story, {"title": "", "sections": {}}, last, action=_Action.SAVED, at=story.updated_at)]
    sections = dict(list(written.sections.items())[:-1])
    first = {"title": written.first_title or written.title, "sections": sections}
    done = _version(story, first, last, action=_Action.PUBLISHED, at=story.published_at)
    done.via, done.credential = Via.ASSISTANT, "Writing assistant"
    return [_version(story, {"title": "", "sections": {}}, first, action=_Action.SAVED, at=story.created_at), done]


def _version(
    story: FounderStory,
    before: history.Snapshot,
    after: history.Snapshot,
    *,
    action: StoryVersion.Action,
    at: datetime,
) -> StoryVersion:
    return StoryVersion(
        story=story,
        action=action,
        author=story.author,
        via=Via.BROWSER,
        changes=history.changes_between(before, after),
        snapshot=after,
        created_at=at,
    )


def _answer(demo: Demo) -> None:
    """Answer by site, account, and the question's position."""
    answers = []
    for site_key, by_account in read_demo_data("apps.stories", "interviews").items():
        questions = list(InterviewQuestion.objects.asked(demo.get(Site, site_key)))
        for account, texts in by_account.items():
            answers += [
                InterviewAnswer(question=questions[place], user=demo.get(User, account), text=text)
                for place, text in texts.items()
                if place < len(questions)
            ]
    InterviewAnswer.objects.bulk_create(answers)

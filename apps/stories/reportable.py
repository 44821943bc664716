"""Founder stories and interview answers as something to report and decide about."""

from django.db.models import Exists, OuterRef, QuerySet
from django.urls import reverse

from apps.accounts.actors import Actor
from apps.listings.models import Listing
from apps.moderation.kinds import Kind, Written
from apps.moderation.models import Decision
from apps.sites.models import Site
from apps.stories.models import FounderStory, InterviewAnswer
from apps.stories.sections import SECTIONS
from apps.stories.services import interviews, stories


class StoryKind(Kind):
    name = "story"
    label = "Founder story"
    model = "stories.FounderStory"
    remove_label = "Take down"
    removing = "Takes the story down. The text is kept, and can't be published until it is restored."
    written_at = "updated_at"

    def rows(self) -> QuerySet[FounderStory]:
        return FounderStory.objects.select_related("author", "listing__company", "listing__site")

    def public(self, site: Site) -> QuerySet[FounderStory]:
        stories: QuerySet[FounderStory] = FounderStory.objects.published(site)
        return stories.select_related("author", "listing__company", "listing__site")

    def written(self, row: FounderStory) -> Written:
        return Written(
            author=row.author,
            site=row.listing.site,
            title=f"Founder story of {row.listing.company.name}",
            text="\n\n".join(filter(None, (row.title, *(row.sections.get(name) for name in SECTIONS)))),
            path=reverse("story", args=[row.listing.slug]),
        )

    def remove(self, row: FounderStory, *, reason: str, note: str, by: Actor) -> object:
        return stories.take_down_story(story=row, reason=reason, note=note, by=by)

    def restore(self, decision: Decision, *, note: str, by: Actor) -> object:
        story = FounderStory.objects.get(pk=decision.case.object_id)
        return stories.release_story(story=story, note=note, by=by)

    def why_not_remove(self, row: FounderStory) -> str:
        return "Already taken down." if row.taken_down_at else ""


class AnswerKind(Kind):
    name = "answer"
    label = "Interview answer"
    model = "stories.InterviewAnswer"
    removing = "Deletes the answer. The interview's history keeps it."
    written_at = "updated_at"

    def rows(self) -> QuerySet[InterviewAnswer]:
        return InterviewAnswer.objects.select_related("question__site", "user__founder_profile")

    def public(self, site: Site) -> QuerySet[InterviewAnswer]:
        live = Listing.objects.public().filter(site=site, company__owner=OuterRef("user"))
        # Only founders with a page show their answers on it, and only stories show those of others.
        stories_of = FounderStory.objects.published(site).filter(author=OuterRef("user"))
        asked = self.rows().filter(question__site=site, question__is_active=True)
        with_page = Exists(live.filter(company__owner__founder_profile__slug__isnull=False))
        return asked.filter(with_page | Exists(stories_of))

    def written(self, row: InterviewAnswer) -> Written:
        profile = getattr(row.user, "founder_profile", None)
        return Written(
            author=row.user,
            site=row.question.site,
            title=f"Answer to: {row.question.text}",
            text=row.text,
            path=f"{profile.path}#interview" if profile and profile.slug else reverse("stories"),
        )

    def remove(self, row: InterviewAnswer, *, reason: str, note: str, by: Actor) -> object:
        return interviews.remove_answer(answer=row, reason=reason, note=note, by=by)

    def restore(self, decision: Decision, *, note: str, by: Actor) -> object:
        return interviews.restore_answer(decision=decision, note=note, by=by)


KINDS = (StoryKind(), AnswerKind())

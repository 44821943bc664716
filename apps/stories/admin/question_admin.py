"""How admins change a site's questions."""

from django.db import transaction
from django.db.models import Max

from apps.core.errors import Conflict
from apps.sites.models import Site
from apps.stories.models import InterviewQuestion, UnsavedText
from apps.stories.services.first_questions import seed_questions

# Questions with equal positions keep their creation order.
MAX_POSITION = 32_767


class AlreadyAnswered(Conflict):
    code = "already_answered"
    title = "The question has answers"


class AlreadyAsks(Conflict):
    code = "already_asks"
    title = "The site already has questions"


def last_place(site: Site) -> int:
    """Return the position after all other questions of the site, within the column's range."""
    last: int | None = InterviewQuestion.objects.filter(site=site).aggregate(last=Max("position"))["last"]
    return 1 if last is None else min(last + 1, MAX_POSITION)


def answered_by(question: InterviewQuestion) -> int:
    """Return how many accounts have answered a question, shown or hidden."""
    count: int = question.answers.count()
    return count


@transaction.atomic
def delete_question(*, question: InterviewQuestion) -> None:
    """Delete an unanswered question and its unsaved drafts.

    Raises AlreadyAnswered (409): answered questions are kept, but can be hidden.
    """
    # Wait for answers being saved, so that they count.
    locked = InterviewQuestion.objects.select_for_update().filter(pk=question.pk).first()
    if locked is None:
        return
    if count := answered_by(locked):
        message = "1 founder has" if count == 1 else f"{count} founders have"
        raise AlreadyAnswered(f"{message} answered this question. To keep the answers, turn it off instead.")
    UnsavedText.objects.filter(site_id=locked.site_id, name=str(locked.pk)).delete()
    locked.delete()


@transaction.atomic
def ask_first_questions(*, site: Site) -> None:
    """Add the default questions to a site without any. Raises AlreadyAsks (409)."""
    # Two concurrent admins would add every question twice.
    Site.objects.select_for_update(no_key=True).get(pk=site.pk)
    if InterviewQuestion.objects.filter(site=site).exists():
        raise AlreadyAsks(f"{site} already has questions.")
    seed_questions(InterviewQuestion, site)

"""Demo stories with their authors' profiles, and an interview on each site."""

from datetime import timedelta

from apps.accounts import demo as accounts
from apps.accounts.models import User
from apps.core.demo import Demo
from apps.listings.models import Listing
from apps.sites.demo import DEFAULT, MAKERS
from apps.sites.models import Site
from apps.stories.demo_stories import STORIES
from apps.stories.models import FounderStory, InterviewAnswer, InterviewQuestion
from apps.stories.questions import seed_questions

# Answers by account and by the question's place among the site's own.
_ANSWERS: dict[str, dict[str, dict[int, str]]] = {
    DEFAULT: {
        accounts.OWNER: {
            0: "It is a calendar that knows at which hours you think well, and keeps strangers out of them.",
            4: "I let it move appointments without asking. Eleven people wrote on the first morning.",
            7: "I describe a feature to ten customers first. If nobody answers, it does not get built.",
        },
    },
    MAKERS: {
        "bramble": {
            0: "You say what has to be eaten, it says what is for dinner.",
            2: "A neighbour with twins. She said: three suggestions are enough, I have two hands.",
        },
        "rookery": {
            5: "Updating a server in the middle of a call. It took two winters and a whiteboard nobody may wipe.",
            9: "Members, and how many of them came to the last assembly.",
        },
        "packlight": {
            10: "Do it, but do not ask people for an account. Ask them what stayed in the bag.",
        },
    },
}


def seed(demo: Demo) -> None:
    """Publish the stories, and let some founders answer some of the questions."""
    makers = demo.get(Site, MAKERS)
    if not InterviewQuestion.objects.filter(site=makers).exists():
        seed_questions(InterviewQuestion, makers)
    stories = []
    for written in STORIES:
        listing = demo.get(Listing, f"{DEFAULT}/{written.company}")
        launched_at = listing.launched_at or demo.now
        published_at = max(demo.now - timedelta(days=written.days_ago, hours=written.days_ago), launched_at)
        stories.append(
            FounderStory(
                listing=listing,
                author=listing.company.owner,
                title=written.title,
                sections=written.sections,
                published_at=published_at,
                created_at=published_at - timedelta(days=2),
            )
        )
        if written.bio:
            accounts.make_profile(listing.company.owner, role=written.role, bio=written.bio, hue=written.hue)
    FounderStory.objects.bulk_create(stories)
    _answer(demo)


def _answer(demo: Demo) -> None:
    answers = []
    for site_key, by_account in _ANSWERS.items():
        questions = list(InterviewQuestion.objects.filter(site=demo.get(Site, site_key), is_active=True))
        for account, texts in by_account.items():
            answers += [
                InterviewAnswer(question=questions[place], user=demo.get(User, account), text=text)
                for place, text in texts.items()
                if place < len(questions)
            ]
    InterviewAnswer.objects.bulk_create(answers)

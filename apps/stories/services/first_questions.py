"""The interview questions a new site starts with; its admins change and order them."""

from typing import Any

QUESTIONS = (
    "What does your product do, said to a friend who has never heard of it?",
    "Which moment made you start working on it?",
    "Who was the first person to use it, and what did they say?",
    "What did people do before your product existed?",
    "Which decision did you get wrong at first, and how did you notice?",
    "What was the hardest part to build, and why?",
    "How do people find you today?",
    "How do you decide what not to build?",
    "What does a normal working day look like for you?",
    "Which number do you look at every week?",
    "What would you tell somebody who starts with the same idea tomorrow?",
    "What comes next, and what do you need for it?",
)


def seed_questions(model: Any, site: Any) -> None:
    """Give a site its first questions; `model` is InterviewQuestion, possibly a migration's version of it."""
    model.objects.bulk_create(
        [model(site=site, text=text, position=position) for position, text in enumerate(QUESTIONS, start=1)]
    )

"""A new site's default interview questions, which admins can change."""

from typing import Any

QUESTIONS = (
    "How would you explain your product to a friend?",
    "What made you start working on it?",
    "Who was the first person to use it, and what did they say?",
    "What did people do before your product existed?",
    "Which early decision was wrong, and how did you find out?",
    "What was the hardest part to build, and why?",
    "How do people find you today?",
    "How do you decide what not to build?",
    "What does a normal workday look like?",
    "Which number do you check every week?",
    "What would you tell someone starting with the same idea today?",
    "What's next, and what do you need for it?",
)


def seed_questions(model: Any, site: Any) -> None:
    """Add the default questions to a site. `model` is InterviewQuestion, or a migration's version of it."""
    model.objects.bulk_create(
        [model(site=site, text=text, position=position) for position, text in enumerate(QUESTIONS, start=1)]
    )

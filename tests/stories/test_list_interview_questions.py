"""list_interview_questions: what a site asks its founders."""

import pytest

from apps.stories.models import InterviewQuestion
from apps.stories.services.first_questions import QUESTIONS
from tests.api import ApiClient

pytestmark = pytest.mark.django_db


def test_everybody_reads_what_the_site_asks_now_in_its_order(
    anonymous: ApiClient, asked: list[int], elsewhere: InterviewQuestion
) -> None:
    InterviewQuestion.objects.filter(pk=asked[0]).update(position=99)
    InterviewQuestion.objects.filter(pk=asked[1]).update(is_active=False)
    items = anonymous.get("/interview-questions").json()["items"]
    assert [item["id"] for item in items] == [*asked[2:], asked[0]]
    assert [item["text"] for item in items] == [*QUESTIONS[2:], QUESTIONS[0]]
    other = ApiClient(host=elsewhere.site.host)
    assert [item["text"] for item in other.get("/interview-questions").json()["items"]] == ["What else?"]


def test_a_question_is_its_id_its_text_and_its_place(owner: ApiClient, asked: list[int]) -> None:
    answer = owner.get("/interview-questions")
    assert answer.status_code == 200
    rows = zip(asked, QUESTIONS, range(1, len(asked) + 1), strict=True)
    assert answer.json() == {"items": [{"id": pk, "text": text, "position": place} for pk, text, place in rows]}


def test_a_site_that_asks_nothing_has_an_empty_list(anonymous: ApiClient, asked: list[int]) -> None:
    InterviewQuestion.objects.update(is_active=False)
    assert anonymous.get("/interview-questions").json() == {"items": []}

"""The interview by assistants: read, answered once however often it is tried, and named in the history."""

import pytest

from apps.mcp.registry import KEY_ARGUMENT
from apps.stories.models import InterviewAnswer, InterviewVersion
from tests.mcp.clients import VERSIONS
from tests.mcp.conftest import World
from tests.mcp.test_editing_tools import call

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("version", VERSIONS)
def test_an_assistant_reads_the_questions_and_answers_one(version: str, base_url: str, world: World) -> None:
    questions = call(base_url, version, "list_interview_questions", world)["structuredContent"]["items"]
    sent = [{"question_id": questions[0]["id"], "answer": f"By {version}"}]
    arguments = {"answers": sent, KEY_ARGUMENT: f"interview-{version}"}
    first, again = (call(base_url, version, "answer_interview", world, **arguments) for _ in range(2))
    body = first["structuredContent"]
    assert again["structuredContent"] == body
    assert [(entry["question"], entry["answer"]) for entry in body["answers"]] == [
        (questions[0]["text"], f"By {version}")
    ]
    assert [question["id"] for question in body["unanswered"]] == [question["id"] for question in questions[1:]]
    stored = world.committed(lambda: InterviewVersion.objects.filter(user=world.owner).first())
    assert stored is not None
    assert (stored.via, stored.credential) == ("assistant", "test key")
    assert [change["after"] for change in stored.changes] == [f"By {version}"]
    empty = call(base_url, version, "answer_interview", world, answers=[{**sent[0], "answer": ""}])
    assert empty["structuredContent"]["answers"] == []
    assert not world.committed(InterviewAnswer.objects.filter(user=world.owner).exists)

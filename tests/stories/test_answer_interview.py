"""answer_interview: what merges, what is kept, what is refused."""

from functools import partial
from typing import Any

import pytest

from apps.accounts.actors import Actor
from apps.sites.models import Site
from apps.stories.models import InterviewAnswer, InterviewQuestion, InterviewVersion
from apps.stories.services.first_questions import QUESTIONS
from apps.stories.services.interviews import (
    Answer,
    AnswersRefused,
    answer_interview,
    remove_answer,
    shown_answers,
)
from tests.api import ApiClient
from tests.factories import UserFactory
from tests.racing import run_at_once

pytestmark = pytest.mark.django_db

PATH = "/me/interview"
LINK = "https://example.com/page"


def put(client: ApiClient, *answers: tuple[Any, Any], **headers: str) -> Any:
    return client.put(PATH, {"answers": [{"question_id": pk, "answer": text} for pk, text in answers]}, **headers)


def texts(answer: Any) -> list[tuple[int, str]]:
    assert answer.status_code == 200, answer.content
    return [(entry["question_id"], entry["answer"]) for entry in answer.json()["answers"]]


def problems(answer: Any) -> list[tuple[str, str]]:
    assert answer.status_code == 422, answer.content
    return [(error["code"], error["pointer"]) for error in answer.json()["errors"]]


def kept() -> list[list[dict[str, str]]]:
    """What each version of the interviews changed, oldest first."""
    return list(InterviewVersion.objects.order_by("pk").values_list("changes", flat=True))


# ---- merging ----
def test_answers_merge_by_question(owner: ApiClient, asked: list[int]) -> None:
    first, second, third, *_ = asked
    assert texts(put(owner, (second, "Two"), (first, "One"))) == [(first, "One"), (second, "Two")]
    assert texts(put(owner, (third, "Three"), (second, "Zwei"))) == [(first, "One"), (second, "Zwei"), (third, "Three")]
    assert texts(put(owner, (first, ""))) == [(second, "Zwei"), (third, "Three")]
    assert texts(put(owner)) == [(second, "Zwei"), (third, "Three")]


def test_the_answer_tells_what_is_still_open(owner: ApiClient, asked: list[int], site: Site) -> None:
    shown = put(owner, (asked[0], "One")).json()
    assert [question["id"] for question in shown["unanswered"]] == asked[1:]
    assert shown["url"] == site.url("/account/interview")
    assert (shown["answers"][0]["question"], shown["answers"][0]["answer"]) == (QUESTIONS[0], "One")
    assert shown["answers"][0]["updated_at"]


def test_an_answer_is_plain_text_that_is_cleaned(owner: ApiClient, asked: list[int]) -> None:
    sent = "  <b>Cafe\u0301</b>\r\n\r\nSecond \u202eparagraph\x07  "
    assert texts(put(owner, (asked[0], sent))) == [(asked[0], "<b>Café</b>\n\nSecond paragraph")]
    # What shows nothing is no answer.
    assert texts(put(owner, (asked[0], " \u200b\u3164 "))) == []


def test_answers_are_of_one_account_on_one_site(
    owner: ApiClient, other_owner: ApiClient, asked: list[int], elsewhere: InterviewQuestion
) -> None:
    put(owner, (asked[0], "Mine"))
    assert texts(put(other_owner, (asked[0], "Theirs"))) == [(asked[0], "Theirs")]
    there = ApiClient(owner.user, host=elsewhere.site.host)
    assert texts(put(there, (elsewhere.pk, "There"))) == [(elsewhere.pk, "There")]
    assert texts(put(owner)) == [(asked[0], "Mine")]


def test_an_answer_to_what_is_no_longer_asked_is_kept_and_not_shown(owner: ApiClient, asked: list[int]) -> None:
    put(owner, (asked[0], "One"), (asked[1], "Two"))
    question = InterviewQuestion.objects.filter(pk=asked[0])
    question.update(is_active=False)
    assert texts(put(owner)) == [(asked[1], "Two")]
    assert problems(put(owner, (asked[0], ""))) == [("unknown_question", "/answers/0/question_id")]
    question.update(is_active=True)
    assert texts(put(owner)) == [(asked[0], "One"), (asked[1], "Two")]


def test_times_follow_the_words(owner: ApiClient, asked: list[int]) -> None:
    put(owner, (asked[0], "One"))
    before = InterviewAnswer.objects.get()
    put(owner, (asked[0], "One"))
    same = InterviewAnswer.objects.get()
    assert (same.answered_at, same.updated_at) == (before.answered_at, before.updated_at)
    put(owner, (asked[0], "Another"))
    after = InterviewAnswer.objects.get()
    assert after.answered_at == before.answered_at
    assert after.updated_at > before.updated_at


# ---- history ----
def test_what_changed_is_kept_with_who_and_by_which_credential(owner: ApiClient, asked: list[int]) -> None:
    first, second = map(str, asked[:2])
    put(owner, (asked[0], "One"), (asked[1], "Two"))
    put(owner, (asked[0], "One"), (asked[1], ""))
    put(owner, (asked[0], "One"))
    put(owner)
    assert kept() == [
        [{"field": first, "before": "", "after": "One"}, {"field": second, "before": "", "after": "Two"}],
        [{"field": second, "before": "Two", "after": ""}],
    ]
    version = InterviewVersion.objects.latest("pk")
    assert (version.user, version.author, version.via, version.credential) == (
        owner.user, owner.user, "key", "test key",
    )  # fmt: skip


def test_site_admins_remove_an_answer_and_the_history_keeps_it(owner: ApiClient, asked: list[int], site: Site) -> None:
    put(owner, (asked[0], "Unkind words"), (asked[1], "Two"))
    team = Actor(user=UserFactory.create(is_staff=True), via="admin")
    answer = InterviewAnswer.objects.get(question=asked[0])
    remove_answer(answer=answer, reason="Unkind.", by=team)
    assert [one.text for one in shown_answers(answer.user, site=site)] == ["Two"]
    version = InterviewVersion.objects.latest("pk")
    assert version.changes == [{"field": str(asked[0]), "before": "Unkind words", "after": ""}]
    assert (version.user, version.site, version.author, version.via) == (owner.user, site, team.user, "admin")
    # Gone already: nothing more happens.
    remove_answer(answer=answer, reason="Unkind.", by=team)
    assert InterviewVersion.objects.count() == 2


# ---- what is refused ----
@pytest.mark.parametrize(
    ("pk", "code"), [(0, "min_value"), (-1, "min_value"), (2**63, "max_value"), (2**64 - 1, "max_value")]
)
def test_a_number_that_is_no_id_is_refused_as_the_schema_says(
    owner: ApiClient, asked: list[int], pk: int, code: str
) -> None:
    assert problems(put(owner, (asked[0], "One"), (pk, "Two"))) == [(code, "/answers/1/question_id")]
    assert not InterviewAnswer.objects.exists()


def test_a_question_that_is_not_asked_is_refused_by_its_id(owner: ApiClient, asked: list[int]) -> None:
    pk = 987654321
    answer = put(owner, (asked[0], "One"), (pk, "Two"))
    assert problems(answer) == [("unknown_question", "/answers/1/question_id")]
    assert str(pk) in answer.json()["detail"]
    assert "list_interview_questions" in answer.json()["next_steps"][0]
    assert not InterviewAnswer.objects.exists()
    assert kept() == []


def test_a_question_of_another_site_is_not_known_here(owner: ApiClient, elsewhere: InterviewQuestion) -> None:
    answer = put(owner, (elsewhere.pk, "There"))
    assert problems(answer) == [("unknown_question", "/answers/0/question_id")]
    assert elsewhere.text not in answer.content.decode()
    assert not InterviewAnswer.objects.exists()


@pytest.mark.parametrize(("length", "is_taken"), [(3999, True), (4000, True), (4001, False)])
def test_an_answer_has_a_longest_length(owner: ApiClient, asked: list[int], length: int, is_taken: bool) -> None:
    answer = put(owner, (asked[0], "é" * length))
    if is_taken:
        assert texts(answer) == [(asked[0], "é" * length)]
        return
    assert problems(answer) == [("max_length", "/answers/0/answer")]
    assert "4000" in answer.json()["errors"][0]["detail"]
    assert not InterviewAnswer.objects.exists()


@pytest.mark.parametrize("limit", [0, 1, 3])
@pytest.mark.parametrize("over", [-1, 0, 1])
def test_an_answer_has_so_many_web_addresses_and_no_more(
    owner: ApiClient, asked: list[int], site: Site, limit: int, over: int
) -> None:
    Site.objects.filter(pk=site.pk).update(story_max_links=limit)
    links = max(0, limit + over)
    text = " and ".join(["words", *[LINK] * links])
    answer = put(owner, (asked[0], "Kept"), (asked[1], text))
    if over <= 0:
        assert texts(answer) == [(asked[0], "Kept"), (asked[1], text)]
        return
    assert problems(answer) == [("too_many_links", "/answers/1/answer")]
    assert f"{limit} links" in answer.json()["detail"]
    assert not InterviewAnswer.objects.exists()


def test_two_answers_to_one_question_are_refused(owner: ApiClient, asked: list[int]) -> None:
    answer = put(owner, (asked[0], "One"), (asked[1], "Two"), (asked[0], "Uno"))
    assert problems(answer) == [("repeated_question", "/answers/2/question_id")]
    assert not InterviewAnswer.objects.exists()


def test_every_problem_is_told_at_once_and_nothing_is_lost(owner: ApiClient, asked: list[int]) -> None:
    put(owner, (asked[0], "One"), (asked[1], "Two"))
    answer = put(owner, (asked[0], "Changed"), (987654321, f"{LINK} " * 4), (asked[1], f"{LINK} " * 5))
    assert problems(answer) == [
        ("unknown_question", "/answers/1/question_id"),
        ("too_many_links", "/answers/1/answer"),
        ("too_many_links", "/answers/2/answer"),
    ]
    assert texts(put(owner)) == [(asked[0], "One"), (asked[1], "Two")]
    assert len(kept()) == 1


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/answers"),
        ({"answers": None}, "/answers"),
        ({"answers": {"1": "One"}}, "/answers"),
        ({"answers": "One"}, "/answers"),
        ({"answers": [], "answer": "One"}, "/answer"),
        ({"answers": ["One"]}, "/answers/0"),
        ({"answers": [{}]}, "/answers/0/question_id"),
        ({"answers": [{"question_id": 1}]}, "/answers/0/answer"),
        ({"answers": [{"question_id": "1", "answer": "One"}]}, "/answers/0/question_id"),
        ({"answers": [{"question_id": True, "answer": "One"}]}, "/answers/0/question_id"),
        ({"answers": [{"question_id": 1.5, "answer": "One"}]}, "/answers/0/question_id"),
        ({"answers": [{"question_id": 1, "answer": None}]}, "/answers/0/answer"),
        ({"answers": [{"question_id": 1, "answer": 7}]}, "/answers/0/answer"),
        ({"answers": [{"question_id": 1, "text": "One", "answer": "One"}]}, "/answers/0/text"),
        ({"answers": [{"question_id": 1, "answer": "One"}] * 101}, "/answers"),
    ],
)
def test_what_is_no_list_of_answers_is_refused_where_it_is(owner: ApiClient, body: Any, pointer: str) -> None:
    answer = owner.put(PATH, body)
    assert pointer in [where for _, where in problems(answer)]
    assert not InterviewAnswer.objects.exists()


def test_a_retry_gets_the_first_answer_and_changes_nothing(owner: ApiClient, asked: list[int]) -> None:
    first = put(owner, (asked[0], "One"), Idempotency_Key="interview-1")
    put(owner, (asked[0], "Changed since"))
    again = put(owner, (asked[0], "One"), Idempotency_Key="interview-1")
    assert again.json() == first.json()
    assert texts(put(owner)) == [(asked[0], "Changed since")]
    assert put(owner, (asked[0], "Two"), Idempotency_Key="interview-1").json()["code"] == "idempotency_key_reused"


def test_what_comes_from_a_form_is_measured_as_well(asked: list[int], site: Site) -> None:
    user = UserFactory.create()
    sent = [Answer(asked[0], "x" * 4001)]
    with pytest.raises(AnswersRefused) as refused:
        answer_interview(user=user, site=site, answers=sent, by=Actor(user=user, via="browser"))
    assert [error.code for error in refused.value.errors] == ["max_length"]
    assert not InterviewAnswer.objects.exists()


# ---- at the same moment ----
@pytest.mark.django_db(transaction=True)
def test_two_calls_at_once_lose_no_answer(site: Site, asked: list[int]) -> None:
    user = UserFactory.create()
    by = Actor(user=user, via="key", credential="A key")

    def answer(place: int) -> str:
        sent = [Answer(asked[place], f"Of call {place}"), Answer(asked[-1], f"Of call {place}")]
        return str(len(answer_interview(user=user, site=site, answers=sent, by=by)))

    outcomes = run_at_once(*[partial(answer, place) for place in range(4)])
    assert sorted(outcomes) == ["2", "3", "4", "5"]
    shown = {one.question_id: one.text for one in shown_answers(user, site=site)}
    assert {pk: shown[pk] for pk in asked[:4]} == {pk: f"Of call {place}" for place, pk in enumerate(asked[:4])}
    # The history is a chain: each version goes on from what the one before it left.
    last = [change for changes in kept() for change in changes if change["field"] == str(asked[-1])]
    assert [change["before"] for change in last] == ["", *[change["after"] for change in last[:-1]]]
    assert last[-1]["after"] == shown[asked[-1]]

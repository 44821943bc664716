"""Interview questions in the admin: ordered, switched off, deleted only while nobody has answered them."""

from functools import partial
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.actors import Actor
from apps.sites.models import Site
from apps.stories.admin.question_admin import ask_first_questions, delete_question
from apps.stories.models import InterviewAnswer, InterviewQuestion, InterviewVersion, UnsavedText
from apps.stories.services.first_questions import QUESTIONS
from apps.stories.services.interviews import Answer, answer_interview
from tests.api import ApiClient
from tests.browsing import staff
from tests.factories import SiteFactory, UserFactory
from tests.racing import run_at_once

pytestmark = pytest.mark.django_db

LIST = "/admin/stories/interviewquestion/"
ANSWERS = "/admin/stories/interviewanswer/"
REMOVED = {"confirmed": "yes", "reason": "Unkind."}
KINDS = ("interviewquestion", "interviewanswer", "interviewversion")


@pytest.fixture
def team(client: Client, db: None) -> Client:
    client.force_login(staff(*(f"{verb}_{kind}" for kind in KINDS for verb in ("view", "add", "change", "delete"))))
    return client


@pytest.fixture
def questions(site: Site) -> list[InterviewQuestion]:
    return list(InterviewQuestion.objects.asked(site))


def address_of(row: InterviewQuestion | InterviewAnswer | InterviewVersion, page: str = "change") -> str:
    return reverse(f"admin:stories_{row._meta.model_name}_{page}", args=[row.pk])


def answered(question: InterviewQuestion, text: str = "One") -> InterviewAnswer:
    user = UserFactory.create()
    by = Actor(user=user, via="key", credential="A key")
    return answer_interview(user=user, site=question.site, answers=[Answer(question.pk, text)], by=by)[0]


def asked_by_api(anonymous: ApiClient) -> list[str]:
    return [item["text"] for item in anonymous.get("/interview-questions").json()["items"]]


def said(answer: Any) -> str:
    return " ".join(str(message) for message in answer.context["messages"])


def errors_of(answer: Any) -> Any:
    assert answer.status_code == 200
    return answer.context["adminform"].form.errors


# ---- asking ----
def test_a_new_question_goes_behind_the_others(team: Client, site: Site, anonymous: ApiClient) -> None:
    answer = team.post(f"{LIST}add/", {"site": site.pk, "text": "  What \u202e else?  ", "is_active": "on"})
    assert answer.status_code == 302, errors_of(answer)
    assert asked_by_api(anonymous) == [*QUESTIONS, "What else?"]


def test_there_is_always_a_place_behind_the_others(team: Client, questions: list[InterviewQuestion]) -> None:
    InterviewQuestion.objects.filter(pk=questions[0].pk).update(position=32_767)
    site = questions[0].site
    answer = team.post(f"{LIST}add/", {"site": site.pk, "text": "What else?", "is_active": "on"})
    assert answer.status_code == 302, errors_of(answer)
    assert [question.text for question in InterviewQuestion.objects.asked(site)][-2:] == [QUESTIONS[0], "What else?"]


@pytest.mark.parametrize(
    "text",
    ["", "   ", "\u200b", "x" * 201, QUESTIONS[0], QUESTIONS[0].upper()],
    ids=["empty", "blank", "unseen", "too long", "there", "there in capitals"],
)
def test_a_question_that_is_none_or_is_there_is_refused(team: Client, site: Site, text: str) -> None:
    answer = team.post(f"{LIST}add/", {"site": site.pk, "text": text, "is_active": "on"})
    assert errors_of(answer)["text"]
    assert InterviewQuestion.objects.filter(site=site).count() == len(QUESTIONS)


def test_two_sites_may_ask_the_same(team: Client, site: Site) -> None:
    other = SiteFactory.create()
    answer = team.post(f"{LIST}add/", {"site": other.pk, "text": QUESTIONS[0], "is_active": "on"})
    assert answer.status_code == 302
    assert InterviewQuestion.objects.get(site=other).position == 1


def test_the_list_orders_and_switches_off(
    team: Client, questions: list[InterviewQuestion], anonymous: ApiClient
) -> None:
    forms = team.get(LIST).context["cl"].formset.forms
    sent: dict[str, Any] = {
        "form-TOTAL_FORMS": len(questions),
        "form-INITIAL_FORMS": len(questions),
    }
    for index, form in enumerate(forms):
        # The last comes first, and the one that was first is no longer asked.
        sent |= {f"form-{index}-id": form.instance.pk, f"form-{index}-position": len(questions) - index}
        if index:
            sent[f"form-{index}-is_active"] = "on"
    assert team.post(LIST, {**sent, "_save": "Save"}).status_code == 302
    assert asked_by_api(anonymous) == list(reversed(QUESTIONS[1:]))


def test_new_words_for_a_question_with_answers_are_warned_about(
    team: Client, questions: list[InterviewQuestion]
) -> None:
    answered(questions[0])
    for question, is_warned in ((questions[0], True), (questions[1], False)):
        values = {"text": "New words?", "position": "1", "is_active": "on"}
        values["text"] += str(question.pk)
        answer = team.post(address_of(question), values, follow=True)
        assert ("1 answer stays with the new text" in said(answer)) is is_warned
        question.refresh_from_db()
        assert question.text == values["text"]


def test_a_question_stays_with_its_site(team: Client, questions: list[InterviewQuestion], site: Site) -> None:
    values = {"site": SiteFactory.create().pk, "text": "Moved?", "position": "1", "is_active": "on"}
    assert team.post(address_of(questions[0]), values).status_code == 302
    questions[0].refresh_from_db()
    assert (questions[0].site, questions[0].text) == (site, "Moved?")


# ---- deleting ----
def test_a_question_that_nobody_answered_is_deleted_with_what_was_typed(
    team: Client, questions: list[InterviewQuestion]
) -> None:
    question, other, *_ = questions
    for name in (question.pk, other.pk):
        user = UserFactory.create()
        UnsavedText.objects.create(user=user, site=question.site, name=str(name), text="Half a", base="")
    assert team.post(address_of(question, "delete"), {"post": "yes"}).status_code == 302
    assert not InterviewQuestion.objects.filter(pk=question.pk).exists()
    assert UnsavedText.objects.get().name == str(other.pk)


def test_a_question_with_answers_is_not_deleted(team: Client, questions: list[InterviewQuestion]) -> None:
    question, free, *_ = questions
    answered(question)
    assert team.post(address_of(question, "delete"), {"post": "yes"}).status_code == 403
    chosen = {"action": "delete_selected", "_selected_action": [question.pk, free.pk], "post": "yes"}
    team.post(LIST, chosen)
    assert InterviewQuestion.objects.filter(pk__in=[question.pk, free.pk]).count() == 2
    team.post(LIST, {**chosen, "_selected_action": [free.pk]})
    assert list(InterviewQuestion.objects.filter(pk__in=[question.pk, free.pk])) == [question]
    assert InterviewAnswer.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_of_an_answer_and_a_deletion_at_once_one_wins(site: Site, questions: list[InterviewQuestion]) -> None:
    users = [UserFactory.create() for _ in range(3)]

    def answer(place: int) -> str:
        sent = [Answer(questions[0].pk, "One")]
        by = Actor(user=users[place], via="browser")
        answer_interview(user=users[place], site=site, answers=sent, by=by)
        return "answered"

    def delete() -> str:
        delete_question(question=questions[0])
        return "deleted"

    *answers, deleted = run_at_once(*(partial(answer, place) for place in range(3)), delete)
    if deleted == "deleted":
        assert set(answers) == {"answers_refused"}
        assert not InterviewAnswer.objects.exists()
    else:
        assert deleted == "already_answered"
        assert InterviewAnswer.objects.count() == answers.count("answered") > 0
    assert InterviewQuestion.objects.filter(pk=questions[0].pk).exists() is (deleted != "deleted")


# ---- the first questions of a new site ----
def test_a_new_site_gets_the_first_questions(team: Client, site: Site) -> None:
    other = SiteFactory.create()
    address = reverse("admin:stories_interviewquestion_first_questions")
    asked = team.get(address)
    assert [line[0] for line in asked.context["lines"]] == [other]
    assert not InterviewQuestion.objects.filter(site=other).exists()
    assert team.post(address, {"confirmed": "yes"}).status_code == 302
    assert list(InterviewQuestion.objects.asked(other).values_list("text", flat=True)) == list(QUESTIONS)
    assert InterviewQuestion.objects.filter(site=site).count() == len(QUESTIONS)


@pytest.mark.django_db(transaction=True)
def test_two_site_admins_in_parallel_add_the_first_questions_once(transactional_db: None) -> None:
    other = SiteFactory.create()

    def ask() -> str:
        ask_first_questions(site=other)
        return "asked"

    assert sorted(run_at_once(*[ask, ask])) == ["already_asks", "asked"]
    assert InterviewQuestion.objects.filter(site=other).count() == len(QUESTIONS)


# ---- answers and their history ----
def test_answers_are_read_and_removed_and_never_written(team: Client, questions: list[InterviewQuestion]) -> None:
    answer = answered(questions[0], "Unkind <b>words</b>")
    assert team.get(f"{ANSWERS}add/").status_code == 403
    page = team.get(address_of(answer)).content.decode()
    assert "Unkind &lt;b&gt;words&lt;/b&gt;" in page
    assert team.post(address_of(answer), {"text": "Kind words"}).status_code == 403
    answer.refresh_from_db()
    assert answer.text == "Unkind <b>words</b>"
    assert team.post(address_of(answer, "delete"), {"post": "yes"}).status_code == 403
    assert team.post(address_of(answer, "remove_one"), REMOVED).status_code == 302
    assert not InterviewAnswer.objects.exists()
    version = InterviewVersion.objects.latest("pk")
    assert (version.user, version.via) == (answer.user, "admin")
    assert version.changes == [{"field": str(questions[0].pk), "before": "Unkind <b>words</b>", "after": ""}]


def test_several_answers_are_removed_from_the_list(team: Client, questions: list[InterviewQuestion]) -> None:
    answers = [answered(question) for question in questions[:3]]
    chosen = {"action": "remove", "_selected_action": [answer.pk for answer in answers[:2]], **REMOVED}
    assert team.post(ANSWERS, chosen).status_code == 302
    assert list(InterviewAnswer.objects.all()) == answers[2:]
    assert InterviewVersion.objects.filter(via="admin").count() == 2


def test_a_question_leads_to_its_answers(team: Client, questions: list[InterviewQuestion]) -> None:
    answered(questions[0], "Of the first")
    answered(questions[1], "Of the second")
    address = f"{ANSWERS}?question__id__exact={questions[0].pk}"
    assert address in team.get(LIST).content.decode()
    page = team.get(address).content.decode()
    assert "Of the first" in page
    assert "Of the second" not in page


def test_the_history_shows_who_and_the_words_that_went_and_came(
    team: Client, questions: list[InterviewQuestion]
) -> None:
    answered(questions[0], "Kept words")
    version = InterviewVersion.objects.get()
    page = team.get(address_of(version)).content.decode()
    assert "A key" in page
    assert str(questions[0]) in page
    assert "Kept words" in page
    assert team.post(address_of(version), {"credential": "Other"}).status_code == 403
    assert team.post(address_of(version, "delete"), {"post": "yes"}).status_code == 403


def test_those_who_may_only_look_change_nothing(client: Client, questions: list[InterviewQuestion]) -> None:
    answer = answered(questions[0])
    client.force_login(staff(*(f"view_{kind}" for kind in KINDS)))
    assert client.get(LIST).status_code == 200
    assert client.get(address_of(answer)).status_code == 200
    refused = [
        client.post(address_of(questions[1]), {"text": "Other?", "position": "1"}),
        client.post(address_of(questions[1], "delete"), {"post": "yes"}),
        client.post(address_of(answer, "delete"), {"post": "yes"}),
        client.post(reverse("admin:stories_interviewquestion_first_questions"), {"confirmed": "yes"}),
    ]
    assert [response.status_code for response in refused] == [403] * 4
    assert list(InterviewQuestion.objects.asked(questions[0].site)) == questions
    assert InterviewAnswer.objects.exists()

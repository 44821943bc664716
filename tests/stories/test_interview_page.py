"""The interview's editor: saving, keeping what was typed, conflicts, and its history; without JavaScript."""

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from lxml.html import document_fromstring

from apps.accounts.actors import Actor
from apps.accounts.models import User
from apps.sites.models import Site
from apps.stories.models import InterviewAnswer, InterviewQuestion, InterviewVersion, UnsavedText
from apps.stories.services.first_questions import QUESTIONS
from apps.stories.services.interviews import Answer, answer_interview, remove_answer, shown_answers
from tests.factories import ListingFactory, SiteFactory, UserFactory, complete_profile

pytestmark = pytest.mark.django_db

PAGE = "/account/interview"
AUTOSAVE = "/account/interview/autosave"
HISTORY = "/account/interview/history"


@pytest.fixture
def user(db: None) -> User:
    made: User = UserFactory.create(email="founder@example.com", name="Ada")
    return made


@pytest.fixture
def person(client: Client, user: User) -> Client:
    client.force_login(user)
    return client


def opened(client: Client, page: str = PAGE) -> dict[str, str]:
    """The form as a browser would send it back untouched."""
    return sent_by(client.get(page).content.decode())


def sent_by(html: str) -> dict[str, str]:
    tree: Any = document_fromstring(html)
    texts = {area.get("name"): area.text.removeprefix("\n") for area in tree.iter("textarea")}
    return {"opened": tree.xpath("string(//*[@name='opened']/@value)"), **texts}


def keep(client: Client, user: User, texts: dict[str, Any], marks: str, **other: Any) -> Any:
    body = {"account": user.pk, "texts": texts, "opened": json.loads(marks), **other}
    return client.post(AUTOSAVE, json.dumps(body), content_type="application/json")


def by_assistant(user: User, site: Site, *answers: tuple[int, str]) -> None:
    by = Actor(user=user, via="assistant", credential="Helper")
    answer_interview(user=user, site=site, answers=[Answer(pk, text) for pk, text in answers], by=by)


def saved(user: User, site: Site) -> dict[int, str]:
    return {answer.question_id: answer.text for answer in shown_answers(user, site=site)}


def said(answer: Any) -> str:
    return " ".join(str(message) for message in answer.context["messages"])


# ---- the page ----
@pytest.mark.parametrize("address", [PAGE, HISTORY])
def test_strangers_are_asked_to_sign_in(client: Client, address: str) -> None:
    answer = client.get(address)
    assert answer.status_code == 302
    assert answer["Location"] == f"{reverse('account_login')}?next={address}"


def test_anyone_who_was_signed_out_meanwhile_gets_the_words_back(
    person: Client, user: User, site: Site, asked: list[int]
) -> None:
    form = sent_by(person.get(PAGE).content.decode()) | {str(asked[0]): "Written for an <hour>"}
    del person.cookies["sessionid"]
    answer = person.post(PAGE, form, headers={"origin": "http://testserver"})
    assert answer["Location"] == f"/account/sign-in?next={PAGE.replace('/', '%2F')}"
    assert saved(user, site) == {}
    person.force_login(user)
    assert opened(person) == form


def test_the_page_has_every_question_that_is_asked_with_the_answer(
    person: Client, user: User, site: Site, asked: list[int]
) -> None:
    InterviewQuestion.objects.create(site=SiteFactory.create(), text="Of another site?", position=1)
    InterviewQuestion.objects.filter(pk=asked[1]).update(is_active=False)
    by_assistant(user, site, (asked[0], "<b>One</b>"))
    by_assistant(UserFactory.create(), site, (asked[2], "Of somebody else"))
    html = person.get(PAGE).content.decode()
    form = sent_by(html)
    assert [int(name) for name in form if name != "opened"] == [asked[0], *asked[2:]]
    assert form[str(asked[0])] == "<b>One</b>"
    assert not any(form[str(pk)] for pk in asked[2:])
    assert QUESTIONS[0] in html
    for text in (QUESTIONS[1], "Of another site?", "Of somebody else", "<b>One</b>"):
        assert text not in html
    assert "<strong>1 of 11</strong> questions answered" in html
    assert 'href="/account/interview" aria-current="page"' in html


def test_a_site_that_asks_nothing_says_so(person: Client, user: User) -> None:
    other = SiteFactory.create()
    html = person.get(PAGE, headers={"host": other.host}).content.decode()
    assert "No questions yet" in html
    assert "<textarea" not in html


def test_the_page_leads_to_where_the_answers_are_shown(person: Client, user: User) -> None:
    profile = complete_profile(user)
    profile.slug = "ada-example"
    profile.save()
    assert "/founders/ada-example" not in person.get(PAGE).content.decode()
    ListingFactory.create(live=True, company__owner=user)
    assert '<a class="link" href="/founders/ada-example">your founder page</a>' in person.get(PAGE).content.decode()


# ---- saving ----
def test_what_is_typed_is_saved_by_the_browser_and_kept_in_the_history(
    person: Client, user: User, site: Site, asked: list[int]
) -> None:
    by_assistant(user, site, (asked[1], "Two"))
    typed = {str(asked[0]): "One\r\n\r\nmore", str(asked[1]): ""}
    answer = person.post(PAGE, {**opened(person), **typed}, follow=True)
    assert answer.redirect_chain == [(PAGE, 302)]
    assert "Answers saved" in said(answer)
    assert saved(user, site) == {asked[0]: "One\n\nmore"}
    version = InterviewVersion.objects.latest("pk")
    assert (version.author, version.via, version.credential) == (user, "browser", "")
    assert [change["field"] for change in version.changes] == [str(asked[0]), str(asked[1])]


def test_a_form_that_was_not_touched_changes_nothing(person: Client, user: User, site: Site, asked: list[int]) -> None:
    form = opened(person)
    by_assistant(user, site, (asked[0], "One"))
    assert "No changes" in said(person.post(PAGE, form, follow=True))
    assert saved(user, site) == {asked[0]: "One"}
    assert InterviewVersion.objects.count() == 1


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("x" * 4001, "4,001"),
        ("https://example.com/ " * 4, "3 links"),
    ],
    ids=["too long", "too many links"],
)
def test_a_refusal_loses_nothing(
    person: Client, user: User, site: Site, asked: list[int], text: str, problem: str
) -> None:
    by_assistant(user, site, (asked[1], "Two"))
    typed = {str(asked[0]): "One", str(asked[1]): text, str(asked[2]): "Three"}
    answer = person.post(PAGE, {**opened(person), **typed})
    assert answer.status_code == 422
    html = answer.content.decode()
    assert problem in html
    assert 'aria-invalid="true"' in html
    assert saved(user, site) == {asked[1]: "Two"}
    # It is on the page, and again when the page is opened anew.
    for form in (sent_by(html), opened(person)):
        assert {name: form[name] for name in typed} == {name: value.strip() for name, value in typed.items()}
    # Shortened, all of it is saved.
    assert person.post(PAGE, {**sent_by(html), str(asked[1]): "Zwei"}).status_code == 302
    assert saved(user, site) == {asked[0]: "One", asked[1]: "Zwei", asked[2]: "Three"}
    assert not UnsavedText.objects.exists()


# ---- what others do meanwhile ----
def test_an_assistants_answer_is_shown_and_not_overwritten(
    person: Client, user: User, site: Site, asked: list[int]
) -> None:
    by_assistant(user, site, (asked[0], "Before"))
    form = opened(person)
    by_assistant(user, site, (asked[0], "By the assistant"), (asked[1], "Also by it"))
    answer = person.post(PAGE, {**form, str(asked[0]): "By me", str(asked[2]): "Three"})
    assert answer.status_code == 409
    html = answer.content.decode()
    assert html.count("data-conflict=") == 1
    assert "By the assistant" in html
    assert sent_by(html)[str(asked[0])] == "By me"
    assert saved(user, site) == {asked[0]: "By the assistant", asked[1]: "Also by it"}
    # Seen, and saved once more: mine it is, and what I did not touch stays.
    assert person.post(PAGE, sent_by(html)).status_code == 302
    assert saved(user, site) == {asked[0]: "By me", asked[1]: "Also by it", asked[2]: "Three"}


def test_an_answer_that_site_admins_removed_does_not_come_back_unseen(
    person: Client, user: User, site: Site, asked: list[int]
) -> None:
    by_assistant(user, site, (asked[0], "Unkind words"))
    form = opened(person)
    team = Actor(user=UserFactory.create(is_staff=True), via="admin")
    remove_answer(answer=InterviewAnswer.objects.get(), reason="Unkind.", by=team)
    assert person.post(PAGE, form).status_code == 302
    assert saved(user, site) == {}
    answer = person.post(PAGE, {**form, str(asked[0]): "Unkind words, longer"})
    assert answer.status_code == 409
    assert saved(user, site) == {}


def test_theirs_can_be_taken(person: Client, user: User, site: Site, asked: list[int]) -> None:
    form = opened(person)
    by_assistant(user, site, (asked[0], "By the assistant"))
    html = person.post(PAGE, {**form, str(asked[0]): "By me", str(asked[1]): "Two"}).content.decode()
    answer = person.post(PAGE, {**sent_by(html), "take_saved": str(asked[0])})
    assert answer["Location"] == f"{PAGE}#{asked[0]}"
    form = opened(person)
    assert (form[str(asked[0])], form[str(asked[1])]) == ("By the assistant", "Two")
    assert saved(user, site) == {asked[0]: "By the assistant"}


def test_a_question_that_is_no_longer_asked_gives_its_text_back(
    person: Client, user: User, site: Site, asked: list[int]
) -> None:
    by_assistant(user, site, (asked[2], "Saved before"))
    form = opened(person)
    InterviewQuestion.objects.filter(pk__in=[asked[0], asked[2]]).update(is_active=False)
    typed = {str(asked[0]): "Half an <b>hour</b> of work", str(asked[1]): "Two"}
    answer = person.post(PAGE, {**form, **typed})
    assert answer.status_code == 409
    html = answer.content.decode()
    assert QUESTIONS[0] in html
    assert "Half an &lt;b&gt;hour&lt;/b&gt; of work" in html
    # What is a saved answer is not lost, and no matter of this page.
    assert "Saved before" not in html
    assert saved(user, site) == {}
    again = sent_by(html)
    assert str(asked[0]) not in again
    assert person.post(PAGE, again).status_code == 302
    assert saved(user, site) == {asked[1]: "Two"}


@pytest.mark.parametrize("name", ["987654321", "9" * 30, "²", "-1", "opened2", ""])
def test_a_form_with_odd_names_is_read_all_the_same(person: Client, user: User, site: Site, name: str) -> None:
    answer = person.post(PAGE, {**opened(person), name: "Text"})
    assert answer.status_code in {302, 409}
    assert saved(user, site) == {}


# ---- what is typed and not saved ----
def test_what_is_typed_is_kept_for_its_writer_alone(person: Client, user: User, site: Site, asked: list[int]) -> None:
    by_assistant(user, site, (asked[0], "Public"))
    answer = keep(person, user, {str(asked[0]): "Half a", str(asked[1]): "Two"}, opened(person)["opened"])
    assert answer.status_code == 200
    assert set(answer.json()["fields"]) == {str(asked[0]), str(asked[1])}
    assert "<strong>2 of 12</strong>" in answer.json()["parts"]["progress"]
    assert saved(user, site) == {asked[0]: "Public"}
    assert InterviewVersion.objects.count() == 1
    form = opened(person)
    assert (form[str(asked[0])], form[str(asked[1])]) == ("Half a", "Two")
    other = Client()
    other.force_login(UserFactory.create())
    assert not any(value for name, value in opened(other).items() if name != "opened")
    # Saved, nothing is left of it.
    assert person.post(PAGE, form).status_code == 302
    assert saved(user, site) == {asked[0]: "Half a", asked[1]: "Two"}
    assert not UnsavedText.objects.exists()


def test_what_is_typed_on_one_site_stays_there(person: Client, user: User, site: Site, asked: list[int]) -> None:
    other = SiteFactory.create()
    question = InterviewQuestion.objects.create(site=other, text="There?", position=1)
    keep(person, user, {str(asked[0]): "Here"}, opened(person)["opened"])
    html = person.get(PAGE, headers={"host": other.host}).content.decode()
    assert sent_by(html)[str(question.pk)] == ""
    assert "Here" not in html


def test_a_conflict_is_told_while_typing(person: Client, user: User, site: Site, asked: list[int]) -> None:
    name, marks = str(asked[0]), opened(person)["opened"]
    by_assistant(user, site, (asked[0], "By the assistant"))
    field = keep(person, user, {name: "By me"}, marks).json()["fields"][name]
    assert "By the assistant" in field["conflict"]
    assert saved(user, site) == {asked[0]: "By the assistant"}
    # Both are there when the page is opened anew.
    html = person.get(PAGE).content.decode()
    assert sent_by(html)[name] == "By me"
    assert "By the assistant" in html


def test_too_many_web_addresses_are_told_while_typing(person: Client, user: User, asked: list[int]) -> None:
    name = str(asked[0])
    answer = keep(person, user, {name: "https://example.com/ " * 4}, opened(person)["opened"])
    assert "3 links" in answer.json()["fields"][name]["problem"]
    assert answer.json()["fields"][name]["is_kept"]


def test_what_is_not_saved_can_be_thrown_away(person: Client, user: User, site: Site, asked: list[int]) -> None:
    by_assistant(user, site, (asked[0], "Public"))
    keep(person, user, {str(asked[0]): "Half a"}, opened(person)["opened"])
    html = person.get(PAGE).content.decode()
    assert 'name="discard"' in html
    assert person.post(PAGE, {**sent_by(html), "discard": "yes"}).status_code == 302
    assert opened(person)[str(asked[0])] == "Public"
    assert not UnsavedText.objects.exists()


def test_autosave_is_for_the_account_that_is_signed_in(client: Client, user: User, asked: list[int]) -> None:
    assert keep(client, user, {str(asked[0]): "One"}, "{}").status_code == 401
    client.force_login(UserFactory.create())
    assert keep(client, user, {str(asked[0]): "One"}, "{}").status_code == 409
    assert not UnsavedText.objects.exists()


# ---- history ----
def test_the_history_tells_who_changed_what(person: Client, user: User, site: Site, asked: list[int]) -> None:
    by_assistant(user, site, (asked[0], "The old words"))
    person.post(PAGE, {**opened(person), str(asked[0]): "The new words"})
    staff = UserFactory.create(is_staff=True, name="Team member", email="team@example.com")
    remove_answer(answer=InterviewAnswer.objects.get(), reason="Unkind.", by=Actor(user=staff, via="admin"))
    by_assistant(UserFactory.create(), site, (asked[1], "Of somebody else"))
    answer = person.get(HISTORY)
    html = answer.content.decode()
    authors = [version.author for version in answer.context["versions"]]
    assert [(author.who, author.way) for author in authors] == [
        ("A site admin", ""), ("You", "in the browser"), ("You", "by Helper"),
    ]  # fmt: skip
    assert html.count(QUESTIONS[0]) == 3
    for text in ("Team member", "team@example.com", "Of somebody else"):
        assert text not in html


def test_the_history_is_that_of_the_site(person: Client, user: User, site: Site, asked: list[int]) -> None:
    by_assistant(user, site, (asked[0], "Here"))
    answer = person.get(HISTORY, headers={"host": SiteFactory.create().host})
    assert "Here" not in answer.content.decode()
    assert "No changes yet" in answer.content.decode()


# ---- restoring ----
def restore_path(version: InterviewVersion) -> str:
    return f"/account/interview/versions/{version.pk}/restore"


def test_old_answers_are_restored_after_seeing_what_changes(
    person: Client, user: User, site: Site, asked: list[int]
) -> None:
    by_assistant(user, site, (asked[0], "The old words"))
    by_assistant(user, site, (asked[0], "The new words"), (asked[1], "Another answer"))
    first, second = InterviewVersion.objects.order_by("pk")
    page = person.get(HISTORY).content.decode()
    assert restore_path(first) in page
    assert restore_path(second) not in page
    confirmation = person.get(restore_path(first))
    html = confirmation.content.decode()
    assert "<del>new</del><ins>old</ins>" in html
    assert "<del>Another answer</del>" in html
    assert saved(user, site)[asked[0]] == "The new words"
    answer = person.post(restore_path(first), {"newest": confirmation.context["restoring"].newest})
    assert answer.headers["Location"] == HISTORY
    assert saved(user, site) == {asked[0]: "The old words"}
    newest = InterviewVersion.objects.latest("pk")
    assert (newest.restored_from, newest.author, newest.via) == (first, user, "browser")
    assert newest.snapshot == {str(asked[0]): "The old words"}
    assert "Restored from" in person.get(HISTORY).content.decode()


def test_an_answer_to_what_is_not_asked_any_more_stays(
    person: Client, user: User, site: Site, asked: list[int]
) -> None:
    by_assistant(user, site, (asked[0], "One"))
    by_assistant(user, site, (asked[0], "Two"), (asked[1], "Kept"))
    InterviewQuestion.objects.filter(pk=asked[1]).update(is_active=False)
    first, second = InterviewVersion.objects.order_by("pk")
    assert second.snapshot == {str(asked[0]): "Two", str(asked[1]): "Kept"}
    person.post(restore_path(first), {"newest": second.pk})
    assert set(InterviewAnswer.objects.values_list("text", flat=True)) == {"One", "Kept"}


@pytest.mark.slow
def test_what_changed_since_the_page_was_opened_is_shown_first(
    person: Client, user: User, site: Site, asked: list[int]
) -> None:
    by_assistant(user, site, (asked[0], "One"))
    by_assistant(user, site, (asked[0], "Two"))
    first = InterviewVersion.objects.earliest("pk")
    answer = person.post(restore_path(first), {"newest": first.pk})
    assert answer.status_code == 409
    assert "Not restored" in answer.content.decode()
    assert saved(user, site) == {asked[0]: "Two"}


def test_limits_of_now_hold_for_restored_answers(person: Client, user: User, site: Site, asked: list[int]) -> None:
    by_assistant(user, site, (asked[0], "See https://one.example and https://two.example"))
    by_assistant(user, site, (asked[0], "Two"))
    Site.objects.filter(pk=site.pk).update(story_max_links=1)
    first, second = InterviewVersion.objects.order_by("pk")
    answer = person.post(restore_path(first), {"newest": second.pk})
    assert answer.status_code == 422
    assert "Use up to 1 link" in answer.content.decode()
    assert saved(user, site) == {asked[0]: "Two"}


def test_an_answer_that_stays_is_not_held_against_limits_of_now(
    person: Client, user: User, site: Site, asked: list[int]
) -> None:
    linked = "See https://one.example"
    by_assistant(user, site, (asked[0], linked), (asked[1], "One"))
    by_assistant(user, site, (asked[1], "Two"))
    Site.objects.filter(pk=site.pk).update(story_max_links=0)
    first, second = InterviewVersion.objects.order_by("pk")
    assert person.post(restore_path(first), {"newest": second.pk}).status_code == 302
    assert saved(user, site) == {asked[0]: linked, asked[1]: "One"}


def test_nobody_restores_answers_of_others(person: Client, user: User, site: Site, asked: list[int]) -> None:
    other = UserFactory.create()
    by_assistant(other, site, (asked[0], "One"))
    by_assistant(other, site, (asked[0], "Two"))
    first, second = InterviewVersion.objects.order_by("pk")
    assert person.get(restore_path(first)).status_code == 404
    assert person.post(restore_path(first), {"newest": second.pk}).status_code == 404
    person.logout()
    assert "/account/sign-in" in person.get(restore_path(first)).headers["Location"]
    assert saved(other, site) == {asked[0]: "Two"}

"""The story editor's page and its autosave, as a browser without a script and as the script meet them."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from django.test import Client

from apps.accounts.models import User
from apps.core.editing.plain_text import WORD_PATTERN
from apps.listings.models import Listing
from apps.sites.models import Site
from apps.stories.models import FounderStory, StoryVersion, UnsavedText
from apps.stories.services import stories
from tests.browsing import signed_in
from tests.factories import ListingFactory, UserFactory, complete_profile
from tests.listings.owner.browsing import HOSTILE, html_of
from tests.stories.writing import by_owner, enough, too_short, words

pytestmark = pytest.mark.django_db

ORIGIN = "http://testserver.localhost"


@pytest.fixture
def person(site: Site) -> User:
    user: User = UserFactory.create()
    complete_profile(user)
    return user


@pytest.fixture
def listing(person: User) -> Listing:
    made: Listing = ListingFactory.create(live=True, company__owner=person)
    return made


@pytest.fixture
def browser(person: User) -> Client:
    return signed_in(person)


def editor(listing: Listing) -> str:
    return f"{listing.path}/story"


def form_of(browser: Client, listing: Listing) -> dict[str, str]:
    """Return what a browser would send of the newly opened editor."""
    return form_in(browser.get(editor(listing)))


def form_in(answer: Any) -> dict[str, str]:
    context = answer.context
    fields = [context["title"], *(section["shown"] for section in context["sections"])]
    return {"opened": context["opened"], **{field.name: field.text for field in fields}}


def keep(browser: Client, listing: Listing, *, texts: Mapping[str, str], opened: str = "{}", **sent: Any) -> Any:
    body = {"account": listing.company.owner_id, "texts": texts, "opened": json.loads(opened), **sent}
    return browser.post(f"{editor(listing)}/autosave", json.dumps(body), content_type="application/json")


def write(listing: Listing, fields: dict[str, str], *, publish: bool = True) -> FounderStory:
    by = by_owner(listing, via="assistant", credential="An assistant")
    return stories.set_founder_story(listing=listing, fields=fields, publish=publish, by=by).story


def told(answer: Any) -> str:
    return " ".join(str(message) for message in answer.context["messages"])


# ---- Publishing and drafts ----


def test_a_story_that_meets_the_rules_is_published(browser: Client, listing: Listing) -> None:
    answer = browser.post(editor(listing), form_of(browser, listing) | enough() | {"save": "publish"}, follow=True)
    assert "Story published." in told(answer)
    story = FounderStory.objects.get()
    assert (story.is_shown, story.versions.get().via) == (True, "browser")
    assert "Save changes" in html_of(answer)
    assert ">Publish story<" not in html_of(answer)
    assert f"{listing.path}/story/unpublish" in html_of(answer)


def test_one_that_lacks_something_is_a_draft_that_says_what(browser: Client, listing: Listing) -> None:
    answer = browser.post(editor(listing), form_of(browser, listing) | too_short() | {"save": "publish"}, follow=True)
    assert "1 requirement left" in told(answer)
    story = FounderStory.objects.get()
    assert (story.published_at, story.publish_when_ready) == (None, True)
    assert "299 of 300" in html_of(answer)


def test_a_draft_stays_one_whatever_it_has(browser: Client, listing: Listing) -> None:
    answer = browser.post(editor(listing), form_of(browser, listing) | enough() | {"save": "draft"}, follow=True)
    assert told(answer) == "Draft saved"
    story = FounderStory.objects.get()
    assert (story.published_at, story.publish_when_ready) == (None, False)
    assert "All requirements met" in html_of(answer)


def test_the_enter_key_publishes_nothing(browser: Client, listing: Listing) -> None:
    html = html_of(browser.get(editor(listing)))
    first = html[html.index("<form", html.index("<main")) :]
    assert first.index('name="save" value="draft"') < first.index('name="save" value="publish"')


def test_a_published_story_stays_so_while_it_is_edited(browser: Client, listing: Listing) -> None:
    write(listing, enough())
    sent = form_of(browser, listing) | {"title": "Another title of it", "save": "publish"}
    assert "Changes published" in told(browser.post(editor(listing), sent, follow=True))
    assert FounderStory.objects.get().title == "Another title of it"


def test_going_back_to_draft_is_said_beforehand_and_afterwards(browser: Client, listing: Listing) -> None:
    write(listing, enough())
    keep(browser, listing, texts={"hard_parts": ""}, opened=form_of(browser, listing)["opened"])
    page = browser.get(editor(listing))
    assert page.context["status"].returning
    assert FounderStory.objects.get().is_shown
    answer = browser.post(editor(listing), form_in(page) | {"save": "publish"}, follow=True)
    assert "Saved as a draft" in told(answer)
    assert not FounderStory.objects.get().is_shown


# ---- Counts without a script ----


def test_counts_are_on_the_page(browser: Client, listing: Listing) -> None:
    write(listing, {"title": "Ten letters", "problem": "three words – here", "what_built": "お茶を飲む"})
    page = browser.get(editor(listing))
    counts = {section["shown"].name: section["shown"].words for section in page.context["sections"]}
    assert counts == {
        "how_started": 0, "problem": 3, "what_built": 5, "hard_parts": 0, "milestones": 0, "whats_next": 0,
    }  # fmt: skip
    html = html_of(page)
    for name, unit, count in [("title", "characters", 11), ("problem", "words", 3), ("what_built", "words", 5)]:
        assert f'<span data-count="{name}" data-unit="{unit}">{count}</span>' in html
    assert "<span data-total>8</span> (minimum 300)" in html
    assert page.context["pattern"] == WORD_PATTERN


def test_every_gap_leads_to_a_field_of_the_page(browser: Client, listing: Listing) -> None:
    page = browser.get(editor(listing))
    html = html_of(page)
    anchors = {gap.url.partition("#")[2] for gap in page.context["status"].missing} - {""}
    assert {"title", "how_started", "problem"} <= anchors
    assert all(f'id="{anchor}"' in html for anchor in anchors)


def test_what_is_typed_is_shown_as_text(browser: Client, listing: Listing) -> None:
    write(listing, {"title": HOSTILE, "problem": f"</textarea>{HOSTILE}\n\nmore"})
    html = html_of(browser.get(editor(listing)))
    assert HOSTILE not in html
    assert "&lt;/textarea&gt;&lt;script&gt;" in html


# ---- Refusals lose nothing ----


def test_texts_that_are_too_long_are_told_with_their_limits_and_kept(browser: Client, listing: Listing) -> None:
    write(listing, {"title": "Saved before"})
    typed = {"title": "x" * 91, "problem": "y" * 10_001, "what_built": "Fine"}
    answer = browser.post(editor(listing), form_of(browser, listing) | typed | {"save": "publish"})
    assert answer.status_code == 422
    assert html_of(answer).count('aria-invalid="true"') == 2
    assert "91" in answer.context["title"].problem
    assert "10,001" in html_of(answer)
    assert form_in(answer) | typed == form_in(answer)
    assert form_of(browser, listing) | typed == form_of(browser, listing)
    assert StoryVersion.objects.count() == 1
    # Once they are short enough, all of it is saved.
    sent = form_in(answer) | {"title": "A title that fits", "problem": "y" * 10_000, "save": "draft"}
    assert browser.post(editor(listing), sent).status_code == 302
    assert FounderStory.objects.get().sections == {"problem": "y" * 10_000, "what_built": "Fine"}
    assert not UnsavedText.objects.exists()


def test_a_listing_that_was_rejected_meanwhile_takes_no_story(browser: Client, listing: Listing) -> None:
    sent = form_of(browser, listing) | {"problem": "Mine", "save": "draft"}
    Listing.objects.filter(pk=listing.pk).update(status=Listing.Status.REJECTED)
    answer = browser.post(editor(listing), sent)
    assert (answer.status_code, answer["Location"]) == (302, f"{listing.path}/manage")
    assert not FounderStory.objects.exists()


def test_an_assistants_edit_is_shown_beside_the_field(browser: Client, listing: Listing) -> None:
    sent = form_of(browser, listing) | {"problem": "Mine", "save": "draft"}
    write(listing, {"problem": f"Theirs {HOSTILE}", "whats_next": "Theirs too"})
    answer = browser.post(editor(listing), sent)
    assert answer.status_code == 409
    assert "Theirs &lt;script&gt;" in html_of(answer)
    assert HOSTILE not in html_of(answer)
    assert form_in(answer)["problem"] == "Mine"
    # A page that is opened anew shows the same.
    again = browser.get(editor(listing))
    assert form_in(again)["problem"] == "Mine"
    assert "Theirs &lt;script&gt;" in html_of(again)
    assert browser.post(editor(listing), form_in(answer) | {"save": "draft"}).status_code == 302
    assert FounderStory.objects.get().sections == {"problem": "Mine", "whats_next": "Theirs too"}


def test_what_others_wrote_can_be_taken_over(browser: Client, listing: Listing) -> None:
    sent = form_of(browser, listing) | {"problem": "Mine", "whats_next": "Mine too", "save": "draft"}
    write(listing, {"problem": "Theirs"})
    page = form_in(browser.post(editor(listing), sent))
    answer = browser.post(editor(listing), page | {"take_saved": "problem"})
    assert answer["Location"] == f"{editor(listing)}#problem"
    page = form_of(browser, listing)
    assert (page["problem"], page["whats_next"]) == ("Theirs", "Mine too")


def test_discarding_goes_back_to_what_is_saved(browser: Client, listing: Listing) -> None:
    write(listing, {"problem": "Saved"})
    keep(browser, listing, texts={"problem": "Typed"}, opened=form_of(browser, listing)["opened"])
    answer = browser.post(editor(listing), form_of(browser, listing) | {"discard": "yes"}, follow=True)
    assert form_in(answer)["problem"] == "Saved"
    assert FounderStory.objects.get().sections == {"problem": "Saved"}


@pytest.mark.parametrize("opened", ["", "{}", "[]", "null", '{"problem": 1}', "\x00", "[" * 100_000])
def test_a_form_without_its_marks_overwrites_nothing(browser: Client, listing: Listing, opened: str) -> None:
    write(listing, {"problem": "Saved"})
    answer = browser.post(editor(listing), {"problem": "Mine", "opened": opened, "save": "publish"})
    assert answer.status_code == 409
    assert FounderStory.objects.get().sections == {"problem": "Saved"}


# ---- A form that comes too late, without a script ----


def strict(person: User | None) -> Client:
    """A browser whose tokens are checked."""
    client = Client(enforce_csrf_checks=True, headers={"host": "testserver.localhost"})
    if person is not None:
        client.force_login(person)
    return client


@pytest.mark.parametrize("is_signed_in", [True, False])
def test_words_of_a_form_that_comes_too_late_are_given_back(person: User, listing: Listing, is_signed_in: bool) -> None:
    late = strict(person if is_signed_in else None)
    sent = {"problem": f"Typed {HOSTILE}", "opened": "{}", "save": "draft", "csrfmiddlewaretoken": "x" * 32}
    answer = late.post(editor(listing), sent, headers={"origin": ORIGIN})
    assert answer.status_code == 403
    assert "Typed &lt;script&gt;" in html_of(answer)
    assert HOSTILE not in html_of(answer)
    assert not FounderStory.objects.exists()
    assert not UnsavedText.objects.exists()


@pytest.mark.parametrize("origin", ["https://evil.example", "null", ""])
def test_a_form_of_another_website_is_refused_without_its_words(person: User, listing: Listing, origin: str) -> None:
    headers = {"origin": origin} if origin else {}
    answer = strict(person).post(editor(listing), {"problem": "Planted", "save": "publish"}, headers=headers)
    assert answer.status_code == 403
    assert "Planted" not in html_of(answer)
    assert not FounderStory.objects.exists()


def test_a_form_past_the_limit_of_all_forms_is_told_to_go_back(browser: Client, listing: Listing) -> None:
    answer = browser.post(editor(listing), {"problem": "x" * 300_000, "save": "draft"})
    assert answer.status_code == 413
    assert "256 KB" in html_of(answer)
    assert not FounderStory.objects.exists()


# ---- Autosave ----


def test_autosave_answers_with_the_servers_counts_and_rules(browser: Client, listing: Listing) -> None:
    opened = form_of(browser, listing)["opened"]
    answer = keep(browser, listing, texts={"problem": words(39), "title": "Short"}, opened=opened)
    assert answer.status_code == 200
    fields, parts = answer.json()["fields"], answer.json()["parts"]
    assert (fields["problem"]["words"], fields["title"]["characters"]) == (39, 5)
    assert fields["problem"]["is_unsaved"]
    assert fields["problem"]["conflict"] == fields["problem"]["problem"] == ""
    assert "39 of 40" in parts["status"]
    assert not FounderStory.objects.exists()
    assert "no-store" in answer["Cache-Control"]


def test_autosave_never_touches_what_is_public(browser: Client, listing: Listing, anonymous: Any) -> None:
    write(listing, enough())
    before = FounderStory.objects.values().get()
    keep(browser, listing, texts={"problem": "Unfinished thoughts"}, opened=form_of(browser, listing)["opened"])
    assert FounderStory.objects.values().get() == before
    assert StoryVersion.objects.count() == 1
    public = html_of(Client(headers={"host": "testserver.localhost"}).get(f"/stories/{listing.slug}"))
    assert "Unfinished thoughts" not in public


def test_autosave_tells_of_an_assistants_edit_with_its_words(browser: Client, listing: Listing) -> None:
    opened = form_of(browser, listing)["opened"]
    write(listing, {"problem": f"Theirs {HOSTILE}"})
    field = keep(browser, listing, texts={"problem": "Mine"}, opened=opened).json()["fields"]["problem"]
    assert "Theirs &lt;script&gt;" in field["conflict"]
    assert 'name="take_saved" value="problem"' in field["conflict"]
    assert field["is_kept"]


def test_autosave_tells_of_another_window(browser: Client, listing: Listing) -> None:
    opened = form_of(browser, listing)["opened"]
    keep(browser, listing, texts={"problem": "First"}, opened=opened)
    field = keep(browser, listing, texts={"problem": "Second"}, opened=opened).json()["fields"]["problem"]
    assert "First" in field["conflict"]
    assert not field["is_kept"]
    assert UnsavedText.objects.get().text == "First"


def test_autosave_of_nobody_and_of_others(listing: Listing, person: User) -> None:
    stranger: User = UserFactory.create()
    nobody = Client(headers={"host": "testserver.localhost"})
    assert nobody.get(f"{editor(listing)}/autosave").status_code == 401
    assert keep(nobody, listing, texts={"problem": "x"}).status_code == 401
    # A form of one account, sent with the session of another.
    assert keep(signed_in(stranger), listing, texts={"problem": "x"}).status_code == 409
    assert keep(signed_in(stranger), listing, texts={"problem": "x"}, account=stranger.pk).status_code == 404
    assert not UnsavedText.objects.exists()


def test_autosave_gives_a_fresh_token_and_says_whose(browser: Client, listing: Listing, person: User) -> None:
    answer = browser.get(f"{editor(listing)}/autosave")
    assert answer.json()["account"] == person.pk
    late = strict(person)
    body = json.dumps({"account": person.pk, "texts": {"problem": "Typed"}, "opened": {}})
    address = f"{editor(listing)}/autosave"
    assert late.post(address, body, content_type="application/json").status_code == 403
    token = late.get(address).json()["token"]
    answer = late.post(address, body, content_type="application/json", headers={"x-csrftoken": token, "origin": ORIGIN})
    assert answer.status_code == 200
    assert UnsavedText.objects.get().text == "Typed"


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"\xff", 400),
        (b"[]", 400),
        (b'{"texts": []}', 400),
        (b"[" * 100_000, 400),
        (b'"' + b"x" * 300_000 + b'"', 413),
    ],
)
def test_autosave_refuses_what_it_cannot_read(browser: Client, listing: Listing, body: bytes, status: int) -> None:
    answer = browser.post(f"{editor(listing)}/autosave", body, content_type="application/json")
    assert answer.status_code == status
    assert answer.json()["problem"]


def test_autosave_passes_over_what_is_no_text_of_the_story(browser: Client, listing: Listing) -> None:
    texts: dict[str, Any] = {"problem": 1, "nonsense": "x", "title": "Kept"}
    assert list(keep(browser, listing, texts=texts).json()["fields"]) == ["title"]
    assert UnsavedText.objects.get().name == "title"


# ---- Who gets there ----


@pytest.mark.parametrize("page", ["", "/autosave"])
def test_strangers_find_nothing(listing: Listing, page: str) -> None:
    assert signed_in(UserFactory.create()).get(f"{editor(listing)}{page}").status_code in ({404} if not page else {200})


def test_anyone_who_is_signed_out_signs_in_first(listing: Listing) -> None:
    answer = Client(headers={"host": "testserver.localhost"}).get(editor(listing))
    assert answer.status_code == 302
    assert "/account/sign-in" in answer["Location"]


def test_a_new_owner_begins_without_the_former_ones_words(browser: Client, listing: Listing) -> None:
    write(listing, enough())
    keep(browser, listing, texts={"problem": "Unsaved"}, opened=form_of(browser, listing)["opened"])
    buyer: User = UserFactory.create()
    listing.company.owner = buyer
    listing.company.save()
    assert {text for name, text in form_of(signed_in(buyer), listing).items() if name != "opened"} == {""}

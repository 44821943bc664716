"""A story in its editor: nobody loses a word, and nobody overwrites one unseen."""

from typing import Any

import pytest

from apps.core.editing.marks import Seen
from apps.core.editing.merge import EditConflict, StaleFormError
from apps.core.editing.text_document import ShownText
from apps.core.errors import Unprocessable
from apps.listings.models import Listing
from apps.stories.documents import StoryDocument
from apps.stories.models import FounderStory, StoryVersion, UnsavedText
from apps.stories.services import stories
from tests.factories import ListingFactory
from tests.racing import run_at_once
from tests.stories.writing import by_owner

pytestmark = pytest.mark.django_db


@pytest.fixture
def document(site: object) -> StoryDocument:
    listing: Listing = ListingFactory.create(live=True)
    return window_of(listing)


def window_of(listing: Listing, *, publish: bool = False) -> StoryDocument:
    return StoryDocument(user=listing.company.owner, listing=listing, by=by_owner(listing), publish=publish)


def marks(document: StoryDocument) -> dict[str, Seen]:
    """What a form carries that is opened now."""
    return {field.name: field.seen for field in document.open()}


def shown(document: StoryDocument, name: str = "problem") -> ShownText:
    return next(field for field in document.open() if field.name == name)


def assistant(document: StoryDocument, **fields: str) -> None:
    """An edit by the API."""
    by = by_owner(document.listing, via="assistant", credential="An assistant")
    stories.set_founder_story(listing=document.listing, fields=fields, publish=False, by=by)


def texts(document: StoryDocument) -> dict[str, Any]:
    return {name: text for name, text in document.saved().items() if text}


def test_what_is_kept_is_shown_again_and_touches_nothing(document: StoryDocument) -> None:
    assistant(document, problem="Saved")
    before = FounderStory.objects.values().get()
    told = document.autosave(typed={"problem": "Typed\r\nhere ", "title": "T"}, opened=marks(document))
    assert {name: (field.text, field.is_unsaved, field.is_kept) for name, field in told.items()} == {
        "problem": ("Typed\nhere", True, True),
        "title": ("T", True, True),
    }
    assert FounderStory.objects.values().get() == before
    assert StoryVersion.objects.count() == 1
    again = shown(document)
    assert (again.text, again.is_unsaved, again.conflict) == ("Typed\nhere", True, None)
    assert again.seen == told["problem"].seen


def test_a_story_that_is_not_there_yet_is_not_made_by_typing(document: StoryDocument) -> None:
    document.autosave(typed={"problem": "Typed"}, opened=marks(document))
    assert not FounderStory.objects.exists()
    assert shown(document).text == "Typed"


def test_only_its_writer_sees_what_is_typed(document: StoryDocument) -> None:
    document.autosave(typed={"problem": "Typed"}, opened=marks(document))
    other = ListingFactory.create(live=True)
    assert shown(window_of(other)).text == ""
    stranger = StoryDocument(user=other.company.owner, listing=document.listing, by=by_owner(other))
    assert shown(stranger).text == ""


def test_typing_back_to_what_is_saved_leaves_nothing_behind(document: StoryDocument) -> None:
    assistant(document, problem="Saved")
    told = document.autosave(typed={"problem": "Typed"}, opened=marks(document))
    told = document.autosave(typed={"problem": "Saved "}, opened={"problem": told["problem"].seen})
    assert not told["problem"].is_unsaved
    assert not UnsavedText.objects.exists()


def test_an_edit_by_an_assistant_is_shown_and_not_overwritten(document: StoryDocument) -> None:
    assistant(document, problem="Old", what_built="Old")
    opened = marks(document)
    assistant(document, problem="Theirs", what_built="Theirs")
    told = document.autosave(typed={"problem": "Mine"}, opened=opened)
    assert told["problem"].conflict == EditConflict("problem", "saved", "Theirs")
    # The marks of a form that has not been drawn anew do not overrule it.
    with pytest.raises(StaleFormError) as stale:
        document.save(typed={"problem": "Mine", "what_built": "Old"}, opened=opened | {"problem": told["problem"].seen})
    assert stale.value.conflicts == {"problem": EditConflict("problem", "saved", "Theirs")}
    assert texts(document) == {"problem": "Theirs", "what_built": "Theirs"}
    # The page shows both, now and when it is opened again; saving that form puts one in place of the other.
    typed = {"problem": "Mine", "what_built": "Old"}
    after = document.refused(stale.value, typed=typed, opened=opened)
    assert {field.name: field.text for field in after if field.conflict} == {"problem": "Mine"}
    assert shown(document).conflict == EditConflict("problem", "saved", "Theirs")
    document.save(typed=typed, opened={field.name: field.seen for field in after})
    assert texts(document) == {"problem": "Mine", "what_built": "Theirs"}
    assert not UnsavedText.objects.exists()
    assert StoryVersion.objects.count() == 3


def test_a_conflict_stays_until_it_is_decided(document: StoryDocument) -> None:
    opened = marks(document)
    assistant(document, problem="Theirs")
    document.autosave(typed={"problem": "Mine"}, opened=opened)
    opened = marks(document)
    told = document.autosave(typed={"problem": "Mine, more"}, opened=opened)
    assert told["problem"].conflict == EditConflict("problem", "saved", "Theirs")
    assert shown(document).conflict == EditConflict("problem", "saved", "Theirs")
    # This form has shown it.
    document.save(typed={"problem": "Mine, more"}, opened={"problem": told["problem"].seen})
    assert texts(document) == {"problem": "Mine, more"}


def test_an_edit_after_the_one_that_was_shown_is_a_conflict_again(document: StoryDocument) -> None:
    opened = marks(document)
    assistant(document, problem="Theirs")
    document.autosave(typed={"problem": "Mine"}, opened=opened)
    opened = marks(document)
    assistant(document, problem="Theirs, later")
    with pytest.raises(StaleFormError) as stale:
        document.save(typed={"problem": "Mine"}, opened=opened)
    assert stale.value.conflicts == {"problem": EditConflict("problem", "saved", "Theirs, later")}


def test_two_windows_do_not_overwrite_each_other(document: StoryDocument) -> None:
    first, second = marks(document), marks(document)
    first |= {"problem": document.autosave(typed={"problem": "First"}, opened=first)["problem"].seen}
    told = document.autosave(typed={"problem": "Second", "title": "Second"}, opened=second)
    assert told["problem"].conflict == EditConflict("problem", "typed", "First")
    assert (told["problem"].is_kept, told["title"].is_kept) == (False, True)
    assert shown(document).text == "First"
    # The first goes on undisturbed.
    told = document.autosave(typed={"problem": "First, more"}, opened=first)
    assert told["problem"].conflict is None
    with pytest.raises(StaleFormError) as stale:
        document.save(typed={"problem": "Second"}, opened=second)
    assert stale.value.conflicts == {"problem": EditConflict("problem", "typed", "First, more")}
    assert texts(document) == {}
    after = document.refused(stale.value, typed={"problem": "Second"}, opened=second)
    field = next(field for field in after if field.name == "problem")
    assert (field.text, field.is_kept, field.is_unsaved) == ("Second", False, True)
    document.save(typed={"problem": "Second"}, opened={"problem": field.seen})
    assert texts(document) == {"problem": "Second"}
    assert shown(document).conflict is None


def test_a_window_that_was_left_alone_saves_nothing(document: StoryDocument) -> None:
    assistant(document, problem="Old", title="Title")
    left = marks(document)
    document.autosave(typed={"problem": "Typed elsewhere"}, opened=left)
    document.save(typed={"problem": "Old", "title": "Another title"}, opened=left)
    assert texts(document) == {"problem": "Old", "title": "Another title"}
    assert shown(document).text == "Typed elsewhere"


def test_what_was_saved_elsewhere_in_the_same_words_is_no_conflict(document: StoryDocument) -> None:
    opened = marks(document)
    told = document.autosave(typed={"problem": "Same"}, opened=opened)
    assistant(document, problem="Same")
    assert shown(document).conflict is None
    assert not shown(document).is_unsaved
    document.save(typed={"problem": "Same"}, opened={"problem": told["problem"].seen})
    assert not UnsavedText.objects.exists()
    assert StoryVersion.objects.count() == 1


def test_a_refusal_saves_nothing_and_keeps_all_that_was_typed(document: StoryDocument) -> None:
    assistant(document, title="Title")
    typed = {"title": "x" * 500, "problem": "y" * 10_001, "what_built": "Fine"}
    with pytest.raises(Unprocessable) as refusal:
        document.save(typed=typed, opened=marks(document))
    assert sorted(problem.pointer for problem in refusal.value.errors) == ["/problem", "/title"]
    assert texts(document) == {"title": "Title"}
    assert {field.name: field.text for field in document.open() if field.is_unsaved} == typed
    assert "Use up to 10,000 characters" in shown(document).problem


def test_a_text_past_all_limits_is_told_as_not_kept(document: StoryDocument) -> None:
    opened = marks(document)
    longest = document.autosave(typed={"problem": "x" * UnsavedText.MAX_CHARACTERS}, opened=opened)["problem"]
    assert longest.is_kept
    typed = {"problem": "x" * (UnsavedText.MAX_CHARACTERS + 1)}
    longer = document.autosave(typed=typed, opened={"problem": longest.seen})["problem"]
    assert not longer.is_kept
    assert f"{UnsavedText.MAX_CHARACTERS + 1:,}" in longer.problem
    assert shown(document).text == longest.text


@pytest.mark.parametrize("kind", ["saved", "typed"])
def test_taking_the_saved_text_discards_one_text_only(document: StoryDocument, kind: Any) -> None:
    opened = marks(document)
    if kind == "saved":
        assistant(document, problem="Theirs")
    else:
        document.autosave(typed={"problem": "Theirs"}, opened=opened)
    typed = {"problem": "Mine", "what_built": "Mine too"}
    with pytest.raises(StaleFormError) as stale:
        document.save(typed=typed, opened=opened)
    after = document.refused(stale.value, typed=typed, opened=opened)
    document.take("problem", typed=typed, opened={field.name: field.seen for field in after}, kind=kind)
    assert (shown(document).text, shown(document).conflict) == ("Theirs", None)
    assert shown(document, "what_built").text == "Mine too"


def test_discarding_leaves_what_is_saved(document: StoryDocument) -> None:
    assistant(document, problem="Saved")
    document.autosave(typed={"problem": "Typed", "title": "Typed"}, opened=marks(document))
    document.discard()
    assert shown(document).text == "Saved"
    assert not UnsavedText.objects.exists()


@pytest.mark.parametrize(
    "typed",
    [
        "\x00nul",
        "\ud800 lone",
        "\u202e bidi",
        "e\u0301",
        "a\r\nb\rc",
        "<script>alert(1)</script>",
        "👩‍👩‍👧 family",
        "ᅟ",
    ],
)
def test_texts_of_every_kind_are_kept(document: StoryDocument, typed: str) -> None:
    told = document.autosave(typed={"problem": typed, "nonsense": typed}, opened=marks(document))
    assert list(told) == ["problem"]
    assert shown(document).text == told["problem"].text == document.fields["problem"].clean(typed)


@pytest.mark.django_db(transaction=True)
def test_of_two_windows_that_keep_at_once_one_is_told_of_the_other(document: StoryDocument) -> None:
    opened = marks(document)

    def keep(text: str) -> ShownText:
        return document.autosave(typed={"problem": text}, opened=opened)["problem"]

    told = run_at_once(*[lambda text=text: keep(text) for text in ("One", "Two")])
    kept, refused_one = sorted(told, key=lambda field: not field.is_kept)
    assert refused_one.conflict == EditConflict("problem", "typed", kept.text)
    assert UnsavedText.objects.get().text == kept.text

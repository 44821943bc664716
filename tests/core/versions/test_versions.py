"""What all histories share: changes by field, differences for people to read, and who made a version."""

from typing import Any

import pytest

from apps.accounts.actors import SYSTEM, Actor
from apps.accounts.models import User
from apps.core.versions.authorship import Authorship, authorship_of, way_for_team
from apps.core.versions.differences import Piece, Row, changes_between, difference, plain
from apps.orders.models import ProductVersion

ANN = User(pk=1, name="Ann", email="ann@example.com")
BEN = User(pk=2, name="Ben", email="ben@example.com")
TESS = User(pk=3, name="Tess", email="tess@example.com", is_staff=True)


def made_by(actor: Actor) -> ProductVersion:
    return ProductVersion(author=actor.user, via=actor.via, credential=actor.credential)


def test_changes_are_the_fields_that_differ_in_their_order() -> None:
    before = {"title": "Old", "same": [1], "gone": "x"}
    after = {"title": "New", "same": [1], "came": False}
    assert changes_between(before, after) == [
        {"field": "title", "before": "Old", "after": "New"},
        {"field": "gone", "before": "x", "after": None},
        {"field": "came", "before": None, "after": False},
    ]
    assert changes_between(before, before) == []


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, ""), (True, "yes"), (False, "no"), (0, "0"), ("é", "é"), (["é"], '[\n  "é"\n]')],
)
def test_a_value_in_plain_words(value: Any, text: str) -> None:
    assert plain(value) == text


def test_a_value_is_told_by_the_words_of_its_field() -> None:
    told = difference("Price", 100, 200, text=lambda value: f"{value} cents")
    pieces = [Piece("removed", "100"), Piece("added", "200"), Piece("same", " "), Piece("same", "cents")]
    assert told.rows == [Row(pieces)]


def test_entries_that_stayed_are_counted() -> None:
    told = difference("Tags", ["a", "b"], ["b", "c"])
    assert (told.is_list, told.unchanged) == (True, 1)
    assert [[(piece.kind, piece.text) for piece in row.pieces] for row in told.rows] == [
        [("removed", "a")],
        [("added", "c")],
    ]


def test_keys_have_their_labels() -> None:
    told = difference("Profiles", None, {"github": "acme"}, part_label=str.upper)
    assert told.rows == [Row([Piece("added", "acme")], "GITHUB")]


@pytest.mark.parametrize(
    ("actor", "authorship"),
    [
        (Actor(user=ANN, via="browser"), Authorship("You", "in the browser", "user")),
        (Actor(user=ANN, via="key", credential="CI"), Authorship("You", "with the API key CI", "key")),
        (Actor(user=ANN, via="assistant", credential="Helper"), Authorship("You", "by Helper", "bot")),
        (Actor(user=BEN, via="key", credential="Secret"), Authorship("An earlier owner", "with an API key", "key")),
        (Actor(user=BEN, via="assistant", credential="X"), Authorship("An earlier owner", "by an assistant", "bot")),
        (Actor(user=TESS, via="admin"), Authorship("A site admin", "", "shield")),
        (Actor(user=TESS, via="browser"), Authorship("A site admin", "in the browser", "user")),
        (SYSTEM, Authorship("The system", "", "clock")),
    ],
)
def test_an_owner_reads_who_it_was_without_the_names_of_others(actor: Actor, authorship: Authorship) -> None:
    assert authorship_of(made_by(actor), reader=ANN) == authorship


@pytest.mark.parametrize(
    ("actor", "way"),
    [
        (Actor(user=ANN, via="browser"), "in the browser"),
        (Actor(user=ANN, via="key", credential="CI"), "with the API key “CI”"),
        (Actor(user=ANN, via="assistant", credential="Helper"), "with the assistant “Helper”"),
        (Actor(user=TESS, via="admin"), "in the admin"),
        (SYSTEM, "automatically"),
    ],
)
def test_site_admins_read_the_way_with_its_name(actor: Actor, way: str) -> None:
    assert way_for_team(actor) == way_for_team(made_by(actor)) == way

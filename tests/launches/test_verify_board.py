"""The script that anybody can run: an honest ledger passes, and no tampering does."""

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction

from apps.launches.calendar.launch_weeks import current_week
from apps.sites.models import Site
from tests.api import ApiClient
from tests.factories import ListingFactory, SiteFactory
from tests.launches.voting import WEEK, download, entries_of, play_week, verify

Entries = list[dict[str, Any]]


@pytest.fixture(scope="module")
def honest(django_db_setup: None, django_db_blocker: Any) -> bytes:
    """A closed week's ledger; the database forgets it again."""
    with django_db_blocker.unblock(), transaction.atomic():
        # A site of its own: what the migrations made may have been emptied out by a test before.
        site = SiteFactory.create()
        play_week(site)
        text = download(site)
        transaction.set_rollback(True)
    return text


def rehash(entries: Entries, first: int = 0) -> Entries:
    """The chain made anew from an entry on, as somebody would who knows how it is made."""
    head = entries[first - 1]["hash"] if first else ""
    for entry in entries[first:]:
        canonical = json.dumps(entry["body"], sort_keys=True, separators=(",", ":"))
        head = entry["hash"] = sha256((head + canonical).encode()).hexdigest()
    return entries


def renumber(entries: Entries) -> Entries:
    for number, entry in enumerate(entries, start=1):
        entry["body"]["number"] = number
    return rehash(entries)


def as_file(entries: Entries) -> bytes:
    return "".join(json.dumps(entry) + "\n" for entry in entries).encode()


def of_kind(entries: Entries, kind: str) -> Entries:
    return [entry for entry in entries if entry["body"]["kind"] == kind]


def index_of(entries: Entries, kind: str, nth: int = 0) -> int:
    return entries.index(of_kind(entries, kind)[nth])


def change(kind: str, nth: int = 0, **facts: Any) -> Callable[[Entries], Entries]:
    """Other facts in an entry, and a chain that fits them."""

    def tamper(entries: Entries) -> Entries:
        of_kind(entries, kind)[nth]["body"].update(facts)
        return rehash(entries)

    return tamper


def change_only(kind: str, nth: int = 0, **facts: Any) -> Callable[[Entries], Entries]:
    """Other facts in an entry, and the chain as it was."""

    def tamper(entries: Entries) -> Entries:
        of_kind(entries, kind)[nth]["body"].update(facts)
        return entries

    return tamper


def remove(entries: Entries) -> Entries:
    del entries[index_of(entries, "cast")]
    return entries


def remove_and_renumber(entries: Entries) -> Entries:
    del entries[index_of(entries, "cast")]
    return renumber(entries)


def swap(entries: Entries) -> Entries:
    one = index_of(entries, "cast")
    entries[one], entries[one + 1] = entries[one + 1], entries[one]
    return entries


def swap_and_renumber_two(entries: Entries) -> Entries:
    one = index_of(entries, "cast")
    entries[one], entries[one + 1] = entries[one + 1], entries[one]
    entries[one]["body"]["number"], entries[one + 1]["body"]["number"] = one + 1, one + 2
    rehash(entries[: one + 2])
    return entries


def rehash_only_one(entries: Entries) -> Entries:
    one = index_of(entries, "cast")
    entries[one]["body"]["voter"] = "0" * 64
    rehash(entries[: one + 1])
    return entries


def after_the_close(entries: Entries) -> Entries:
    body = {**of_kind(entries, "cast")[0]["body"], "voter": "1" * 64}
    return renumber([*entries, {"body": body, "hash": ""}])


def after_the_count(entries: Entries) -> Entries:
    body = {**of_kind(entries, "cast")[0]["body"], "voter": "1" * 64}
    entries.insert(len(entries) - 1, {"body": body, "hash": ""})
    return renumber(entries)


def before_the_count(kind: str = "cast", **facts: Any) -> Callable[[Entries], Entries]:
    def tamper(entries: Entries) -> Entries:
        body = {**of_kind(entries, kind)[0]["body"], **facts}
        entries.insert(index_of(entries, "leave"), {"body": body, "hash": ""})
        return renumber(entries)

    return tamper


def swap_ranks(entries: Entries) -> Entries:
    results = of_kind(entries, "close")[0]["body"]["results"]
    results[0]["listing"], results[1]["listing"] = results[1]["listing"], results[0]["listing"]
    return rehash(entries)


def drop_last_result(entries: Entries) -> Entries:
    of_kind(entries, "close")[0]["body"]["results"].pop()
    return rehash(entries)


def edit_close_only(entries: Entries) -> Entries:
    of_kind(entries, "close")[0]["body"]["results"][0]["points"] += 100
    return entries


def cut_off(entries: Entries) -> Entries:
    return entries[:-1]


def cut_off_the_beginning(entries: Entries) -> Entries:
    return renumber(entries[1:])


def forget_the_leave(entries: Entries) -> Entries:
    del entries[index_of(entries, "leave")]
    return renumber(entries)


def leave_of_the_first(entries: Entries) -> Entries:
    winner = of_kind(entries, "close")[0]["body"]["results"][0]["listing"]
    body = {**of_kind(entries, "leave")[0]["body"], "listing": winner}
    entries.insert(index_of(entries, "close"), {"body": body, "hash": ""})
    return renumber(entries)


def weigh_new_accounts_more(entries: Entries) -> Entries:
    entries[0]["body"]["rule"]["weights"]["new"] = 100
    return rehash(entries)


def another_group(entries: Entries) -> Entries:
    """Two votes in one group of which only one counts in full."""
    entries[0]["body"]["rule"]["shares"]["newcomers"] = 1
    return rehash(entries)


def a_group_of_its_own(entries: Entries) -> Entries:
    of_kind(entries, "cast")[0]["body"]["groups"] = {"friends": "0" * 16}
    return rehash(entries)


def held_without_reason(entries: Entries) -> Entries:
    of_kind(entries, "cast")[0]["body"]["state"] = "held"
    return rehash(entries)


def decide_nothing(entries: Entries) -> Entries:
    facts = {"listing": of_kind(entries, "cast")[0]["body"]["listing"], "state": "dismissed", "votes": 1, "reason": "x"}
    body = {"number": 0, "kind": "decide", "at": "2026-10-04T12:00:00Z", **facts}
    entries.insert(index_of(entries, "leave"), {"body": body, "hash": ""})
    return renumber(entries)


def second_key(entries: Entries) -> Entries:
    entries[3]["body"]["weight"] = 7
    return rehash(entries)


TAMPERED: dict[str, tuple[Callable[[Entries], Entries], str]] = {
    "a changed weight": (change_only("cast", points=50), "its hash does not fit"),
    "a changed weight, chain made anew": (change("cast", points=50), "the rule gives settled 100"),
    "an owner's vote that weighs": (change("cast", 7, points=100), "the rule gives owner 0"),
    "a trust that is not in the rule": (change("cast", trust="friend"), "the rule knows no trust 'friend'"),
    "a group that shares more": (another_group, "and 50 with its places in groups"),
    "a group that is not in the rule": (a_group_of_its_own, "knows not all of the groups ['friends']"),
    "a vote under review that the rule counts": (held_without_reason, "a vote is held"),
    "a decision about votes that are not under review": (decide_nothing, "but 0 are under review"),
    "a rule changed later": (weigh_new_accounts_more, "the rule gives new 100"),
    "a removed vote": (remove, "an entry is missing, added or moved"),
    "a removed vote, chain made anew": (remove_and_renumber, "the votes come to"),
    "two votes swapped": (swap, "an entry is missing, added or moved"),
    "two votes swapped, and only those hashed": (swap_and_renumber_two, "its hash does not fit"),
    "one entry changed and hashed": (rehash_only_one, "its hash does not fit"),
    "an added vote": (before_the_count(voter="2" * 64), "the votes come to"),
    "a double vote": (before_the_count(), "a second vote of one person"),
    "a vote for what was not launched": (before_the_count(listing=999, voter="3" * 64), "which is not launched"),
    "a vote before the week": (change("cast", at="2026-09-27T23:59:59Z"), "a vote outside of the week"),
    "a vote after the week": (change("cast", 8, at="2026-10-05T00:00:00Z"), "a vote outside of the week"),
    "a vote after the close": (after_the_close, "a cast comes after the close"),
    "a vote after the count": (after_the_count, "a vote comes after the week was counted"),
    "a withdrawal of nothing": (before_the_count("withdraw"), "that does not stand"),
    "a withdrawal of more than was cast": (change("withdraw", points=200), "of a vote that weighed 100"),
    "a result edited": (edit_close_only, "its hash does not fit"),
    "ranks swapped": (swap_ranks, "the votes come to rank 1"),
    "a listing left out of the result": (drop_last_result, "the votes come to 2"),
    "a close before the end": (change("close", at="2026-10-04T23:59:59Z"), "closed before it is over"),
    "no close": (cut_off, "there is no close entry"),
    "no open": (cut_off_the_beginning, "a ledger begins with its open entry"),
    "a listing that left is ranked": (forget_the_leave, "the votes come to 3"),
    "the winner left out of the count": (leave_of_the_first, "the votes come to 1"),
    "a launch of another week": (change("launch", launched_at="2026-09-20T10:00:00.000000Z"), "launched outside"),
    "a launch twice": (before_the_count("launch"), "is launched a second time"),
    "an earlier launch to win a tie": (change_only("launch", launched_at="2026-09-28T00:00:00.000001Z"), "its hash"),
    "another week": (change("open", week="2026-W41"), "outside of the week"),
    "no such week": (change("open", week="2026-W60"), "there is no week"),
    "facts that are not known": (second_key, "not written as an entry"),
    "points that are no number": (change("cast", points=True), "not written as an entry"),
}


def test_an_honest_ledger_passes(honest: bytes, tmp_path: Path) -> None:
    code, said = verify(tmp_path, honest)
    assert code == 0, said
    assert "9 votes stand, 1 were taken back" in said
    assert f"The ledger of {WEEK} fits." in said


@pytest.mark.parametrize("name", TAMPERED)
def test_a_tampered_one_does_not(honest: bytes, tmp_path: Path, name: str) -> None:
    tamper, words = TAMPERED[name]
    code, said = verify(tmp_path, as_file(tamper(entries_of(honest))))
    assert code == 1, said
    assert words in said


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"", "is empty"),
        (b"{}\n", "no entry with a body and a hash"),
        (b"<html>\n", "this is no JSON"),
        (b"\xff\xfe", "cannot be read"),
        (b'{"body": {"number": 1.0}, "hash": ""}\n', "1.0 is no integer"),
        (b'{"body": {}, "body": {}, "hash": ""}\n', "a key is there twice"),
        (b'{"body": {}, "hash": 7}\n', "no entry with a body and a hash"),
        (b'{"body": {"number": 1, "kind": []}, "hash": ""}\n', "not written as an entry"),
        (b"[" * 100_000, "this is no JSON"),
    ],
)
def test_what_is_no_ledger_is_said_to_be_none(tmp_path: Path, text: bytes, words: str) -> None:
    code, said = verify(tmp_path, text)
    assert code == 1
    assert words in said


class TestPublishedBoard:
    @pytest.fixture
    def board(self, site: Site, anonymous: ApiClient) -> dict[str, Any]:
        play_week(site)
        answer: dict[str, Any] = anonymous.get("/leaderboards/community-weekly", {"week": str(WEEK)}).json()
        return answer

    def test_the_published_ranks_are_those_of_the_ledger(
        self, site: Site, board: dict[str, Any], tmp_path: Path
    ) -> None:
        code, said = verify(tmp_path, download(site), board=json.dumps(board).encode())
        assert code == 0, said
        assert "2 listings, each as in the ledger" in said

    @pytest.mark.parametrize(
        ("facts", "words"),
        [
            ({"points": 900}, "the ledger says rank 1"),
            ({"votes": 9}, "the ledger says rank 1"),
            ({"rank": 2}, "the ledger says rank 1"),
            ({"id": 10**9}, "has no rank for"),
        ],
    )
    def test_another_rank_is_told(
        self, site: Site, board: dict[str, Any], tmp_path: Path, facts: dict[str, int], words: str
    ) -> None:
        board["items"][0].update(facts)
        code, said = verify(tmp_path, download(site), board=json.dumps(board).encode())
        assert code == 1
        assert words in said

    @pytest.mark.parametrize(
        ("facts", "words"),
        [
            ({"period": "2026-W41"}, "the ledger is of 2026-W40"),
            ({"is_final": False}, "before the week was closed"),
            ({"ledger_hash": "0" * 64}, "the ledger ends with"),
            ({"items": 3}, "no answer of the API"),
        ],
    )
    def test_another_leaderboard_is_named(
        self, site: Site, board: dict[str, Any], tmp_path: Path, facts: dict[str, Any], words: str
    ) -> None:
        code, said = verify(tmp_path, download(site), board=json.dumps({**board, **facts}).encode())
        assert code == 1
        assert words in said

    def test_a_replaced_chain_is_noticed_by_a_noted_hash_and_by_the_next_ledger(
        self, site: Site, board: dict[str, Any], tmp_path: Path
    ) -> None:
        play_week(site, WEEK + 1)
        honest, following = download(site), download(site, WEEK + 1)
        head = board["ledger_hash"]
        assert verify(tmp_path, honest, "--head", head, next=following)[0] == 0
        entries = entries_of(honest)
        of_kind(entries, "cast")[0]["body"]["voter"] = "4" * 64
        forged = as_file(rehash(entries))
        assert verify(tmp_path, forged)[0] == 0
        assert "not the one you noted" in verify(tmp_path, forged, "--head", head)[1]
        assert "does not follow on this ledger" in verify(tmp_path, forged, next=following)[1]

    def test_a_category_leaderboard_is_counted_from_the_frozen_categories(
        self, site: Site, board: dict[str, Any], anonymous: ApiClient, tmp_path: Path
    ) -> None:
        slug = next(slug for item in board["items"] for slug in item["categories"])
        answer = anonymous.get("/leaderboards/community-weekly", {"week": str(WEEK), "category": slug})
        assert [item["rank"] for item in answer.json()["items"]] == [1]
        code, said = verify(tmp_path, download(site), board=answer.content)
        assert code == 0, said


def test_what_a_file_holds_cannot_pass_for_words_of_the_script(honest: bytes, tmp_path: Path) -> None:
    slug = "good\r    1. other\x1b[2K\x7f\nThe ledger of 2026-W40 fits.\u2028\U0001f600"
    code, said = verify(tmp_path, as_file(change("launch", slug=slug)(entries_of(honest))))
    assert code == 0
    assert said.isascii()
    assert all(line.isprintable() for line in said.split("\n"))
    assert said.count("\nThe ledger of") == 1


def test_a_noted_hash_that_is_empty_fits_nothing(honest: bytes, tmp_path: Path) -> None:
    code, said = verify(tmp_path, honest, "--head", "")
    assert (code, "not the one you noted" in said) == (1, True)


def test_an_open_week_fits_so_far(site: Site, tmp_path: Path) -> None:
    ListingFactory.create(live=True)
    code, said = verify(tmp_path, download(site, current_week()))
    assert code == 0, said
    assert "The week is open" in said

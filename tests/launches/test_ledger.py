"""The ledger: a chain that nobody can change, downloadable and anonymized."""

import json
from hashlib import sha256

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client

from apps.launches.models import LedgerEntry, VoteLedger
from apps.launches.votes import ledger as ledgers
from apps.launches.votes.voting import toggle_vote
from apps.sites.models import Site
from tests.actors import in_browser
from tests.factories import ListingFactory, SiteFactory
from tests.launches.voting import WEEK, download, entries_of, moment, person, play_week

LEDGER = f"/ledgers/{WEEK}.jsonl"


def test_the_hash_is_over_the_one_before_and_the_canonical_body() -> None:
    body = {"number": 2, "kind": "cast", "at": "2026-09-28T12:00:00Z", "listing": 7, "voter": "Zoë"}
    text = r'{"at":"2026-09-28T12:00:00Z","kind":"cast","listing":7,"number":2,"voter":"Zo\u00eb"}'
    assert ledgers.canonical(body) == text
    assert ledgers.chained("ab", body) == sha256(f"ab{text}".encode()).hexdigest()


def test_what_the_entries_of_a_week_hold(site: Site) -> None:
    first, second, third = play_week(site)
    entries = [entry["body"] for entry in entries_of(download(site))]
    assert entries[0] == {
        "number": 1,
        "kind": "open",
        "at": "2026-09-28T12:00:00Z",
        "version": 1,
        "site": site.key,
        "week": str(WEEK),
        "rule": {
            "new_account_days": 7,
            "young_account_days": 30,
            "weights": {
                "owner": 0,
                "disposable": 10,
                "new": 50,
                "verified": 75,
                "settled": 100,
                "contributor": 100,
            },
            "shares": {
                "network": 3,
                "domain": 3,
                "young_network": 2,
                "young_domain": 1,
                "mailbox": 1,
                "sign_up": 2,
                "burst": 10,
                "unproven": 5,
                "newcomers": 40,
                "dormant": 10,
            },
            "review": {"network": 10, "domain": 10, "young_network": 10, "young_domain": 10, "sign_up": 10},
        },
        "previous": None,
    }
    assert entries[1] == {
        "number": 2,
        "kind": "launch",
        "at": "2026-09-28T12:00:00Z",
        "listing": first.pk,
        "slug": first.slug,
        "launched_at": "2026-09-28T12:00:00.000000Z",
    }
    owners = next(entry for entry in entries if entry.get("trust") == "owner")
    assert {name: owners[name] for name in ("kind", "listing", "points")} == {
        "kind": "cast",
        "listing": third.pk,
        "points": 0,
    }
    assert entries[-2]["kind"] == "leave"
    assert entries[-2]["listing"] == second.pk
    assert [(row["rank"], row["listing"], row["votes"], row["points"]) for row in entries[-1]["results"]] == [
        (1, third.pk, 4, 300),
        (2, first.pk, 3, 250),
    ]
    assert entries[-1]["results"][1]["categories"] == [first.categories.get().slug]


def test_the_next_ledger_keeps_the_hash_of_the_one_before(site: Site) -> None:
    play_week(site)
    play_week(site, WEEK + 3)
    head = VoteLedger.objects.get(iso_week=str(WEEK)).head
    following = entries_of(download(site, WEEK + 3))[0]["body"]
    assert following["previous"] == {"week": str(WEEK), "hash": head}


class TestVoters:
    def test_one_person_has_one_name_for_a_listing_and_another_for_each_other(self, site: Site) -> None:
        with moment():
            listings = [ListingFactory.create(live=True) for _ in range(2)]
            voter = person()
            for listing in (listings[0], listings[0], listings[1]):
                toggle_vote(listing=listing, by=in_browser(voter))
        cast, withdrawn, other = (entry["body"]["voter"] for entry in entries_of(download(site))[3:])
        assert cast == withdrawn != other
        assert len(cast) == 64

    def test_the_salt_is_a_weeks_own_and_forgotten_at_its_close(self, site: Site) -> None:
        play_week(site)
        ledger = VoteLedger.objects.get()
        assert ledger.salt == ""
        with pytest.raises(ValueError, match="forgotten"):
            ledgers.voter(ledger, listing_id=1, user_id=1)
        with moment(WEEK + 1):
            ListingFactory.create(live=True)
            ListingFactory.create(live=True, site=SiteFactory.create())
        salts = set(VoteLedger.objects.exclude(salt="").values_list("salt", flat=True))
        assert [len(salt) for salt in salts] == [64, 64]

    def test_no_entry_names_an_account(self, site: Site) -> None:
        play_week(site)
        assert b"@" not in download(site)
        assert b"user" not in download(site)


class TestAppendOnly:
    @pytest.fixture
    def entry(self, site: Site) -> LedgerEntry:
        ListingFactory.create(live=True)
        return LedgerEntry.objects.get(kind="open")

    def test_the_database_refuses_to_change_an_entry(self, entry: LedgerEntry) -> None:
        with pytest.raises(IntegrityError, match="never changed or deleted"), transaction.atomic():
            LedgerEntry.objects.filter(pk=entry.pk).update(hash="0" * 64)
        with pytest.raises(IntegrityError, match="never changed or deleted"), transaction.atomic():
            entry.save()

    def test_the_database_refuses_to_delete_an_entry(self, entry: LedgerEntry) -> None:
        with pytest.raises(IntegrityError, match="never changed or deleted"), transaction.atomic():
            entry.delete()
        with (
            pytest.raises(IntegrityError, match="never changed or deleted"),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute("DELETE FROM launches_ledgerentry")
        assert LedgerEntry.objects.count() == 2

    def test_a_number_is_given_once(self, entry: LedgerEntry) -> None:
        with pytest.raises(IntegrityError), transaction.atomic():
            LedgerEntry.objects.create(ledger=entry.ledger, number=1, kind="cast", body={}, hash="")


class TestDownload:
    def test_it_is_json_lines_from_the_first_entry_on(self, site: Site, client: Client) -> None:
        play_week(site)
        answer = client.get(LEDGER)
        text = b"".join(answer)
        assert answer["Content-Type"] == "application/jsonl; charset=utf-8"
        assert f'filename="votes-{site.key}-{WEEK}.jsonl"' in answer["Content-Disposition"]
        assert text.endswith(b"}\n")
        assert [entry["body"]["number"] for entry in entries_of(text)] == list(range(1, text.count(b"\n") + 1))
        assert json.loads(text.splitlines()[0])["hash"] == LedgerEntry.objects.get(number=1).hash

    def test_a_closed_one_is_kept_for_good_and_an_open_one_asked_for_again(self, site: Site, client: Client) -> None:
        with moment():
            listing = ListingFactory.create(live=True)
            opened = client.get(LEDGER)
            assert opened["Cache-Control"] == "no-cache"
            assert client.get(LEDGER, headers={"If-None-Match": opened["ETag"]}).status_code == 304
            toggle_vote(listing=listing, by=in_browser(person()))
            changed = client.get(LEDGER, headers={"If-None-Match": opened["ETag"]})
            assert (changed.status_code, len(b"".join(changed).splitlines())) == (200, 3)
        ledger = VoteLedger.objects.get()
        with moment(WEEK + 1):
            ListingFactory.create(live=True)
        closed = client.get(LEDGER)
        ledger.refresh_from_db()
        assert closed["Cache-Control"] == "public, max-age=31536000, immutable"
        assert closed["ETag"] == f'"{ledger.head}"'
        assert client.get(LEDGER, headers={"If-None-Match": closed["ETag"]}).status_code == 304

    def test_a_long_one_comes_in_parts_and_ends_where_it_began_to_be_read(
        self, site: Site, client: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("apps.launches.views.vote_ledgers.ENTRIES_A_FETCH", 2)
        with moment():
            listing = ListingFactory.create(live=True)
            for _ in range(3):
                toggle_vote(listing=listing, by=in_browser(person()))
            answer = client.get(LEDGER)
            toggle_vote(listing=listing, by=in_browser(person()))
            assert len(list(answer)) == 3
            assert len(entries_of(b"".join(client.get(LEDGER)))) == 6

    def test_sites_have_ledgers_of_their_own(self, site: Site, client: Client) -> None:
        other = SiteFactory.create()
        play_week(other)
        assert client.get(LEDGER).status_code == 404
        assert str(WEEK) not in client.get("/ledgers").content.decode()
        assert entries_of(download(other))[0]["body"]["site"] == other.key

    @pytest.mark.parametrize("week", ["2026-W39", "2026-W60", "2026-W4", "x", "%00", "2026-W40 "])
    def test_what_is_not_there(self, site: Site, client: Client, week: str) -> None:
        play_week(site)
        assert client.get(f"/ledgers/{week}.jsonl").status_code == 404

    @pytest.mark.parametrize("method", ["post", "put", "delete"])
    def test_it_is_only_read(self, site: Site, client: Client, method: str) -> None:
        play_week(site)
        assert getattr(client, method)(LEDGER).status_code in {403, 405}


class TestPages:
    def test_the_ledgers_are_listed_with_their_last_hashes(self, site: Site, client: Client) -> None:
        play_week(site)
        with moment(WEEK + 1):
            ListingFactory.create(live=True)
        page = client.get("/ledgers").content.decode()
        closed, opened = VoteLedger.objects.order_by("iso_week")
        assert closed.head in page
        assert opened.head not in page
        assert page.index(str(WEEK + 1)) < page.index(str(WEEK))

    def test_the_rule_is_told_with_this_sites_numbers(self, site: Site, client: Client) -> None:
        Site.objects.update(vote_new_account_days=11, vote_new_account_percent=35)
        page = client.get("/about/ranking").content.decode()
        assert "less than 11 days old is worth 35 points" in page
        assert "verify_board.py" in page
        Site.objects.update(vote_new_account_percent=100)
        assert "count in full" in client.get("/about/ranking").content.decode()

    def test_it_says_how_to_check_the_last_closed_week(self, site: Site, client: Client) -> None:
        play_week(site)
        page = client.get("/about/ranking").content.decode()
        assert f"{site.base_url}{LEDGER}" in page
        assert VoteLedger.objects.get().head in page

#!/usr/bin/env python3
"""Check a ledger of votes, and count its board again.

Reads a ledger as the site's page of ledgers offers it, and checks that

- every entry has the next number, and the hash that its body and the hash before it make;
- launches and votes lie within the week, and votes are only for what was launched;
- nobody votes twice for a listing, and only votes that stand are taken back;
- every vote weighs what the rule in the first entry says for its class and its places in its groups;
- the result in the last entry is what the votes come to.

usage: python3 verify_board.py LEDGER [--board FILE]... [--head HASH] [--next FILE]

--board  a saved answer of GET /api/v1/leaderboards/community-weekly?week=..., compared with the result; may be repeated
         for the pages and categories of a board
--head   the hash of the last entry as you noted it earlier: shows a ledger that was written anew as a whole
--next   the ledger of the following week, whose first entry holds the same hash

Ends with 0 when everything fits. Otherwise it says what does not and ends with 1. Needs Python 3.9, nothing else.
"""

import argparse
import hashlib
import json
import re
import sys
from datetime import date, datetime, timedelta, timezone
from pathlib import Path

FIELDS = {
    "open": {"version": int, "site": str, "week": str, "rule": dict, "previous": (dict, type(None))},
    "launch": {"listing": int, "slug": str, "launched_at": str},
    "cast": {"listing": int, "voter": str, "trust": str, "groups": dict, "points": int, "state": str},
    "withdraw": {"listing": int, "voter": str, "trust": str, "points": int},
    "decide": {"listing": int, "state": str, "votes": int, "reason": str},
    "leave": {"listing": int},
    "close": {"results": list},
}
RULE = {"new_account_days": int, "young_account_days": int, "weights": dict, "shares": dict, "review": dict}
COMMON = {"number": int, "kind": str, "at": str}
RESULT = {"rank": int, "listing": int, "votes": int, "points": int, "categories": list}
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", re.ASCII)
EXACT_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", re.ASCII)
MOST_TOLD = 20


class UnreadableError(Exception):
    """The file is no ledger, or no answer of the API."""


def parse(text, where):
    """JSON with each key once and no numbers but integers, as everything that is hashed is written."""

    def refuse(found):
        raise UnreadableError(f"{where}: {found} is no integer")

    def once(pairs):
        if len({key for key, _ in pairs}) < len(pairs):
            raise UnreadableError(f"{where}: a key is there twice")
        return dict(pairs)

    try:
        return json.loads(text, object_pairs_hook=once, parse_float=refuse, parse_constant=refuse)
    except (ValueError, RecursionError):
        raise UnreadableError(f"{where}: this is no JSON") from None


def read_text(path):
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableError(f"{path} cannot be read: {error}") from None


def read_ledger(path):
    """The entries of a file as (body, hash)."""
    entries = []
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        entry = parse(line, f"line {number}")
        if not isinstance(entry, dict) or not has(entry, {"body": dict, "hash": str}):
            raise UnreadableError(f"line {number}: this is no entry with a body and a hash")
        entries.append((entry["body"], entry["hash"]))
    if not entries:
        raise UnreadableError(f"{path} is empty")
    return entries


def chained(before, body):
    canonical = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    return hashlib.sha256((before + canonical).encode()).hexdigest()


def has(value, fields):
    """Whether an object has exactly these fields, each of its type."""
    return set(value) == set(fields) and all(
        isinstance(value[name], kind) and not isinstance(value[name], bool) for name, kind in fields.items()
    )


def are_integers(value):
    return all(isinstance(number, int) and not isinstance(number, bool) for number in value.values())


class Count:
    """The week as its entries tell it, and what is wrong with them."""

    def __init__(self):
        self.problems = []
        self.week = self.starts = self.ends = ""
        self.weights = {}
        self.shares = {}
        self.review = {}
        self.held = {}
        self.dismissed = set()
        self.members = {}
        self.launched = {}
        self.votes = {}
        self.groups = {}
        self.left = set()
        self.withdrawn = 0
        self.results = None

    def wrong(self, number, words):
        self.problems.append(f"entry {number}: {words}")

    def take(self, entries):
        """Go through the ledger once, from its first entry to its last."""
        head, is_chained = "", True
        for number, (body, hash_) in enumerate(entries, start=1):
            if body.get("number") != number:
                self.wrong(number, f"it has number {body.get('number')!r}: an entry is missing, added or moved")
            if is_chained and chained(head, body) != hash_:
                self.wrong(number, "its hash does not fit: it was changed, or an entry before it is missing or moved")
                is_chained = False
            head = hash_
            kind = body.get("kind")
            fields = FIELDS.get(kind) if isinstance(kind, str) else None
            if fields is None or not has(body, {**COMMON, **fields}) or not TIME.fullmatch(body["at"]):
                self.wrong(number, "it is not written as an entry of a ledger")
            elif (kind == "open") != (number == 1):
                self.wrong(number, "a ledger begins with its open entry, and has no second one")
            elif self.results is not None:
                self.wrong(number, f"a {kind} comes after the close")
            else:
                getattr(self, f"take_{kind}")(number, body)

    def take_open(self, number, body):
        rule = body["rule"]
        if not has(rule, RULE) or not all(are_integers(rule[name]) for name in ("weights", "shares", "review")):
            self.wrong(number, "there is no rule with the weights of classes and the shares and reviews of groups")
        elif not all(0 <= weight <= 100 for weight in rule["weights"].values()):
            self.wrong(number, "a weight is not between 0 and 100")
        elif not all(share >= 1 for share in rule["shares"].values()):
            self.wrong(number, "a share is less than 1")
        else:
            self.weights, self.shares, self.review = rule["weights"], rule["shares"], rule["review"]
        if body["version"] != 1:
            self.wrong(number, f"this script reads version 1 of ledgers, not {body['version']}")
        if body["previous"] is not None and not has(body["previous"], {"week": str, "hash": str}):
            self.wrong(number, "the ledger before is not named by its week and hash")
        try:
            year, week = re.fullmatch(r"(\d{4})-W(\d\d)", body["week"], re.ASCII).groups()
            monday = date.fromisocalendar(int(year), int(week), 1)
        except (AttributeError, ValueError):
            self.wrong(number, f"there is no week {body['week']!r}")
            return
        self.week = body["week"]
        self.starts = f"{monday.isoformat()}T00:00:00Z"
        self.ends = f"{(monday + timedelta(days=7)).isoformat()}T00:00:00Z"

    def is_within(self, moment):
        return self.starts[:19] <= moment[:19] < self.ends[:19]

    def take_launch(self, number, body):
        if body["listing"] in self.launched:
            self.wrong(number, f"listing {body['listing']} is launched a second time")
        elif not EXACT_TIME.fullmatch(body["launched_at"]) or not self.is_within(body["launched_at"]):
            self.wrong(number, f"listing {body['listing']} is launched outside of the week")
        elif self.left:
            self.wrong(number, "a launch comes after the week was counted")
        else:
            self.launched[body["listing"]] = (body["launched_at"], body["slug"])

    def check_vote(self, number, body):
        """What casting and withdrawing have in common."""
        what = "vote" if body["kind"] == "cast" else "withdrawal"
        if body["listing"] not in self.launched:
            self.wrong(number, f"a {what} for listing {body['listing']}, which is not launched")
        if not self.is_within(body["at"]):
            self.wrong(number, f"a {what} outside of the week")
        if self.left:
            self.wrong(number, f"a {what} comes after the week was counted")

    def take_cast(self, number, body):
        self.check_vote(number, body)
        groups = {(body["listing"], kind, str(name)): kind for kind, name in body["groups"].items()}
        weight = self.weights.get(body["trust"])
        if weight is None:
            self.wrong(number, f"the rule knows no trust {body['trust']!r}")
        elif not set(groups.values()) <= set(self.shares):
            self.wrong(number, f"the rule knows not all of the groups {sorted(groups.values())}")
        else:
            self.check_weight(number, body, weight, groups)
        if (body["listing"], body["voter"]) in self.votes:
            self.wrong(number, f"a second vote of one person for listing {body['listing']}")
        self.votes[body["listing"], body["voter"]] = (body["trust"], body["points"])
        self.groups[body["listing"], body["voter"]] = taken = self.taken(body, groups)
        if body["state"] == "held":
            self.held.setdefault(body["listing"], set()).add(body["voter"])
        for group in taken:
            self.members[group] = self.members.get(group, 0) + 1

    def taken(self, body, groups):
        """The groups in which a vote takes a place: light votes take none among first votes."""
        is_light = body["state"] == "held" or body["trust"] in ("owner", "disposable")
        return [group for group, kind in groups.items() if not (is_light and kind in ("newcomers", "dormant"))]

    def check_weight(self, number, body, weight, groups):
        """A vote weighs its class, or less in the k-th place of a group: share / k of it."""
        parts = [weight]
        for group, kind in groups.items():
            place, share = self.members.get(group, 0) + 1, self.shares[kind]
            parts.append(weight * share // max(place, share))
        if body["points"] != min(parts):
            given = f"the rule gives {body['trust']} {weight}, and {min(parts)} with its places in groups"
            self.wrong(number, f"a vote weighs {body['points']}, but {given}")
        is_held = any(self.members.get(group, 0) + 1 >= self.review.get(kind, 10**9) for group, kind in groups.items())
        if body["state"] != ("held" if is_held else "counted"):
            self.wrong(number, f"a vote is {body['state']}, but by its places in groups it is not")

    def take_decide(self, number, body):
        voters = self.held.pop(body["listing"], set())
        if len(voters) != body["votes"] or not voters:
            self.wrong(number, f"{body['votes']} votes are decided, but {len(voters)} are under review")
        if body["state"] not in ("counted", "dismissed"):
            self.wrong(number, f"a decision is {body['state']!r}, neither counted nor dismissed")
        if self.left:
            self.wrong(number, "a decision comes after the week was counted")
        if body["state"] != "counted":
            self.dismissed |= {(body["listing"], voter) for voter in voters}

    def take_withdraw(self, number, body):
        self.check_vote(number, body)
        self.withdrawn += 1
        cast = self.votes.pop((body["listing"], body["voter"]), None)
        if cast is None:
            self.wrong(number, f"a vote for listing {body['listing']} is taken back that does not stand")
        elif cast != (body["trust"], body["points"]):
            self.wrong(number, f"{body['points']} points are taken back of a vote that weighed {cast[1]}")
        self.held.get(body["listing"], set()).discard(body["voter"])
        self.dismissed.discard((body["listing"], body["voter"]))
        for group in self.groups.pop((body["listing"], body["voter"]), ()):
            self.members[group] -= 1

    def take_leave(self, number, body):
        if body["listing"] not in self.launched or body["listing"] in self.left:
            self.wrong(number, f"listing {body['listing']} leaves, but is not on the board")
        if body["at"][:19] < self.ends[:19]:
            self.wrong(number, "a listing leaves the count before the week is over")
        self.left.add(body["listing"])

    def take_close(self, number, body):
        self.results = body["results"]
        if body["at"][:19] < self.ends[:19]:
            self.wrong(number, "the week is closed before it is over")
        if not all(isinstance(result, dict) and has(result, RESULT) for result in self.results):
            self.wrong(number, "a result has not rank, listing, votes, points and categories")
            self.results = []
            return
        if any(self.held.values()):
            self.wrong(number, "the week is closed while votes are under review")
        counted = self.ranks()
        told = [(result["rank"], result["listing"], result["votes"], result["points"]) for result in self.results]
        for found, said in zip(counted, told):  # noqa: B905 - Python 3.9 has no `strict`; the lengths are compared below
            if found != said:
                self.wrong(number, f"the result says {described(said)}; the votes come to {described(found)}")
        if len(counted) != len(told):
            self.wrong(number, f"the result has {len(told)} listings; the votes come to {len(counted)}")

    def ranks(self):
        """What the votes so far come to: (rank, listing, votes, points), first rank first."""
        people = dict.fromkeys(self.launched, 0)
        points = dict.fromkeys(self.launched, 0)
        for (listing, voter), (_, weight) in self.votes.items():
            if listing in self.launched:
                people[listing] += 1
                is_counted = voter not in self.held.get(listing, ()) and (listing, voter) not in self.dismissed
                points[listing] += weight if is_counted else 0
        staying = (listing for listing in self.launched if listing not in self.left)
        order = sorted(staying, key=lambda listing: (-points[listing], self.launched[listing][0], listing))
        return [(rank, listing, people[listing], points[listing]) for rank, listing in enumerate(order, start=1)]

    def check_board(self, path, head):
        """Compare the result with an answer of the API; returns how many of its listings were found in it."""
        board = parse(read_text(path), path)
        items = board.get("items") if isinstance(board, dict) else None
        if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
            raise UnreadableError(f"{path} is no answer of the API")
        if board.get("board") != "community-weekly" or board.get("period") != self.week:
            self.problems.append(f"{path} is the board of {board.get('period')}, the ledger is of {self.week}")
            return 0
        if not board.get("is_final") or self.results is None:
            self.problems.append(f"{path} or the ledger was saved before the week was closed; save both again")
            return 0
        if board.get("ledger_hash") != head:
            self.problems.append(f"{path} names the hash {board.get('ledger_hash')}, the ledger ends with {head}")
        category = board.get("category")
        results = [result for result in self.results if category is None or category in result["categories"]]
        by_listing = {result["listing"]: (place, result) for place, result in enumerate(results, start=1)}
        seen = []
        for item in items:
            listing = item.get("id")
            if not isinstance(listing, int) or listing not in by_listing:
                self.problems.append(f"{path} shows listing {listing!r}, which the ledger has no rank for")
                continue
            place, result = by_listing[listing]
            said = (item.get("rank"), listing, item.get("votes"), item.get("points"))
            found = (place, listing, result["votes"], result["points"])
            if said != found:
                self.problems.append(f"{path} says {described(said)}; the ledger says {described(found)}")
            seen.append(place)
        if seen != sorted(set(seen)):
            self.problems.append(f"{path} does not show its listings once each and in the order of their ranks")
        return len(seen)


def described(row):
    rank, listing, votes, points = row
    return f"rank {rank} for listing {listing} with {votes} votes and {points} points"


def say(line):
    """Print one line: what a file holds must not move the cursor, or pass for a line of this script."""
    sys.stdout.write(re.sub(r"[^ -~]", lambda found: ascii(found[0])[1:-1], line) + "\n")


def check_end(count, head, options):
    """The end of the file: is the week closed, and is the last hash the one known from elsewhere?"""
    now = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")  # noqa: UP017 - Python 3.9 has no datetime.UTC
    if count.results is None and count.ends and now >= count.ends:
        count.problems.append(
            "the week is over, but there is no close entry: the file was cut off, or the site has not closed it yet"
        )
    if options.head is not None and options.head.lower() != head:
        count.problems.append(f"the last hash is {head}, not the one you noted: this is another ledger")
    if options.next:
        body, _ = read_ledger(options.next)[0]
        if body.get("previous") != {"week": count.week, "hash": head}:
            count.problems.append(f"{options.next} does not follow on this ledger: it names {body.get('previous')}")


def main():
    words = __doc__.splitlines()[0]
    parser = argparse.ArgumentParser(description=words)
    parser.add_argument("ledger", help="a week's ledger, as it was downloaded")
    parser.add_argument("--board", action="append", default=[], help="a saved answer of GET leaderboards")
    parser.add_argument("--head", help="the last hash, as you noted it earlier")
    parser.add_argument("--next", help="the ledger of the following week")
    options = parser.parse_args()
    count = Count()
    try:
        entries = read_ledger(options.ledger)
        count.take(entries)
        head = entries[-1][1]
        check_end(count, head, options)
        shown = [(path, count.check_board(path, head)) for path in options.board]
    except UnreadableError as error:
        count.problems.append(str(error))
    if count.problems:
        for problem in count.problems[:MOST_TOLD]:
            say(f"WRONG  {problem}")
        if len(count.problems) > MOST_TOLD:
            say(f"... and {len(count.problems) - MOST_TOLD} more")
        return 1
    for rank, listing, votes, points in count.ranks():
        say(f"{rank:5}. {count.launched[listing][1]} (listing {listing}): {votes} votes, {points} points")
    for path, found in shown:
        say(f"{path}: {found} listings, each as in the ledger")
    say(f"{len(entries)} entries, {len(count.votes)} votes stand, {count.withdrawn} were taken back")
    say(f"last hash: {head}")
    say(f"The ledger of {count.week} fits." if count.results is not None else "The week is open; so far all fits.")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Rules hold or refuse what people write, after a dry run on the last 30 days."""

from collections.abc import Callable
from contextlib import nullcontext
from datetime import date
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.test import Client

from apps.accounts.actors import Actor
from apps.accounts.crowds import network_mark
from apps.accounts.founders.services import update_profile
from apps.accounts.models import User
from apps.blocklists.matching import Blocked
from apps.blocklists.models import BlockRule
from apps.comments.models import Comment
from apps.comments.services.writing import post_comment
from apps.curation.services.collections import create_collection
from apps.listings.models import Listing
from apps.listings.services.creation import create_listing
from apps.listings.services.editing import update_my_listing
from apps.listings.services.milestones import add_milestone
from apps.listings.services.updates import post_listing_update
from apps.moderation.kinds import kinds
from apps.moderation.services.dry_run import dry_run, lines
from apps.reviews.services.writing import answer_review, post_review
from apps.stories.services.interviews import Answer, answer_interview
from apps.stories.services.stories import set_founder_story
from tests.actors import in_browser
from tests.api import ApiClient
from tests.browsing import signed_in
from tests.comments.people import comment_on, trusted
from tests.curation.making import make_collection
from tests.factories import SiteFactory, UserFactory
from tests.moderation.world import World
from tests.reviews.people import long_text, review_of

pytestmark = pytest.mark.db

ADD = "/admin/blocklists/blockrule/add/"
LIST = "/admin/blocklists/blockrule/"


@pytest.fixture
def casino(world: World) -> BlockRule:
    return BlockRule.objects.create(kind="word", value="casino")


def team() -> User:
    user: User = UserFactory.create(is_staff=True)
    names = [f"{action}_blockrule" for action in ("view", "add", "change")]
    user.user_permissions.set(Permission.objects.filter(codename__in=names))
    return user


def owners_calls(world: World, word: str, *, by: Actor) -> dict[str, Callable[[], object]]:
    """Everything that the owner publishes without a moderator, with this word."""
    listing = world.listing
    answer = Answer(world.rows["answer"].question_id, f"In a {word}")
    address = by.address
    return {
        "update": lambda: post_listing_update(listing=listing, title=word, body="Open", by=by),
        "milestone": lambda: add_milestone(listing=listing, date=date(2026, 1, 1), title=f"First {word}", by=by),
        "listing": lambda: update_my_listing(listing=listing, fields={"headline": f"A {word}"}, by=by),
        "story": lambda: set_founder_story(listing=listing, fields={"problem": f"No {word}"}, by=by),
        "answer": lambda: answer_interview(user=world.owner, site=world.site, answers=[answer], by=by),
        "profile": lambda: update_profile(user=world.owner, bio=f"I own a {word}.", address=address),
        "review answer": lambda: answer_review(review=world.rows["review"], text=f"Thanks, {word}", by=by),
    }


@pytest.mark.usefixtures("casino")
def test_comments_are_held_for_review(world: World) -> None:
    held = comment_on(world.listing, "Visit my Casino")
    assert (held.status, held.review_reason) == (Comment.Status.IN_REVIEW, "blocked")
    assert comment_on(world.listing, "Visit my shop").status == Comment.Status.POSTED
    owner = comment_on(world.listing, "Our casino", author=world.owner)
    assert owner.status == Comment.Status.IN_REVIEW
    BlockRule.objects.update(is_active=False)
    assert comment_on(world.listing, "Another casino").status == Comment.Status.POSTED


@pytest.mark.parametrize(("address", "is_held"), [("192.0.2.9", True), ("192.0.3.9", False), ("", False)])
def test_what_is_written_from_a_network_is_held_or_refused(world: World, address: str, is_held: bool) -> None:
    BlockRule.objects.create(kind="network", value="192.0.2.0/24")
    by = Actor(user=trusted(email="person@client.example"), via="browser", address=address)
    site, listing = world.site, world.listing
    waiting: list[Any] = [
        post_comment(listing=listing, text="Hello", by=by),
        post_review(listing=listing, rating=5, text=long_text(), by=by),
        create_collection(site=site, name="Boats", is_public=True, by=by),
        create_listing(site=site, website="https://yard.example", fields={"name": "Boats"}, by=by),
    ]
    assert [one.status == "in_review" for one in waiting] == [is_held] * 4
    owner = Actor(user=world.owner, via="browser", address=address)
    for call in owners_calls(world, "boats", by=owner).values():
        with pytest.raises(Blocked, match="network") if is_held else nullcontext():
            call()


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("patch", "/me/listings/{listing}", {"fields": {"headline": "Boats"}}),
        ("post", "/me/listings/{listing}/updates", {"title": "News", "body": "Open"}),
        ("post", "/me/listings/{listing}/milestones", {"date": "2026-01-01", "title": "First"}),
        ("put", "/me/listings/{listing}/story", {"problem": "No boats"}),
        ("put", "/me/interview", {}),
        ("patch", "/me/profile", {"bio": "I own a boat."}),
    ],
)
def test_keys_write_nothing_from_a_blocked_network(world: World, method: str, path: str, body: dict[str, Any]) -> None:
    rule = BlockRule.objects.create(kind="network", value="127.0.0.0/24")
    body = body or {"answers": [{"question_id": world.rows["answer"].question_id, "answer": "A boat"}]}
    client = ApiClient(world.owner)
    send, path = getattr(client, method), path.format(listing=world.listing.pk)
    refused = send(path, body)
    assert (refused.status_code, refused.json()["code"]) == (422, "blocked")
    rule.delete()
    assert send(path, body).status_code in {200, 201}


def test_names_count_as_a_part_of_what_is_written(world: World, casino: BlockRule) -> None:
    held = comment_on(world.listing, "Nice boats", author=trusted(name="The best casino"))
    assert (held.status, held.review_reason) == (Comment.Status.IN_REVIEW, "blocked")
    review = review_of(world.listing, author=trusted(name="", email="a@client.example"), name="Casino")
    assert (review.status, review.review_reason) == ("in_review", "blocked")
    collection = make_collection(trusted(name="Casino"), "Ships", number=1)
    assert (collection.status, collection.review_reason) == ("in_review", "blocked")


@pytest.mark.usefixtures("casino")
def test_a_new_listing_waits_for_review(world: World) -> None:
    fields = {"name": "Lucky", "headline": "The online casino"}
    made = create_listing(site=world.site, website="https://lucky.example", fields=fields, by=in_browser(world.owner))
    assert made.status == Listing.Status.IN_REVIEW
    fields = {"name": "Boats", "headline": "The boat yard"}
    made = create_listing(site=world.site, website="https://yard.example", fields=fields, by=in_browser(world.owner))
    assert made.status == Listing.Status.DRAFT


@pytest.mark.usefixtures("casino")
@pytest.mark.parametrize("what", ["update", "milestone", "listing", "story", "answer", "profile", "review answer"])
def test_what_nobody_reviews_is_refused(world: World, what: str) -> None:
    call = owners_calls(world, "casino", by=in_browser(world.owner))[what]
    with pytest.raises(Blocked) as caught:
        call()
    assert "“casino” isn’t allowed here" in caught.value.detail
    assert caught.value.errors[0].pointer.startswith("/")
    BlockRule.objects.update(site=SiteFactory.create(key="elsewhere"))
    call()


@pytest.mark.parametrize(
    ("kind", "value", "email", "is_refused"),
    [
        ("domain", "spam.example", "a@mail.spam.example", True),
        ("domain", "spam.example", "a@ham.example", False),
        ("network", "127.0.0.0/24", "a@ham.example", True),
    ],
)
def test_sign_ups(world: World, kind: str, value: str, email: str, is_refused: bool) -> None:
    BlockRule.objects.create(kind=kind, value=value)
    answer = Client().post("/account/sign-up", {"email": email, "password1": "correct horse battery"})
    assert User.objects.filter(email=email).exists() != is_refused
    assert ("You can’t sign up" in answer.content.decode()) == is_refused


def test_a_rule_is_tried_and_confirmed_before_it_is_saved(world: World) -> None:
    comment_on(world.listing, "Come to the casino")
    user = team()
    sent = {"kind": "word", "value": " CASINO ", "site": "", "note": "Spam wave"}
    page = signed_in(user).post(ADD, sent)
    assert page.status_code == 200
    text = page.content.decode()
    assert "Comment: 1 of 2: Comment on Acme" in text
    assert "Matches of the last 30 days: 1" in text
    assert not BlockRule.objects.exists()
    assert signed_in(user).post(ADD, {**sent, "confirmed": "yes"}).status_code == 302
    rule = BlockRule.objects.get()
    assert (rule.value, rule.note, rule.author, rule.is_active) == ("casino", "Spam wave", user, True)
    assert signed_in(user).post(ADD, sent).context["adminform"].form.errors


@pytest.mark.parametrize(("kind", "value"), [("word", "a"), ("domain", "com"), ("network", "0.0.0.0/0")])
def test_a_bad_rule_is_refused(world: World, kind: str, value: str) -> None:
    answer = signed_in(team()).post(ADD, {"kind": kind, "value": value, "site": "", "note": "", "confirmed": "yes"})
    assert answer.context["adminform"].form.errors["value"]
    assert not BlockRule.objects.exists()


def test_rules_are_turned_off_and_on_after_a_confirmation(casino: BlockRule) -> None:
    client: Any = signed_in(team())
    for action, is_active in (("turn_off", False), ("turn_on", True)):
        chosen = {"action": action, "_selected_action": [casino.pk]}
        assert client.post(LIST, chosen).status_code == 200
        casino.refresh_from_db()
        assert casino.is_active != is_active
        client.post(LIST, {**chosen, "confirmed": "yes"})
        casino.refresh_from_db()
        assert casino.is_active == is_active


def test_others_add_no_rules(world: World) -> None:
    sent = {"kind": "word", "value": "casino", "site": "", "note": "", "confirmed": "yes"}
    assert signed_in(UserFactory.create(is_staff=True)).post(ADD, sent).status_code == 403
    assert not BlockRule.objects.exists()


def test_the_dry_run_reads_each_kind_and_only_the_rules_site(world: World) -> None:
    UserFactory.create(email="ada@boats.example")
    result = {one.label: one.count for one in dry_run(BlockRule(kind="word", value="boats"))}
    assert set(result) == {kind.label for kind in kinds().values()}
    assert (result["Comment"], result["Founder story"], result["Collection"], result["Review"]) == (1, 1, 1, 1)
    assert {one.label: one.count for one in dry_run(BlockRule(kind="domain", value="boats.example"))}["Sign-up"] == 1
    elsewhere = BlockRule(kind="word", value="boats", site=SiteFactory.create(key="elsewhere"))
    assert sum(one.count for one in dry_run(elsewhere)) == 0


def test_the_dry_run_reads_milestones_of_the_last_days(world: World) -> None:
    by = in_browser(world.owner)
    add_milestone(listing=world.listing, date=date(2020, 1, 1), title="A new harbor", by=by)
    rule = BlockRule(kind="word", value="harbor")
    assert [str(one) for one in dry_run(rule) if one.count] == ["Milestone: 1 of 1: Milestone of Acme: A new harbor"]


@pytest.mark.parametrize(
    ("value", "line"),
    [
        ("9.9.9.0/24", "Matches of the last 30 days: 1"),
        ("9.9.9.0/24", "Sign-up: 1 of {total}: ada@boats.example"),
        ("9.9.9.128/25", "Sign-up: 1 of {total}: ada@boats.example"),
        ("9.8.0.0/15", "Sign-up: 1 of {total}: ada@boats.example"),
        ("9.9.8.0/24", "Sign-up: 0 of {total}"),
        ("2620:fe::/32", "Sign-up: 0 of {total}"),
        ("2620::/24", "The network is too large to count its sign-ups."),
    ],
)
def test_the_dry_run_of_a_network_counts_sign_ups(world: World, value: str, line: str) -> None:
    UserFactory.create(email="ada@boats.example", sign_up_network=network_mark("9.9.9.0/24"))
    # The author of the world signed up earlier.
    total = User.objects.exclude(pk=world.author.pk).count()
    assert line.format(total=total) in lines(BlockRule(kind="network", value=value))

"""Comments in the browser: the section of a listing, its pages, and every form without JavaScript."""

import json
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from lxml import html

from apps.comments.models import Comment
from apps.comments.reading import REPLIES
from apps.comments.section import SHOWN
from apps.comments.services import pace
from apps.comments.services.moderation import remove_comment
from apps.comments.services.owning import hide_comment
from apps.core.stores.valkey.counters import Limit
from apps.listings.models import Listing
from tests.actors import by_team, in_browser
from tests.browsing import browser, signed_in
from tests.comments.people import comment_on, trusted
from tests.factories import ListingFactory, UserFactory, complete_profile

pytestmark = pytest.mark.django_db


def page_of(client: Client, path: str, status: int = 200) -> Any:
    answer = client.get(path)
    assert answer.status_code == status, answer.content[:300]
    return html.document_fromstring(answer.content.decode())


def shown(page: Any) -> list[str]:
    """The ids of the comments on a page, in order."""
    return [part.get("id").removeprefix("comment-") for part in page.xpath("//article[@class='comment']")]


def links(page: Any, comment: Comment) -> set[str]:
    """What the reader may do with a comment."""
    hrefs = page.xpath(f"//article[@id='comment-{comment.pk}']//ul[@class='comment-actions']//a/@href")
    names = [href.rsplit("/", 1)[-1] for href in hrefs if "/admin/" not in href]
    return {"report" if name.isdecimal() else name for name in names}


def base(listing: Listing) -> str:
    return f"/listings/{listing.slug}/comments"


def test_a_visitor_reads_and_is_led_to_the_form(listing: Listing) -> None:
    owner = listing.company.owner
    complete_profile(owner)
    comment = comment_on(listing, "See https://one.example.com/x.")
    reply = comment_on(listing, "Thanks", author=owner, reply_to=comment)
    page = page_of(browser(), listing.path)
    assert shown(page) == [str(comment.pk), str(reply.pk)]
    link = page.xpath(f"//article[@id='comment-{comment.pk}']//a[contains(@rel, 'ugc')]")[0]
    assert (link.get("href"), set(link.get("rel").split()) >= {"nofollow", "ugc"}) == (
        "https://one.example.com/x",
        True,
    )
    assert "Maker" in page.xpath(f"//article[@id='comment-{reply.pk}']")[0].text_content()
    assert not page.xpath("//section[@id='comments']//textarea")
    asked = page.xpath(f"//section[@id='comments']//a[@href='{base(listing)}/new']")
    assert asked
    answer = browser().get(f"{base(listing)}/new")
    assert answer.status_code == 302
    assert f"next={base(listing)}/new" in answer["Location"]


def test_a_person_posts_replies_edits_and_deletes(listing: Listing) -> None:
    author = trusted()
    client = signed_in(author)
    answer = client.post(f"{base(listing)}/new", {"text": "First"})
    comment = Comment.objects.get()
    assert answer["Location"] == f"{listing.path}#comment-{comment.pk}"
    page = page_of(client, listing.path)
    assert links(page, comment) == {"reply", "edit", "delete"}
    page_of(client, f"{base(listing)}/{comment.pk}/reply")
    answer = client.post(f"{base(listing)}/{comment.pk}/reply", {"text": "Second"})
    assert Comment.objects.get(parent=comment).text == "Second"
    assert answer["Location"].startswith(f"{base(listing)}/{comment.pk}#comment-")
    assert "First" in page_of(client, f"{base(listing)}/{comment.pk}/edit").xpath("//textarea")[0].text
    client.post(f"{base(listing)}/{comment.pk}/edit", {"text": "Better"})
    assert Comment.objects.get(pk=comment.pk).text == "Better"
    page_of(client, f"{base(listing)}/{comment.pk}/delete")
    client.post(f"{base(listing)}/{comment.pk}/delete")
    assert Comment.objects.get(pk=comment.pk).status == "deleted"
    page = page_of(browser(), listing.path)
    assert "Better" not in page.text_content()
    assert str(comment.pk) in shown(page)


@pytest.mark.parametrize(
    "text", ["", "x" * 2001, "https://a.example https://b.example https://c.example https://d.example"]
)
def test_the_form_keeps_its_text_on_errors(listing: Listing, text: str) -> None:
    client = signed_in(trusted(name=""))
    answer = client.post(f"{base(listing)}/new", {"text": text, "name": "Ada"})
    assert answer.status_code == 422
    page: Any = html.document_fromstring(answer.content.decode())
    assert (page.xpath("//textarea[@name='text']")[0].text or "").strip() == text
    assert page.xpath("//input[@name='name']/@value") == ["Ada"]
    assert page.xpath("//*[@aria-invalid='true']")


def test_a_comment_typed_before_the_sign_out_is_given_back(listing: Listing) -> None:
    author, page = UserFactory.create(), f"{base(listing)}/new"
    client = signed_in(author)
    client.get(page)
    del client.cookies["sessionid"]
    answer = client.post(page, {"text": "Long thoughts"}, headers={"origin": "http://testserver.localhost"})
    assert "/account/sign-in" in answer["Location"]
    assert not Comment.objects.exists()
    client.force_login(author)
    assert page_of(client, page).xpath("//textarea[@name='text']")[0].text.strip() == "Long thoughts"


@pytest.mark.slow
def test_a_first_comment_is_seen_by_its_author_only(listing: Listing) -> None:
    author = UserFactory.create()
    client = signed_in(author)
    client.post(f"{base(listing)}/new", {"text": "Hello"})
    comment = Comment.objects.get()
    assert shown(page_of(client, listing.path)) == [str(comment.pk)]
    for other in (None, listing.company.owner, UserFactory.create(is_staff=True)):
        assert shown(page_of(signed_in(other) if other else browser(), listing.path)) == []
    assert page_of(browser(), f"{base(listing)}/{comment.pk}", 404) is not None


@pytest.mark.slow
def test_the_owner_pins_hides_and_shows(listing: Listing) -> None:
    owner = signed_in(listing.company.owner)
    first, second, third = (comment_on(listing, f"Text {number}") for number in range(3))
    assert links(page_of(owner, listing.path), first) == {"reply", "pin", "hide", "report"}
    for comment in (second, first):
        page_of(owner, f"{base(listing)}/{comment.pk}/pin")
        owner.post(f"{base(listing)}/{comment.pk}/pin")
    assert shown(page_of(browser(), listing.path)) == [str(one.pk) for one in (first, third, second)]
    owner.post(f"{base(listing)}/{third.pk}/hide")
    page = page_of(browser(), listing.path)
    assert "Text 2" not in page.text_content()
    trace = page.xpath(f"//article[@id='comment-{third.pk}']")[0].text_content()
    assert "Hidden by the owner" in trace
    listing.refresh_from_db()
    assert listing.comment_count == 2
    assert "Text 2" in page_of(owner, listing.path).text_content()
    owner.post(f"{base(listing)}/{third.pk}/show")
    owner.post(f"{base(listing)}/{first.pk}/unpin")
    assert shown(page_of(browser(), listing.path)) == [str(one.pk) for one in (third, second, first)]


@pytest.mark.parametrize("action", ["pin", "unpin", "hide", "show", "delete", "edit"])
def test_strangers_decide_nothing(listing: Listing, action: str) -> None:
    comment = comment_on(listing, "Mine")
    before = Comment.objects.values().get()
    answer = signed_in(trusted()).post(f"{base(listing)}/{comment.pk}/{action}", {"text": "Yours"})
    assert answer.status_code == 302
    assert Comment.objects.values().get() == before


def test_a_removed_comment_is_gone_and_its_author_sees_why(listing: Listing) -> None:
    comment = comment_on(listing, "Buy my thing")
    remove_comment(comment=comment, reason="An advertisement.", by=by_team(UserFactory.create(is_staff=True)))
    assert shown(page_of(browser(), listing.path)) == []
    assert "An advertisement." in page_of(signed_in(comment.author), listing.path).text_content()


def test_floods_of_one_account_are_refused_with_their_text(listing: Listing) -> None:
    client = signed_in(trusted())
    codes = [
        client.post(f"{base(listing)}/new", {"text": f"Flood number {number}"}).status_code
        for number in range(pace.COMMENTS_A_MINUTE.count + 1)
    ]
    assert codes == [302] * pace.COMMENTS_A_MINUTE.count + [429]
    assert Comment.objects.count() == pace.COMMENTS_A_MINUTE.count


def test_floods_of_many_accounts_are_reviewed(listing: Listing, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace, "ON_A_LISTING", Limit(f"crowd-{listing.pk}-{timezone.now().timestamp()}", 3, 600))
    for number in range(6):
        signed_in(trusted()).post(f"{base(listing)}/new", {"text": f"Vote for this, reason {number}"})
    assert list(Comment.objects.order_by("pk").values_list("review_reason", flat=True)) == [""] * 3 + ["crowd"] * 3


def test_one_network_posts_no_more_than_its_limit(listing: Listing, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace, "OF_A_NETWORK", Limit(f"network-{timezone.now().timestamp()}", 2, 3600))
    codes = [signed_in(trusted()).post(f"{base(listing)}/new", {"text": f"Hi {one}"}).status_code for one in range(3)]
    assert codes == [302, 302, 429]


def _many(listing: Listing, number: int) -> None:
    """Comments by several people, every third a reply to one that has many."""
    authors = [UserFactory.create() for _ in range(4)]
    top = comment_on(listing, f"Top of {number}")
    Comment.objects.bulk_create(
        Comment(
            listing=listing,
            author=authors[one % 4],
            text=f"Number {one} of {number}",
            status="posted",
            parent=top if one % 3 == 0 else None,
        )
        for one in range(number)
    )
    posted = Comment.objects.filter(listing=listing, status="posted").count()
    Listing.objects.filter(pk=listing.pk).update(comment_count=posted)


@pytest.mark.slow
def test_a_page_shows_some_and_leads_to_the_rest(listing: Listing) -> None:
    _many(listing, 500)
    page = page_of(browser(), listing.path)
    assert len(shown(page)) <= SHOWN * (1 + REPLIES)
    assert page.xpath(f"//a[@href='{base(listing)}']")
    seen: set[str] = set()
    number = 1
    while True:
        page = page_of(browser(), f"{base(listing)}?page={number}")
        seen |= set(shown(page))
        if not page.xpath("//a[@rel='next']"):
            break
        number += 1
    threads = set(Comment.objects.filter(parent=None).values_list("pk", flat=True))
    assert {str(pk) for pk in threads} <= seen
    top = Comment.objects.exclude(replies=None).first()
    assert top is not None
    assert len(shown(page_of(browser(), f"{base(listing)}/{top.pk}"))) > REPLIES + 1
    assert browser().get(f"{base(listing)}?page=900").status_code == 302


def test_a_reply_leads_to_its_thread(listing: Listing) -> None:
    first = comment_on(listing)
    reply = comment_on(listing, reply_to=first)
    answer = browser().get(f"{base(listing)}/{reply.pk}")
    assert answer["Location"] == f"{base(listing)}/{first.pk}#comment-{reply.pk}"


def test_rows_structured_data_and_feeds_count_posted_comments(listing: Listing) -> None:
    first = comment_on(listing, "One </script><script>")
    hide_comment(comment=comment_on(listing, "Unseen words"), by=in_browser(listing.company.owner))
    comment_on(listing, "Waiting words", author=UserFactory.create())
    row = page_of(browser(), "/").xpath("//li[contains(@class, 'row')]//div[@class='meta']")[0]
    assert "1 comment" in " ".join(row.text_content().split())
    page = page_of(browser(), listing.path)
    graph = json.loads(page.xpath("//script[@type='application/ld+json']")[0].text)["@graph"]
    product = next(thing for thing in graph if thing["@type"] == "SoftwareApplication")
    assert product["commentCount"] == 1
    assert [(one["text"], one["author"]["name"]) for one in product["comment"]] == [(first.text, first.author.name)]
    for kind in ("atom", "rss", "json"):
        feed = browser().get(f"{base(listing)}.{kind}").content.decode()
        assert "Unseen words" not in feed
        assert "Waiting words" not in feed
        assert "<script>" not in feed
        assert first.author.name in feed


@pytest.mark.parametrize("path", ["", "/new", ".atom"])
def test_nothing_is_there_before_the_launch(path: str) -> None:
    listing = ListingFactory.create()
    client = signed_in(listing.company.owner)
    assert client.get(f"{base(listing)}{path}").status_code == 404
    assert not page_of(client, listing.path).xpath("//section[@id='comments']")

"""Reviews in the browser: the section of a listing, its pages, the owner's page, and every form without JavaScript."""

import json
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from lxml import html

from apps.core.stores.valkey.counters import Limit
from apps.listings.models import Listing
from apps.reviews.models import Review, ReviewLink
from apps.reviews.reading import PER_PAGE
from apps.reviews.services import pace
from apps.reviews.services.moderation import remove_review
from apps.reviews.services.proof import code_text, token_of
from apps.reviews.services.writing import answer_review
from apps.sites.models import Site
from tests import growing
from tests.actors import by_team, in_browser
from tests.browsing import browser, signed_in
from tests.factories import ListingFactory, UserFactory
from tests.reviews.people import customer, link_for, long_text, newcomer, review_of, verified
from tests.test_query_counts import opening, queries

pytestmark = pytest.mark.django_db


def page_of(client: Client, path: str, status: int = 200) -> Any:
    answer = client.get(path)
    assert answer.status_code == status, answer.content[:300]
    return html.document_fromstring(answer.content.decode())


def shown(page: Any) -> list[int]:
    """The ids of the reviews on a page, in order."""
    ids = page.xpath("//article[starts-with(@id, 'review-')]/@id")
    return [int(one.removeprefix("review-")) for one in ids]


def words(page: Any, path: str) -> str:
    return " ".join(" ".join(part.text_content() for part in page.xpath(path)).split())


def base(listing: Listing) -> str:
    return f"/listings/{listing.slug}/reviews"


def data_of(page: Any) -> dict[str, Any]:
    """The structured data of the product."""
    texts = [script.text for script in page.xpath("//script[@type='application/ld+json']")]
    nodes = [node for text in texts for node in (json.loads(text).get("@graph") or [json.loads(text)])]
    result: dict[str, Any] = next(node for node in nodes if node["@type"] == "SoftwareApplication")
    return result


def test_a_visitor_reads_verified_ones_first(listing: Listing) -> None:
    old, proven, new = review_of(listing), verified(listing)[0], review_of(listing, rating=2)
    hidden = review_of(listing, author=newcomer())
    answer_review(review=new, text="We fixed that", by=in_browser(listing.company.owner))
    page = page_of(browser(), listing.path)
    assert shown(page) == [proven.pk, new.pk, old.pk]
    part = words(page, "//section[@id='reviews']")
    assert "Verified customer" in part
    assert "Unverified" in part
    assert "2 of 5 stars" in part
    assert "We fixed that" in part
    assert "Sign in to review" in part
    assert hidden.text not in part
    assert shown(page_of(signed_in(hidden.author), listing.path))[-3:] == [hidden.pk, new.pk, old.pk]
    assert shown(page_of(browser(), f"{base(listing)}/{new.pk}")) == [new.pk]
    page_of(browser(), f"{base(listing)}/{hidden.pk}", status=404)
    page_of(signed_in(hidden.author), f"{base(listing)}/{hidden.pk}")


@pytest.mark.parametrize(("number", "is_shown"), [(4, False), (5, True)])
def test_an_average_needs_five_verified_reviews(listing: Listing, number: int, is_shown: bool) -> None:
    verified(listing, number - 1)
    verified(listing, 1, rating=3)
    for _ in range(3):
        review_of(listing, rating=1)
    page, board = page_of(browser(), listing.path), page_of(browser(), "/boards/community-weekly")
    data, row = data_of(page), words(board, "//li[@class='row']")
    assert ("aggregateRating" in data, "review" in data) == (is_shown, is_shown)
    assert ("of 5 stars from" in row) == is_shown
    assert ("4.6 of 5 from 5 verified reviews" in words(page, "//section[@id='reviews']")) == is_shown
    if is_shown:
        assert data["aggregateRating"] == {
            "@type": "AggregateRating", "ratingValue": "4.6", "reviewCount": 5, "bestRating": 5, "worstRating": 1,
        }  # fmt: skip
        assert len(data["review"]) == 5
        bars = [" ".join(bar.text_content().split()) for bar in page.xpath("//ol[contains(@class, 'rating-bars')]/li")]
        assert bars == ["5 stars: 4", "4 stars: 0", "3 stars: 1", "2 stars: 0", "1 star: 0"]


def test_feeds_have_what_everybody_sees_newest_first(listing: Listing) -> None:
    [proven], waiting = verified(listing), review_of(listing, "Waiting words", author=newcomer())
    review = review_of(listing, "New </script><script>", rating=2)
    answer_review(review=review, text="We fixed <b>that</b>", by=in_browser(listing.company.owner))
    removed = review_of(listing, "Removed words")
    remove_review(review=removed, reason="Rude.", by=by_team(UserFactory.create(is_staff=True)))
    feed = browser().get(f"{base(listing)}.json").json()
    name, site = listing.company.name, listing.site
    assert [(item["title"], item["url"]) for item in feed["items"]] == [
        (f"{review.author.name} on {name}: 2 of 5 stars, unverified", site.url(f"{base(listing)}/{review.pk}")),
        (f"{proven.author.name} on {name}: 5 of 5 stars, verified customer", site.url(f"{base(listing)}/{proven.pk}")),
    ]
    shown: Any = html.fragment_fromstring(feed["items"][0]["content_html"], create_parent=True)
    assert shown.xpath("string(blockquote)").strip() == "We fixed <b>that</b>"
    assert not shown.xpath(".//script | .//b")
    for kind in ("atom", "rss"):
        text = browser().get(f"{base(listing)}.{kind}").content.decode()
        assert review.author.name in text
        assert waiting.author.name not in text
        assert "Removed words" not in text
    links = page_of(browser(), listing.path).xpath("//section[@id='reviews']//a/@href")
    assert f"{base(listing)}.atom" in links


@pytest.mark.parametrize("path", ["", "/new", ".atom"])
def test_nothing_is_there_before_the_launch(path: str) -> None:
    listing = ListingFactory.create()
    client = signed_in(listing.company.owner)
    assert client.get(f"{base(listing)}{path}").status_code == 404
    assert not page_of(client, listing.path).xpath("//section[@id='reviews']")


def test_reviews_change_neither_boards_nor_search(listing: Listing) -> None:
    ListingFactory.create(live=True, company__name="Zeta", headline=listing.headline)
    paths = ("/boards/community-weekly", "/boards/community-all-time", "/search?q=a")
    before = [page_of(browser(), path).xpath("//li[contains(@class, 'row')]//h2//a/@href") for path in paths]
    verified(Listing.objects.exclude(pk=listing.pk).get(), 6)
    verified(listing, 6, rating=1)
    after = [page_of(browser(), path).xpath("//li[contains(@class, 'row')]//h2//a/@href") for path in paths]
    assert before == after
    listing.refresh_from_db()
    assert (listing.votes, listing.current_votes) == (0, 0)


def test_pages_of_ten(listing: Listing) -> None:
    made = [review_of(listing) for _ in range(PER_PAGE + 1)]
    page = page_of(browser(), listing.path)
    assert len(shown(page)) == PER_PAGE
    assert page.xpath("//section[@id='reviews']//a[contains(., 'Show all reviews')]")
    second = page_of(browser(), f"{base(listing)}?page=2")
    assert shown(second) == [made[0].pk]
    assert browser().get(f"{base(listing)}?page=3").status_code == 302


@pytest.mark.slow
def test_500_reviews_take_as_many_queries_as_5(site: Site) -> None:
    scene, asked = growing.make_scene(site), []
    listing = scene.listing
    paths = (listing.path, base(listing), "/boards/community-weekly")
    for number in (5, 500):
        Review.objects.all().delete()
        growing.reviews(scene, number)
        asked.append([queries(opening(path, None)) for path in paths])
    assert asked[0] == asked[1]
    seen: list[int] = []
    for number in range(1, 51):
        seen += shown(page_of(browser(), f"{base(listing)}?page={number}"))
    assert len(seen) == len(set(seen)) == 500


def test_the_form_posts_edits_and_deletes(listing: Listing) -> None:
    author = customer(name="")
    client = signed_in(author)
    form = page_of(client, f"{base(listing)}/new").forms[-1]
    assert [radio.get("value") for radio in form.xpath(".//input[@type='radio']")] == ["5", "4", "3", "2", "1"]
    assert form.xpath(".//fieldset/legend")[0].text == "Rating"
    text = long_text()
    refused = client.post(f"{base(listing)}/new", {"text": text, "name": "Ada"})
    assert refused.status_code == 422
    assert refused.context["form"].has_error("rating", "invalid_choice")
    assert text in refused.content.decode()
    posted = client.post(f"{base(listing)}/new", {"text": text, "rating": "4", "name": "Ada"})
    review = Review.objects.get()
    assert posted["Location"] == f"{base(listing)}/{review.pk}"
    assert (review.rating, review.author.name) == (4, "Ada")
    assert client.get(f"{base(listing)}/new")["Location"] == f"{base(listing)}/{review.pk}/edit"
    client.post(f"{base(listing)}/{review.pk}/edit", {"text": long_text("Better now"), "rating": "5"})
    review.refresh_from_db()
    assert (review.rating, review.text[:10]) == (5, "Better now")
    assert "Delete review?" in client.get(f"{base(listing)}/{review.pk}/delete").content.decode()
    client.post(f"{base(listing)}/{review.pk}/delete")
    review.refresh_from_db()
    assert review.status == "deleted"


def test_a_review_link_leads_to_a_verified_review(listing: Listing) -> None:
    link, author = link_for(listing), customer()
    path = f"{base(listing)}/new?code={token_of(link)}"
    assert browser().get(path).status_code == 302
    client = signed_in(author)
    answer = client.get(path)
    page: Any = html.document_fromstring(answer.content.decode())
    assert answer["Referrer-Policy"] == "same-origin"
    assert page.xpath("//input[@name='code']/@value") == [code_text(link)]
    client.post(f"{base(listing)}/new", {"text": long_text(), "rating": "5", "code": code_text(link)})
    assert Review.objects.get().is_verified


def test_a_bad_code_is_said_before_posting(listing: Listing) -> None:
    link, client = link_for(listing), signed_in(customer())
    ReviewLink.objects.update(revoked_at=timezone.now())
    assert "withdrew" in client.get(f"{base(listing)}/new?code={token_of(link)}").content.decode()
    refused = client.post(f"{base(listing)}/new", {"text": long_text(), "rating": "5", "code": link.code})
    assert refused.status_code == 422
    assert not Review.objects.exists()
    codes = [
        client.post(f"{base(listing)}/new", {"text": long_text(), "rating": "5", "code": f"WRONG{number:05d}"})
        for number in range(pace.CODES_AN_HOUR.count + 1)
    ]
    assert [one.status_code for one in codes] == [422] * pace.CODES_AN_HOUR.count + [429]


def test_nobody_opens_forms_of_others(listing: Listing) -> None:
    review, owner = review_of(listing), signed_in(listing.company.owner)
    assert owner.get(f"{base(listing)}/new").status_code == 302
    stranger = signed_in(customer())
    for name in ("answer", "delete"):
        assert stranger.post(f"{base(listing)}/{review.pk}/{name}", {"text": "Yours"}).status_code == 404
    assert stranger.post(f"{base(listing)}/{review.pk}/edit", {"text": long_text(), "rating": "1"}).status_code == 302
    assert signed_in(review.author).get(f"{base(listing)}/{review.pk}/answer").status_code == 404
    assert owner.post(f"{base(listing)}/{review.pk}/delete").status_code == 404
    review.refresh_from_db()
    assert (review.rating, review.answer, review.status) == (5, "", "posted")


def test_the_owner_answers_in_the_browser(listing: Listing) -> None:
    review, owner = review_of(listing), signed_in(listing.company.owner)
    path = f"{base(listing)}/{review.pk}/answer"
    assert "Answer" in words(page_of(owner, listing.path), f"//article[@id='review-{review.pk}']//ul")
    assert owner.post(path, {"text": ""}).status_code == 422
    assert owner.post(path, {"text": "Thank you"}).status_code == 302
    assert "Edit answer" in page_of(owner, path).xpath("//h1")[0].text
    assert "Thank you" in page_of(browser(), listing.path).text_content()


def test_a_removed_review_is_seen_by_its_author_with_the_reason(listing: Listing) -> None:
    review = review_of(listing)
    remove_review(review=review, reason="An advertisement.", by=by_team(UserFactory.create(is_staff=True)))
    assert shown(page_of(browser(), listing.path)) == []
    assert "An advertisement." in page_of(signed_in(review.author), listing.path).text_content()
    assert "An advertisement." not in page_of(signed_in(listing.company.owner), listing.path).text_content()


def test_the_owners_page_makes_and_revokes_links(listing: Listing) -> None:
    owner, path = signed_in(listing.company.owner), f"{base(listing)}/manage"
    assert "No reviews yet" in page_of(owner, path).text_content()
    owner.post(f"{base(listing)}/links/new", {"label": "May", "days": "30", "max_uses": "5"})
    link = ReviewLink.objects.get()
    assert link.expires_at is not None
    assert (link.label, link.max_uses) == ("May", 5)
    author = customer()
    review_of(listing, author=author, token=link.code)
    page = page_of(owner, path)
    assert f"Code {code_text(link)} · 1 of 5" in words(page, "//section[.//h2[@id='links']]")
    assert author.email not in page.text_content()
    assert page.xpath("//input[@aria-label='review link']/@value")[0].startswith("http")
    assert owner.post(f"{base(listing)}/links/new", {"days": "soon"}).status_code == 422
    owner.post(f"{base(listing)}/links/{link.pk}/revoke")
    link.refresh_from_db()
    assert link.revoked_at is not None
    owner.post(f"{base(listing)}/domains/new", {"domain": "client.example"})
    assert owner.post(f"{base(listing)}/domains/new", {"domain": "gmail.com"}).status_code == 422
    domain = listing.customer_domains.get()
    owner.post(f"{base(listing)}/domains/{domain.pk}/remove")
    assert not listing.customer_domains.exists()


def test_the_owners_page_is_the_owners(listing: Listing) -> None:
    link, stranger = link_for(listing), signed_in(customer())
    for name in ("manage", "links/new", f"links/{link.pk}/revoke", "domains/new"):
        send = stranger.get if name == "manage" else stranger.post
        assert send(f"{base(listing)}/{name}").status_code == 404, name
    assert ReviewLink.objects.get().revoked_at is None


def test_floods_of_one_account_are_refused(listing: Listing, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace, "REVIEWS_AN_HOUR", Limit(f"reviews-{timezone.now().timestamp()}", 3, 3600))
    client = signed_in(customer())
    answers = [client.post(f"{base(listing)}/new", {"text": "Too short", "rating": "5"}) for _ in range(4)]
    assert [one.status_code for one in answers] == [422] * 3 + [429]


def test_floods_of_many_accounts_are_moderated(listing: Listing, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace, "ON_A_LISTING", Limit(f"crowd-{listing.pk}-{timezone.now().timestamp()}", 3, 600))
    monkeypatch.setattr(pace, "OF_A_NETWORK", Limit(f"network-{timezone.now().timestamp()}", 5, 3600))
    codes = [
        signed_in(customer()).post(f"{base(listing)}/new", {"text": long_text(), "rating": "5"}).status_code
        for _ in range(6)
    ]
    assert codes == [302] * 5 + [429]
    assert list(Review.objects.order_by("pk").values_list("review_reason", flat=True)) == [""] * 3 + ["crowd"] * 2

"""Nothing in a review or an answer becomes markup, script, or text that is read in another order than it is stored."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from django.test import Client
from lxml import html

from apps.core.editing.rendering import render_text
from apps.listings.models import Listing
from apps.reviews.models import Review
from apps.reviews.services.proof import token_of
from apps.reviews.services.writing import MAX_LINKS, answer_review, post_review
from tests.actors import in_browser
from tests.comments.test_hostile_texts import ALLOWED
from tests.contributions.hostile import STRINGS
from tests.reviews.people import customer, link_for

pytestmark = pytest.mark.django_db


def hostile(listing: Listing, texts: Sequence[str]) -> list[Review]:
    token, owner = token_of(link_for(listing)), in_browser(listing.company.owner)
    made = []
    for number, text in enumerate(texts):
        author = in_browser(customer(name=text[:60].replace("\x00", "")))
        words = f"{number}: we use it for all of our projects and like it: {text}"
        review = post_review(listing=listing, rating=1 + number % 5, text=words, by=author, token=token)
        if review.is_posted:
            answer_review(review=review, text=f"Answer: {text}", by=owner)
        made.append(review)
    return made


def test_all_strings_stay_text(listing: Listing) -> None:
    made = hostile(listing, STRINGS)
    assert len(made) >= 200
    for review in Review.objects.all():
        for text in (review.text, review.answer):
            part: Any = html.fragment_fromstring(render_text(text, max_links=MAX_LINKS), create_parent="div")
            assert {one.tag for one in part.iter()} <= ALLOWED
            assert "".join(part.text_content().split()) == "".join(text.split())


def test_hostile_reviews_over_http(listing: Listing) -> None:
    made = hostile(listing, STRINGS[:: len(STRINGS) // 9])
    posted = [one for one in made if one.status == Review.Status.POSTED]
    owner, client = Client(), Client()
    owner.force_login(listing.company.owner)
    paths = [(client, listing.path), (client, f"{listing.path}/reviews"), (owner, f"{listing.path}/reviews/manage")]
    for browser, path in [*paths, *((client, f"{listing.path}/reviews/{one.pk}") for one in posted)]:
        answer = browser.get(path)
        assert answer.status_code == 200, path
        page: Any = html.document_fromstring(answer.content.decode())
        assert {one.tag for one in page.xpath("//*[@class='comment-text']//*")} <= ALLOWED
        assert [name for one in page.iter() for name in one.attrib if str(name).startswith("on")] == []
        for script in page.xpath("//script[@type='application/ld+json']"):
            assert json.loads(script.text)
    answered = client.get(f"/api/v1/listings/{listing.slug}/reviews", {"per_page": 100}).json()
    assert {item["text"] for item in answered["items"]} == {one.text for one in posted}


@pytest.mark.parametrize(
    ("text", "clean"),
    [("a\u202eb\u202cc", "abc"), ("\u2066evil\u2069 \u2067text\u2069", "evil text"), ("x\u034fy\u3164z", "xyz"),
     ("ca\u200bsi\u200cno", "casino"), ("a\n\n\n \n\n\nb", "a\n\nb"), ("bell\x07 null\x00", "bell null")],
)  # fmt: skip
def test_invisible_characters_go(listing: Listing, text: str, clean: str) -> None:
    frame = "We use it for all of our projects and we like it: {} end"
    review = post_review(listing=listing, rating=5, text=frame.format(text), by=in_browser(customer()))
    assert review.text == frame.format(clean)
    answered = answer_review(review=review, text=f"{text} x", by=in_browser(listing.company.owner))
    assert answered.answer == f"{clean} x"

"""The pages on which visitors read stories, and the owner's preview of one."""

import re
from datetime import UTC, datetime

import pytest
from django.test import Client
from django.utils import timezone

from apps.accounts.models import FounderProfile
from apps.listings.models import Listing
from apps.sites.models import Site
from apps.stories.models import FounderStory, InterviewAnswer, InterviewQuestion, UnsavedText
from apps.stories.services import stories
from apps.stories.views.preview_image import picture_of
from tests.browsing import signed_in
from tests.factories import CompanyFactory, ListingFactory, SiteFactory, UserFactory, complete_profile
from tests.heads import meta_of, thing_of
from tests.stories.writing import by_owner, enough, words, write

pytestmark = pytest.mark.db

HOSTILE = "</script><script>alert(1)</script><!-- & \u2028 ]]>"


@pytest.fixture
def story(site: Site) -> FounderStory:
    """A published story with a paragraph, a line break and links, by somebody with a page of their own."""
    listing = ListingFactory.create(live=True, slug="lathe", company=CompanyFactory.create(name="Lathe & Sons"))
    profile = complete_profile(listing.company.owner)
    profile.slug = "ada-example"
    profile.save()
    text = f"First line\nsecond line\n\nSee https://a.example and https://b.example. {words(80)}"
    return write(enough(how_started=text, problem=f"{words(75)} https://c.example"), listing=listing)


@pytest.fixture
def visitor() -> Client:
    return Client()


def page(visitor: Client, path: str, *, host: str = "testserver.localhost", status: int = 200) -> str:
    answer = visitor.get(path, headers={"host": host})
    assert answer.status_code == status
    return answer.content.decode()


def test_a_story_is_read_as_sections_with_headings_paragraphs_and_links(visitor: Client, story: FounderStory) -> None:
    html = page(visitor, "/stories/lathe")
    assert '<h1 dir="auto">How it all began</h1>' in html
    assert re.findall(r'<h2 id="(\w+)">([^<]+)</h2>', html)[:4] == [
        ("how_started", "How it started"),
        ("problem", "The problem"),
        ("what_built", "What we built"),
        ("hard_parts", "The hard parts"),
    ]
    assert '<p dir="auto">First line<br>second line</p>' in html
    assert html.count('rel="nofollow ugc noopener"') == 3
    assert "2 min read" in html


def test_it_names_its_author_its_product_and_what_else_to_read(visitor: Client, story: FounderStory) -> None:
    other = write(enough(title="Another beginning"))
    html = page(visitor, "/stories/lathe")
    assert '<a class="name" href="/founders/ada-example" rel="author"><bdi>Ada Example</bdi></a>' in html
    assert 'href="/listings/lathe"' in html
    assert "Lathe &amp; Sons" in html
    assert f'<a href="/stories/{other.listing.slug}">Another beginning</a>' in html
    assert html.count("How it all began</a>") == 0


def test_the_interview_is_what_the_author_answered_on_this_site(visitor: Client, story: FounderStory) -> None:
    first, second, third = InterviewQuestion.objects.asked(story.listing.site)[:3]
    elsewhere = InterviewQuestion.objects.create(site=SiteFactory.create(), text="Elsewhere?")
    for question, text in ((second, "Second\n\nanswer"), (first, "<b>First</b>"), (elsewhere, "Not here")):
        InterviewAnswer.objects.create(question=question, user=story.author, text=text)
    InterviewAnswer.objects.create(question=third, user=UserFactory.create(), text="By another")
    html = page(visitor, "/stories/lathe")
    assert re.findall(r'<h3 dir="auto">([^<]+)</h3>\s*<p', html) == [first.text, second.text]
    assert "&lt;b&gt;First&lt;/b&gt;" in html
    assert "Not here" not in html
    assert "By another" not in html


def test_without_answers_there_is_no_interview(visitor: Client, story: FounderStory) -> None:
    assert 'id="interview"' not in page(visitor, "/stories/lathe")


@pytest.mark.parametrize(
    "status", [status for status in Listing.Status if status != Listing.Status.LIVE], ids=lambda status: str(status)
)
def test_only_a_story_of_a_live_listing_is_shown_and_to_nobody_else(story: FounderStory, status: str) -> None:
    Listing.objects.filter(pk=story.listing_id).update(
        status=status, suspended_from="live" if status == Listing.Status.SUSPENDED else ""
    )
    for client in (Client(), signed_in(story.author), signed_in(UserFactory.create(is_staff=True))):
        page(client, "/stories/lathe", status=404)
        page(client, "/stories/lathe/preview.png", status=404)
        assert "How it all began" not in page(client, "/stories")


def test_a_draft_and_the_words_of_a_former_owner_are_not_shown(visitor: Client, story: FounderStory) -> None:
    FounderStory.objects.update(author=UserFactory.create())
    page(visitor, "/stories/lathe", status=404)
    FounderStory.objects.update(author=story.author)
    page(visitor, "/stories/lathe")
    stories.unpublish_story(listing=story.listing, reason="", by=by_owner(story.listing))
    page(visitor, "/stories/lathe", status=404)
    assert "How it all began" not in page(visitor, "/stories")


def test_another_site_knows_nothing_of_it(visitor: Client, story: FounderStory) -> None:
    other = SiteFactory.create(key="other", host="other.localhost")
    for path in ("/stories/lathe", "/stories/lathe/preview.png"):
        page(visitor, path, host=other.host, status=404)
    assert "How it all began" not in page(visitor, "/stories", host=other.host)


def test_a_merged_address_leads_to_the_story_that_is_there(visitor: Client, story: FounderStory) -> None:
    merged = ListingFactory.create(slug="chisel", status="archived", merged_into=story.listing)
    assert visitor.get("/stories/chisel").status_code == 301
    assert visitor.get("/stories/chisel")["Location"] == "/stories/lathe"
    stories.unpublish_story(listing=story.listing, reason="", by=by_owner(story.listing))
    page(visitor, "/stories/chisel", status=404)
    assert merged.slug == "chisel"


def test_search_engines_read_who_wrote_what_and_when(visitor: Client, story: FounderStory) -> None:
    html = page(visitor, "/stories/lathe")
    result, base = thing_of(html, "Article"), story.listing.site.base_url
    assert story.published_at is not None
    assert result["@type"] == "Article"
    assert result["headline"] == "How it all began"
    assert result["url"] == f"{base}/stories/lathe"
    assert datetime.fromisoformat(result["datePublished"]) == story.published_at
    assert datetime.fromisoformat(result["dateModified"]) >= story.published_at
    assert result["wordCount"] == sum(len(text.split()) for text in story.sections.values())
    assert result["author"]["name"] == "Ada Example"
    assert result["author"]["url"] == f"{base}/founders/ada-example"
    assert result["author"]["image"].startswith(f"{base}/founders/photos/")
    assert result["about"]["name"] == "Lathe & Sons"
    assert f'<link rel="canonical" href="{base}/stories/lathe">' in html


def test_other_services_are_told_title_beginning_and_picture(visitor: Client, story: FounderStory) -> None:
    told, base = meta_of(page(visitor, "/stories/lathe")), story.listing.site.base_url
    assert told["og:title"] == "How it all began"
    assert told["og:type"] == "article"
    assert told["og:description"].startswith("First line second line See https://a.example")
    assert told["og:url"] == f"{base}/stories/lathe"
    assert told["twitter:card"] == "summary_large_image"
    path = told["og:image"].removeprefix(base)
    assert visitor.get(path)["Content-Type"] == "image/png"


def test_no_text_gets_out_of_where_it_stands(visitor: Client, site: Site) -> None:
    owner = UserFactory.create(name=HOSTILE[:80])
    profile = complete_profile(owner)
    profile.real_name, profile.role, profile.bio, profile.slug = HOSTILE, HOSTILE, HOSTILE * 3, "hostile"
    profile.links = [f"https://a.example/{HOSTILE}"]
    profile.save()
    company = CompanyFactory.create(owner=owner, name=HOSTILE)
    story = write(
        enough(title=HOSTILE, problem=f"{HOSTILE} {words(75)}"),
        listing=ListingFactory.create(live=True, slug="hostile", company=company),
    )
    question = InterviewQuestion.objects.asked(site)[0]
    InterviewAnswer.objects.create(question=question, user=owner, text=HOSTILE)
    for client, path in (
        (visitor, "/stories/hostile"),
        (visitor, "/founders/hostile"),
        (visitor, "/stories"),
        (signed_in(story.author), "/listings/hostile/story/preview"),
    ):
        html = page(client, path)
        assert "alert(1)" in html
        assert "<script>" not in html
        assert "<!-- " not in html
    assert thing_of(page(visitor, "/stories/hostile"), "Article")["headline"] == HOSTILE
    assert thing_of(page(visitor, "/founders/hostile"), "ProfilePage")["mainEntity"]["name"] == HOSTILE


def test_who_gives_no_name_is_not_called_by_their_address(visitor: Client, site: Site) -> None:
    """On a site that asks for no real name; a founder's page outlives the name that it was made from."""
    Site.objects.update(profile_required_parts=[])
    owner = UserFactory.create(name="", email="ada.private@example.com")
    FounderProfile.objects.create(user=owner, slug="somebody")
    story = write(enough(), listing=ListingFactory.create(live=True, slug="lathe", company__owner=owner))
    for path in ("/stories", "/stories/lathe", "/listings/lathe", "/founders/somebody"):
        assert "private" not in page(visitor, path)
    assert thing_of(page(visitor, "/stories/lathe"), "Article")["author"]["name"] == "The founder"
    assert picture_of(story).name == "The founder"


def test_the_list_has_the_newest_first_on_pages_of_twelve(visitor: Client, site: Site) -> None:
    for number in range(13):
        write(enough(title=f"Beginning number {number:02}"))
    titles = re.compile(r"Beginning number (\d\d)</a>")
    assert titles.findall(page(visitor, "/stories")) == [f"{number:02}" for number in range(12, 0, -1)]
    second = page(visitor, "/stories?page=2")
    assert titles.findall(second) == ["00"]
    assert f'<link rel="canonical" href="{site.base_url}/stories?page=2">' in second
    assert titles.findall(page(visitor, "/stories?page=99")) == ["00"]


def test_an_empty_list_says_so(visitor: Client, site: Site) -> None:
    assert "No stories yet" in page(visitor, "/stories")


def test_the_listing_leads_to_its_story_while_that_is_shown(visitor: Client, story: FounderStory) -> None:
    assert 'href="/stories/lathe"' in page(visitor, "/listings/lathe")
    stories.unpublish_story(listing=story.listing, reason="", by=by_owner(story.listing))
    assert 'href="/stories/lathe"' not in page(visitor, "/listings/lathe")


def test_the_owner_previews_a_draft_with_words_that_are_not_saved(site: Site) -> None:
    draft = write({"title": "How it all began", "how_started": "Saved words"}, publish=False)
    listing, owner = draft.listing, signed_in(draft.author)
    path = f"{listing.path}/story/preview"
    html = page(owner, path)
    assert "Saved words" in html
    assert '<meta name="robots" content="noindex">' in html
    UnsavedText.objects.create(user=draft.author, listing=listing, name="problem", text="Typed words", base="")
    UnsavedText.objects.create(user=UserFactory.create(), listing=listing, name="problem", text="Of others", base="")
    html = page(owner, path)
    assert "Typed words" in html
    assert "Includes unsaved changes." in html
    assert "Of others" not in html
    draft.refresh_from_db()
    assert draft.sections == {"how_started": "Saved words"}


def test_the_preview_says_what_is_missing_and_where(site: Site) -> None:
    draft = write({"title": "How it all began", "how_started": words(39)})
    html = page(signed_in(draft.author), f"{draft.listing.path}/story/preview")
    missing = stories.missing(draft)
    assert missing
    for gap in missing:
        assert f'href="{gap.url}"' in html


def test_a_preview_of_nothing_leads_to_the_editor(site: Site) -> None:
    listing = ListingFactory.create(live=True)
    html = page(signed_in(listing.company.owner), f"{listing.path}/story/preview")
    assert "Nothing written yet" in html
    assert f'href="{listing.path}/story"' in html


def test_a_preview_without_a_title_is_called_by_the_product(site: Site) -> None:
    draft = write({"how_started": "Saved words"}, publish=False)
    html = page(signed_in(draft.author), f"{draft.listing.path}/story/preview")
    assert f'<h1 dir="auto">The story of {draft.listing.company.name}</h1>' in html


def test_only_its_owner_previews_a_story(story: FounderStory) -> None:
    path = f"{story.listing.path}/story/preview"
    assert Client().get(path).status_code == 302
    page(signed_in(UserFactory.create()), path, status=404)
    page(signed_in(UserFactory.create(is_staff=True)), path, status=404)
    answer = signed_in(story.author).get(path)
    assert answer.status_code == 200
    assert "no-store" in answer["Cache-Control"]
    assert answer.context["is_public"]


@pytest.mark.parametrize("path", ["/stories", "/stories/lathe", "/stories/lathe/preview.png", "/founders/ada-example"])
def test_they_are_read_only(visitor: Client, story: FounderStory, path: str) -> None:
    assert visitor.head(path).status_code == 200
    assert visitor.post(path).status_code == 405


def test_the_time_of_a_story_is_of_its_publication(visitor: Client, story: FounderStory) -> None:
    FounderStory.objects.update(published_at=datetime(2026, 3, 4, 5, 6, tzinfo=UTC), updated_at=timezone.now())
    html = page(visitor, "/stories/lathe")
    assert '<time datetime="2026-03-04T05:06:00+00:00">Mar 4, 2026</time>' in html
    assert meta_of(html)["article:published_time"] == "2026-03-04T05:06:00+00:00"

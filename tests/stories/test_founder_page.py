"""The public page of a founder: when there is one, what is on it, and what is not."""

import re

import pytest
from django.test import Client

from apps.accounts.models import FounderProfile
from apps.listings.models import Listing
from apps.sites.models import Site
from apps.stories.models import InterviewAnswer, InterviewQuestion
from tests.factories import CompanyFactory, ListingFactory, SiteFactory, UserFactory, complete_profile
from tests.heads import thing_of
from tests.stories.writing import enough, write

pytestmark = pytest.mark.db

LINKS = ["https://www.ada.example/", "https://bsky.app/profile/ada.example"]


@pytest.fixture
def founder(site: Site) -> FounderProfile:
    """Somebody with a profile, two links, and a live listing on the default site."""
    profile = complete_profile(UserFactory.create())
    profile.slug, profile.links, profile.bio = "ada-example", LINKS, f"{profile.bio}\n\nMore at https://ada.example."
    profile.save()
    ListingFactory.create(live=True, slug="lathe", company=CompanyFactory.create(owner=profile.user, name="Lathe"))
    return profile


def page(path: str = "/founders/ada-example", *, host: str = "testserver.localhost", status: int = 200) -> str:
    answer = Client().get(path, headers={"host": host})
    assert answer.status_code == status
    return answer.content.decode()


def test_it_shows_who_they_are_and_what_they_make(founder: FounderProfile) -> None:
    html = page()
    assert "<h1><bdi>Ada Example</bdi></h1>" in html
    assert '<p class="lede"><bdi>Founder</bdi></p>' in html
    assert f"{founder.photo_key.removeprefix('founders/')}/192.webp" in html
    assert f"{founder.photo_key.removeprefix('founders/')}/192.jpg" in html
    assert 'href="/listings/lathe"' in html
    assert founder.user.email not in html


def test_its_links_are_the_founders_and_not_ours(founder: FounderProfile) -> None:
    html = page()
    result = re.findall(r'<a class="button" href="([^"]+)" rel="([^"]+)">.*?<span class="clip">([^<]+)</span>', html)
    assert result == [
        (LINKS[0], "me nofollow ugc noopener", "ada.example"),
        (LINKS[1], "me nofollow ugc noopener", "bsky.app/profile/ada.example"),
    ]


def test_a_bio_has_paragraphs_and_no_links(founder: FounderProfile) -> None:
    assert '<p dir="auto">More at https://ada.example.</p>' in page()


def test_it_shows_what_they_wrote_and_answered_on_this_site(founder: FounderProfile, site: Site) -> None:
    listing = Listing.objects.get(slug="lathe")
    write(enough(title="Of her own"), listing=listing)
    write(enough(title="Of somebody else"))
    asked, hidden = InterviewQuestion.objects.asked(site)[:2]
    elsewhere = InterviewQuestion.objects.create(site=SiteFactory.create(), text="Elsewhere?")
    for question in (asked, hidden, elsewhere):
        InterviewAnswer.objects.create(question=question, user=founder.user, text=f"On {question.text}")
    InterviewQuestion.objects.filter(pk=hidden.pk).update(is_active=False)
    html = page()
    assert '<a href="/stories/lathe">Of her own</a>' in html
    assert "Of somebody else" not in html
    assert f"On {asked.text}" in html
    assert hidden.text not in html
    assert "Elsewhere?" not in html


@pytest.mark.parametrize("status", list(Listing.Status), ids=str)
def test_there_is_a_page_while_a_listing_is_live(founder: FounderProfile, status: str) -> None:
    Listing.objects.filter(slug="lathe").update(
        status=status, suspended_from="live" if status == Listing.Status.SUSPENDED else ""
    )
    page(status=200 if status == Listing.Status.LIVE else 404)


def test_a_story_names_its_author_without_a_link_while_there_is_no_page(founder: FounderProfile) -> None:
    FounderProfile.objects.update(slug=None)
    write(enough(), listing=Listing.objects.get(slug="lathe"))
    html = page("/stories/lathe")
    assert '<span class="name"><bdi>Ada Example</bdi></span>' in html
    assert "/founders/ada-example" not in html


def test_a_live_listing_on_another_site_makes_no_page_here(founder: FounderProfile) -> None:
    other = SiteFactory.create(key="other", host="other.localhost")
    page(host=other.host, status=404)
    Listing.objects.filter(slug="lathe").update(status="draft")
    company = founder.user.companies.get()
    ListingFactory.create(live=True, company=company, site=other, slug="there")
    page(status=404)
    html = page(host=other.host)
    assert 'href="/listings/there"' in html
    assert 'href="/listings/lathe"' not in html


def test_nobody_else_has_one(founder: FounderProfile) -> None:
    page("/founders/nobody", status=404)
    page("/founders/photos", status=404)
    page(f"/founders/{founder.user.pk}", status=404)


def test_a_founder_of_several_products_is_shown_once_with_all(founder: FounderProfile) -> None:
    company = CompanyFactory.create(owner=founder.user, name="Chisel")
    ListingFactory.create(live=True, slug="chisel", company=company)
    ListingFactory.create(slug="not-yet", company=CompanyFactory.create(owner=founder.user))
    html = page()
    assert 'href="/listings/lathe"' in html
    assert 'href="/listings/chisel"' in html
    assert "not-yet" not in html


def test_search_engines_read_who_they_are(founder: FounderProfile, site: Site) -> None:
    html = page()
    result = thing_of(html, "ProfilePage")
    assert result["@type"] == "ProfilePage"
    person = result["mainEntity"]
    assert person["@type"] == "Person"
    assert person["name"] == "Ada Example"
    assert person["sameAs"] == LINKS
    assert person["url"] == f"{site.base_url}/founders/ada-example"
    assert f'<link rel="canonical" href="{site.base_url}/founders/ada-example">' in html
    assert '<meta property="og:type" content="profile">' in html


def test_without_bio_links_photo_or_role_it_is_a_page_still(founder: FounderProfile) -> None:
    FounderProfile.objects.update(bio="", links=[], photo_key="", photo_pixels=0, role="")
    html = page()
    assert "Ada Example" in html
    assert "<picture" not in html
    assert thing_of(html, "ProfilePage")["mainEntity"].keys() == {"@type", "name", "url"}

"""Profiles on other platforms: which addresses name one, and which of them are the site's own."""

import pytest

from apps.drafts.extraction import ReadPage
from apps.drafts.extraction.company.social_profiles import find_profiles
from apps.listings.fields.socials import PLATFORMS, mastodon_profile, profile_of

URL = "https://www.acme.com/"


@pytest.mark.parametrize(
    ("address", "canonical"),
    [
        ("https://twitter.com/acme", "https://x.com/acme"),
        ("http://www.twitter.com/@acme/?lang=en#top", "https://x.com/acme"),
        ("https://mobile.x.com/acme", "https://x.com/acme"),
        ("https://www.linkedin.com/company/acme-inc/about/", "https://www.linkedin.com/company/acme-inc"),
        ("https://de.linkedin.com/in/ada", "https://www.linkedin.com/in/ada"),
        ("https://github.com/acme", "https://github.com/acme"),
        ("https://github.com/orgs/acme/repositories", "https://github.com/acme"),
        ("https://gitlab.com/acme/", "https://gitlab.com/acme"),
        ("https://youtube.com/@acme/videos", "https://www.youtube.com/@acme"),
        ("https://www.youtube.com/channel/UCabcdef", "https://www.youtube.com/channel/UCabcdef"),
        ("https://www.youtube.com/user/acme", "https://www.youtube.com/user/acme"),
        ("https://instagram.com/acme.co/?hl=en", "https://www.instagram.com/acme.co/"),
        ("https://www.facebook.com/acme/", "https://www.facebook.com/acme"),
        ("https://de-de.facebook.com/acme", "https://www.facebook.com/acme"),
        ("https://facebook.com/profile.php?id=100012345", "https://www.facebook.com/profile.php?id=100012345"),
        ("https://www.facebook.com/pages/Acme/324955307584131", "https://www.facebook.com/pages/Acme/324955307584131"),
        ("https://www.tiktok.com/@acme?lang=en", "https://www.tiktok.com/@acme"),
        ("https://www.threads.net/@acme", "https://www.threads.net/@acme"),
        ("https://bsky.app/profile/acme.com", "https://bsky.app/profile/acme.com"),
        ("https://discord.gg/acme", "https://discord.gg/acme"),
        ("https://discord.com/invite/aBc123", "https://discord.gg/aBc123"),
        ("https://acme-community.slack.com/", "https://acme-community.slack.com/"),
        (
            "https://join.slack.com/t/acme/shared_invite/zt-1~a",
            "https://join.slack.com/t/acme/shared_invite/zt-1~a",
        ),
        ("https://t.me/acmenews", "https://t.me/acmenews"),
        ("https://t.me/s/acmenews", "https://t.me/acmenews"),
        ("https://old.reddit.com/r/acme/", "https://www.reddit.com/r/acme/"),
        ("https://www.producthunt.com/products/acme?utm_source=badge", "https://www.producthunt.com/products/acme"),
        ("https://www.crunchbase.com/organization/acme", "https://www.crunchbase.com/organization/acme"),
        ("https://medium.com/@acme", "https://medium.com/@acme"),
        ("https://acme.medium.com", "https://acme.medium.com/"),
        ("https://acme.substack.com/about", "https://acme.substack.com/"),
        ("https://substack.com/@acme", "https://substack.com/@acme"),
    ],
)
def test_profiles_are_known_in_their_canonical_form(address: str, canonical: str) -> None:
    profile = profile_of(address)
    assert profile is not None
    assert profile.address == canonical
    assert profile.platform in PLATFORMS


@pytest.mark.parametrize(
    "address",
    [
        "https://x.com/",
        "https://twitter.com/intent/tweet?text=Acme",
        "https://twitter.com/share?url=https://acme.com",
        "https://twitter.com/share",
        "https://twitter.com/home?status=Acme",
        "https://twitter.com/hashtag/acme",
        "https://twitter.com/acme/status/123",
        "https://x.com/a-name-no-one-can-have",
        "https://notx.com/acme",
        "https://x.com.evil.example/acme",
        "https://www.linkedin.com/",
        "https://www.linkedin.com/shareArticle?mini=true&url=x",
        "https://www.linkedin.com/sharing/share-offsite/?url=x",
        "https://www.linkedin.com/posts/acme_launch-activity-1",
        "https://github.com/",
        "https://github.com/features",
        "https://github.com/acme/sdk",
        "https://gist.github.com/acme",
        "https://gitlab.com/users/sign_in",
        "https://www.youtube.com/watch?v=abc",
        "https://www.youtube.com/embed/abc",
        "https://youtu.be/abc",
        "https://www.instagram.com/p/abc/",
        "https://www.instagram.com/reel/abc/",
        "https://www.facebook.com/sharer/sharer.php?u=x",
        "https://www.facebook.com/sharer.php?u=x",
        "https://www.facebook.com/dialog/share?app_id=1",
        "https://www.facebook.com/acme/posts/123",
        "https://www.facebook.com/tr?id=1",
        "https://www.facebook.com/v2.0/dialog",
        "https://www.tiktok.com/@acme/video/1",
        "https://www.threads.net/@acme/post/1",
        "https://bsky.app/intent/compose?text=x",
        "https://bsky.app/profile/acme.com/post/1",
        "https://discord.com/",
        "https://discord.com/channels/1/2",
        "https://slack.com/",
        "https://app.slack.com/",
        "https://t.me/share/url?url=x",
        "https://t.me/acmenews/42",
        "https://www.reddit.com/submit?url=x",
        "https://www.reddit.com/r/acme/comments/1/post",
        "https://www.producthunt.com/posts/acme",
        "https://www.crunchbase.com/person/ada",
        "https://medium.com/acme/a-post-1a2b3c",
        "https://medium.com/p/1a2b3c",
        "https://acme.medium.com/a-post-1a2b3c",
        "https://acme.substack.com/p/a-post",
        "https://acme.com/@acme",
        "https://[broken",
    ],
)
def test_other_addresses_name_no_profile(address: str) -> None:
    assert profile_of(address) is None


def test_fediverse_profiles_need_only_their_shape() -> None:
    profile = mastodon_profile("https://social.example/@acme")
    assert profile is not None
    assert profile.address == "https://social.example/@acme"
    assert mastodon_profile("https://medium.com/@acme") is None
    assert mastodon_profile("https://social.example/@acme/123") is None


def page(body: str, *, head: str = "", url: str = URL) -> ReadPage:
    html = f"<html><head>{head}</head><body>{body}</body></html>"
    return ReadPage.open(html.encode(), url=url, content_type="text/html")


def own(*pages: ReadPage, name: str = "Acme") -> dict[str, str]:
    return {platform: finds[0].value for platform, finds in find_profiles(pages, name=name).items()}


def test_links_in_the_footer_are_the_sites_own() -> None:
    body = '<footer><a href="https://twitter.com/getacmehq">X</a><a href="https://fosstodon.org/@acme">M</a></footer>'
    assert own(page(body)) == {"x": "https://x.com/getacmehq", "mastodon": "https://fosstodon.org/@acme"}


def test_people_quoted_in_the_text_are_not_the_site() -> None:
    body = "".join(f'<blockquote><a href="https://x.com/fan{n}">Fan</a></blockquote>' for n in range(4))
    assert own(page(body)) == {}
    assert own(page(body + '<footer><a href="https://x.com/acme">X</a></footer>')) == {"x": "https://x.com/acme"}


def test_a_link_in_the_text_counts_if_it_bears_the_sites_name() -> None:
    assert own(page('<p>Follow <a href="https://x.com/acme">us</a></p>')) == {"x": "https://x.com/acme"}
    assert own(page('<p>Thanks <a href="https://x.com/someone">you</a></p>')) == {}


def test_declared_profiles_come_before_linked_ones() -> None:
    head = (
        '<script type="application/ld+json">{"@type": "Organization", "name": "Acme",'
        ' "sameAs": ["https://www.linkedin.com/company/acme-labs"]}</script>'
        '<meta name="twitter:site" content="@acme"><link rel="me" href="https://social.example/@acme">'
    )
    body = '<footer><a href="https://www.linkedin.com/company/other">L</a></footer>'
    assert own(page(body, head=head)) == {
        "x": "https://x.com/acme",
        "linkedin": "https://www.linkedin.com/company/acme-labs",
        "mastodon": "https://social.example/@acme",
    }


def test_a_publisher_page_counts_only_with_the_sites_name() -> None:
    head = '<meta property="article:publisher" content="https://www.facebook.com/{}">'
    assert own(page("", head=head.format("acme"))) == {"facebook": "https://www.facebook.com/acme"}
    assert own(page("", head=head.format("thememaker"))) == {}


@pytest.mark.parametrize(
    ("head", "body", "expected"),
    [
        ('<meta name="twitter:site" content="@framer">', "", {}),
        ('<meta name="twitter:site" content="@lovable_dev">', "", {}),
        ("", '<footer><a href="https://www.facebook.com/wix">F</a></footer>', {}),
        ("", '<footer><a href="https://www.youtube.com/@Squarespace">Y</a></footer>', {}),
        (
            '<script type="application/ld+json">{"@type": "Organization", "name": "Acme",'
            ' "sameAs": ["https://www.facebook.com/acme", "https://twitter.com/elemntor"]}</script>',
            "",
            {"facebook": "https://www.facebook.com/acme"},
        ),
        (
            '<meta name="generator" content="Pageloom 3.2"><meta name="twitter:site" content="@pageloom">',
            "",
            {},
        ),
        (
            '<meta name="generator" content="Pageloom 3.2">',
            '<footer><a href="https://x.com/pageloomers">X</a></footer>',
            {"x": "https://x.com/pageloomers"},
        ),
        (
            '<meta name="generator" content="Acme 3.2"><meta name="twitter:site" content="@acme">',
            "",
            {"x": "https://x.com/acme"},
        ),
    ],
)
def test_profiles_that_a_website_builder_left(head: str, body: str, expected: dict[str, str]) -> None:
    assert own(page(body, head=head)) == expected


def test_a_builder_has_its_own_profiles() -> None:
    body = '<footer><a href="https://x.com/framer">X</a></footer>'
    assert own(page(body, url="https://www.framer.com/"), name="Framer") == {"x": "https://x.com/framer"}


def test_the_company_comes_before_its_people() -> None:
    body = (
        '<footer><a href="https://www.linkedin.com/in/ada">Ada</a>'
        '<a href="https://www.linkedin.com/company/acme">Acme</a></footer>'
    )
    assert own(page(body)) == {"linkedin": "https://www.linkedin.com/company/acme"}


def test_a_repository_names_its_owner_only_if_that_is_the_site() -> None:
    assert own(page('<a href="https://github.com/acme/sdk">Star</a>')) == {"github": "https://github.com/acme"}
    assert own(page('<footer><a href="https://github.com/django/django">Django</a></footer>')) == {}


def test_feeds_are_those_the_home_page_announces() -> None:
    head = (
        '<link rel="alternate" type="application/rss+xml" title="Comments" href="/comments/feed">'
        '<link rel="alternate" type="application/atom+xml" href="/feed.atom">'
    )
    assert own(page("", head=head)) == {"rss": "https://www.acme.com/feed.atom"}


def test_a_platform_is_no_profile_of_itself() -> None:
    body = '<footer><a href="https://github.com/someone">S</a></footer>'
    assert own(page(body, url="https://github.com/")) == {}


@pytest.mark.parametrize(
    ("links", "expected"),
    [
        ('<a href="https://github.com/two-hats/runner">View on GitHub</a>', "https://github.com/two-hats"),
        ('<a href="https://github.com/two-hats/runner" aria-label="GitHub"></a>', "https://github.com/two-hats"),
        ('<a href="https://github.com/two-hats/runner">★ 11.2k</a>', "https://github.com/two-hats"),
        ('<a href="https://gitlab.com/two-hats/acme/-/issues">Issues</a>', "https://gitlab.com/two-hats"),
        (
            '<p>Made by Ada &amp; Pell</p><a href="https://github.com/adapell/acme-loaders">loaders</a>',
            "https://github.com/adapell",
        ),
        ('<p>Made by Ada</p><a href="https://github.com/adapell/acme-loaders">loaders</a>', ""),
        ('<p>Works with <a href="https://github.com/brianc/node-postgres">node-postgres</a>.</p>', ""),
        (
            '<a href="https://github.com/one/x">GitHub</a><a href="https://github.com/two/y">View on GitHub</a>',
            "",
        ),
    ],
)
def test_repositories_that_the_site_calls_its_own(links: str, expected: str) -> None:
    html = f"<html><body><main>{links}</main></body></html>"
    page = ReadPage.open(html.encode(), url=URL, content_type="text/html; charset=utf-8")
    result = find_profiles([page], name="Acme")
    assert [finds[0].value for finds in result.values()] == ([expected] if expected else [])

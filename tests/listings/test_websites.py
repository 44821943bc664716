"""When two addresses are the same website."""

import pytest

from apps.listings.websites.identity import home_address, is_store_page, website_key
from apps.listings.websites.shared_hosts import shared_hosts

SAME = {
    "acme.example": (
        "https://acme.example",
        "http://www.Acme.Example:80/",
        "https://acme.example:443/index.html",
        "https://acme.example./features/",
        "https://acme.example//features/../en?ref=board#top",
        "https://somebody@acme.example/de",
    ),
    "app.acme.example": ("https://app.acme.example/login", "https://www.app.acme.example"),
    "acme.co.uk": ("https://www.acme.co.uk/shop/one",),
    "xn--bcher-kva.example": ("https://bücher.example/neu", "https://xn--bcher-kva.example", "https://BÜCHER.example"),
    "acme.localhost:8123": ("http://acme.localhost:8123/about",),
    "203.0.113.7": ("http://203.0.113.7/about",),
    "2001:db8::1": ("http://[2001:db8::1]/about", "http://[2001:DB8::1]:80"),
    "[2001:db8::1]:8080": ("http://[2001:db8::1]:8080/about",),
    # Shared hosts: the first part of the path is a part of the website.
    "acme.github.io": ("https://acme.github.io", "https://acme.github.io/index.html", "https://acme.github.io/docs/a"),
    "acme.github.io/boats": (
        "https://acme.github.io/boats",
        "https://acme.github.io/Boats/",
        "https://acme.github.io/%62oats/docs/install?x=1",
        "https://acme.github.io/./boats",
        "https://acme.github.io/%2e/boats",
    ),
    "acme.vercel.app": ("https://acme.vercel.app/features", "https://acme.vercel.app/pricing.html"),
    # Below a suffix a host has one owner, whatever its paths are called.
    "boats.vercel.app": ("https://boats.vercel.app/boats/one",),
    "acme.netlify.app": ("https://acme.netlify.app/boats",),
    "acme.myshopify.com": ("https://acme.myshopify.com/collections/all",),
    "acme.blogspot.com": ("https://acme.blogspot.com/2026/01/boats",),
    "acme.codeberg.page/boats": ("https://acme.codeberg.page/boats",),
    # A first part like these is somebody's on every host.
    "acme.gitlab.io/boats": (
        "https://acme.gitlab.io/boats/docs",
        "https://acme.gitlab.io/boats.",
        "https://acme.gitlab.io/%EF%BD%82oats",
        "https://www.www.acme.gitlab.io/Boats",
    ),
    "acme.example/~ada": ("https://acme.example/~ada/boats", "https://www.acme.example/%7EAda"),
    "acme.example/@ada": ("https://acme.example/@ada",),
    "youtube.com/@acme": ("https://www.youtube.com/@Acme/videos",),
    "youtube.com/channel/uc1": ("https://youtube.com/channel/UC1/videos",),
    "tiktok.com/@acme": ("https://www.tiktok.com/@acme/video/1",),
    "store.steampowered.com/app/1": ("https://store.steampowered.com/app/1/Boats/",),
    "hub.docker.com/r/acme/boats": ("https://hub.docker.com/r/acme/boats/tags",),
    "rubygems.org/gems/boats": ("https://rubygems.org/gems/boats/versions",),
    "packagist.org/packages/acme/boats": ("https://packagist.org/packages/acme/boats",),
    "kickstarter.com/projects/acme/boats": ("https://www.kickstarter.com/projects/acme/boats/faqs",),
    "figma.com/community/plugin/1": ("https://www.figma.com/community/plugin/1/boats",),
    "etsy.com/shop/acme": ("https://www.etsy.com/shop/Acme/reviews",),
    "devpost.com/software/boats": ("https://devpost.com/software/boats",),
    "replit.com/@acme": ("https://replit.com/@acme/boats",),
    "discord.gg/boats": ("https://discord.gg/boats",),
    "reddit.com/r/boats": ("https://www.reddit.com/r/boats/top",),
    "bsky.app/profile/acme.example": ("https://bsky.app/profile/acme.example/post/1",),
    "chatgpt.com/g/g-1-boats": ("https://chatgpt.com/g/g-1-boats",),
    "open.spotify.com/show/1": ("https://open.spotify.com/show/1",),
    "marketplace.atlassian.com/apps/1": ("https://marketplace.atlassian.com/apps/1/boats",),
    "workspace.google.com/marketplace/app/boats/1": ("https://workspace.google.com/marketplace/app/boats/1",),
    "chat.openai.com/g/g-1-boats": ("https://chat.openai.com/g/g-1-boats",),
    "hf.co/spaces/ada/boats": ("https://hf.co/spaces/ada/boats/tree/main",),
    "airtable.com/app1/shr1": ("https://airtable.com/app1/shr1/tbl1",),
    "tally.so/r/boats": ("https://tally.so/r/boats?a=1",),
    "forms.gle/boats": ("https://forms.gle/boats",),
    "calendly.com/ada": ("https://calendly.com/ada/30min",),
    "gofundme.com/f/boats": ("https://www.gofundme.com/f/boats/updates",),
    "podcasts.apple.com/podcast/boats/id1": ("https://podcasts.apple.com/us/podcast/boats/id1",),
    "v0.dev/t/boats": ("https://v0.dev/t/boats",),
    "lovable.dev/projects/boats": ("https://lovable.dev/projects/boats",),
    "zapier.com/apps/boats": ("https://zapier.com/apps/boats/integrations",),
    "acme.itch.io/boats": ("https://acme.itch.io/boats", "https://acme.itch.io/boats/devlog/1"),
    "s3.amazonaws.com/acme": ("https://s3.amazonaws.com/acme/index.html",),
    "s3.amazonaws.com/docs": ("https://s3.amazonaws.com/docs/index.html",),
    "linktr.ee/about": ("https://linktr.ee/about",),
    "linktr.ee": ("https://linktr.ee",),
    "sites.google.com/view/acme": ("https://sites.google.com/view/acme/home",),
    "github.com/acme/boats": ("https://github.com/acme/boats/tree/main/docs",),
    "github.com/acme": ("https://www.github.com/acme",),
    # Parts of a path that say what it is, not whose.
    "gumroad.com/acme": ("https://gumroad.com/acme", "https://gumroad.com/acme/p/news"),
    "gumroad.com/l/boats": ("https://gumroad.com/l/boats", "https://www.gumroad.com/L/Boats/x?a=1"),
    "huggingface.co/acme/boats": ("https://huggingface.co/acme/boats/tree/main",),
    "huggingface.co/spaces/acme/boats": ("https://huggingface.co/spaces/acme/boats/discussions",),
    "huggingface.co/datasets/acme/boats": ("https://huggingface.co/datasets/Acme/boats",),
    "npmjs.com/package/boats": ("https://www.npmjs.com/package/boats/v/1.0.0",),
    "npmjs.com/package/@acme/boats": ("https://www.npmjs.com/package/@acme/boats?activeTab=readme",),
    "patreon.com/acme": ("https://www.patreon.com/acme/posts",),
    "patreon.com/c/acme": ("https://www.patreon.com/c/Acme/posts",),
    "ko-fi.com/s/1": ("https://ko-fi.com/s/1",),
    "t.me/s/acme": ("https://t.me/s/acme/12",),
    "facebook.com/groups/acme": ("https://www.facebook.com/groups/acme/about",),
    "x.com/i/communities/1": ("https://x.com/i/communities/1/about",),
    "devpost.com/ada": ("https://devpost.com/ada/followers",),
    "hub.docker.com/_/boats": ("https://hub.docker.com/_/boats/tags",),
    "sites.google.com/a/acme.example/boats": ("https://sites.google.com/a/acme.example/boats/home",),
    "kaggle.com/datasets/acme/boats": ("https://www.kaggle.com/datasets/acme/boats/data",),
    "acme.gumroad.com/l/boats": ("https://acme.gumroad.com/l/boats/x",),
    "acme.gumroad.com": ("https://acme.gumroad.com/",),
    "acme.wixsite.com/boats": ("https://acme.wixsite.com/boats/about",),
    "de.wordpress.org/plugins/boats": ("https://de.wordpress.org/plugins/boats/#faq",),
    "jsr.io/@std/path": ("https://jsr.io/@std/path/doc",),
    "docs.google.com/document/d/e/1": ("https://docs.google.com/document/d/e/1/pub",),
    "docs.google.com/document/d/1": ("https://docs.google.com/document/d/1/edit",),
    "docs.google.com/forms/d/1": (
        "https://docs.google.com/forms/d/1/edit",
        "https://docs.google.com/forms/d/1/viewform",
    ),
    "docs.google.com/document/u/0/d/1": ("https://docs.google.com/document/u/0/d/1/edit",),
    "facebook.com/pages/category/foo/1": ("https://www.facebook.com/pages/category/Foo/1",),
    "flathub.org/apps/details/a.b": ("https://flathub.org/apps/details/a.b",),
    "behance.net/gallery/1": ("https://www.behance.net/gallery/1/Boats",),
    "behance.net/ada": ("https://www.behance.net/ada/projects",),
    "boosty.to/ada": ("https://boosty.to/ada/about",),
    "blog.naver.com/acme": ("https://blog.naver.com/Acme/1",),
    "camp-fire.jp/projects/view/1": ("https://camp-fire.jp/projects/view/1?list=x",),
    "codecanyon.net/item/boats/1": ("https://codecanyon.net/item/boats/1/reviews",),
    "git.sr.ht/~ada/boats": ("https://git.sr.ht/~ada/boats/tree",),
    "ko-fi.com/album/1": ("https://ko-fi.com/album/1",),
    "modrinth.com/mod/boats": ("https://modrinth.com/mod/boats/versions",),
    "note.com/acme": ("https://note.com/acme/n/1",),
    "payhip.com/b/1": ("https://payhip.com/b/1",),
    "pkg.go.dev/github.com/acme/boats": ("https://pkg.go.dev/github.com/acme/boats/cmd",),
    "pub.dev/packages/boats": ("https://pub.dev/packages/boats/changelog",),
    "smithery.ai/server/@acme/boats": ("https://smithery.ai/server/@acme/boats/tools",),
    "vk.com/acme": ("https://vk.com/acme?w=wall",),
    # A language is no part of the website.
    "booth.pm/items/1": ("https://booth.pm/ja/items/1", "https://booth.pm/items/1"),
    "flathub.org/apps/a.b": ("https://flathub.org/apps/a.b", "https://flathub.org/de/apps/a.b"),
    "etsy.com/shop/boats": ("https://www.etsy.com/de-en/shop/Boats", "https://www.etsy.com/uk/shop/boats"),
    "open.spotify.com/show/2": ("https://open.spotify.com/intl-de/show/2",),
    "f-droid.org/packages/a.b": ("https://f-droid.org/en/packages/a.b/", "https://f-droid.org/zh_Hans/packages/a.b"),
}


@pytest.mark.parametrize(("key", "address"), [(key, address) for key, all_ in SAME.items() for address in all_])
def test_a_website_is_its_host_and_on_shared_hosts_the_first_part_of_its_path(key: str, address: str) -> None:
    assert website_key(address) == key
    assert website_key(home_address(address)) == key


@pytest.mark.parametrize(
    ("address", "home"),
    [
        ("https://acme.example/features?a=1#b", "https://acme.example/"),
        ("https://www.acme.example", "https://www.acme.example/"),
        ("https://acme.github.io/Boats/docs", "https://acme.github.io/Boats"),
        ("https://acme.github.io/Boats/", "https://acme.github.io/Boats/"),
        ("https://acme.github.io/features", "https://acme.github.io/"),
        ("https://gumroad.com/l/Boats?wanted=true", "https://gumroad.com/l/Boats"),
        ("https://huggingface.co/spaces/ada/x/tree", "https://huggingface.co/spaces/ada/x"),
        ("https://flathub.org/de/apps/a.b/x", "https://flathub.org/de/apps/a.b"),
        ("http://[2001:db8::1]:8080/about", "http://[2001:db8::1]:8080/"),
    ],
)
def test_the_home_page_keeps_how_its_address_is_written(address: str, home: str) -> None:
    assert home_address(address) == home


@pytest.mark.parametrize(
    "address",
    [
        "https://xn--a.ü/",
        "http://[::1",
        "http://acme.example:port/",
        "https://github.com/acme%00",
        "https://github.com/acme/b%0Aoats",
        "https://acme.github.io/%C2%85",
        "https://apps.apple.com/app%00",
        *[
            f"https://acme.github.io/{odd}"
            for odd in (
                "boats%2F",
                "%2Fboats",
                "boats%20",
                "boats;x",
                "boats%3Fx",
                "boats%23",
                "%5Cboats",
                "%2570boats",
                "%C2%ADboats",
                "%E2%80%8Bboats",
            )
        ],
    ],
)
def test_what_is_no_address_is_a_value_error(address: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        website_key(address)


def test_what_the_key_leaves_out_may_be_anything() -> None:
    assert website_key("https://acme.example/a%00b") == "acme.example"


def test_entries_of_app_stores_are_no_websites_and_never_the_same() -> None:
    one, other = "https://apps.apple.com/us/app/one/id1", "https://apps.apple.com/us/app/two/id2"
    assert is_store_page(one)
    assert website_key(one) != website_key(other)
    assert not is_store_page("https://acme.example/")


def test_the_data_file_is_sound() -> None:
    known = shared_hosts()
    assert all(host == host.lower() and not host.startswith("www.") for host in (*known.segments, *known.stores))
    assert not known.stores & known.segments.keys()
    assert all(1 <= count <= 5 for counts in (known.segments, *known.kinds.values()) for count in counts.values())
    # Only a first part that changes the count needs a row.
    assert all(count != known.segments[host] for host, kinds in known.kinds.items() for count in kinds.values())

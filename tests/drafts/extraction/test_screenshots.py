"""Pictures of the product: those in the sections of the home page, before the card for sharing."""

import pytest

from tests.drafts.extraction.pages import HOME, field, home, page

SHOT = '<section><h2>Every deal</h2><img src="/img/deals.webp" alt="Deals by stage" width="1200"></section>'
CARD = '<meta property="og:image" content="/og.png">'


def shots(body: str, head: str = "") -> list[str]:
    result = field("screenshots", home(body, head=head)) or []
    return [url.removeprefix(HOME) for url in result]


def test_the_pictures_of_sections_come_instead_of_the_card_for_sharing() -> None:
    assert shots(SHOT, CARD) == ["img/deals.webp"]


@pytest.mark.parametrize(
    "picture",
    [
        '<img src="/customers/kestrel.png" width="800">',
        '<div class="logo-row"><img src="/a.png" width="800"></div>',
        '<div class="team"><img src="/ada.jpg" width="800"></div>',
        '<img src="/team-photo.jpg" alt="Our office" width="1200">',
        '<a href="https://reviews.example/acme"><img src="/leader.png" alt="Leader" width="400"></a>',
        '<a href="/posts/ten-tips"><img src="/tips.png" width="800"></a>',
        '<header><img src="/wide.png" width="800"></header>',
        '<footer><img src="/wide.png" width="800"></footer>',
        '<img src="/wide.svg" width="800">',
        '<img src="/small.png" width="120" height="40">',
        '<img src="https://i.avatars.example/100?img=3">',
        '<img src="/qr-install.png" alt="Scan to install" width="400">',
        '<img src="/ada.jpg" alt="Ada, maker of Acme">',
        '<div data-framer-name="Wall of love"><img src="/kim.jpg" width="512" alt="Kim"></div>',
        '<img src="/img/work/bank-dashboard.jpg" alt="A dashboard for a bank">',
        '<video loop src="/tour.mp4"></video>',
        '<video poster="/hello.jpg" controls src="/tour.mp4"></video>',
        '<video loop poster="/team/harbor.jpg" src="/tour.mp4"></video>',
        '<div class="hero-illustration"><img src="/hero.png" width="900"></div>',
        '<img src="/img/flags/norway.png" width="640">',
        '<img class="flag" src="/img/norway.png" width="640">',
        '<img src="/img/flag-no.png" width="640">',
        '<img src="/img/no.png" alt="Flag of Norway" width="640">',
        '<img src="/img/ada.png" alt="Ada, a client of ours" width="640">',
        '<figure><img src="/uploads/kunde-baeckerei.png" alt="Baeckerei"></figure>',
        '<figure><img src="/uploads/corriere-brt.png" alt="BRT"></figure>',
        '<section><h2>Taken with Acme</h2><img src="/img/m31.jpg" alt="M 31" width="600"></section>',
        '<img src="/img/industry/factory.webp" alt="A factory" width="900">',
        '<ul class="segmentos"><li><img src="/gym.webp" alt="A gym" width="900"></ul>',
        '<div id="bgLayers_1"><div id="bgMedia_1"><img src="/hills.jpg" width="900"></div></div>',
    ],
)
def test_other_pictures_are_no_screenshots(picture: str) -> None:
    assert shots(f"<main>{picture}{SHOT}</main>") == ["img/deals.webp"]


def test_a_file_may_name_couriers_that_the_product_compares() -> None:
    assert shots('<img src="/img/confronto-corrieri.png" width="1200">') == ["img/confronto-corrieri.png"]


def test_a_section_with_a_color_shows_the_product() -> None:
    frame = '<div class="wp-block-group has-theme-palette-9-background-color">{}</div>'
    assert shots(frame.format('<img src="/img/deals.webp" width="1200">')) == ["img/deals.webp"]


@pytest.mark.parametrize("picture", ['<img src="/bakery.jpg" alt="Fresh bread">', '<img src="/a.jpeg?w=900" alt="">'])
def test_photographs_count_only_without_other_pictures(picture: str) -> None:
    assert shots(f"{picture}{SHOT}") == ["img/deals.webp"]
    assert len(shots(picture)) == 1


@pytest.mark.parametrize(
    "picture",
    [
        '<img src="/screens/deals.jpg" alt="Deals">',
        '<img src="/deals.jpg" alt="The inbox of a shop">',
        '<img src="/deals.png" alt="Add a client">',
        '<img src="/deals.png" alt="A payment reminder">',
        '<img src="/deals.png" alt="Warning of backtracking">',
        '<img src="/review-diff.png" alt="">',
        '<img src="/img/team.png" alt="Settings of a team">',
        '<img src="/img/time-tracking.png" alt="Time tracking">',
        '<img src="/img/customer-list.png" alt="Customers and their orders">',
        '<img src="/img/qr-invoice.png" alt="Invoice with QR-bill">',
        '<img src="/img/demo.gif" alt="Sorting a card of photos into folders">',
        '<img src="/img/kvitton.png" alt="Fotografera kvitton">',
        '<div class="bg-white"><img src="/img/background-jobs.png" alt="Jobs in the background"></div>',
        '<img src="/deals.png" alt="Die Ausleihe">',
        '<img src="/deals.png" alt="Ficha de clienta">',
        '<img src="/img/catalogo.png" alt="Catálogo de hoje">',
        '<img src="/img/route.png" alt="Map of the drivers on tour">',
        '<div class="bg-background"><img src="/img/chat.png" alt="A message to a tenant"></div>',
        '<ul><li><a href="/big/a.png?v=1" class="thumbnail"><img src="/shot-a.png" alt="The harbor at night"></a></ul>',
    ],
)
def test_screens_beside_other_pictures(picture: str) -> None:
    assert len(shots(f"{picture}{SHOT}")) == 2


def test_photographs_count_beside_screens_of_their_format() -> None:
    assert len(shots('<img src="/a.jpg" alt="The editor"><img src="/b.jpg" alt="Templates">')) == 2


@pytest.mark.parametrize("heading", ["Who uses Acme?", "Pour tous les métiers", "Shops that grow with us", "Für wen?"])
def test_photographs_of_whom_a_product_is_for(heading: str) -> None:
    assert shots(f'<section><h2>{heading}</h2><img src="/bakery.jpg" alt="Bakery" width="900"></section>') == []


def test_light_and_dark_variants_are_one_picture() -> None:
    both = "".join(f'<img src="/img/runs-{shade}.png" alt="Runs">' for shade in ("light", "dark"))
    assert shots(both) == ["img/runs-light.png"]


@pytest.mark.parametrize(
    "picture",
    [
        '<img src="/shots/today.png" alt="The day" width="390" height="844">',
        '<img src="/shots/today.png" alt="Library window with 40 icons" width="900">',
        '<video poster="/shots/today.png" autoplay muted loop><source src="/tour.mp4"></video>',
        '<div class="wp-block-post-content"><img src="/shots/today.png" width="900"></div>',
        '<img src="/shots/today.png" alt="A flag and the audit log of flags" width="900">',
        '<img src="/shots/today.png" alt="The client’s view of a form" width="900">',
    ],
)
def test_screens_of_phones_and_posters_of_videos_show_the_product(picture: str) -> None:
    assert shots(f"<main><section>{picture}</section></main>") == ["shots/today.png"]


def test_a_picture_that_opens_large_counts() -> None:
    assert shots('<a href="/img/deals.png"><img src="/img/deals.png"></a>') == ["img/deals.png"]
    assert shots('<a href="/img/deals.png"><img src="/img/deals_s.png" width="320" height="200"></a>') == [
        "img/deals.png"
    ]


@pytest.mark.parametrize(
    "picture",
    [
        '<img src="/img/globe.png" alt="" width="600" height="600">',
        '<img src="/img/photo.png" alt="A choir singing in a church" width="1600">',
        '<img src="/img/hero.webp" alt="Woman using a laptop" width="1600">',
        '<img src="/img/hero.png" alt="Zwei Kolleginnen am Schreibtisch" width="1600">',
        '<img src="/img/hero-bg.webp" alt="" width="1600">',
        '<img src="/img/grid-lines.png" alt="" width="800">',
        '<img src="/img/promo-tile.png" alt="" width="440" height="280">',
        '<img src="/img/chart.png" alt="Bar chart of speed against others" width="1200">',
        '<img src="/img/a.png" alt="Architecture of the platform" width="1200">',
        '<img src="/img/key.png" alt="鍵のイラスト" width="480" height="360">',
        '<img src="/img/gdpr.png" alt="GDPR compliant" width="400">',
        '<div><img src="/a.png" alt="Slack"><img src="/b.png" alt="Jira"><img src="/c.png" alt="Notion"></div>',
        '<ul><li><img src="/a.png"></li><li><img src="/b.png"></li><li><img src="/c.png"></li></ul>',
        '<article><img src="/tips.webp" width="800" alt="Ten tips"><h3><a href="/tips">Ten tips</a></h3></article>',
        '<div><div><img src="/tips.webp" width="800" alt=""></div><time>May 2</time><p>Ten tips</p></div>',
        '<div><h2>Works with what you have</h2><img src="/img/a.png" alt="Slack and Jira" width="800"></div>',
        '<img src="/img/acme-title-art.png" alt="Acme and a friend">',
        '<img src="/img/laurels-2024.png" alt="Best of the harbor fair">',
        '<img src="/img/fair.png" alt="Finalist, Harbor Fair 2024" width="900">',
        '<img src="/img/a.png" alt="Herb gminy Nowa" width="900">',
        '<img src="/klienci/nowa.png" alt="Urząd w Nowej" width="900">',
        '<section class="gh-header"><img class="gh-header-image" src="/img/cover.png" alt="Acme at sea"></section>',
    ],
)
def test_pictures_of_anything_else(picture: str) -> None:
    assert shots(f"<main>{picture}{SHOT}</main>") == ["img/deals.webp"]


def test_the_heading_of_a_picture_is_in_its_own_part() -> None:
    strip = "<section><h2>Trusted by shops</h2></section>"
    shot = (
        '<section><div><img src="/img/who.png" alt="Who is typing" width="1200"><h2>See who types</h2></div></section>'
    )
    assert shots(strip + shot) == ["img/who.png"]


def test_a_page_about_the_company_shows_no_product() -> None:
    about = page('<main><img src="/harbor.jpg" width="1200"></main>', path="about")
    assert field("screenshots", home(), about) is None


@pytest.mark.parametrize(
    ("head", "found"),
    [
        ('<meta property="og:image" content="/img/editor.png">', ["img/editor.png"]),
        ('<meta property="og:image" content="/images/partage.png">', []),
        ('<meta property="og:image" content="/api/og?title=Acme">', []),
        (
            '<meta property="og:image" content="/a.png"><meta property="og:image:width" content="1200">'
            '<meta property="og:image:height" content="630">',
            [],
        ),
    ],
)
def test_the_picture_for_sharing_counts_alone_unless_it_is_a_card(head: str, found: list[str]) -> None:
    assert shots("", head) == found


@pytest.mark.parametrize(
    ("head", "body", "logo"),
    [
        ('<link rel="icon" type="image/svg+xml" href="/icon.svg"><link rel="icon" href="/icon.png">', "", "icon.png"),
        ('<link rel="icon" href="/icon.svg">', '<header><img class="logo" src="/mark.png"></header>', "mark.png"),
        ('<link rel="icon" href="/icon.svg">', "", "icon.svg"),
    ],
)
def test_a_logo_that_listings_can_show_comes_first(head: str, body: str, logo: str) -> None:
    assert field("logo_url", home(body, head=head)) == f"{HOME}{logo}"


def test_the_header_with_the_headline_is_no_menu() -> None:
    hero = '<header><h1>Invoices that write themselves</h1><img src="/img/editor.png" width="1200"></header>'
    assert shots(hero) == ["img/editor.png"]
    logo = '<header><h1><a href="/"><img src="/img/wide.png" width="800" alt="Acme"></a></h1></header>'
    assert shots(logo + SHOT) == ["img/deals.webp"]


@pytest.mark.parametrize("name", ["data-original", "data-lazy", "data-lazyload", "data-src-retina", "data-image"])
def test_pictures_that_scripts_load_later(name: str) -> None:
    assert shots(f'<img src="data:image/gif;base64,R0lG" {name}="/img/editor.png" width="1200">') == ["img/editor.png"]


@pytest.mark.parametrize(
    ("element", "expected"),
    [
        ('<div role="img" aria-label="The editor" style="background-image:url(/img/editor.png)"></div>', True),
        ('<div class="screenshot" style="background: #eee url(&quot;/img/editor.png&quot;) center/cover"></div>', True),
        ('<div style="background-image:url(/img/editor.png)"></div>', False),
        ('<div role="img" aria-label="Our team" style="background-image:url(/img/team.png)"></div>', False),
        ('<div role="img" style="background-image:url(data:image/png;base64,AAAA)"></div>', False),
        ('<section class="hero" style="background-image:url(/img/hills.jpg)"><h1>Screenshots</h1></section>', False),
        ('<section class="screenshots" style="background-image:url(/img/hills.jpg)"><p>See it.</p></section>', False),
        ('<footer><div role="img" style="background-image:url(/img/editor.png)"></div></footer>', False),
    ],
)
def test_a_background_counts_if_it_is_a_picture_of_its_own(element: str, expected: bool) -> None:
    assert shots(element) == (["img/editor.png"] if expected else [])

"""Where the product runs, by declarations, app stores and requirements."""

import pytest

from tests.drafts.extraction.pages import field, home, json_ld, page

APP_STORE = "https://apps.apple.com/us/app/acme-invoices/id1234567"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (f'<a href="{APP_STORE}">App Store</a>', ["iOS"]),
        (f'<a href="{APP_STORE}?mt=12">Mac App Store</a>', ["macOS"]),
        ('<a href="https://play.google.com/store/apps/details?id=com.acme">Google Play</a>', ["Android"]),
        ('<a href="https://chromewebstore.google.com/detail/acme/abc">Chrome</a>', ["Chrome"]),
        ("<p>Requires macOS 14 or Windows 11.</p>", ["macOS", "Windows"]),
        ("<p>Available for iPhone and Android.</p>", ["iOS", "Android"]),
        ('<a href="/get/mac">Download for macOS</a><a href="/get/win">Download for Windows</a>', ["macOS", "Windows"]),
        ('<a href="/files/acme-2.1.dmg">Get it</a> <a href="/files/acme.AppImage">or this</a>', ["macOS", "Linux"]),
        ('<a href="/get"><img alt="Download on the App Store" src="/a.svg"></a>', ["iOS"]),
        ('<a href="/get" aria-label="Get it on Google Play"></a>', ["Android"]),
        ('<a href="https://acme.go.link/x">Télécharger dans l’App Store</a>', ["iOS"]),
        ('<a href="/get"><img alt="App Storeからダウンロード"></a>', ["iOS"]),
        ('<a href="/get"><img alt="Jetzt bei Google Play"></a>', ["Android"]),
        ('<a href="/get">Mac App Store</a><a href="/get/win">Get it from Microsoft</a>', ["macOS", "Windows"]),
        ('<a href="/get"><img alt="Coming soon to the App Store"></a>', None),
        ('<a href="/customers/microsoft"><img alt="Microsoft"></a>', None),
        ('<a href="/blog/aso">How to rank on the App Store and Google Play</a>', None),
        ('<a href="/download?os=win">Windows</a><a href="/download?os=mac">macOS 12+</a>', ["Windows", "macOS"]),
        ('<a href="/blog/windows">Windows</a>', None),
        ("<pre><code>brew install --cask acme</code></pre>", ["macOS"]),
        ("<pre>winget install Acme.Acme</pre><pre>sudo apt install acme</pre>", ["Windows", "Linux"]),
        ("<pre>sudo apt install postgresql</pre>", None),
        ("<p>A single binary for Linux and macOS, or a container.</p>", ["Linux", "macOS"]),
        ("<p>It runs wherever you do: Windows, macOS.</p>", ["Windows", "macOS"]),
        ("<p>Draw and write in one place, on Mac and Windows.</p>", ["macOS", "Windows"]),
        ("<p>It's tiny. Acme runs on all of Windows 8 to Windows 11.</p>" + "<p>So small.</p>" * 30, ["Windows"]),
        ("<p>One native Mac and Windows app.</p>", ["macOS", "Windows"]),
        ("<p>Plug it into your editor, or use the app of its own on Windows 10 and macOS.</p>", ["Windows", "macOS"]),
        ("<p>Acme works in every browser.</p>", ["Web"]),
        ("<p>だれでもブラウザで使えます。</p>", ["Web"]),
        ('<a href="https://app.acme.com/login">Log in</a>', ["Web"]),
        ('<a href="https://app.other.com/login">Other</a>', None),
        ("<p>An app for Android is coming soon.</p>", None),
        ("<p>Acme is not available for Linux.</p>", None),
        ("<p>We fix your windows, and android dreams.</p>", None),
        ("<blockquote>Available for Linux!</blockquote>", None),
        ('<a href="https://apps.apple.com/app/one/id1">1</a><a href="https://apps.apple.com/app/two/id2">2</a>', None),
        (f'<a href="{APP_STORE}"><img alt="Download on the Mac App Store"></a>', ["macOS"]),
        ('<ul><li role="tab">macOS</li><li role="tab">Linux</li></ul>', ["macOS", "Linux"]),
        ('<ul><li role="tab">Linux</li><li role="tab">Docker</li></ul>', None),
        ("<p>Acme is a level editor for Windows, macOS and Linux.</p>", ["Windows", "macOS", "Linux"]),
        ("<p>Linux, macOS or Windows. No daemon.</p>", ["Linux", "macOS", "Windows"]),
        ("<p>Windows. No daemon.</p>", None),
        ("<p>Requires WordPress 6.2 and WooCommerce 8</p>", ["WordPress"]),
        ("<p>Our plugin for WordPress</p>", ["WordPress"]),
        ("<p>Our customers run WordPress</p>", None),
        ('<a href="https://apps.apple.com/developer/acme">Developer</a>', None),
    ],
)
def test_platforms_of_a_page(body: str, expected: list[str] | None) -> None:
    assert field("platforms", home(body)) == expected


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Finns för iOS och Android", ["iOS", "Android"]),
        ("Ladda ner för Windows och Mac", ["Windows", "macOS"]),
        ("Kräver macOS 14 eller senare", ["macOS"]),
        ("Appen finns till iPhone och Android", ["iOS", "Android"]),
        ("Acme är en app för Mac och Windows", ["macOS", "Windows"]),
        ("Fungerar direkt i webbläsaren, utan installation", ["Web"]),
        ("Acme fungerar i alla webbläsare", ["Web"]),
        ("Appen kommer snart, tillgänglig för Android", None),
        ("Findes til iPhone og Android", ["iOS", "Android"]),
        ("Last ned for Windows", ["Windows"]),
        ("Kører i browseren", ["Web"]),
        ("Fungerer i nettleseren", ["Web"]),
        ("Funziona su Windows e macOS", ["Windows", "macOS"]),
        ("Si usa nel browser", ["Web"]),
        ("Funciona en el navegador del ordenador o el móvil", ["Web"]),
        ("Werkt in elke browser", ["Web"]),
        ("Voor macOS en Windows. Hij telt je uren.", ["macOS", "Windows"]),
        ("Für Windows 10 und 11.", ["Windows"]),
        (
            "Ja, ab Windows 10. Außerdem für iPad, Android-Tablets und Mac.",
            ["Windows", "iOS", "Android", "macOS"],
        ),
        ("Ja, Windows stürzt ab.", None),
        ("For Android developers.", None),
        ("För Windows och dörrar.", None),
        ("Działa na Windows i Linux", ["Windows", "Linux"]),
        ("Windows 10 nebo novější", ["Windows"]),
        ("macOS 13 eller nyare", ["macOS"]),
        ("Windows 10 or 11, 8 GB of memory, 1 GB of disk. It won’t start on a Mac.", ["Windows"]),
        ("Windows 10 fans, rejoice!", None),
        ("A small binary on Linux, without a daemon", ["Linux"]),
        ("Everything in your browser, without an installer", ["Web"]),
        ("Use no Android ou no navegador", ["Android", "Web"]),
        ("Funziona su Windows, nessuna app per Mac", ["Windows"]),
        ("Works on Windows. There is no Android or iPhone app.", ["Windows"]),
        ("There is no app for iPhone, use it in your browser.", ["Web"]),
        ("Is there an iPhone app?", None),
        ("Gibt es eine App für Android? Nein.", None),
        ("Acme does not run on Linux.", None),
        ("Läuft nicht auf dem Mac.", None),
        ("Ne fonctionne pas sur Windows.", None),
        ("Neběží na Linux.", None),
        ("Nie działa na Windows.", None),
    ],
)
def test_platforms_in_more_languages(said: str, expected: list[str] | None) -> None:
    assert field("platforms", home(f"<p>{said}</p>")) == expected
    assert field("platforms", home(head=f'<meta name="description" content="{said}">')) == expected


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Ladda ner i App Store", ["iOS"]),
        ("Ladda ned på App Store", ["iOS"]),
        ("Finns nu på Google Play", ["Android"]),
        ("Last ned på Google Play", ["Android"]),
        ("Beschikbaar in de App Store", ["iOS"]),
        ("Verkrijgbaar in App Store", ["iOS"]),
        ("Så syns din app i App Store", None),
    ],
)
def test_badges_in_more_languages(said: str, expected: list[str] | None) -> None:
    assert field("platforms", home(f'<a href="/x">{said}</a>')) == expected


@pytest.mark.parametrize(
    ("asked", "answered", "expected"),
    [
        ("Is there an Android app?", "Yes, since May.", ["Android"]),
        ("Is there an Android app?", "No, there isn’t.", None),
        ("Is there an Android app?", "Yes, but it isn’t finished.", None),
        ("¿Hay aplicación móvil?", "Sí, para iPhone y Android.", ["iOS", "Android"]),
        ("Does it run on phones?", "It works in every browser.", ["Web"]),
        ("Is there an iPhone app?", "Not yet. On iPhone use the browser.", None),
    ],
)
def test_answers_say_where_it_runs(asked: str, answered: str, expected: list[str] | None) -> None:
    hidden = f'<dl><dt><button>{asked}</button></dt><dd style="display:none">{answered}</dd></dl>'
    assert field("platforms", home(), page(hidden, path="faq")) == expected


@pytest.mark.parametrize("label", ["app", "mijn", "panel", "dashboard"])
def test_a_host_of_the_app_is_a_web_app(label: str) -> None:
    assert field("platforms", home(f'<a href="https://{label}.acme.com/">Open</a>')) == ["Web"]


def test_of_several_apps_the_one_with_the_site_s_name_counts() -> None:
    other = '<a href="https://apps.apple.com/app/expo-go/id98">Expo</a>'
    assert field("platforms", home(f'{other}<a href="{APP_STORE}">Get it</a>')) == ["iOS"]


def test_declared_systems_come_first() -> None:
    node = {"@type": "SoftwareApplication", "name": "Acme", "operatingSystem": "Windows, macOS"}
    link = '<a href="https://play.google.com/store/apps/details?id=com.acme">Google Play</a>'
    assert field("platforms", home(link, head=json_ld(node))) == ["Windows", "macOS", "Android"]
    anywhere = json_ld({**node, "operatingSystem": "Any"})
    assert field("platforms", home(head=anywhere)) is None


def test_the_docs_say_where_it_runs_too() -> None:
    docs = page("<p>The tool runs on Linux.</p>", path="docs/intro")
    assert field("platforms", home(), docs) == ["Linux"]
    assert field("platforms", home(), page("<p>The tool runs on Linux.</p>", path="blog/intro")) is None


def test_the_description_names_the_app() -> None:
    assert field("platforms", home(head='<meta name="description" content="Notes in one Windows app.">')) == ["Windows"]


@pytest.mark.parametrize(
    "said", ["<p>Acme works in your browser.</p>", '<a href="https://app.acme.com/pay">Upgrade</a>']
)
def test_an_extension_is_no_web_app(said: str) -> None:
    extension = '<a href="https://marketplace.visualstudio.com/items?itemName=acme.acme">Add it</a>'
    assert field("platforms", home(f"{extension}{said}")) == ["VS Code"]
    account = '<nav><a href="/account">Your account</a></nav>'
    assert field("platforms", home(f"{account}{extension}{said}")) == ["VS Code"]
    declared = json_ld({"@type": "SoftwareApplication", "name": "Acme", "operatingSystem": "Web"})
    assert field("platforms", home(f"{extension}{said}", head=declared)) == ["Web", "VS Code"]


def test_a_product_says_that_it_has_a_web_app_too() -> None:
    extension = '<a href="https://chromewebstore.google.com/detail/acme/abc">Add to Chrome</a>'
    assert field("platforms", home(f"{extension}<p>Available on the web and for iOS.</p>")) == ["Chrome", "Web", "iOS"]
    assert field("platforms", home(f"{extension}<p>Works on all web browsers.</p>")) == ["Chrome"]


@pytest.mark.parametrize(
    "way_in",
    [
        '<a href="https://app.acme.com/login">Log in</a>',
        '<a href="https://app.acme.com/">Open Acme</a>',
        '<a href="/signup">Start free</a>',
        '<a href="/users/sign_up">Try it</a>',
        '<a href="/start">Sign up for free</a>',
        '<a href="/los">Kostenlos registrieren</a>',
        '<a href="/entrar">Iniciar sesión</a>',
    ],
)
def test_a_web_app_with_an_extension_stays_one(way_in: str) -> None:
    extension = '<a href="https://chromewebstore.google.com/detail/acme/abc">Add to Chrome</a>'
    said = "<p>Acme works in your browser.</p>"
    assert set(field("platforms", home(f"{way_in}{said}<footer>{extension}</footer>"))) == {"Chrome", "Web"}

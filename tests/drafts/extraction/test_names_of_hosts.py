"""A name comes from what the page says. The host only confirms it, in any script and spelling."""

import pytest

from apps.drafts.extraction.document.addresses import same_site
from apps.drafts.extraction.document.titles import domain_fit
from apps.drafts.extraction.text.spellings import spells
from tests.core.test_hosts import ace
from tests.drafts.extraction.pages import field, home, page


def name_on(host: str, head: str, body: str = "<h1>Was wir tun</h1>") -> str | None:
    result: str | None = field("name", page(body, head=head, host=f"http://{ace(host)}/"))
    return result


@pytest.mark.parametrize(
    ("host", "title", "name"),
    [
        ("krümel.de", "Krümel - Backplanung", "Krümel"),
        ("www.krümel.de", "Backplanung | KRÜMEL", "KRÜMEL"),
        ("kruemel.de", "Krümel - Backplanung", "Krümel"),
        ("krumel.de", "Krümel - Backplanung", "Krümel"),
        ("krümel.de", "Kruemel - Backplanung", "Kruemel"),
        ("straßenfest.de", "Straßenfest – Feste planen", "Straßenfest"),
        ("strassenfest.de", "Straßenfest – Feste planen", "Straßenfest"),
        ("smoerrebroed.dk", "Smørrebrød – frokost til kontoret", "Smørrebrød"),
        ("smorrebrod.dk", "Smørrebrød – frokost til kontoret", "Smørrebrød"),
        ("cremebrulee.fr", "Crème Brûlée | La pâtisserie facile", "Crème Brûlée"),
        ("pokoj.pl", "Łódź pokoje – Pokój", "Pokój"),
        ("istanbulkart.com.tr", "İstanbulkart - Toplu taşıma", "İstanbulkart"),
        ("caphe.vn", "Cà Phê - Giao tận nơi", "Cà Phê"),
        ("пекарня.рф", "Пекарня — планирование выпечки", "Пекарня"),
        ("pekarnya.ru", "Пекарня — планирование выпечки", "Пекарня"),
        ("pekarnia.ru", "Пекарня — планирование выпечки", "Пекарня"),
        ("schetazaminutu.ru", "Счета за минуту | Для бизнеса", "Счета за минуту"),
        ("shchuka.ru", "Щука – рыбные рецепты", "Щука"),
        ("khata.ua", "Хата – оренда житла", "Хата"),
        ("elektrik.bg", "Електрик - майстори", "Електрик"),
        ("loukoumi.gr", "Λουκούμι – γλυκά στο σπίτι", "Λουκούμι"),
        ("getkruemel.de", "Krümel - Backplanung", "Krümel"),
        ("kruemelapp.de", "Krümel - Backplanung", "Krümel"),
        ("efchi.gr", "Ευχή – δώρα", "Ευχή"),
        ("paulos.gr", "Παύλος – φωτογραφίες", "Παύλος"),
        ("日本語.jp", "日本語 | 請求書アプリ", "日本語"),
        ("smithandsons.com", "Smith & Sons - Bakery", "Smith & Sons"),
        ("smithsons.com", "Bakery – Smith & Sons", "Smith & Sons"),
        ("muellerundsoehne.de", "Müller & Söhne - Bäckerei", "Müller & Söhne"),
        ("martinetfils.fr", "Boulangerie | Martin & Fils", "Martin & Fils"),
    ],
)
def test_the_host_confirms_the_name_on_the_page(host: str, title: str, name: str) -> None:
    assert name_on(host, f"<title>{title}</title>") == name


@pytest.mark.parametrize(
    ("host", "name"),
    [("krümel.de", "Krümel"), ("krümel-laden.de", "Krümel Laden"), ("пекарня.рф", "Пекарня"), ("xn--a.de", "Xn A")],
)
def test_a_host_alone_gives_its_name_in_its_own_script(host: str, name: str) -> None:
    assert name_on(host, "") == name


def test_a_host_with_symbols_gives_no_name_while_the_page_has_a_title() -> None:
    assert name_on("xn--i-7iq.ws", "<title>I❤ - Letters for friends</title>") == "I❤"


def test_a_declared_name_beats_what_a_host_spells() -> None:
    site = '<meta property="og:site_name" content="Bäckerei Krümel"><title>Krümel - Backplanung</title>'
    assert name_on("bm24.de", site) == "Bäckerei Krümel"


def test_a_name_that_was_read_whole_beats_one_with_lost_letters() -> None:
    site = '<meta property="og:site_name" content="Kr\ufffdmel"><title>Krümel - Backplanung</title>'
    assert name_on("krümel.de", site) == "Krümel"


@pytest.mark.parametrize(
    ("name", "url", "fit"),
    [
        ("Krümel", f"http://{ace('krümel.de')}/", 1),
        ("Krümel", "https://kruemel.de/", 1),
        ("Krümel", "https://kruemelladen.de/", 0.5),
        ("Krümel", "https://crumb.de/", 0),
        ("Ünal", "https://nal.com/", 0),
        ("Пекарня", "https://pekarnya-doma.ru/", 0.5),
        ("Пекарня", "https://bakery.ru/", 0),
        ("日本語", "https://nihongo.jp/", 0),
        ("Acme", "https://acme.com/", 1),
    ],
)
def test_how_well_a_name_fits(name: str, url: str, fit: float) -> None:
    assert domain_fit(name, url) == fit


def test_a_name_of_ambiguous_letters_comes_to_an_end() -> None:
    for letters in ("й" * 40, "ий" * 20, "щш" * 20, "ь" * 40, "αι" * 20, "ъй" * 20):
        assert not spells("i" * 62 + "q", letters)
        assert not spells("y" * 62 + "q", letters)


def test_links_to_the_own_host_are_the_same_site_however_it_is_written() -> None:
    result = home('<a href="http://KRÜMEL.de/preise">Preise</a>', host=f"http://{ace('krümel.de')}/")
    [(address, _)] = result.document.anchors
    assert address == f"http://{ace('krümel.de')}/preise"
    assert same_site(address, result.url)
    assert same_site("http://krümel.de/", result.url)


@pytest.mark.parametrize(
    ("host", "shown", "email"),
    [
        ("krümel.de", '<a href="mailto:Info@Krümel.de">Mail</a>', "info@xn--krmel-lva.de"),
        ("krümel.de", '<a href="mailto:info@kr%C3%BCmel.de?subject=x">Mail</a>', "info@xn--krmel-lva.de"),
        ("krümel.de", "<footer>Schreib an info@krümel.de, gern.</footer>", "info@xn--krmel-lva.de"),
        ("krümel.de", "<footer>info [at] krümel [punkt] de</footer>", "info@xn--krmel-lva.de"),
        ("krümel.de", "<footer>info@xn--krmel-lva.de</footer>", "info@xn--krmel-lva.de"),
        ("пекарня.рф", "<footer>Почта: info@пекарня.рф</footer>", f"info@{ace('пекарня.рф')}"),
        ("日本語.jp", "<footer>メールはinfo@日本語.jpまで。</footer>", f"info@{ace('日本語.jp')}"),
        ("acme.jp", "<footer>メールはinfo@acme.jpまで。</footer>", "info@acme.jp"),
        ("acme.ru", "<footer>info@acme.ru или по телефону</footer>", "info@acme.ru"),
        ("krümel.de", '<a href="mailto:info@krü..mel.de">Mail</a>', None),
    ],
)
def test_an_address_at_an_international_host_is_a_contact(host: str, shown: str, email: str | None) -> None:
    assert field("contact_email", page(shown, host=f"http://{ace(host)}/")) == email

"""Since when, where and how many: of the site itself, not of those it speaks about."""

from datetime import UTC, datetime
from typing import Any

import pytest

from apps.core.text.countries import COUNTRIES
from apps.drafts.extraction.company.facts import find_company
from apps.drafts.extraction.company.places import Place, country_of, place_in
from tests.drafts.extraction.pages import draft, field, home, json_ld, page

NEXT_YEAR = datetime.now(UTC).year + 1


def about(name: str, body: str, *, path: str = "about", lang: str = "en") -> Any:
    return field(name, home(), page(body, path=path, lang=lang))


@pytest.mark.parametrize(
    "text",
    [
        "Acme was founded in 2019.",
        "Acme was founded in Berlin in 2019.",
        "Acme is a company founded in 2019 by two friends.",
        "We founded Acme in 2019 to make invoices fun.",
        "Founded in 2019, Acme writes invoices.",
        "Founded in 2019 by Ada Lovelace, we write invoices.",
        "Our company was established in 2019.",
        "The company was incorporated in 2019.",
        "Founded in London in 2019 by three people who had lost 37p.",
        "Em 2019 fundou a Acme com o irmão.",
        "Acme gibt es seit 2019.",
        "We started building Acme in a garage in 2019.",
        "Abrimos en 2019, justo entonces.",
        "Milou en Bas werkten in Utrecht voordat ze in 2019 Acme begonnen.",
        "Founded 2019",
        "Founded: 2019",
        "Est. 2019",
        "Established in 2019",
        "Founded in 2019 in Berlin",
        "Wir wurden 2019 gegründet.",
        "Acme wurde im Jahr 2019 in Köln gegründet.",
        "Gegründet: 2019",
        "Gründungsjahr: 2019",
        "Nous avons fondé Acme en 2019.",
        "Fondée en 2019, Acme rédige vos factures.",
        "Acme fue fundada en 2019.",
        "Fundada em 2019",
        "Acme è stata fondata nel 2019.",
        "Acme is opgericht in 2019.",
        "Acme grundades 2019.",
        "Мы основаны в 2019 году, наша компания основана в 2019.",
        "設立：2019年",
        "当社は2019年に設立されました。",
        "公司成立于2019年。",
        "설립 2019년",
        "Gegründet 2019 in Leipzig",
        "Gegründet 2019 in Leipzig. Heute arbeiten zwölf Menschen für Acme.",
        "Gegründet in Leipzig, 2019",
        "Gegründet 2019 in Leipzig · 12 Menschen · ohne Fremdkapital",
        "Seit unserer Gründung 2019 wachsen wir.",
        "Since our founding in 2019 much has changed.",
        "Depuis notre création en 2019, tout a changé.",
        "Fondée en 2019 à Lyon",
        "Fondée en avril 2019",
        "Fundada en 2019 en Madrid",
        "Fundado em 2019 no Porto, a Acme ajuda quem vende.",
        "Fondata nel 2019 a Milano",
        "Fondato nel 2019",
        "Opgericht in 2019 in Utrecht",
        "Grundad 2019 i Malmö",
        "Założona w 2019 roku w Krakowie",
        "Założono 2019",
        "Основана в 2019 году в Москве",
        "Основана в 2019 г.",
        "تأسست في عمّان عام 2019",
        "تأسست Acme في عمّان عام 2019.",
        "تأسست شركتنا عام ٢٠١٩.",
        "سنة التأسيس: 2019",
        "Acme began in 2019 as a list on a fridge.",
        "Acme was born in Oslo in 2019.",
        "Acme opened in 2019 in a former bakery.",
        "Acme est né en 2019 à Lille.",
        "Acme nació en Bilbao en 2019.",
        "A lamp. Acme nasceu em 2019.",
        "Acme è nato nel 2019.",
        "Acme begon in 2019 met een stapel kaarten.",
        "Acme ble startet i Tromsø i 2019 av to søstre.",
        "Acme powstał w 2019 roku w Łodzi.",
        "Acme vznikl v roce 2019.",
        "Nous avons commencé en 2019, dans un garage.",
        "Abbiamo iniziato nel 2019.",
        "Vi startade 2019 i en källare.",
        "Zaczęliśmy w 2019 roku.",
        "In 2019 I started Acme at a kitchen table.",
        "Ada Bright started it in 2019 for her choir.",
        "Acme is made by two sisters since 2019.",
        "It is written by one person, mostly on trains, since 2019.",
        "Made in Oslo, Norway since 2019.",
        "We have been building Acme since 2019.",
        "Program tworzymy od roku 2019, od 2022 z pomocnikiem.",
        "Wir entwickeln Acme seit 2019.",
        "Somos quatro, e gostamos de chá. Desde 2019.",
        "設立：2019年4月1日",
        "設立 ２０１９年４月",
        "2019年4月に京都で創業しました。",
        "<dl><dt>設立</dt><dd>2019年4月</dd><dt>代表</dt><dd>山田</dd></dl>",
        "<table><tr><th>設立年月日</th><td>2019年4月1日</td></tr></table>",
        "<table><tr><td>Gründung</td><td><p>April 2019</p></td></tr></table>",
        "<div><div>Founded</div><div>2019</div></div>",
        "<div><strong>2019</strong><p>gegründet</p></div>",
        "<dl><div><dt>Création</dt><dd>x</dd></div><div><dt>Année de création</dt><dd>2019</dd></div></dl>",
    ],
)
def test_the_year_beside_a_word_that_says_founded(text: str) -> None:
    assert about("founded_year", f"<p>{text}</p>") == 2019


@pytest.mark.parametrize(
    "text",
    [
        "© 2019 Acme",
        "Copyright 2019–2024 Acme Inc.",
        "Since 2019 customers trust us.",
        "Serving customers since 2019",
        "Trusted by 2019 companies",
        "Our customer Zapmail was founded in 2019.",
        "Zapmail, founded in 2019, uses Acme.",
        "We love Zapmail, founded in 2019.",
        "Zapmail was founded in 2019.",
        "Acme works with the Smith Trust, founded in 2019.",
        f"Acme was founded in {NEXT_YEAR}.",
        "Acme was founded by Ada. " + "It grew and grew and grew all over the world, and ever more so. " * 3 + " 2019",
        "Acme was founded in 2012 and moved in 2019.",
        "Version 2019",
        "Acme started in 2019 to support Oslo.",
        "Acme opened in 2019 a second office.",
        "Acme began in 2019 shipping to Norway.",
        "Acme began 2019 with 300 shops.",
        "Zapmail began in 2019 as a joke.",
        "We started hiring in 2019.",
        "Empezamos a vender en 2019.",
        "Zapmail is made by two sisters since 2019.",
        "Made in Rust since 2019.",
        "Made with care. Since 2019 audited.",
        "ISO 27001 since 2019",
        "A choir. Since 2019.",
        "We have been building since 12.",
        "Acme wurde 2019 ausgezeichnet.",
        "Acme was founded on 12.2019.1",
        "Zapmail. Founded 2019 in Berlin.",
        "Founded in 2019, Zapmail writes invoices.",
        "Founded in 2019 by Ada Lovelace, Zapmail writes invoices.",
        "We started with Zapmail in 2019.",
        "Our customers: Founded 2019 in Berlin. Happy since.",
        "2019年に子会社を設立しました。",
        "2019年に山田は別の会社を設立しました。",
        "Gründung Zapmail 2019",
        "<table><tr><th>Founded</th><td>2019</td><td>2012</td></tr></table>",
        "<dl><dt>Founded</dt><dd>2019</dd><dd>2012</dd></dl>",
        "<div><div>Founded</div><div>2019</div><div>2020</div></div>",
        "<dl><dt>Founded</dt><dd>2019 companies</dd></dl>",
        "<p>Founded</p><p>x</p><p>2019</p>",
        "<dl><dt>設立</dt><dd>2019年から2022年</dd></dl>",
        "<dl><dt>Updated</dt><dd>2019</dd></dl>",
    ],
)
def test_other_years(text: str) -> None:
    assert about("founded_year", f"<p>{text}</p>") is None


def test_the_name_without_its_version() -> None:
    pages = [home("<p>Acme is made by two sisters since 2019.</p>")]
    assert [find.value for find in find_company(pages, name="Acme 3").founded_year] == ["2019"]


def test_the_year_in_an_answer() -> None:
    assert about("founded_year", "<p>Acme was founded in 2019.</p>", path="faq") == 2019
    assert about("founded_year", "<p>Ada started it in 2019.</p>", path="faq") is None


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Acme · baking since 2019", 2019),
        ("Acme · seit 2019 · Impressum", 2019),
        ("© Acme 2019", None),
        ("Acme · GDPR compliant since 2019", None),
        ("Oslo · since 2019", None),
    ],
)
def test_the_year_beside_the_name_in_a_footer(line: str, expected: int | None) -> None:
    assert field("founded_year", home(f"<footer><p>{line}</p></footer>")) == expected


@pytest.mark.parametrize("frame", ["<blockquote>{}</blockquote>", '<div class="testimonial">{}</div>', "<nav>{}</nav>"])
def test_what_others_say_of_themselves(frame: str) -> None:
    text = "<p>We founded our company in 2019. We are a team of 40. We are based in Lisbon, Portugal.</p>"
    body = frame.format(text)
    assert not {"founded_year", "team_size", "city", "country"} & set(
        draft(home(body), page(body, path="about")).fields
    )


@pytest.mark.parametrize("path", ["blog", "pricing", "docs", "changelog"])
def test_pages_about_other_things(path: str) -> None:
    assert about("founded_year", "<p>We were founded in 2019.</p>", path=path) is None


OWN = {"@type": "Organization", "name": "Acme"}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2019", 2019), ("2019-04-01", 2019), (2019, 2019), ({"@value": "2019"}, None), ("April 2019", 2019),
        ("in the nineties", None), (19, None), ("0000", None), (str(NEXT_YEAR), None), ([], None), ("1492", None),
        ({"@type": "Date", "@value": "2019"}, None),
    ],
)  # fmt: skip
def test_declared_year(value: object, expected: int | None) -> None:
    assert field("founded_year", home(head=json_ld({**OWN, "foundingDate": value}))) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (12, 12), ("12", 12), ("1,200", 1200), ({"@type": "QuantitativeValue", "value": 12}, 12),
        ({"@type": "QuantitativeValue", "minValue": 11, "maxValue": 50}, None), ("11-50", None), ("a dozen", None),
        (0, None), (-3, None), (True, None), (10**12, None), ([12], None),
    ],
)  # fmt: skip
def test_declared_size(value: object, expected: int | None) -> None:
    assert field("team_size", home(head=json_ld({**OWN, "numberOfEmployees": value}))) == expected


def test_declared_facts_of_another_organization() -> None:
    other = {"@type": "Organization", "name": "Zapmail", "foundingDate": "2019", "numberOfEmployees": 12}
    other["address"] = {"addressLocality": "Lisbon", "addressCountry": "PT"}
    assert not {"founded_year", "team_size", "city", "country"} & set(draft(home(head=json_ld(other))).fields)
    both = draft(home(head=json_ld([other, {**OWN, "foundingDate": "2012"}])))
    assert both.fields["founded_year"] == 2012
    nameless = {key: value for key, value in other.items() if key != "name"}
    assert draft(home(head=json_ld(nameless))).fields["founded_year"] == 2019
    assert "founded_year" not in draft(home(head=json_ld([nameless, nameless]))).fields


@pytest.mark.slow
def test_microdata() -> None:
    body = """<div itemscope itemtype="http://schema.org/Organization"><span itemprop="name">{}</span>
    <time itemprop="foundingDate" datetime="2019-05-01">May 2019</time>
    <div itemprop="address" itemscope itemtype="http://schema.org/PostalAddress">
    <span itemprop="addressLocality">Lisbon</span> <span itemprop="addressCountry">Portugal</span></div></div>"""
    fields = draft(home(body.format("Acme"))).fields
    assert (fields["founded_year"], fields["city"], fields["country"]) == (2019, "Lisbon", "PT")
    assert "founded_year" not in draft(home(body.format("Zapmail"))).fields


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We are a team of 12 people.", 12),
        ("Our team of 12 works from everywhere.", 12),
        ("We're 12 people in three countries.", 12),
        ("Acme has 1,200 employees.", 1200),
        ("Acme is a team of 12.", 12),
        ("Acme is built by 12 people in Lisbon.", 12),
        ("Today we are a remote team of 12 makers.", 12),
        ("Wir sind ein Team von 12 Leuten.", 12),
        ("Wir sind 12 Menschen.", 12),
        ("Acme beschäftigt rund 120 Mitarbeiter.", 120),
        ("Nous sommes une équipe de 12 personnes.", 12),
        ("Somos un equipo de 12 personas.", 12),
        ("Somos uma equipe de 12 pessoas.", 12),
        ("Siamo una squadra di 12 persone.", 12),
        ("25 employees", 25),
        ("Team size: 25", 25),
        ("Perfect for a team of 12.", None),
        ("Acme fits every team of 12 people.", None),
        ("Up to 12 team members", None),
        ("We help teams of 12 people.", None),
        ("We are trusted by 1,200 people.", None),
        ("We are a team of 10-20 people.", None),
        ("We are a team of ten.", 10),
        ("Heute sind wir 34 Menschen: Lohnfachleute und ein Hund.", 34),
        ("There are eight of us now.", 8),
        ("Somos seis personas en el centro.", 6),
        ("We werken met 17 mensen aan de Oudegracht.", 17),
        ("64 people across London and Vilnius.", 64),
        ("64 people love it.", None),
        ("One of six people agrees.", None),
        ("We are seven: six bakers and a cook.", 7),
        ("Siamo in otto, tutti a Lucca.", 8),
        ("Somos nove, e uma gata.", 9),
        ("Nous sommes aujourd’hui quatorze, sans patron.", 14),
        ("Wir sind heute nur drei, und das reicht.", 3),
        ("Vi är fortfarande bara fem, plus en katt.", 5),
        ("Acme is made by two sisters and used by 40 people.", None),
        ("Acme is made by Ada & Bo, two people in Oslo.", 2),
        ("It is written by one person, mostly on trains.", 1),
        ("Zapmail is written by one person.", None),
        ("Today four of us work on Acme.", 4),
        ("Four of us work from Oslo.", None),
        ("Today 41 people work here.", 41),
        ("Our 41 people work from Oslo and Lille.", 41),
        ("Nu werken we met zestien mensen aan Acme.", 16),
        ("Dziś jest nas 16 osób.", 16),
        ("Bugün 16 kişilik bir ekibiz.", 16),
        ("Vier Menschen, eine Werkstatt.", 4),
        ("Six people, one barn", 6),
        ("Zeven mensen aan de kade", 7),
        ("Gemaakt in Friesland door zes mensen.", 6),
        ("400 people, one barn", None),
        ("Acme began in 2019 at a fair. Sixteen people work on the ovens.", 16),
        ("We are ten.", None),
        ("We are 10 years old, and proud.", None),
        ("We are two of a kind.", None),
        ("<table><tr><th>従業員数</th><td>9名</td></tr></table>", 9),
        ("<table><tr><th>Customers</th><td>9</td></tr></table>", None),
        ("Zapmail has 1,200 employees.", None),
        ("We have 12 offices.", None),
        ("11-50 employees", None),
        ("We have 100% employees happy", None),
    ],
)
def test_team_size(text: str, expected: int | None) -> None:
    assert about("team_size", f"<p>{text}</p>") == expected


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ({"addressLocality": "Lisbon", "addressCountry": "PT"}, ("Lisbon", "PT")),
        ({"addressLocality": "Köln", "addressCountry": "Deutschland"}, ("Köln", "DE")),
        ({"addressLocality": "Paris", "addressCountry": {"@type": "Country", "name": "France"}}, ("Paris", "FR")),
        ([{"addressLocality": "Austin", "addressCountry": "USA"}], ("Austin", "US")),
        ({"addressLocality": "London", "addressCountry": "UK"}, ("London", "GB")),
        ({"addressLocality": "10115", "addressCountry": "Atlantis"}, (None, None)),
        ({"addressLocality": "x" * 90, "addressCountry": "zz"}, (None, None)),
        ("Main street 1, Lisbon", (None, None)),
        ([{"addressLocality": "Lisbon"}, {"addressLocality": "Porto"}], (None, None)),
        ({"addressLocality": [3], "addressCountry": [None]}, (None, None)),
    ],
)
def test_declared_address(address: object, expected: tuple[str | None, str | None]) -> None:
    fields = draft(home(head=json_ld({**OWN, "address": address}))).fields
    assert (fields.get("city"), fields.get("country")) == expected


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (("Acme GmbH", "Ringstraße 1", "10115 Berlin", "Germany"), ("Berlin", "DE")),
        (("Ringstraße 1, 10115 Berlin, Deutschland",), ("Berlin", "DE")),
        (("Ringstr. 1", "D-10115 Berlin"), ("Berlin", "DE")),
        (("Hauptplatz 2", "1010 Wien", "Österreich"), ("Wien", "AT")),
        (("5 rue de Rivoli", "75001 Paris", "France"), ("Paris", "FR")),
        (("Keizersgracht 1", "1015 CJ Amsterdam", "The Netherlands"), ("Amsterdam", "NL")),
        (("ul. Prosta 1", "00-001 Warszawa", "Polska"), ("Warszawa", "PL")),
        (("Rua Augusta 1", "1100-053 Lisboa", "Portugal"), ("Lisboa", "PT")),
        (("Storgatan 1", "111 22 Stockholm", "Sverige"), ("Stockholm", "SE")),
        (("1 Main St", "Austin, TX 78701"), ("Austin", "US")),
        (("1 Main St, San Francisco, CA 94105, USA",), ("San Francisco", "US")),
        (("1 High Street", "London EC1A 1BB"), ("London", "GB")),
        (("1 High Street, London, EC1A 1BB, United Kingdom",), ("London", "GB")),
        (("Ringstraße 1", "10115 Berlin"), (None, None)),
        (("10115 Invoices", "Sent"), (None, None)),
        (("2019 Customers", "France"), (None, None)),
        (("© 2024 Acme", "Germany"), (None, None)),
        (("© 10115 Berlin, Germany",), ("Berlin", "DE")),
        (("Rue du Lac 3", "2000 Neuchâtel", "Suisse"), ("Neuchâtel", "CH")),
        (("Rue du Lac 3, CH-2000 Neuchâtel",), ("Neuchâtel", "CH")),
    ],
)
def test_address_lines(lines: tuple[str, ...], expected: tuple[str | None, str | None]) -> None:
    fields = draft(home(f"<footer><p>{'<br>'.join(lines)}</p></footer>")).fields
    assert (fields.get("city"), fields.get("country")) == expected


def test_addresses_in_the_midst_of_a_home_page_are_those_of_others() -> None:
    assert field("city", home("<p>10115 Berlin, Germany</p>")) is None
    assert field("city", home("<address>10115 Berlin, Germany</address>")) == "Berlin"
    assert about("city", "<p>10115 Berlin, Germany</p>", path="contact") == "Berlin"
    assert about("city", "<p>10115 Berlin, Germany</p>", path="blog") is None


def test_the_company_is_the_site_only_on_pages_about_it() -> None:
    text = "<p>The company is based in Lisbon, Portugal. The company was founded in 2019.</p>"
    assert not {"city", "founded_year"} & set(draft(home(text)).fields)
    assert (about("city", text), about("founded_year", text)) == ("Lisbon", 2019)


def test_several_offices_have_no_one_city_unless_one_is_the_main_one() -> None:
    two = "<p>10115 Berlin, Germany</p><p>50667 Köln, Germany</p>"
    assert (about("city", two, path="contact"), about("country", two, path="contact")) == (None, "DE")
    abroad = "<h3>{}</h3><p>10115 Berlin, Germany</p><h3>Sales</h3><p>a</p><p>b</p><p>c</p><p>75001 Paris, France</p>"
    assert about("country", abroad.format("Office"), path="contact") is None
    assert about("city", abroad.format("Headquarters"), path="contact") == "Berlin"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We are based in Lisbon, Portugal.", ("Lisbon", "PT")),
        ("Acme is based in San Francisco.", ("San Francisco", None)),
        ("Acme is headquartered in Austin, Texas.", ("Austin", "US")),
        ("We're a small team based in Germany.", (None, "DE")),
        ("We are a team of 12 people, based in Lisbon, Portugal.", ("Lisbon", "PT")),
        ("Acme is made in Lisbon, Portugal by two people.", ("Lisbon", "PT")),
        ("We are partners with Zapmail, based in Lisbon, Portugal.", (None, None)),
        ("We are based in Atlanta, Georgia.", ("Atlanta", None)),
        ("We are based in Georgia.", (None, None)),
        ("Based in Lisbon, Portugal, we write invoices.", ("Lisbon", "PT")),
        ("Acme Systems Limited is registered in England and Wales (No. 00000000).", (None, "GB")),
        ("Acme is made by Wren Pvt. Ltd., 80 Feet Road, Indiranagar, Bengaluru 560038.", ("Bengaluru", "IN")),
        ("Wir sind ein Unternehmen mit Sitz in Köln.", ("Köln", None)),
        ("Nous sommes basés à Lyon, France.", ("Lyon", "FR")),
        ("Somos una empresa con sede en Madrid, España.", ("Madrid", "ES")),
        ("Our customer Zapmail is based in Lisbon, Portugal.", (None, None)),
        ("Zapmail is based in Lisbon, Portugal.", (None, None)),
        ("We love Zapmail, based in Lisbon, Portugal.", (None, None)),
        ("Acme is made by Ada & Bo, two people in Tromsø, Norway, since 2019.", ("Tromsø", "NO")),
        ("Acme is built by 14 people in Victoria, British Columbia and on trains.", ("Victoria", "CA")),
        ("Four people and a cat in Launceston, Tasmania, Australia.", ("Launceston", "AU")),
        ("Four people in Lisbon, Portugal use Acme.", (None, None)),
        ("Zapmail is made by two people in Lisbon, Portugal.", (None, None)),
        ("We are based in the cloud.", (None, None)),
        ("We are based in Europe.", (None, None)),
        ("Pricing is based in Dollars.", (None, None)),
        ("We decide based on Data Science.", (None, None)),
    ],
)
def test_where_sentences_say_they_are(text: str, expected: tuple[str | None, str | None]) -> None:
    fields = draft(home(), page(f"<p>{text}</p>", path="about")).fields
    assert (fields.get("city"), fields.get("country")) == expected


def test_countries_by_code_and_name() -> None:
    assert {country_of(name) for name in ("DE", "Germany", "Deutschland", "germany.", "ALLEMAGNE")} == {"DE"}
    assert (country_of("UK"), country_of("de"), country_of("Berlin"), country_of("")) == ("GB", "", "", "")
    assert all(country_of(name) == code for code, name in COUNTRIES.items())
    assert place_in("Austin, TX 78701") == Place("Austin", "US")
    assert place_in("Austin, XX 78701") is None


def test_evidence_is_the_sentence() -> None:
    proposal = draft(home(), page("<p>Hello. Acme was founded in 2019. Bye.</p>", path="about"))
    evidence = next(item for item in proposal.evidence if item.field == "founded_year")
    assert (evidence.value, evidence.snippet) == ("2019", "Acme was founded in 2019.")
    assert evidence.page_url.endswith("/about")


@pytest.mark.parametrize(
    "text",
    [
        "We founded " * 20_000,
        "2019 " * 50_000,
        "We are based in " + "A " * 50_000,
        "12345 " + "Aa-" * 30_000,
        "We are a team of " + "1," * 50_000,
    ],
    ids=["verbs", "years", "places", "cities", "numbers"],
)
def test_hostile_lines_come_to_an_end(text: str) -> None:
    company = find_company([home(f"<footer>{text}</footer>"), page(f"<p>{text}</p>" * 3, path="about")], name="Acme")
    assert company.founded_year == []

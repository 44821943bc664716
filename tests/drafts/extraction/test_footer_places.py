"""Places in footers, which rarely have a postal code."""

import pytest

from apps.drafts.extraction.company.places import Place, place_below, place_in, place_in_footer
from tests.drafts.extraction.pages import draft, home, page


@pytest.mark.parametrize(
    ("line", "place"),
    [
        ("Acme Ltd · 14 Harbour Row, Bristol, United Kingdom", Place("Bristol", "GB")),
        ("Made by Mira Vale in Zagreb, Croatia, since 2022.", Place("Zagreb", "HR")),
        ("Widget is a trademark of Widget, Inc., 760 Market Street, San Francisco.", None),
        ("Run by Mira Vale from Tallinn, Estonia.", Place("Tallinn", "EE")),
        ("© 2014–2026 Two Hats Software, Portland, Oregon", Place("Portland", "US")),
        ("© 2026 Acme. 548 Market St, San Francisco", Place("San Francisco", "US")),
        ("© Acme, 5 Market St, Austin, TX", Place("Austin", "US")),
        ("Acme Ltd, York, UK. Registered in England.", Place("York", "GB")),
        ("Acme GmbH · Zürich", Place("Zürich", "CH")),
        ("© 2026 Acme GmbH, Lindenstr. 5, 80331 München", Place("München", "DE")),
        ("Acme GmbH, Kantstraße 4, 04275 Leipzig", Place("Leipzig", "DE")),
        ("© 2026 Acme, Inc. · Made in Ljubljana", Place("Ljubljana", "SI")),
        ("Made with ♥ in Lisbon, Portugal", Place("Lisbon", "PT")),
        ("Made in Andorra", Place("", "AD")),
        ("Acme Oy, Oulu", Place("Oulu", "FI")),
        ("Acme GmbH · Bregenz", Place("Bregenz", "")),
        ("Acme GmbH, 6900 Bregenz", Place("Bregenz", "")),
        ("Acme SAS, 12 rue des Lices, Niort", Place("Niort", "")),
        ("Acme Inc, Springfield", Place("Springfield", "")),
        ("Hecho en Valencia", Place("Valencia", "")),
        ("Berlin, Germany", Place("Berlin", "DE")),
        ("Acme Ltd, 14 Harbour Row, Bristol, United Kingdom · Imprint · Status", Place("Bristol", "GB")),
        ("© Acme Sound Inc. Tulsa, Oklahoma, USA", Place("Tulsa", "US")),
        ("Acme LLC, 9 Mill Road, Tulsa, Oklahoma 74103, United States", Place("Tulsa", "US")),
        ("Acme Inc, New York, USA", Place("New York", "US")),
        ("Acme Inc., 1209 Elm Street, Wilmington, Delaware 19801", Place("Wilmington", "US")),
        ("Acme Ltda. · Curitiba, PR, Brasil", Place("Curitiba", "BR")),
        ("Rua das Flores 7, 80010-010 Curitiba/PR – Brasil", Place("Curitiba", "BR")),
        ("Acme Pty Ltd, 12 King St, Hobart TAS 7000, Australia", Place("Hobart", "AU")),
        ("Acme Inc, 5 Elm St, Halifax, NS B3H 4R2, Canada", Place("Halifax", "CA")),
        ("Acme Inc, 5 Elm St, Toronto, Ontario, Canada", Place("Toronto", "CA")),
        ("© Acme B.V. · Oudegracht 3, 3511 AB Utrecht, Netherlands", Place("Utrecht", "NL")),
        ("© Acme k.s., Dlouhá 5, 779 00 Olomouc, Czechia", Place("Olomouc", "CZ")),
        ("© Acme Ltd, 1 Quay Street, Leeds, LS1 4AP, United Kingdom", Place("Leeds", "GB")),
        ("Acme Ltd · 3 Quay Lane · Dublin 2 · Ireland", Place("Dublin", "IE")),
        ("Acme OÜ, Turu 2, Tartu 51014, Estonia", Place("Tartu", "EE")),
        ("Acme Pte. Ltd., Singapore 048616", Place("Singapore", "SG")),
        ("Made by Ada & Bo in Hobart, Australia", Place("Hobart", "AU")),
        ("Made with love in Ghent, Belgium by Acme", Place("Ghent", "BE")),
        ("Acme, une association à Rennes, France", Place("Rennes", "FR")),
        ("© Acme · Halifax, Nova Scotia, Canada", Place("Halifax", "CA")),
        ("Acme Inc, Nova Scotia, Canada", Place("", "CA")),
        ("Regina, Saskatchewan S4P 3Y2", Place("Regina", "CA")),
        ("4th Block, Hill Road, Mysuru 570001, Karnataka", Place("Mysuru", "IN")),
        ("© 2011 – 2026 Ing. Jan Novák – Acme, Dlouhá 5, 779 00 Olomouc, Česká republika", Place("Olomouc", "CZ")),
        ("Made between two tides in Nelson, New Zealand.", Place("Nelson", "NZ")),
        ("Made for teams that sail in Nelson, New Zealand.", None),
        ("Acme ApS · Vesterbrogade 1 · 1620 København V", Place("København", "DK")),
        ("Acme ApS, Nørregade 1, 1165 København K, CVR 12345678", Place("København", "DK")),
        ("Acme SRL, Via Roma 3, 40121 Bologna (BO), Italia", Place("Bologna", "IT")),
        ("📍 Bergen, Norway 🇳🇴", Place("Bergen", "NO")),
        ("HQ: Rennes, France", Place("Rennes", "FR")),
        ("© 2026 Acme, Inc. · 5 Elm Street, Suite 9, Cedar Rapids, IA 52401", Place("Cedar Rapids", "US")),
        ("© 2026 Acme Ltd. Registered no. 70000. 2nd Floor, 4 Quay Lane, Sligo, F91 AB12", Place("Sligo", "IE")),
        ("© 2026 Acme, Inc., IA 52401", None),
        ("© 2026 Acme Inc - 5 Elm Street, Springfield - VAT 12345678901", Place("Springfield", "")),
        ("Acme is made by Two Hats Software in Cairns, Queensland, Australia.", Place("Cairns", "AU")),
        ("Acme, hosted in Frankfurt, Germany", None),
        ("Your data stays in Frankfurt, Germany", None),
        ("Serverstandort: Nürnberg, Deutschland", None),
        ("Hosting: Hetzner, Falkenstein, Germany", None),
        ("Servers in Falkenstein, Germany", None),
        ("Hébergé par OVH, 2 rue Kellermann, 59100 Roubaix, France", None),
        ("Acme SAS, Lyon, France. Hébergeur : OVH, 59100 Roubaix, France", Place("Lyon", "FR")),
        ("Made in Bergen, hosted in Falkenstein, Germany", Place("Bergen", "NO")),
        ("Hosted in Frankfurt, made in Bergen, Norway", Place("Bergen", "NO")),
        ("Acme, the self-hosted wiki. Made in Galway.", Place("Galway", "IE")),
        ("© 2026 Acme · Pune", Place("Pune", "IN")),
        ("Rua da Aurora, 325, Boa Vista, Recife - PE", Place("Recife", "BR")),
        ("Acme is made by Ada Muster in Hobart, Tasmania", Place("Hobart", "AU")),
        ("Kemeraltı Mah. 1372 Sokak No: 9/3, Konak, İzmir", Place("İzmir", "TR")),
        ("© Stichting Acme · Melkmarkt 41, 8011 MC Zwolle · RSIN 861204417", Place("Zwolle", "NL")),
        ("Acme · Pune", Place("Pune", "IN")),
        ("📍 Pune", Place("Pune", "IN")),
        ("Berlin · Madrid · Pune", None),
        ("Malmö · SE", Place("Malmö", "SE")),
        ("© 2026 Acme, Malmö, SE", Place("Malmö", "SE")),
        ("© Acme GmbH · Handbuch · Impressum", None),
        ("Spain | France | Germany", None),
        ("© 2026 Acme GmbH · Impressum", None),
        ("© 2026 Acme, Inc. All rights reserved.", None),
        ("Acme Ltd · Privacy", None),
        ("© 2026 Acme", None),
        ("Pricing, Docs, Blog", None),
        ("Made with love in Europe", None),
        ("We ship to Spain, France, Germany", None),
    ],
)
def test_a_place_in_a_footer(line: str, place: Place | None) -> None:
    assert place_in_footer(line, name="Acme") == place


@pytest.mark.parametrize(
    ("line", "language", "country"),
    [
        ("Acme SAS, 12 rue des Lices, Niort", "fr", "FR"),
        ("Acme SAS, 12 rue des Lices, Niort", "fr-FR", "FR"),
        ("Acme SAS · Medellín", "es", "CO"),
        ("©2026 Acme S.r.l. - Via Roma 3, 15121 Alessandria (AL) - P.IVA 01234567890", "it", "IT"),
        ("Acme S.R.L. · Ploiești", "ro", ""),
        ("Acme SARL · Carouge", "fr", ""),
        ("Acme, rue des Lices 3, Trondheim, Norvège", "fr", "NO"),
        ("Acme, ul. Długa 3, Trondheim, Norwegia", "pl-PL", "NO"),
        ("Acme, 3 Quay Lane, Trondheim, Norway", "xx", "NO"),
        ("Acme GmbH · Bregenz", "de", ""),
        ("Acme AB, Box 123, 751 05 Uppsala", "sv", "SE"),
        ("Ab Acme AB, Box 123, 65100 Vaasa", "fi", ""),
        ("Acme S.L., Calle Mayor 5, 46002 Xàtiva", "es", "ES"),
        ("Acme, S.L.U., Calle Mayor 5, 46002 Xàtiva", "en", "ES"),
    ],
)
def test_a_legal_form_and_the_language_may_tell_the_country(line: str, language: str, country: str) -> None:
    place = place_in_footer(line, name="Acme", language=language)
    assert place is not None
    assert place.country == country


def test_links_beside_an_address_are_not_part_of_it() -> None:
    footer = (
        '<footer><a href="/a">Terms</a><a href="/d">Docs</a> <span>Gdynia, Poland</span><a href="/x">X</a></footer>'
    )
    fields = draft(home(footer)).fields
    assert (fields["city"], fields["country"]) == ("Gdynia", "PL")


def test_made_in_a_city_at_the_end_of_a_page_without_a_footer() -> None:
    fields = draft(home("<h1>Acme</h1><p><small>Made in Olomouc, Czechia. <a href='/p'>Privacy</a></small></p>")).fields
    assert (fields["city"], fields["country"]) == ("Olomouc", "CZ")


@pytest.mark.parametrize(
    ("line", "place"),
    [
        ("〒460-0008 愛知県名古屋市中区栄1-2", Place("名古屋市", "JP")),
        ("東京都渋谷区神南1-2-3", Place("東京", "JP")),
        ("京都府の皆さまへ", None),
        ("부산광역시 해운대구 센텀로 12", Place("부산", "KR")),
        ("Level 2, 10 Smith St, Fitzroy VIC 3065", Place("Fitzroy", "AU")),
        ("5 Elm St, Halifax NS B3H 4R2", Place("Halifax", "CA")),
        ("CNPJ 12.345.678/0001-99 · Rua das Flores, 7, Recife - PE", Place("Recife", "BR")),
        ("Fitzroy VIC and friends", None),
        ("Melkmarkt 41, 8011 MC Zwolle", Place("Zwolle", "NL")),
        ("4200 SW Macadam Avenue", None),
        ("Quay House, 4 Quay Lane, Dublin 2, D02 AB12", Place("Dublin", "IE")),
        ("ul. Długa 3B/2, 81-300 Gdynia", Place("Gdynia", "PL")),
        ("For teams of 7, 10-500 people", None),
        ("Acme Pro, Model X10 2026", None),
    ],
)
def test_a_form_that_only_one_country_writes_tells_it(line: str, place: Place | None) -> None:
    assert place_in(line) == place


@pytest.mark.parametrize(
    ("lines", "place"),
    [
        (["Acme GmbH", "Am Markt 4", "50823 Köln"], Place("Köln", "DE")),
        (["4 minutes", "Acme sp. z o.o.", "ul. Prosta 22/4"], None),
        (["Acme sp. z o.o.", "ul. Prosta 22/4", "50-068 Wrocław"], Place("Wrocław", "PL")),
        (["4 min", "Acme sp. z o.o.", "ul. Prosta", "50-068 Wrocław"], Place("Wrocław", "PL")),
        (["Acme Ltd", "9 Quay Lane", "Galway", "Ireland"], Place("Galway", "IE")),
        (["9 Quay Lane", "Leeds", "LS1 4AP", "United Kingdom"], Place("Leeds", "GB")),
        (["Our locations", "Regions", "Germany"], None),
        (["Acme GmbH", "Am Markt 4", "Köln"], None),
        (["What they say", "2019 Customers", "France"], None),
    ],
)
def test_an_address_may_have_a_line_for_each_part(lines: list[str], place: Place | None) -> None:
    assert place_below(lines) == place


def test_an_address_in_lines_of_an_imprint() -> None:
    imprint = page("<p>Acme GmbH<br>Am Markt 4<br>50823 Köln</p>", path="impressum", lang="de")
    fields = draft(home(lang="de"), imprint).fields
    assert (fields["city"], fields["country"]) == ("Köln", "DE")


def test_the_line_below_the_company_is_its_address_without_a_footer() -> None:
    fields = draft(home("<h1>Acme</h1><div>Acme sp. z o.o.<br>ul. Długa 3, 81-300 Gdynia<br>KRS 0000123</div>")).fields
    assert (fields["city"], fields["country"]) == ("Gdynia", "PL")
    fields = draft(home("<h1>Acme</h1><p>Acme AB, org.nr 559123-4567</p><p>Storgatan 2, 411 24 Göteborg</p>")).fields
    assert (fields["city"], fields["country"]) == ("Göteborg", "SE")
    fields = draft(home("<h1>Acme</h1><div>Bank sp. z o.o.<br>ul. Długa 3, 81-300 Gdynia</div>")).fields
    assert "city" not in fields


def test_a_registered_office_without_a_footer() -> None:
    office = "<p>Made by Acme Works Ltd.</p><p>Registered office: 4 Fore Street, Totnes, TQ9 5DX, United Kingdom.</p>"
    fields = draft(home(f"<h1>Invoices that write themselves</h1>{office}")).fields
    assert (fields["city"], fields["country"]) == ("Totnes", "GB")
    fields = draft(home("<p>Our head office in Leeds and 300 offices in the United Kingdom trust Acme.</p>")).fields
    assert "city" not in fields


def test_the_headquarters_of_an_imprint() -> None:
    imprint = page(
        "<h2>Éditeur</h2><p>Le site est édité par Acme SAS.</p><p>Siège social : 9 rue Basse, 35000 Rennes</p>"
        "<h2>Hébergeur</h2><p>Boring Hosting SAS, 8 rue Haute, 59000 Lille</p>",
        path="mentions-legales",
        lang="fr",
    )
    fields = draft(home(lang="fr"), imprint).fields
    assert (fields["city"], fields["country"]) == ("Rennes", "FR")


def test_where_people_work_comes_before_the_registered_office() -> None:
    offices = (
        "<p>Registered office: 27 Old Street, London WC1N 3AX</p><p>Clinic and team: 19 Gillygate, York YO31 7EA</p>"
    )
    assert draft(home(f"<footer>{offices}</footer>")).fields["city"] == "York"


def test_a_line_that_begins_with_the_company_is_its_address_without_a_footer() -> None:
    line = "<div>{} S.L. · Calle Larios 8, 29005 Málaga, España · hola@acme.com</div>"
    assert draft(home(f"<h1>Acme</h1>{line.format('Acme Software')}", lang="es")).fields["city"] == "Málaga"
    assert "city" not in draft(home(f"<h1>Acme</h1>{line.format('Other')}", lang="es")).fields


@pytest.mark.parametrize(
    ("footer", "city", "country"),
    [
        ("Acme Pvt. Ltd.<br>Office 4, Baner Road<br>Pune, Maharashtra 411045", "Pune", "IN"),
        ("© 2026 Acme Ltd. Registered in England. The Shed, Station Road, Bristol BS1 6QH.", "Bristol", "GB"),
        ("5333 av. Basse, Montréal (Québec) H2T 1X3, Canada", "Montréal", "CA"),
        ("Acme inc.<br>43, rue Haute Est, bureau 3<br>Laval (Québec) G1K 3B5", "Laval", "CA"),
        ("Acme Ltda.<br>Rua Alta, 12, sala 6<br>Trindade, Joinville - SC, 88036-002", "Joinville", "BR"),
        ("Acme AS · Org.nr. 924 117 608 · Strandgaten 20, 5004 Bergen", "Bergen", "NO"),
        (
            "Acme è di Foo S.r.l. – Via Alta 16, 24125 Bergamo (BG) – P.IVA 04412870165 – Cap. soc. € 10.000",
            "Bergamo",
            "IT",
        ),
        ("Acme, Inc.<br>1200 East 6th Street, Suite 2<br>Waco, TX 76701<br>United States", "Waco", "US"),
        ("Version 3.1.2, 19 August 2026 · What changed", None, None),
    ],
)
def test_footers_of_many_countries(footer: str, city: str | None, country: str | None) -> None:
    fields = draft(
        home(f"<h1>Acme</h1><footer><p>{footer}</p></footer>", lang="it" if "P.IVA" in footer else "en")
    ).fields
    assert (fields.get("city"), fields.get("country")) == (city, country)


def test_a_host_is_not_where_the_company_is() -> None:
    owner = "<p>Acme SAS<br>9 rue Basse<br>35000 Rennes<br>France</p>"
    for host in (
        "<h2>Hébergement</h2><p>Boring SAS<br>8 rue Haute<br>59100 Roubaix<br>France</p>",
        "<p>Hébergeur : Boring SAS<br>8 rue Haute<br>59100 Roubaix<br>France</p>",
        "<p>Le site est hébergé par Boring SAS, 8 rue Haute, 59100 Roubaix, France.</p>",
    ):
        for body in (f"<h2>Éditeur</h2>{owner}{host}", f"{host}<h2>Éditeur</h2>{owner}", f"{host}{owner}"):
            imprint = page(body, path="mentions-legales", lang="fr")
            fields = draft(home(lang="fr"), imprint).fields
            assert (fields.get("city"), fields.get("country")) == ("Rennes", "FR"), body
    about = page("<p>We use servers based in Frankfurt, Germany.</p>", path="about")
    assert "city" not in draft(home(), about).fields


def test_a_street_and_a_postal_code_on_a_site_of_a_country() -> None:
    address = "<p>Gerd Muster<br>Talstraße 57<br>79102 Freiburg im Breisgau</p>"
    for host, city in (("https://www.acme.de/", "Freiburg im Breisgau"), ("https://www.acme.io/", None)):
        imprint = page(address, path="impressum", lang="de", host=host)
        assert draft(home(host=host), imprint).fields.get("city") == city


def test_an_address_below_the_company_and_its_street() -> None:
    lines = "Acme, S.A. de C.V.<br>Calle Olmo 12, Centro<br>37000 León, Guanajuato, México"
    fields = draft(home(f"<div>{lines}</div>", lang="es")).fields
    assert (fields.get("city"), fields.get("country")) == ("León", "MX")
    lines = lines.replace("Acme", "Zapmail")
    assert "city" not in draft(home(f"<div>{lines}</div>", lang="es")).fields

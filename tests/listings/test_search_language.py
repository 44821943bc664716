"""The query language: what finds what, whatever the script, and that no text breaks it."""

import pytest
from django.db import connection

from apps.listings import search
from apps.listings.search.language import MAX_TERMS, parse
from apps.listings.search.vectors import Texts, vector_of
from apps.listings.search.words import chunks
from apps.sites.models import Site
from tests.factories import ListingFactory
from tests.properties import HealthCheck, given, settings, st


def matches(query: str, text: str, *, name: str = "Quokka") -> bool:
    """Whether a listing of this headline is found."""
    vector = vector_of(Texts(name, text, [], "", [], ""))
    with connection.cursor() as cursor:
        cursor.execute("SELECT %s::tsvector @@ %s::tsquery", [str(vector), parse(query).condition])
        return bool(cursor.fetchone()[0])


FINDS = [
    ("words in any order", "maps noise", "Noise maps for cities"),
    ("beginning of every word", "noi map", "Noise maps for cities"),
    ("words as one", "noisemaps", "NoiseMaps for cities"),
    ("one word as two", "note pad", "A notepad for teams"),
    ("camel case as two", "open ai tools", "Tools on OpenAI models"),
    ("camel case as one", "openai", "Tools on OpenAI models"),
    ("phrase", '"noise maps"', "Noise maps for cities"),
    ("phrase in typographic quotes", "“noise maps”", "Noise maps for cities"),
    ("phrase without its end", '"noise maps', "Noise maps for cities"),
    ("phrase next to a compound", '"node.js tools"', "Good Node.js tools"),
    ("phrase with camel case inside", '"tools on OpenAI models"', "Tools on OpenAI models"),
    ("excluded", "notes -video", "Notes with pictures"),
    ("excluded phrase", '-"video calls"', "Video and calls"),
    ("accents in the text", "cafe", "Café à la carte"),
    ("accents in the query", "càfé", "Cafe a la carte"),
    ("decomposed accents", "cafe\u0301", "Café"),
    ("German sharp s", "strasse", "Die Straße"),
    ("German sharp s in the query", "Straße", "STRASSE"),
    ("German umlaut", "muller", "Müller"),
    ("Turkish dotted capital", "istanbul", "İstanbul"),
    ("Turkish dotless", "ısparta", "Isparta"),
    ("Turkish dotless in the text", "kirmizi", "kırmızı"),
    ("Polish", "lodz", "Łódź"),
    ("Danish", "smorrebrod", "Smørrebrød"),
    ("French ligature", "oeuvre", "Œuvre"),
    ("Vietnamese", "duong", "Đường"),
    ("Greek accents and final sigma", "ΟΔΟΣ", "η οδός"),
    ("Cyrillic case", "ПРИВЕТ", "привет"),
    ("Cyrillic yo", "еж", "ёж"),
    ("Arabic vowels", "كتب", "كَتَبَ"),
    ("Hebrew points", "שלום", "שָׁלוֹם"),
    ("Devanagari", "हिन्दी", "हिन्दी में"),
    ("Chinese within a sentence", "搜索", "最好的搜索引擎"),
    ("Chinese character", "搜", "最好的搜索引擎"),
    ("last Chinese character", "擎", "最好的搜索引擎"),
    ("Chinese run", "搜索引擎", "最好的搜索引擎"),
    ("Japanese", "エンジン", "検索エンジンを作る"),
    ("Japanese half width", "ｴﾝｼﾞﾝ", "検索エンジンを作る"),
    ("Chinese next to Latin", "react入门", "学习React入门教程"),
    ("Korean before a particle", "검색", "검색을 위한"),
    ("Thai", "ค้นหา", "เครื่องมือค้นหาข้อมูล"),
    ("full width", "ＡＰＩ", "An API"),
    ("C++", "c++", "Modern C++ tools"),
    ("C++ by letter", "c", "Modern C++ tools"),
    ("C#", "C#", "Tools for C#, F# and more"),
    (".NET", ".net", "Made with .NET"),
    (".NET within ASP.NET", ".NET", "Made with ASP.NET"),
    ("net", "net", "Made with .NET"),
    ("node.js", "node.js", "A Node.js server"),
    ("nodejs", "nodejs", "A Node.js server"),
    ("node.js written in one", "node.js", "A NodeJS server"),
    ("node js", "node js", "A Node.js server"),
    ("node", "node", "A Node.js server"),
    ("e-mail", "e-mail", "Email for teams"),
    ("email", "email", "E-mail for teams"),
    ("wi-fi", "wifi", "Fast wi\u2011fi"),
    ("AT&T", "AT&T", "Works with AT&T"),
    ("R&D", "r&d", "For R&D teams"),
    ("TCP/IP", "tcp/ip", "A TCP/IP stack"),
    ("slashes", "24/7", "Open 24/7"),
    ("apostrophe", "dont", "Don’t panic"),
    ("apostrophes of two kinds", "don't", "Don’t panic"),
    ("host", "acme.example", "See https://www.acme.example/about"),
    ("hash tag", "#design", "A design tool"),
    ("comma without space", "noise,maps", "Noise maps"),
    ("number", "3", "Version 3"),
    ("soft hyphen", "accounting", "ac\u00adcounting"),
]
FINDS_NOT = [
    ("a word that is missing", "noise boats", "Noise maps"),
    ("end of a word", "oise", "Noise maps"),
    ("short words by beginning", "no", "Noise maps"),
    ("phrase apart", '"noise maps"', "Noise of maps"),
    ("phrase in another order", '"maps noise"', "Noise maps"),
    ("phrase by beginning", '"noise map"', "Noise maps"),
    ("phrase from name into headline", '"quokka noise"', "Noise maps"),
    ("excluded", "noise -maps", "Noise maps"),
    ("excluded alone", "-maps", "Noise maps"),
    ("excluded compound", "tools -node.js", "Tools for Node.js"),
    ("C++ in C", "c++", "Only C here"),
    (".NET in net", ".net", "A fishing net"),
    ("node.js with words between", "node.js", "A node, and js"),
    ("Chinese in another order", "索搜", "最好的搜索引擎"),
    ("Devanagari of another word", "हन्द", "हिन्दी में"),
]


@pytest.mark.django_db
@pytest.mark.parametrize(("query", "text"), [pytest.param(*one[1:], id=one[0]) for one in FINDS])
def test_finds(query: str, text: str) -> None:
    assert matches(query, text)


@pytest.mark.django_db
@pytest.mark.parametrize(("query", "text"), [pytest.param(*one[1:], id=one[0]) for one in FINDS_NOT])
def test_finds_not(query: str, text: str) -> None:
    assert not matches(query, text)


@pytest.mark.parametrize("text", ["", "   ", "!?", '""', "-", "--", "🙂", "++", ". . .", '-""', "' \\ :* & | <->"])
def test_a_text_without_letters_is_no_query(text: str) -> None:
    assert not parse(text)


def test_only_the_first_terms_count() -> None:
    assert str(parse(" ".join(f"word{number}" for number in range(30)))) == " ".join(
        f"word{number}" for number in range(MAX_TERMS)
    )


def test_a_query_is_told_as_it_was_written() -> None:
    assert str(parse('Node.js  "Open Source" -Crypto')) == 'Node.js "Open Source" -Crypto'


ANY_TEXT = st.text(alphabet=st.characters(blacklist_categories=["Cs"], blacklist_characters="\x00"), max_size=80)
SIGNS = st.text(alphabet="ab é-\"'\\:*&|!<>()+#./_漢字ßİ", max_size=40)
# Searching changes nothing: all examples may look at the same listing.
ONE_LISTING = settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture
def listed(site: Site) -> Site:
    """A site with a listing, so that conditions are really evaluated."""
    ListingFactory.create(live=True, company__name="Café C++", headline="検索 node.js", description="a b ab é")
    return site


@pytest.mark.slow
@ONE_LISTING
@given(text=ANY_TEXT | SIGNS)
def test_no_text_is_an_error(listed: Site, text: str) -> None:
    result = search.find_listings(site=listed, text=text, page=1, per_page=20)
    assert result.total == len(result.items) <= 1


@ONE_LISTING
@given(text=ANY_TEXT)
def test_any_text_is_found_by_itself(listed: Site, text: str) -> None:
    # Quotation marks would end the phrase.
    text = " ".join(text.replace("\x00", "").translate(dict.fromkeys(map(ord, '"“”„‟«»＂〝〞'))).split())
    query = parse(f'"{text}"')
    assert matches(f'"{text}"', text) or not query
    assert bool(query) == any(chunks(text))

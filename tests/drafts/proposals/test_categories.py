"""Categories by words, sitemaps, and where addresses lead: rules without network."""

import pytest

from apps.drafts.crawl.addresses import domain_key, website_of
from apps.drafts.crawl.robots import parse_robots
from apps.drafts.crawl.site_crawler import AGENT
from apps.drafts.proposals.categories import CategoryMatch, Passage, Place, match_categories
from apps.listings.models import Category
from apps.listings.services.categories import CATEGORIES as SEEDED

CATEGORIES = [
    Category(slug="drawing", name="Drawing", synonyms=["mockup", "prototyping", "sketch?", "paper?", "pencil?"]),
    Category(slug="robots", name="ROBO", synonyms=["artificial minds", "agents"]),
    Category(slug="books", name="Books", synonyms=["invoices", "bookkeep*", "請求書"]),
    Category(slug="selling", name="Selling", synonyms=["sales pipeline", "pipeline", "leads", "-leads to"]),
    Category(slug="tools", name="Builders’ tools", synonyms=["SDK", "agents", "build pipeline", "compiler"]),
]


def passages(**texts: str) -> list[Passage]:
    return [Passage(text, "https://a.example/", "1", Place[place.upper()]) for place, text in texts.items()]


def match(**texts: str) -> list[CategoryMatch]:
    return match_categories(CATEGORIES, passages(**texts))


def slugs(**texts: str) -> list[str]:
    return [one.slug for one in match(**texts)]


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        pytest.param({"title": "Invoices for bakers", "body": "One invoice."}, ["books"], id="two places"),
        pytest.param({"title": "Mockup and prototyping"}, ["drawing"], id="two words"),
        pytest.param({"title": "Invoices for bakers"}, [], id="one signal is none"),
        pytest.param({"body": "invoice, invoices, mockup, prototyping, leads, agents"}, [], id="body text alone"),
        pytest.param({"title": "Sketch it", "body": "Sketch, paper"}, [], id="hints alone"),
        pytest.param({"title": "Sketch on paper", "description": "A pencil."}, ["drawing"], id="three hints agree"),
        pytest.param({"title": "Mockup", "description": "Sketch on paper."}, ["drawing"], id="a hint beside a word"),
        pytest.param({"title": "Bookkeeper", "description": "Bookkeeping."}, ["books"], id="a beginning"),
        pytest.param({"title": "Your sales pipeline", "description": "All leads."}, ["selling"], id="a phrase"),
        pytest.param({"title": "A build pipeline", "description": "A compiler."}, ["tools"], id="hides its parts"),
        pytest.param({"title": "What leads to pipelines", "body": "It leads to much."}, [], id="negative phrase"),
        pytest.param({"title": "robo and robo", "description": "Robo robo"}, [], id="capitals are required"),
        pytest.param({"title": "ROBO for all", "description": "A ROBO."}, ["robots"], id="capitals"),
        pytest.param({"title": "請求書をすぐに", "description": "会計と請求書"}, ["books"], id="without spaces"),
        pytest.param({"title": "We paint chairs", "description": "Mocking birds agent."}, [], id="other words"),
        pytest.param({}, [], id="nothing"),
    ],
)
def test_words_and_places_decide(texts: dict[str, str], expected: list[str]) -> None:
    assert slugs(**texts) == expected


def test_the_strongest_come_first_and_weak_ones_are_left_out() -> None:
    result = slugs(title="Invoices and mockups", description="Prototyping of invoices.", body="leads, pipeline")
    assert result == ["books", "drawing"]


def test_a_further_category_is_named_in_the_introduction() -> None:
    texts = {"title": "Mockup and prototyping", "subheading": "Leads and pipeline", "body": "leads pipeline selling"}
    assert slugs(**texts) == ["drawing"]


def test_a_category_has_the_known_words_of_its_slug_or_name() -> None:
    texts = passages(title="Buchhaltung für Bäcker", description="Rechnungen schreiben")
    for category in (Category(slug="finance", name="Geld"), Category(slug="geld", name="Bookkeeping")):
        assert [one.slug for one in match_categories([category], texts)] == [category.slug]
    assert match_categories([Category(slug="geld", name="Geld")], texts) == []


@pytest.mark.parametrize(
    ("title", "description"),
    [
        ("Gestion locative simple", "Quittances et loyers sans papier"),
        ("Nebenkostenabrechnung in Minuten", "Mietverwaltung für kleine Häuser"),
    ],
)
def test_rental_accounting_is_finance(title: str, description: str) -> None:
    result = match_categories(
        [Category(slug="finance", name="Finance")], passages(title=title, description=description)
    )
    assert [match.slug for match in result] == ["finance"]


def test_what_a_product_is_comes_before_how_it_works() -> None:
    categories = [Category(slug="ai", name="AI"), Category(slug="customer-support", name="Customer support")]
    result = match_categories(
        categories, passages(title="The AI customer service platform", description="AI help desk")
    )
    assert [match.slug for match in result] == ["customer-support", "ai"]


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("See your sales pipeline and close deals", "sales"),
        ("A CI pipeline for every pull request", "developer-tools"),
        ("J'ai une idée. Je n'ai pas de devis", ""),
        ("Website monitoring and a status page", "developer-tools"),
        ("Split bills and expenses with flatmates", "finance"),
        ("A shopping list and chores for a household", "productivity"),
        ("A content blocker that stops trackers", "privacy"),
        ("Ear training in short lessons", "education"),
        ("A media server for your own movies", "media"),
        ("Train travel in Europe, with a packing list", "travel"),
        ("Recipes for people who brew at home", ""),
        ("Join the waitlist, due to demand", ""),
    ],
)
def test_the_categories_of_a_new_site_tell_look_alikes_apart(title: str, expected: str) -> None:
    categories = [Category(slug=slug, name=name, synonyms=list(words)) for slug, name, words in SEEDED]
    result = match_categories(categories, passages(title=title))
    assert [match.slug for match in result] == ([expected] if expected else [])


def test_the_match_cites_its_words_and_the_strongest_place() -> None:
    (result,) = match(body="Send an invoice.", description="Read about Invoices and bookkeeping.")
    assert set(result.words) == {"invoice", "Invoices", "bookkeeping"}
    assert "Read about Invoices" in result.snippet
    assert 0 < result.confidence < 1


def test_robots_rules_for_us_come_before_those_for_all() -> None:
    text = "User-agent: *\nDisallow: /\nCrawl-delay: 90\n\nUser-agent: slipwaybot\nDisallow: /private\nCrawl-delay: 2\n"
    robots = parse_robots(text, agent=AGENT)
    assert robots.allows("https://a.example/")
    assert not robots.allows("https://a.example/private/1")
    assert robots.delay_seconds == 2.0
    assert parse_robots(text, agent="Other").delay_seconds == 10.0
    assert parse_robots("", agent=AGENT).allows("https://a.example/x")


@pytest.mark.parametrize(
    ("asked", "final", "website"),
    [
        ("https://acme.example/", "https://acme.example/", "https://acme.example/"),
        ("http://acme.example/", "https://www.acme.example/", "https://www.acme.example/"),
        ("https://acme.example/", "https://acme.example/en/?a=b", "https://acme.example/"),
        ("https://acme.example/tool?x=1", "https://acme.example/tool", "https://acme.example/"),
        ("https://short.example/a1", "https://acme.example/en?utm=1", "https://acme.example/"),
        ("https://short.example/a1", "https://acme.example/" + "a" * 300, "https://acme.example/"),
    ],
)
def test_the_website_is_where_the_address_leads(asked: str, final: str, website: str) -> None:
    assert website_of(asked, final) == website


@pytest.mark.parametrize(
    ("address", "key"),
    [
        ("https://www.acme.co.uk/x", "acme.co.uk"),
        ("https://docs.acme.example/", "acme.example"),
        ("http://acme.localhost:8123/", "acme.localhost:8123"),
        ("http://8.8.8.8/", "8.8.8.8"),
    ],
)
def test_crawls_of_one_domain_share_a_key(address: str, key: str) -> None:
    assert domain_key(address) == key


@pytest.mark.parametrize(
    ("title", "description", "expected"),
    [
        ("Agenda online para clínicas", "Citas y cita previa en una pantalla", "productivity"),
        ("Zeiterfassung für Agenturen", "Digitale Zeiterfassung mit Timer", "productivity"),
        ("Bautagebuch ohne Papier", "Bautagebuch und Fotos der Baustelle", "productivity"),
        ("Regnskapsprogram for små foretak", "Faktura og skattemelding", "finance"),
        ("Cobrança automática", "Boletos e cobranças sem planilha", "finance"),
        ("Ponto de venda para padarias", "Controle de estoque e comandas", "e-commerce"),
        ("在庫管理アプリ", "棚卸しをスマホで", "e-commerce"),
        ("Lesen lernen mit Tieren", "Kinder lernen lesen: lesen lernen ohne Werbung", "education"),
        ("Automatisera jobbet utan kod", "Rita ett flöde och koppla ihop system", "no-code"),
        ("Statystyki odwiedzin strony", "Proste statystyki bez wykresów", "analytics"),
        ("メルマガ配信サービス", "ステップ配信もかんたん", "marketing"),
        ("Identity governance for the cloud", "Access reviews and least privilege", "security"),
        ("Das Notenbuch", "Notenbuch für Lehrkräfte", "education"),
        ("Let tabs sleep", "Puts the tabs you forgot to sleep", None),
        ("Sleep tracker", "Sleep tracking and insomnia", "health"),
        ("Plans for brands", "Pay in rupees with GST invoices. We give GST invoices", None),
        ("Free of ads", "Sans publicité, ohne Werbung, ad free", None),
    ],
)
def test_words_of_industries_in_other_languages(title: str, description: str, expected: str | None) -> None:
    categories = [Category(slug=slug, name=name, synonyms=list(words)) for slug, name, words in SEEDED]
    result = match_categories(categories, passages(title=title, description=description))
    assert [one.slug for one in result][:1] == ([expected] if expected else [])

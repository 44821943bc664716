"""What the product costs: plans, not the other amounts on pages."""

import pytest

from apps.drafts.extraction.pricing.pricing import find_pricing
from tests.drafts.extraction.pages import draft, field, home, json_ld, page

PLAN = "<h3>Pro</h3><p>$29</p><p>per month</p>"


def cents(body: str, *, lang: str = "en", head: str = "", host: str = "https://www.acme.com/") -> object:
    return field("price_from_cents", home(host=host), page(body, path="pricing", lang=lang, head=head, host=host))


def model(body: str, *, lang: str = "en") -> object:
    return field("pricing_model", home(), page(body, path="pricing", lang=lang))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (PLAN, 2900),
        ("<p>$29/month</p>", 2900),
        ("<p>From $9.50 / mo</p>", 950),
        ("<p><span>$</span><span>29</span><span>/mo</span></p>", 2900),
        ("<div>$</div><div>29</div><div>/mo</div>", 2900),
        ("<p>US$ 1,299 per year</p>", 129_900),
        ("<p>1.299 USD pro Jahr</p>", 129_900),
        ("<p>12 USD par mois</p>", 1200),
        ("<p>$19 USD / usuario / mes</p>", 1900),
        ("<p>$9<sup>99</sup> / month</p>", 999),
        ('<p>$9<span class="cents">99</span> / month</p>', 999),
        ("<p>$29<sup>1</sup> / month</p>", 2900),
        ("<p>$<span>29</span><span>00</span> / month</p>", None),
        ("<p>$49/mo</p><p>$19/mo</p><p>$99/mo</p>", 1900),
        ("<p>$0/mo</p><p>$19/mo</p>", 1900),
        ("<p>$199</p><p>one-time payment</p>", 19_900),
        ("<p>$199</p>", 19_900),
        ("<p>毎月 $10</p>", 1000),
        ("<p>$12 per user, per month</p>", 1200),
        ("<p>$12 billed annually</p>", 1200),
        ("<td>Starter</td><td>$12/month</td>", 1200),
    ],
)
def test_the_lowest_price_of_a_plan(body: str, expected: int | None) -> None:
    assert cents(body) == expected


@pytest.mark.parametrize(
    "body",
    [
        "<p>Save $50 per year</p>",
        "<p>$20 off per month</p>",
        "<p>Additional seats</p><p>$5 / month</p>",
        "<p>+$5 / month for each extra seat</p>",
        "<p>$0.90 per 1,000 emails</p>",
        "<p>$2</p><p>per GB</p>",
        "<p>$5 per request</p>",
        "<p>$100 in credits per month</p>",
        "<p>Raised $10M per year</p>",
        "<p>$10k per month</p>",
        "<del>$49/mo</del>",
        '<span class="line-through">$49/mo</span>',
        "<blockquote><p>We paid $400/month before</p></blockquote>",
        '<div class="testimonials"><p>$400/month</p></div>',
        '<div class="competitors"><p>$400/month</p></div>',
        "<details><summary>Is there a fee?</summary><p>$15 / month</p></details>",
        "<nav><a href='/x'>$7/month</a></nav>",
        "<p>Teams that lost hours on it and hundreds of dollars now pay just $12 per month for all of this.</p>",
        "<p>Earn $500 per month as an affiliate</p>",
        "<p>29 per month</p>",
        "<p>Version 2.0, build 3000</p>",
        "<p>$99999999999 / month</p>",
        "<p>We processed $40 for each of our customers today, and more</p>",
    ],
)
def test_other_amounts_are_no_prices(body: str) -> None:
    assert cents(body) is None


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("<p>29 € / Monat</p>", "EUR"),
        ("<p>€29/month</p>", "EUR"),
        ("<p>£9.99 per month</p>", "GBP"),
        ("<p>R$ 49,90 por mês</p>", "BRL"),
        ("<p>980円 /月</p>", "JPY"),
        ("<p>49 zł miesięcznie</p>", "PLN"),
        ("<p>₹499 per month</p>", "INR"),
        ("<p>990 ₽ в месяц</p>", "RUB"),
        ("<p>CA$20 / month</p>", "CAD"),
        ("<p>$20 / month</p><p>All prices in AUD.</p>", "AUD"),
        ("<p>$20 CAD / month</p>", "CAD"),
    ],
)
def test_other_currencies_are_told_and_not_converted(body: str, told: str) -> None:
    proposal = draft(home(), page(body, path="pricing"))
    assert "price_from_cents" not in proposal.fields
    assert proposal.fields["pricing_model"] == "paid"
    reason = next(item["reason"] for item in proposal.missing if item["field"] == "price_from_cents")
    assert told in reason


def test_a_dollar_sign_is_the_dollar_of_its_place() -> None:
    assert cents("<p>$20/month</p>", lang="en-US") == 2000
    assert cents("<p>$20/month</p>", lang="en-CA") is None
    assert cents("<p>$20/month</p>", host="https://acme.com.au/") is None
    assert cents("<p>$20/month</p><p>US$15/month</p>", host="https://acme.com.au/") == 1500


def test_the_page_of_another_thing_tells_no_price() -> None:
    assert field("price_from_cents", home(PLAN), page(PLAN, path="about"), page(PLAN, path="blog")) is None


def test_a_section_of_the_home_page_tells_prices() -> None:
    assert field("price_from_cents", home(f'<section id="pricing">{PLAN}</section>')) == 2900
    assert field("price_from_cents", home(f"<section><h2>Preise</h2>{PLAN}</section>", lang="de")) == 2900
    assert field("price_from_cents", home(f"<section><h2>Our customers</h2>{PLAN}</section>")) is None


OFFER = {"@type": "Offer", "price": "12.00", "priceCurrency": "USD"}


@pytest.mark.parametrize(
    ("node", "expected"),
    [
        ({"@type": "SoftwareApplication", "name": "Acme", "offers": OFFER}, 1200),
        ({"@type": "WebApplication", "name": "Acme", "offers": [OFFER, {**OFFER, "price": 7}]}, 700),
        (
            {
                "@type": "Product",
                "name": "Acme",
                "offers": {"@type": "AggregateOffer", "lowPrice": 5, "priceCurrency": "USD"},
            },
            500,
        ),
        (
            {
                "@type": "Product",
                "name": "Acme",
                "offers": {"priceSpecification": {"price": 8, "priceCurrency": "USD"}},
            },
            800,
        ),
        ({"@type": "Product", "name": "Garden chair", "offers": OFFER}, None),
        ({"@type": "SoftwareApplication", "name": "Zapmail", "offers": OFFER}, None),
        ({"@type": "SoftwareApplication", "offers": OFFER}, None),
        ({"@type": "SoftwareApplication", "name": "Acme", "offers": {"price": "12"}}, None),
        ({"@type": "SoftwareApplication", "name": "Acme", "offers": {**OFFER, "priceCurrency": "EUR"}}, None),
        ({"@type": "SoftwareApplication", "name": "Acme", "offers": {**OFFER, "price": "call us"}}, None),
        ({"@type": "SoftwareApplication", "name": "Acme", "offers": {**OFFER, "price": True}}, None),
        ({"@type": "SoftwareApplication", "name": "Acme", "offers": {**OFFER, "price": {"@value": []}}}, None),
        ({"@type": "SoftwareApplication", "name": "Acme", "offers": [[OFFER]] * 3}, None),
    ],
)
def test_declared_offers_count_for_the_product_itself(node: object, expected: int | None) -> None:
    assert field("price_from_cents", home(head=json_ld(node))) == expected


def test_offers_in_microdata() -> None:
    offer = '<div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><meta itemprop="price" content="15">'
    offer += '<meta itemprop="priceCurrency" content="USD"></div>'
    item = '<div itemscope itemtype="https://schema.org/SoftwareApplication"><b itemprop="name">{}</b>{}</div>'
    assert field("price_from_cents", home(item.format("Acme", offer))) == 1500
    assert field("price_from_cents", home(item.format("Zapmail", offer))) is None


def test_shown_prices_come_before_declared_ones() -> None:
    declared = home(head=json_ld({"@type": "SoftwareApplication", "name": "Acme", "offers": OFFER}))
    proposal = draft(declared, page(PLAN, path="pricing"))
    evidence = next(item for item in proposal.evidence if item.field == "price_from_cents")
    assert (proposal.fields["price_from_cents"], evidence.value) == (2900, "2900")
    assert "$29" in evidence.snippet
    assert [other["value"] for other in evidence.runners_up] == ["1200"]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (PLAN, "paid"),
        (f"<h3>Free</h3>{PLAN}", "freemium"),
        (f"<p>$0</p>{PLAN}", "freemium"),
        (f"<p>€0 / Monat</p>{PLAN}", "freemium"),
        (f"<h3>Kostenlos</h3>{PLAN}", "freemium"),
        (f"<h3>Gratuit</h3>{PLAN}", "freemium"),
        (f"<h3>無料</h3>{PLAN}", "freemium"),
        (f"<p>Start with the free plan</p>{PLAN}", "freemium"),
        (f"<p>Start your free trial</p>{PLAN}", "paid"),
        (f"<p>Free 14-day trial</p>{PLAN}", "paid"),
        (f"<p>Free shipping</p>{PLAN}", "paid"),
        ("<h3>Free forever</h3>", "free"),
        ("<p>Contact our sales team for a quote</p>", None),
        ("", None),
    ],
)
def test_pricing_model(body: str, expected: str | None) -> None:
    assert model(body) == expected


@pytest.mark.parametrize(
    ("body", "expected", "price"),
    [
        ("<h2>無料</h2><p>0円</p><h2>プラス</h2><p>月額480円</p>", "freemium", None),
        ("<h2>無料</h2><h2>プラス</h2><p>月額480円（税込）から</p>", "freemium", None),
        ("<h2>プラス</h2><p>月額４８０円</p>", "paid", None),
        ("<h2>مجاني</h2><p>0 دولار</p><h2>برو</h2><p>9 دولارات شهرياً</p>", "freemium", 900),
        ("<h2>مجانًا</h2><h2>برو</h2><p>$٩ / شهر</p>", "freemium", 900),
        ("<h2>برو</h2><p>9 دولار كندي شهرياً</p>", "paid", None),
        ("<h2>Free</h2><h2>Pro</h2><p>480 kwacha per month</p>", None, None),
        ("<h2>무료</h2><h2>프로</h2><p>매월 9900원부터</p>", "freemium", None),
    ],
)
def test_prices_in_scripts_that_need_no_blanks(body: str, expected: str | None, price: int | None) -> None:
    assert (model(body), cents(body)) == (expected, price)


def test_a_free_product_says_so_where_no_page_of_prices_speaks_against_it() -> None:
    free = "<p>Acme is 100% free.</p>"
    assert field("pricing_model", home(free)) == "free"
    assert field("pricing_model", home("<p>100% free of jargon.</p>")) is None
    assert field("pricing_model", home(f"{free}<p>All courses: $49</p>")) is None
    assert field("pricing_model", home(f'{free}<a href="/pricing">Pricing</a>')) is None
    assert field("pricing_model", home(free), page("<p>Loading</p>", path="pricing")) is None
    nothing = {"@type": "WebApplication", "name": "Acme", "offers": {**OFFER, "price": "0"}}
    assert field("pricing_model", home(head=json_ld(nothing))) == "free"
    proposal = draft(home(head=json_ld(nothing)), page(PLAN, path="pricing"))
    evidence = next(item for item in proposal.evidence if item.field == "pricing_model")
    assert (evidence.value, evidence.runners_up[0]["value"]) == ("freemium", "paid")


SOURCE = '<a href="https://github.com/acme/acme">Source</a>'


@pytest.mark.parametrize(
    ("title", "body", "expected"),
    [
        ("Acme – the open source invoice writer", SOURCE, "open_source"),
        ("Acme – die Open-Source-Rechnung", SOURCE, "open_source"),
        ("Acme – オープンソースの請求書", SOURCE, "open_source"),
        ("Acme – the open source invoice writer", "", None),
        ("Acme – the open source invoice writer", '<a href="https://github.com/django/django">Django</a>', None),
        ("Acme – find open source projects", SOURCE, None),
        ("Acme – built on open source", SOURCE, None),
        ("Acme – the invoice writer", SOURCE, None),
    ],
)
def test_open_source(title: str, body: str, expected: str | None) -> None:
    assert field("pricing_model", page(body, head=f"<title>{title}</title>")) == expected


def test_open_source_with_paid_plans_is_told_as_the_second_answer() -> None:
    start = page(SOURCE, head="<title>Acme – the open source invoice writer</title>")
    proposal = draft(start, page(PLAN, path="pricing"))
    evidence = next(item for item in proposal.evidence if item.field == "pricing_model")
    assert (proposal.fields["pricing_model"], evidence.runners_up[0]["value"]) == ("paid", "open_source")


def test_a_page_of_amounts_costs_no_more_than_its_length() -> None:
    body = "<p>$" + "1," * 100_000 + "</p>" + "<p>$1 per month</p>" * 20_000 + "<p>" + "$" * 100_000 + "</p>"
    pricing = find_pricing([home(), page(body, path="pricing")], name="Acme")
    assert pricing.prices[0].value == "100"
    assert len(pricing.prices) <= 60

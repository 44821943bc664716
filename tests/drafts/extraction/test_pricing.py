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
    ("plans", "expected"),
    [
        ("<h3>One venue</h3><p>$49 per month</p><h3>Two to five venues</h3><p>$42 per venue per month</p>", 4900),
        ("<h3>1 site</h3><p>$9/mo</p><h3>2+ sites</h3><p>$7/mo each</p>", 900),
        ("<h3>Ein Studio</h3><p>49 € im Monat</p><h3>Ab 5 Studios</h3><p>39 € im Monat je Studio</p>", 4900),
        ("<h3>2–10 people</h3><p>$5 per user / month</p><h3>Enterprise</h3><p>$20 per user / month</p>", 500),
        ("<h3>One time</h3><p>$90</p><h3>From 5 seats</h3><p>$7 per seat per month</p>", 700),
        (
            "<table><tr><th>Plan<th>Price<tr><td>One person<td>$39 a month"
            "<tr><td>Office (per Mac, from 10)<td>$29 a month</table>",
            3900,
        ),
    ],
)
def test_what_one_costs_counts_where_each_of_several_costs_less(plans: str, expected: int) -> None:
    assert cents(f"<h1>Pricing</h1>{plans}") == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (PLAN, 2900),
        ("<p>$29 per month including 1 million calls, then $0.15 per additional 100,000. Billed monthly.</p>", 2900),
        ("<h3>Member, $9 a month or $90 a year</h3><h3>Firm</h3><p>$490 a year</p>", 900),
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
        ("<p>1 200 € par mois</p>", 120_000),
        ("<p>1&nbsp;200,50 € par mois</p>", 120_050),
        ("<p>€ 1 200 / month</p>", 120_000),
        ("<p>€1 200 per month</p>", 120_000),
        ("<p>€9 100 contacts / month</p>", 900),
        ("<p>Up from 100 contacts: 9 € / month</p>", 900),
        ("<p>29,– € / Monat</p>", 2900),
        ("<p>19.- CHF / Monat</p>", 1900),
        ("<p>$12 per user, per month</p>", 1200),
        ("<p>£1.80 per active property per month</p><p>£120 per month</p>", 180),
        ("<h1>Credits you can count</h1><h3>Starter</h3><p>$49/mo</p>", 4900),
        ('<del aria-hidden="true">99 €</del> <ins aria-hidden="true">79 €</ins>/anno', 7900),
        ("<p>$12 billed annually</p>", 1200),
        ("<td>Starter</td><td>$12/month</td>", 1200),
        ("<div><span>Team</span><b>$99</b><span>per month</span></div>", 9900),
        ("<div><span>US</span><b>$99</b><span>per month</span></div>", 9900),
        ("<p>₹15 <small>/student/month</small></p>", 1500),
        ("<p>12 € pro Schüler / Monat</p>", 1200),
        ("<p>59,99 €</p><p>par an, soit 5 € par mois</p>", 5999),
        ("<p>49,- Euro</p>", 4900),
        ("<p>CHF 1’290.– pro Jahr</p>", 129_000),
        ("<p>$1</p><p>for the first month, then $29/month</p>", 2900),
        ("<div><span>$5</span><span>/mo</span><small>per seat</small></div><p>$9/mo</p>", 500),
        (f"{PLAN}<h2>Why pay more?</h2><p>Other: $13/month</p>", 2900),
        ("<p>First month $1, then $29/month</p>", 2900),
        ("<p>$29/month</p><p>First month free</p>", 2900),
        ("<p>$39.99/year</p><p>($3.33/month)</p>", 3999),
        ("<h3>Monthly</h3><p>$4.99</p><h3>Yearly</h3><p>$39.99</p><h3>Lifetime</h3><p>$99.99</p>", 499),
        ("<h3>Weekly</h3><p>$2.99</p><h3>Annual</h3><p>$29.99</p>", 2999),
        (
            '<p class="price-month">$19</p><p class="price-year">$190</p><p class="price-month">per month</p>'
            '<p class="price-year">per year</p>',
            1900,
        ),
        ("<div>2</div><div>,90</div><div>€</div><div>pro Mitarbeiter und Monat</div>", 290),
        (f"{PLAN}<h2>Dodatki</h2><p>15 € / mies.</p>", 2900),
        (f"{PLAN}<table><tr><td>Dodatkowy użytkownik<td>15 € / mies.</table>", 2900),
        ("<table><tr><td>Acme 6<td>$49<tr><td>Acme 6 on a stick<td>$59<tr><td>1000 labels<td>$24</table>", 4900),
        ("<table><tr><td>Acme 6<td>$49<tr><td>Update from version 5<td>$19</table>", 4900),
        (
            '<div><span>19</span><div><span class="fractional-part">00</span></div><span>€</span><span>HT / mois</span>'
            "</div>",
            1900,
        ),
    ],
)
def test_the_lowest_price_of_a_plan(body: str, expected: int | None) -> None:
    assert cents(body) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<h3>100 credits</h3><p>$9</p><h3>500 credits</h3><p>$39</p>", (900, "once")),
        ("<p>$9</p><p>60 credits</p>", (900, "once")),
        ("<p>$9/mo</p><p>60 credits</p>", (900, "month")),
    ],
)
def test_packs_of_credits_are_paid_once(body: str, expected: tuple[int, str]) -> None:
    pages = home(), page(body, path="pricing")
    assert (field("price_from_cents", *pages), field("price_period", *pages)) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (f"{PLAN}<h3>Student</h3><p>$0</p>", "paid"),
        (f"{PLAN}<h3>Starter</h3><p>$0</p>", "freemium"),
        (f"{PLAN}<p>The first 10 are free.</p>", "freemium"),
        (f"{PLAN}<p>The first 3 months are free.</p>", "paid"),
        (f"{PLAN}<p>Free for personal use.</p>", "freemium"),
        (f"{PLAN}<p>Free, with a Pro upgrade.</p>", "freemium"),
        (f"{PLAN}<h3>フリー</h3>", "freemium"),
    ],
)
def test_what_costs_nothing_for_everybody_is_a_plan(body: str, expected: str) -> None:
    assert model(body) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<p>30 days free, then $4 per month.</p>", 400),
        ("<p>Download it on the Mac App Store for $19.99</p>", 1999),
        ("<div><h3>Plus</h3><p>$39</p><p>per seat / month</p></div>", 3900),
        ("<div><h3>Rent</h3><p>$900</p><p>per month</p></div>", None),
    ],
)
def test_what_a_home_page_offers_without_a_part_about_prices(body: str, expected: int | None) -> None:
    assert field("price_from_cents", home(body)) == expected


def test_a_product_shown_by_people_costs() -> None:
    assert field("pricing_model", home('<a href="/demo">Request a demo</a>')) == "paid"


@pytest.mark.parametrize(
    "body",
    [
        "<p>$15 per month billed yearly, $19 billed monthly</p>",
        "<p>$19 per month</p><p>or $15 per month, billed annually</p>",
        "<p>$15</p><p>per agent / month</p><p>Billed yearly</p><p>$19</p><p>per agent / month</p><p>Billed monthly</p>",
        '<p class="price-annual">$15/mo</p><p class="price-monthly">$19/mo</p>',
        '<p x-show="yearly">$15/mo</p><p x-show="!yearly" style="display:none">$19/mo</p>',
        '<div class="tab-pane active" id="yearly">$15/mo</div><div class="tab-pane" id="monthly">$19/mo</div>',
        '<div data-billing="annually">$15 /mo</div><div data-billing="monthly" hidden>$19 /mo</div>',
        '<p><span class="annual">$15</span><span class="monthly" hidden>$19</span> / month</p>',
        '<p class="yearly">$180<b>/year</b></p><p class="monthly" hidden>$19<b>/month</b></p>',
        "<p>$15/mo</p><p>billed annually or $19 month-to-month</p>",
        "<p>$15/mo<br>billed $180 a year</p><p>$19/mo, no commitment</p>",
        "<p>$15/mo</p><p>$180 billed yearly</p><h3>Pro by the month</h3><p>$19/mo</p>",
        "<p>$15/mo</p><p>bei 12 Monaten Laufzeit</p><p>$19/mo bei monatlicher Kündigung</p>",
        "<p>$15/mes</p><p>facturado anualmente ($180)</p><p>$19 mes a mes</p>",
        "<p>$19/mån</p><p>vid årsbetalning $15/mån</p>",
        "<p>$15/mês no plano anual</p><p>$19/mês no plano mensal</p>",
        '<p><span class="annual">$15</span><span class="monthly">$19</span><span>/mo</span></p>',
        '<p><span class="annual">$15</span><span class="monthly">$19</span></p><p>per month</p>',
        '<b id="t1">Yearly</b><b id="t2">Monthly</b><div aria-labelledby="t1">$15/mo</div>'
        '<div aria-labelledby="t2" hidden>$19/mo</div>',
        "<p>$15</p><p>pro Nutzer / Monat, jährlich abgerechnet</p><p>$19 bei monatlicher Zahlung</p>",
    ],
)
def test_the_price_billed_monthly_counts_beside_that_billed_yearly(body: str) -> None:
    assert (cents(body), field("price_period", home(), page(body, path="pricing"))) == (1900, "month")


@pytest.mark.parametrize(
    "body",
    [
        "<p>$15 per month, billed yearly</p>",
        "<h3>Solo</h3><p>$15 per month, billed yearly</p><h3>Team</h3><p>$49 per month, billed monthly</p>",
        '<p class="annual">$15/mo</p><p class="annual">$19/mo</p>',
        '<p>$15/mo</p><p hidden class="monthly">$19/mo</p>',
    ],
)
def test_other_plans_billed_monthly_do_not_replace_the_lowest(body: str) -> None:
    assert cents(body) == 1500


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
        "<p>Students pay $5 per month</p>",
        "<p>Studierende: 5 € / Monat</p>",
        "<p>Étudiants : 5 € / mois</p>",
        "<p>学生は月額500円</p>",
        "<p>学校向けは1名年額500円から。</p>",
        "<p>29 per month</p>",
        "<p>Version 2.0, build 3000</p>",
        "<p>$99999999999 / month</p>",
        "<p>We processed $40 for each of our customers today, and more</p>",
    ],
)
def test_other_amounts_are_no_prices(body: str) -> None:
    assert cents(body) is None


def price(body: str, *, lang: str = "en", host: str = "https://www.acme.com/") -> tuple[object, object, object]:
    fields = draft(home(host=host), page(body, path="pricing", lang=lang, host=host)).fields
    return fields.get("price_from_cents"), fields.get("price_currency"), fields.get("price_period")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<p>29 € / Monat</p>", (2900, "EUR", "month")),
        ("<p>€29/month</p>", (2900, "EUR", "month")),
        ("<p>£9.99 per year</p>", (999, "GBP", "year")),
        ("<p>£15pm</p>", (1500, "GBP", "month")),
        ("<p>Open until 5pm: £15</p>", (1500, "GBP", None)),
        ("<p>年額 ¥12,000（月あたり ¥1,000）</p>", (1_200_000, "JPY", "year")),
        ("<p>月額 ¥1,200、年額 ¥12,000</p>", (120_000, "JPY", "month")),
        ("<p>R$ 49,90 por mês</p>", (4990, "BRL", "month")),
        ("<p>980円 /月</p>", (98_000, "JPY", "month")),
        ("<p>月額 2,980円（税込）</p>", (298_000, "JPY", "month")),
        ("<p>49 zł miesięcznie</p>", (4900, "PLN", "month")),
        ("<p>₹499 per week</p>", (49_900, "INR", "week")),
        ("<p>990 ₽ в месяц</p>", (99_000, "RUB", "month")),
        ("<p>CA$20 / month</p>", (2000, "CAD", "month")),
        ("<p>$20 / month</p><p>All prices in AUD.</p>", (2000, "AUD", "month")),
        ("<p>$20 CAD / month</p>", (2000, "CAD", "month")),
        ("<p>980円／月</p>", (98_000, "JPY", "month")),
        ("<p>月々980円</p>", (98_000, "JPY", "month")),
        ("<p>年間9,800円</p>", (980_000, "JPY", "year")),
        ("<p>월 9,900원</p>", (990_000, "KRW", "month")),
        ("<p>연 99,000원</p>", (9_900_000, "KRW", "year")),
        ("<p>Fr. 19.90 / Mt.</p>", (1990, "CHF", "month")),
        ("<p>99 SEK/mån</p>", (9900, "SEK", "month")),
        ("<p>99 DKK pr. måned</p>", (9900, "DKK", "month")),
        ("<p>99 NOK/mnd</p>", (9900, "NOK", "month")),
        ("<p>990 NOK i året</p>", (99_000, "NOK", "year")),
        ("<p>199 Kč měsíčně</p>", (19_900, "CZK", "month")),
        ("<p>1990 Ft/hó</p>", (199_000, "HUF", "month")),
        ("<p>9 €/kk</p>", (900, "EUR", "month")),
        ("<p>49 lei/lună</p>", (4900, "RON", "month")),
        ("<p>Aylık 199 ₺</p>", (19_900, "TRY", "month")),
        ("<p>199 ₴/міс</p>", (19_900, "UAH", "month")),
        ("<p>€9/μήνα</p>", (900, "EUR", "month")),
        ("<p>₪49 לחודש</p>", (4900, "ILS", "month")),
        ("<p>99.000đ/tháng</p>", (9_900_000, "VND", "month")),
        ("<p>Rp 99.000/bulan</p>", (9_900_000, "IDR", "month")),
        ("<b>CHF</b><b>19</b><div><b>.–</b></div><b>pro Monat</b>", (1900, "CHF", "month")),
        ("<b>19</b><div>,-</div><div>€ pro Monat</div>", (1900, "EUR", "month")),
        ("<p>SFr. 29.– / Monat</p>", (2900, "CHF", "month")),
        ("<p>Rs 799/month + 18% GST</p>", (79_900, "INR", "month")),
        ("<p>£15 p/m</p>", (1500, "GBP", "month")),
        ("<p>£15 pcm + VAT</p>", (1500, "GBP", "month")),
        ("<p>199 บาท/เดือน</p>", (19_900, "THB", "month")),
        ("<p>$199 one-time</p>", (19_900, "USD", "once")),
        ("<p>180 € all'anno</p>", (18_000, "EUR", "year")),
        ("<p>9 € al mese, 90 € l’anno</p>", (900, "EUR", "month")),
        ("<p>90 €</p><p>Ogni anno</p>", (9000, "EUR", "year")),
        ("<p>9 €</p><p>Chaque mois</p>", (900, "EUR", "month")),
        ("<p>9 €</p><p>Cada mes</p>", (900, "EUR", "month")),
        ("<p>9 €</p><p>jeden Monat</p>", (900, "EUR", "month")),
        ("<p>9 € per reader and month</p>", (900, "EUR", "month")),
        ("<p>9 € je Leserin und Jahr</p>", (900, "EUR", "year")),
        ("<p>395 kr per användare och månad</p>", (39_500, "SEK", "month")),
        ("<p>95 DKK pr. bruger og måned</p>", (9500, "DKK", "month")),
        ("<p>$9 per reader, per year</p>", (900, "USD", "year")),
        ("<p>$9 per reader</p><p>Month to month</p>", (None, None, None)),
        ("<p>$5 per user</p>", (500, "USD", None)),
        ("<p>$15/month</p><p>$150/year</p>", (1500, "USD", "month")),
        ("<p>Plus: 2,99 € al mes o 19,99 € al año</p>", (299, "EUR", "month")),
        ("<p>€12 / month</p><p>$14 / month</p>", (1400, "USD", "month")),
        ("<p>$40</p><p>No subscription.</p>", (4000, "USD", "once")),
        ("<p>40 €</p><p>Einmaliger Kauf, kein Abo</p>", (4000, "EUR", "once")),
        ("<p>5,99 € mtl.</p>", (599, "EUR", "month")),
        ("<p>59 € p. a.</p>", (5900, "EUR", "year")),
        ("<p>49,00 PLN / m-c</p>", (4900, "PLN", "month")),
        ("<p>Licenza unica: 79 €</p>", (7900, "EUR", "once")),
        (
            "<table><tr><th>プラン<th>月額料金<tr><td>フリー<td>0円<tr><td>ライト<td>550円<tr><td>プロ<td>1,650円</table>",
            (55_000, "JPY", "month"),
        ),
        ("<table><tr><th>Cantina<th>Canone annuo<tr><td>Piccola<td>€ 240,00 + IVA</table>", (24_000, "EUR", "year")),
        ("<p>$5 per user</p><p>No subscription.</p>", (500, "USD", None)),
        ("<p>$40</p><blockquote><p>No subscription!</p></blockquote>", (4000, "USD", None)),
        ("<p>Sale price <b>$40 USD</b><b>Sale</b></p><p>3 people ($90)</p>", (4000, "USD", None)),
        ("<p>2 computers</p><p>US $20</p><p>Upgrade from 3.x</p><p>US $8</p>", (2000, "USD", None)),
        ("<p>2 computers</p><p>US $20</p><p>Printed guide (optional)</p><p>US $8</p>", (2000, "USD", None)),
    ],
)
def test_a_price_keeps_its_currency_and_period(body: str, expected: tuple[object, object, object]) -> None:
    assert price(body) == expected


TWO_PLANS = "<div><h3>Solo</h3><p>$40</p>{solo}</div><div><h3>Team</h3><p>$90</p>{team}</div>"


@pytest.mark.parametrize(
    ("body", "lang", "expected"),
    [
        ("<p>249:-/mån</p>", "sv", (24_900, "SEK", "month")),
        ("<p>249,- / md.</p>", "da", (24_900, "DKK", "month")),
        ("<p>249,- per måned</p>", "nb", (24_900, "NOK", "month")),
        ("<p>29,- / Monat</p>", "de", (2900, "EUR", "month")),
        ("<p>249,- / month</p>", "en", (None, None, None)),
    ],
)
def test_a_dash_in_place_of_cents_and_currency(body: str, lang: str, expected: tuple[object, object, object]) -> None:
    assert price(body, lang=lang) == expected


@pytest.mark.parametrize(
    "body",
    [
        "<h2>Why not Foo or Bar?</h2><p>Foo costs $4.50 a month.</p>",
        "<h2>Compared with</h2><p>From $125 a month</p>",
        "<p>Funded by sponsors from $5 a month.</p>",
        "<p>You pay only your storage provider: a terabyte costs $6 a month.</p>",
        "<p>A rival wants only $9 a month.</p>",
    ],
)
def test_what_others_cost_is_not_ours(body: str) -> None:
    assert field("price_from_cents", home(f"<h1>Acme</h1>{body}")) is None


def test_a_long_sentence_offers_a_plan() -> None:
    said = "Acme is free for up to 10 plants. Acme Plus is $3.99 a month and adds a doctor, notes and many more plants."
    fields = draft(home(f"<p>{said}</p>")).fields
    assert (fields["price_from_cents"], fields["pricing_model"]) == (399, "freemium")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<h2>Core</h2><a href=/demo>Contact sales</a>", "paid"),
        ("<h2>Core</h2><p>Preise auf Anfrage</p>", "paid"),
        ("<h2>Core</h2><p>Talk about it</p>", None),
        ("<h2>Free</h2><p>Free forever</p><h2>Company</h2><a href=/demo>Contact sales</a>", "free"),
    ],
)
def test_prices_on_request_are_paid(body: str, expected: str | None) -> None:
    assert model(body) == expected


def test_what_others_cost_does_not_speak_against_a_free_product() -> None:
    said = "<p>Acme is free and has no paid version.</p>"
    for other in ("<p>Apple wants $99 a year.</p>", '<div class="reviews"><p>I would pay $20 for this.</p></div>'):
        assert field("pricing_model", home(f"{said}{other}")) == "free"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<p>$40</p><p>Not a one-time payment.</p>", None),
        ("<p>$40</p><p>No lifetime deal.</p>", None),
        ("<p>$40</p><p>We don't offer lifetime licenses.</p>", None),
        ("<p>$40</p><p>This isn't a perpetual license.</p>", None),
        ("<p>40 €</p><p>Keine Einmalzahlung.</p>", None),
        ("<p>40 €</p><p>Ce n'est pas un paiement unique.</p>", None),
        ("<p>40 €</p><p>Pas d'achat unique.</p>", None),
        ("<p>$40</p><p>You don't buy once: it's a lease.</p>", None),
        ("<p>40 €</p><p>No es un pago único.</p>", None),
        ("<p>4000円</p><p>買い切りではありません。</p>", None),
        ("<p>$40</p><p>Lifetime deals are no longer available.</p>", None),
        ("<p>$40, not a one-time fee</p>", None),
        ("<p>$40</p><p>No subscription, pay once.</p>", "once"),
        ("<p>$40 billed once a year</p>", "year"),
        ("<p>$40</p><p>With a year of updates. No subscription.</p>", "once"),
        ("<p>$40</p><p>Includes a month of support.</p>", None),
        ("<p>$40</p><p>a month</p>", "month"),
        (TWO_PLANS.format(solo="<p>Ours for good</p><p>Single payment.</p>", team=""), "once"),
        (TWO_PLANS.format(solo="<h4>Included</h4><ul><li>No subscription</li></ul>", team=""), "once"),
        (TWO_PLANS.format(solo="", team="<p>No subscription.</p>"), None),
        (f"<h2>Pay once, use it for years</h2>{TWO_PLANS.format(solo='', team='')}", "once"),
        ("<h3>Solo</h3><p>$40</p><h3>Team</h3><p>$90</p><p>No subscription.</p>", None),
        ("<h3>Solo</h3><p>$40</p><p>No subscription.</p><h3>Team</h3><p>$90</p>", "once"),
        ("<p>$40</p><h2>The viewer</h2><p>No subscription is needed to look at files.</p>", None),
    ],
)
def test_a_price_is_paid_once_if_its_own_plan_says_so(body: str, expected: str | None) -> None:
    assert price(body)[2] == expected


def test_what_other_pages_sell_for_once_says_nothing_about_a_price() -> None:
    prices = page("<p>$40</p>", path="pricing")
    assert field("price_period", home("<p>No subscription to look at files.</p>"), prices) is None


@pytest.mark.parametrize(
    "said",
    [
        "You pay once and version 4 is yours.",
        "Acme is bought once.",
        "Einmal zahlen, für immer nutzen.",
        "Vous payez ? Oui, payer une seule fois suffit.",
        "Betala en gång, använd för alltid.",
        "Acme costs $40, one-time.",
    ],
)
def test_other_pages_say_that_the_product_is_paid_once(said: str) -> None:
    prices = page("<p>$40</p>", path="pricing")
    assert field("price_period", home(f"<p>{said}</p>"), prices) == "once"
    assert field("price_period", home(head=f'<meta name="description" content="{said}">'), prices) == "once"
    assert field("price_period", home(f"<blockquote>{said}</blockquote>"), prices) is None
    assert field("price_period", home(f"<p>{said}</p>"), page("<p>$40 / month</p>", path="pricing")) == "month"


@pytest.mark.parametrize("asked", ["Can I pay once?", "You can't pay once.", "Acme Pro costs $90, one-time."])
def test_what_is_asked_denied_or_costs_something_else_says_nothing(asked: str) -> None:
    assert field("price_period", home(f"<p>{asked}</p>"), page("<p>$40</p>", path="pricing")) is None


@pytest.mark.parametrize(
    ("body", "lang", "expected"),
    [
        ("<h3>Liten</h3><p>395 kronor i månaden</p>", "sv", (39_500, "SEK", "month")),
        ("<h3>Licens</h3><p>490 kr, betala en gång</p>", "sv", (49_000, "SEK", "once")),
        ("<h3>Licens</h3><p>490 kr engangsbeløb</p>", "da", (49_000, "DKK", "once")),
        ("<h3>Lisens</h3><p>490 kr, engangsbetaling</p>", "no", (49_000, "NOK", "once")),
        ("<h3>Lisenssi</h3><p>49 € kertamaksu</p>", "fi", (4_900, "EUR", "once")),
        ("<h3>Licence</h3><p>990 Kč jednorázově</p>", "cs", (99_000, "CZK", "once")),
        ("<h3>Licence</h3><p>49 € une fois pour toutes</p>", "fr", (4_900, "EUR", "once")),
        ("<h3>Pro</h3><p>9 €</p><p>facturé une fois par an</p>", "fr", (900, "EUR", "year")),
        ("<h3>Lizenz</h3><p>Einmal zahlen, für immer nutzen: 49 €</p>", "de", (4_900, "EUR", "once")),
        ("<h3>Lifetime</h3><p>$49</p>", "en", (4_900, "USD", "once")),
        ("<h3>A lifetime of notes in one place</h3><p>$49</p>", "en", (4_900, "USD", None)),
    ],
)
def test_prices_paid_once_or_in_crowns(body: str, lang: str, expected: tuple[object, object, object]) -> None:
    assert price(body, lang=lang) == expected


@pytest.mark.parametrize(
    "free",
    [
        "<h3>Bezpłatnie</h3>",
        "<h3>Zdarma</h3>",
        "<h3>Безкоштовно</h3>",
        "<h3>Miễn phí</h3>",
        "<p>Gratis voor altijd voor 1 gebruiker</p>",
        "<p>Die Grundversion ist kostenlos.</p>",
        "<p>La version de base est gratuite.</p>",
        "<p>Gratisplanen räcker långt.</p>",
        "<h3>Ilmainen tili</h3>",
    ],
)
def test_a_free_plan_in_more_languages(free: str) -> None:
    assert field("pricing_model", home(), page(f"{free}{PLAN}", path="pricing")) == "freemium"


def test_a_part_that_is_free_for_ever_stands_anywhere_on_the_home_page() -> None:
    said = "<h2>Stories</h2><p>Les dix premières histoires sont gratuites, pour toujours.</p>"
    assert field("pricing_model", home(said), page(PLAN, path="pricing")) == "freemium"
    assert field("pricing_model", home(f"<blockquote>{said}</blockquote>"), page(PLAN, path="pricing")) == "paid"


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("It's free.", "free"),
        ("Free for everyone, forever.", "free"),
        ("Free, no ads", "free"),
        ("It costs nothing.", "free"),
        ("Acme is and stays free.", "free"),
        ("Acme is and always will be free.", "free"),
        ("The app is free and has no ads.", "free"),
        ("Die App ist kostenlos.", "free"),
        ("Acme est entièrement gratuite et sans publicité.", "free"),
        ("Acme är gratis att använda.", "free"),
        ("Helt gratis", "free"),
        ("Acme jest darmowy.", "free"),
        ("Acme er gratis", "free"),
        ("Acme är gratis att testa.", None),
        ("Acme est gratuit pendant 14 jours.", None),
        ("Acme is free for teams of up to 5", None),
        ("It costs nothing to try.", None),
        ("Free, no credit card for the trial", None),
        ("It's free to try.", None),
        ("The app is ad-free.", None),
    ],
)
def test_a_product_that_says_it_is_free(said: str, expected: str | None) -> None:
    assert field("pricing_model", home(f"<p>{said}</p>")) == expected


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Acme – a free app for gardeners", "free"),
        ("Acme is a free app for gardeners", "free"),
        ("Acme: Free online planner app", "free"),
        ("Acme – Kostenlose App für Gärten", "free"),
        ("Acme, a distraction-free app", None),
        ("Acme | Try the free app", None),
    ],
)
def test_a_title_that_calls_the_product_free(title: str, expected: str | None) -> None:
    assert field("pricing_model", page(head=f"<title>{title}</title>")) == expected
    assert field("pricing_model", page(head=f"<title>{title}</title>"), page(PLAN, path="pricing")) == "paid"


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ("<tr><th>Seats<th>Monthly<tr><td>5<td>€7<tr><td>50<td>€40", (700, "EUR", "month")),
        ("<tr><th>Seats<th>Monthly<th>Yearly<tr><td>5<td>€7<td>€70", (700, "EUR", "month")),
        ("<tr><th colspan=2>Seats<th>Yearly<tr><td>5<td>old<td>€70", (7000, "EUR", "year")),
        ("<tr><th><th>Oak<th>Elm<tr><th>Preis je Monat<td>7,00 €<td>9,00 €", (700, "EUR", "month")),
        ("<tr><th>プラン<th>月額（税込）<tr><td>カシ<td>700円", (70_000, "JPY", "month")),
        ("<tr><th>Seats<th>Monthly<tr><td>5<td>€70 / year", (7000, "EUR", "year")),
        ("<tr><th>Oak<th>Extra seat / month<tr><td>5<td>€7", (None, None, None)),
        ("<tr><th>Oak<th>€9 / month<tr><td>Import<td>€7", (900, "EUR", "month")),
    ],
)
def test_what_heads_a_row_or_column_tells_how_often_a_price_is_paid(rows: str, expected: object) -> None:
    assert price(f"<table>{rows}</table>") == expected


SOLO = "<h3>Solo</h3><p>12 €</p><h3>Team</h3><p>24 €</p>"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (f"<p>Prices are per month, excluding VAT.</p>{SOLO}", "month"),
        (f"<p>Alle Preise pro Jahr zzgl. MwSt.</p>{SOLO}", "year"),
        (f"<p>Alle Preise zzgl. MwSt., monatlich kündbar.</p>{SOLO}", None),
        (f"<p>Prices per month</p><p>Prices per year</p>{SOLO}", None),
        (f"<p>Prices are in euros.</p>{SOLO}", None),
        (f"<button>Monatlich</button><button>Jährlich (-20 %)</button>{SOLO}", "month"),
        (f"<label>Mensuel</label><label>Annuel <b>2 mois offerts</b></label>{SOLO}", "month"),
        (f"<label>Mensuel</label><label>Annuel</label>{SOLO}", "month"),
        (f"<button>Yearly</button><button>Monthly</button>{SOLO}", None),
        (f"<button>Monthly</button><button aria-pressed=true>Yearly</button>{SOLO}", None),
        (f"<button>Monthly</button><button><b class=active>Yearly</b></button>{SOLO}", None),
        (f"<p>Monthly reports</p><p>Yearly</p>{SOLO}", None),
        (f"<p>Monthly</p>{SOLO}", None),
    ],
)
def test_a_note_or_a_switch_tells_how_often_all_prices_are_paid(body: str, expected: str | None) -> None:
    assert price(body) == (1200, "EUR", expected)


@pytest.mark.parametrize(
    ("lang", "host", "body", "currency"),
    [
        ("en-US", "https://acme.com/", "$20", "USD"),
        ("zh-CN", "https://acme.com/", "¥20", "CNY"),
        ("en", "https://acme.cn/", "￥20", "CNY"),
        ("ja", "https://acme.com/", "¥20", "JPY"),
        ("en-CA", "https://acme.com/", "$20", "CAD"),
        ("en-CA", "https://acme.com/", "All prices in US dollars.</p><p>$20", "USD"),
        ("en-CA", "https://acme.com/", "For teams in the US. Prices per seat.</p><p>$20", "CAD"),
        ("en", "https://acme.com.au/", "Pricing in USD</p><p>$20", "USD"),
        ("es", "https://acme.com/", "En pesos mexicanos, IVA incluido.</p><p>$20", "MXN"),
        ("en", "https://acme.com/", "All prices in Canadian dollars.</p><p>$20", "CAD"),
        ("en", "https://acme.com.au/", "$20", "AUD"),
        ("en", "https://acme.com.au/", "US$20", "USD"),
        ("da", "https://acme.com/", "20 kr", "DKK"),
        ("en", "https://acme.no/", "20 kr", "NOK"),
        ("sv", "https://acme.se/", "20 kr", "SEK"),
    ],
)
def test_a_sign_of_several_countries_means_the_currency_of_its_place(
    lang: str, host: str, body: str, currency: str
) -> None:
    assert price(f"<p>{body} / month</p>", lang=lang, host=host) == (2000, currency, "month")


HEAD = "<tr><th></th><th>Basic</th><th>Pro</th></tr>"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param(
            f"<table>{HEAD}<tr><td>Price</td><td>$20/mo</td><td>$90/mo</td></tr>"
            "<tr><td>Dedicated IP</td><td>–</td><td>$5/mo</td></tr></table>",
            2000,
            id="a row of extras",
        ),
        pytest.param(
            f"<table>{HEAD}<tr><td>Monthly</td><td>$20/mo</td><td>$90/mo</td></tr>"
            "<tr><td>Annually</td><td>$15/mo</td><td>$70/mo</td></tr></table>",
            1500,
            id="two rows of prices",
        ),
        pytest.param(
            "<table><tr><td>Basic</td><td>$20/mo</td></tr><tr><td>Pro</td><td>$90/mo</td></tr></table>",
            2000,
            id="plans in rows",
        ),
        pytest.param(
            f"{PLAN}<table><tr><th></th><th>Acme</th><th>Zapmail</th></tr>"
            "<tr><td>Ten seats</td><td>$29/mo</td><td>$9/mo</td></tr></table>",
            2900,
            id="a comparison by name",
        ),
        pytest.param(f"{PLAN}<h2>What others charge</h2><p>$9/month</p>", 2900, id="a comparison by heading"),
        pytest.param(f"{PLAN}<h2>Add-ons</h2><p>$5/month</p><h2>Plans</h2>", 2900, id="extras by heading"),
        pytest.param("<h1>Acme</h1><p>$79</p><h2>You may also like</h2><p>$9</p>", 7900, id="related products"),
        pytest.param("<p>79 €</p><h2>Ähnliche Produkte</h2><h3>Eiche</h3><p>9 €</p>", 7900, id="ähnliche Produkte"),
        pytest.param(f"{PLAN}<ul><li>SSO for $5 per user</li></ul>", 2900, id="a sentence beside a plan"),
        pytest.param("<p><b>$0.99</b> per resolution</p><p>$19 per agent / month</p>", 1900, id="a price of use"),
        pytest.param("<li><b>Personal</b> $12 per year</li><li><b>Family</b> $36 per year</li>", 1200, id="named"),
        pytest.param('<p><span class="old">$39</span><span>$49</span>/month</p>', 4900, id="an old price"),
        pytest.param('<p>$<span>35</span><span class="fraction">99</span><span>Monthly</span></p>', 3599, id="parts"),
        pytest.param("<div>29</div><div>€</div><div>/mo</div>", 2900, id="a sign below its number"),
        pytest.param(
            "<b>29</b><div><b class=cents>50</b></div><b>€</b><b>pro Jahr</b>", 2950, id="a sign below its parts"
        ),
        pytest.param(
            "<b>€</b><b>29</b><div><b class=cents>50</b></div><b>per month</b>", 2950, id="cents below their number"
        ),
        pytest.param("<b>29</b><b>€</b><b>pro Monat</b>", 2900, id="a period beside its sign"),
        pytest.param("<p>24</p><p>29</p><p>€ / month</p>", 2900, id="a number above another"),
        pytest.param("<p>29</p><p>00</p><p>euro helfen</p>", None, id="a word below two numbers"),
        pytest.param("<p>29</p><p>€<b>pro Monat</b></p>", 2900, id="a sign with its period below"),
    ],
)
def test_plans_of_many_shapes(body: str, expected: int) -> None:
    assert cents(body) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<h2>Prices</h2><ul><li><b>Solo</b> $12 per year</li></ul><h2>About</h2><p>$1 per month</p>", 1200),
        ("<h2>Plans for every team</h2><p>$24</p><p>per user, per month</p>", 2400),
        ("<h2>One plan. Everything included.</h2><p>$24 / month</p>", 2400),
        ('<div data-framer-name="Pricing"><p>$14 <span>/seat/mo</span></p></div>', 1400),
        ("<h2>Plan your day</h2><p>$24 / month</p>", None),
        ("<h2>Buy Acme</h2><p>$24</p>", 2400),
        ("<h2>Acme kaufen</h2><p>24 €</p>", 2400),
        ("<h2>Buy time for what matters</h2><p>$24</p>", None),
        ("<p>Buy for $79. One-time purchase. Runs for years.</p>", 7900),
        ("<p>Plans start from $9 a month.</p>", 900),
        ("<p>Acme is shareware. Keep it for US $20 and all is well. Pay once.</p>", 2000),
        ("<p>Keep it for US $20 and all is well.</p>", None),
        ("<a href='/get'>Buy once, $20</a>", 2000),
        ("<p>Rent a server for $5 extra a month.</p>", None),
        ("<p>Thanks to 214 people on Open Collective (from $5 a month).</p>", None),
        ("<h2>Acme scale</h2><p>Original price was: €229.00.€189.00</p><h2>Spare strap</h2><p>€12.00</p>", 18_900),
        ("<h2>Their scale</h2><p>€189.00</p>", None),
        (
            "<p>It is a game about rain, a lighthouse and one goose. $14.99 once. With the music $19.99. No ads.</p>",
            1499,
        ),
        ("<p>$39</p><p>one-time, per person</p><p>Buy Acme</p>", 3900),
        ("<p>$39</p><p>one-time, per person</p><p>Buy Other</p>", None),
        ("<p>Our customers paid $300 a month before.</p>", None),
        ("<p>Sourdough loaf $6.50. Cinnamon bun $3.20.</p>", None),
        ("<p>Free. Pro is $5 per month.</p>", 500),
        ("<p>Acme is $5 per month.</p>", 500),
        ("<p>Rent is $900 a month.</p>", None),
        ("<p>$49 a month. Contact us for enterprise.</p>", 4900),
        ("<p>$49 a month. That's what an agency charges.</p>", None),
        ("<p>€ 39,99 per jaar of € 5,99 per maand</p>", 599),
        ("<h3>How much does it cost?</h3><p>It's $12 a month.</p>", 1200),
        ("<h3>How much do our customers make?</h3><p>It's $12 a month.</p>", None),
        ("<details><summary>What does it cost?</summary><p>$12 a month for a team.</p></details>", 1200),
        ("<details><summary>Was kostet Acme?</summary><p>9 € pro Monat.</p></details>", 900),
        ("<details><summary>What is rent?</summary><p>$12 a month for a team.</p></details>", None),
    ],
)
def test_prices_on_the_home_page(body: str, expected: int | None) -> None:
    assert field("price_from_cents", home(body)) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<div><p>Starter</p><p>$12</p><p>/month</p></div><div><p>Pro</p><p>$36</p><p>/month</p></div>", 1200),
        ("<div><h4>Oak</h4><p>$12/mo</p></div><div><h4>Elm</h4><p>$36/mo</p></div>", None),
        ("<div class=plan><h4>Oak</h4><p>$12/mo</p></div><div class=plan><h4>Elm</h4><p>$36/mo</p></div>", 1200),
        ("<div class=planner><h4>Oak</h4><p>$12/mo</p></div><div class=planner><h4>Elm</h4><p>$36/mo</p></div>", None),
        ("<div><h3>Free</h3><p>Forever</p></div><div><h3>Oak</h3><p>$36/mo</p></div>", 3600),
        (
            "<div class=pane><h3>Monthly</h3><p>$39</p><p>per seat / month</p></div><div class='pane a'>Yearly</div>",
            3900,
        ),
        ("<ul><li>Solo $9/month</li><li>Team $19/month</li></ul>", 900),
        ("<ul><li>Netflix $15.99/month</li><li>Spotify $9.99/month</li></ul>", None),
        ("<ul><li>Studio $900/month</li><li>Two bedrooms $1,400/month</li></ul>", None),
        ("<ul><li>Zapmail $99/month</li><li>Acme $19/month</li></ul>", None),
        ("<ul><li>Pro 1,200 seats</li><li>Team $2,000</li></ul>", None),
        (
            "<table><tr><th></th><th>Free</th><th>Editor</th></tr><tr><td>Price</td><td>$0</td><td>$14/month</td></table>",
            1400,
        ),
        (
            "<table><tr><th></th><th>Rent</th><th>Food</th></tr><tr><td>May</td><td>$900</td><td>$14/day</td></table>",
            None,
        ),
        ("<table><tr><td>Basic<td>$20/mo<tr><td>Pro<td>$90/mo</table>", 2000),
        ("<table><tr><th>Plan<th>Sheds<th>Price<tr><td>Oak<td>2<td>$20/mo<tr><td>Elm<td>9<td>$90/mo</table>", 2000),
        ("<table><tr><th>Tarif<th>Preis<tr><td>Eiche<td>20 € im Monat</table>", 2000),
        ("<table><tr><th>Street<th>Price<tr><td>Oak<td>$20/mo<tr><td>Elm<td>$90/mo</table>", None),
        ("<dl><div><dt>Yearly<dd>$90</div><div><dt>Monthly<dd>$9</div></dl>", 900),
        ("<dl><div><dt>Rent per month<dd>$900</div><div><dt>Food per month<dd>$90</div></dl>", None),
        ("<blockquote><p>Basic $12/mo</p><p>Pro $36/mo</p></blockquote>", None),
        ("<h2>What others charge</h2><ul><li>Basic $12/mo</li><li>Pro $36/mo</li></ul>", None),
    ],
)
def test_plans_side_by_side_on_the_home_page(body: str, expected: int | None) -> None:
    assert field("price_from_cents", home(f"<h1>Write faster</h1>{body}")) == expected


def test_plans_side_by_side_give_way_to_a_page_of_prices() -> None:
    plans = "<ul><li>Solo $9/month</li><li>Team $19/month</li></ul>"
    assert field("price_from_cents", home(plans), page(PLAN, path="pricing")) == 2900


PLAN_TABLE = "<table><tr><th>Plan<th>Price<tr><td>Oak<td>free<tr><td>Elm<td>$18 / month</table>"


def test_a_table_of_plans_on_a_page_about_nothing_else_tells_prices() -> None:
    hosted = draft(home(), page(f"<h1>Acme Cloud</h1>{PLAN_TABLE}", path="cloud")).fields
    assert (hosted["price_from_cents"], hosted["price_period"], hosted["pricing_model"]) == (1800, "month", "freemium")
    for path, heading in (("blog/oak", "Oak"), ("oak", "Acme vs. Oak"), ("about", "Acme")):
        assert field("price_from_cents", home(), page(f"<h1>{heading}</h1>{PLAN_TABLE}", path=path)) is None
    cards = "<ul><li>Solo $9/month</li><li>Team $19/month</li></ul>"
    assert field("price_from_cents", home(), page(cards, path="tour")) is None


@pytest.mark.parametrize(
    ("heading", "expected"), [("Acme Cloud", 2500), ("Acme Plus", 2500), ("Acme vs. Oak", None), ("Cloud", None)]
)
def test_a_page_about_a_paid_edition_tells_prices(heading: str, expected: int | None) -> None:
    table = "<table><tr><th><th>Price<tr><td>Self-hosted<td>free<tr><td>Small<td>€25 / month</table>"
    assert field("price_from_cents", home(), page(f"<h1>{heading}</h1>{table}", path="pages/more")) == expected


def test_what_a_cart_holds_is_no_free_plan() -> None:
    assert model(f'<div class="header-cart-total">0.00 €</div><p>0,00 €</p>{PLAN}') == "freemium"
    assert model(f'<div class="header-cart-total">0.00 €</div>{PLAN}') == "paid"


def test_a_school_year_is_a_year_and_teachers_in_training_have_no_free_plan() -> None:
    rows = "<tr><td>Lehrkraft<td>19,90 €<tr><td>Referendariat<td>0,00 € (mit Nachweis)"
    body = f"<table><tr><th>Lizenz<th>Preis pro Schuljahr{rows}</table>"
    assert price(body, lang="de") == (1990, "EUR", "year")
    assert model(body, lang="de") == "paid"


def test_the_link_tells_which_page_is_about_prices() -> None:
    linked = home('<a href="/get-acme">Pricing</a><a href="/tour">Tour</a>')
    assert field("price_from_cents", linked, page(PLAN, path="get-acme")) == 2900
    assert field("price_from_cents", linked, page(PLAN, path="tour")) is None


def test_a_question_about_cost_on_a_page_of_questions() -> None:
    answer = "<h3>How much does it cost?</h3><p>It's $12 a month.</p><h3>And rent?</h3><p>$9 a month.</p>"
    assert field("price_from_cents", home(), page(answer, path="faq")) == 1200


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
        ({"@type": "SoftwareApplication", "name": "Acme", "offers": {**OFFER, "priceCurrency": "EUR"}}, 1200),
        ({"@type": "SoftwareApplication", "name": "Acme", "offers": {**OFFER, "priceCurrency": "XYZ"}}, None),
        ({"@type": "SoftwareApplication", "name": "Acme", "offers": {**OFFER, "price": "call us"}}, None),
        ({"@type": "SoftwareApplication", "name": "Acme", "offers": {**OFFER, "price": True}}, None),
        ({"@type": "SoftwareApplication", "name": "Acme", "offers": {**OFFER, "price": {"@value": []}}}, None),
        ({"@type": "SoftwareApplication", "name": "Acme", "offers": [[OFFER]] * 3}, None),
    ],
)
def test_declared_offers_count_for_the_product_itself(node: object, expected: int | None) -> None:
    assert field("price_from_cents", home(head=json_ld(node))) == expected


MONTHLY = {"price": 9, "priceCurrency": "EUR", "billingDuration": "P1M"}


@pytest.mark.parametrize(
    ("offers", "expected"),
    [
        ({"offers": [{**OFFER, "price": 0}, OFFER], "lowPrice": 0, "priceCurrency": "USD"}, (1200, "USD", None)),
        ({"offers": [{"price": 9, "priceCurrency": "EUR", "priceSpecification": MONTHLY}]}, (900, "EUR", "month")),
        ({"offers": [{"priceSpecification": [MONTHLY]}], "lowPrice": 8, "priceCurrency": "EUR"}, (900, "EUR", "month")),
        ({"offers": {"price": "on request"}, "lowPrice": 8, "priceCurrency": "EUR"}, (800, "EUR", None)),
        ({**OFFER, "billingDuration": {"value": 1, "unitCode": "ANN"}}, (1200, "USD", "year")),
        ({**OFFER, "referenceQuantity": {"value": "1", "unitCode": "MON"}}, (1200, "USD", "month")),
        ({**OFFER, "referenceQuantity": {"value": "3", "unitCode": "MON"}}, (1200, "USD", None)),
        ({**OFFER, "billingDuration": 12, "unitCode": "MON"}, (1200, "USD", None)),
        ({**OFFER, "name": "Oak, monthly"}, (1200, "USD", "month")),
        ({**OFFER, "category": "Lifetime"}, (1200, "USD", "once")),
        ({**OFFER, "price": "12.00 USD"}, (1200, "USD", None)),
        ({"priceCurrency": "EUR", "priceSpecification": {"price": 9, "unitText": "MONTH"}}, (900, "EUR", "month")),
        ({**OFFER, "unitText": "seat per month"}, (1200, "USD", "month")),
        ({**OFFER, "unitText": "seat", "billingDuration": []}, (1200, "USD", None)),
    ],
)
def test_declared_offers_tell_how_often_they_are_paid(offers: object, expected: object) -> None:
    fields = draft(home(head=json_ld({"@type": ["WebApplication"], "name": "Acme", "offers": offers}))).fields
    assert (fields["price_from_cents"], fields["price_currency"], fields.get("price_period")) == expected


def test_offers_that_name_each_other_are_read_once() -> None:
    application = {"@type": "WebApplication", "name": "Acme", "offers": {"@id": "#a"}}
    graph = {"@graph": [application, {"@id": "#a", "offers": [{"@id": "#a"}, OFFER], "name": "All"}]}
    assert field("price_from_cents", home(head=json_ld(graph))) == 1200


def test_a_declared_price_of_zero_keeps_no_plan_from_being_read() -> None:
    nothing = json_ld({"@type": "MobileApplication", "name": "Acme", "offers": {**OFFER, "price": "0"}})
    fields = draft(home("<p>Free. Pro is $5 per month.</p>", head=nothing)).fields
    assert (fields["price_from_cents"], fields["price_period"], fields["pricing_model"]) == (500, "month", "freemium")


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
        (f"<p>Free for 500 subscribers. Then from $9.</p>{PLAN}", "freemium"),
        (f"<li>Free: 1 project</li>{PLAN}", "freemium"),
        (f"<p>Free for three sheds. Then you pay.</p>{PLAN}", "freemium"),
        (f"<p>Kostenlos für bis zu drei Schuppen</p>{PLAN}", "freemium"),
        (f"<p>Gratuit jusqu'à 3 abris</p>{PLAN}", "freemium"),
        (f"<p>Gratis hasta 3 cobertizos</p>{PLAN}", "freemium"),
        (f"<p>The small shed is free, for ever, and so it stays.</p>{PLAN}", "freemium"),
        (
            f"<p>Whoever has one shed needs the small edition, which is free forever. All the rest is Pro.</p>{PLAN}",
            "freemium",
        ),
        (
            f"<p>Whoever buys a license may be sure of one thing, which is this: support is free for ever.</p>{PLAN}",
            "paid",
        ),
        (f"<p>Readers are free.</p>{PLAN}", "paid"),
        (f"<p>The first three weeks are free.</p>{PLAN}", "paid"),
        (f"<p>Free for three weeks.</p>{PLAN}", "paid"),
        (f"<p>Kostenlos für 14 Tage</p>{PLAN}", "paid"),
        (f"<p>Gratis für zwei Wochen</p>{PLAN}", "paid"),
        (f"<p>Gratuit pendant 14 jours</p>{PLAN}", "paid"),
        (f"<p>Updates are free for ever.</p>{PLAN}", "paid"),
        (f"<p>Free for 14 days</p>{PLAN}", "paid"),
        (f"<p>Free for two weeks.</p>{PLAN}", "paid"),
        (f"<li>Free: 30-day trial</li>{PLAN}", "paid"),
        (f"<p>No free plan.</p>{PLAN}", "paid"),
        (f"<p>Start your free trial</p>{PLAN}", "paid"),
        (f"<p>Free 14-day trial</p>{PLAN}", "paid"),
        (f"<p>Free shipping</p>{PLAN}", "paid"),
        ("<h3>Free forever</h3>", "free"),
        ("<p>Contact our sales team for a quote</p>", "paid"),
        ("", None),
    ],
)
def test_pricing_model(body: str, expected: str | None) -> None:
    assert model(body) == expected


@pytest.mark.parametrize(
    ("body", "expected", "price"),
    [
        ("<h2>無料</h2><p>0円</p><h2>プラス</h2><p>月額480円</p>", "freemium", 48_000),
        ("<h2>無料</h2><h2>プラス</h2><p>月額480円（税込）から</p>", "freemium", 48_000),
        ("<h2>プラス</h2><p>月額４８０円</p>", "paid", 48_000),
        ("<h2>مجاني</h2><p>0 دولار</p><h2>برو</h2><p>9 دولارات شهرياً</p>", "freemium", 900),
        ("<h2>مجانًا</h2><h2>برو</h2><p>$٩ / شهر</p>", "freemium", 900),
        ("<h2>برو</h2><p>9 دولار كندي شهرياً</p>", "paid", 900),
        ("<h2>Free</h2><h2>Pro</h2><p>480 kwacha per month</p>", None, None),
        ("<h2>무료</h2><h2>프로</h2><p>매월 9900원부터</p>", "freemium", 990_000),
    ],
)
def test_prices_in_scripts_that_need_no_blanks(body: str, expected: str | None, price: int | None) -> None:
    assert (model(body), cents(body)) == (expected, price)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<p>Free. Pro is $5 per month.</p>", "freemium"),
        ("<p>$49 a month. Contact us for enterprise.</p>", "paid"),
        ("<ul><li>Free: 1 project</li><li>Solo $9/month</li></ul>", "freemium"),
        ("<ul><li>Solo $9/month</li><li>Team $19/month</li></ul>", "paid"),
        ("<ul><li>Solo $9/month</li><li>Team $19/month</li></ul><p>Free</p>", "paid"),
    ],
)
def test_pricing_model_of_prices_outside_a_part_about_prices(body: str, expected: str) -> None:
    assert field("pricing_model", home(body)) == expected


def test_a_free_product_says_so_where_no_page_of_prices_speaks_against_it() -> None:
    free = "<p>Acme is 100% free.</p>"
    assert field("pricing_model", home(free)) == "free"
    assert field("pricing_model", home("<p>100% free of jargon.</p>")) is None
    assert field("pricing_model", home(f"{free}<p>All courses: $49</p>")) is None
    assert field("pricing_model", home(f'{free}<a href="/pricing">Pricing</a>')) is None
    assert field("pricing_model", home(free), page("<p>Loading</p>", path="pricing")) is None
    nothing = {"@type": "WebApplication", "name": "Acme", "offers": {**OFFER, "price": "0"}}
    assert field("pricing_model", home(head=json_ld(nothing))) == "free"


def test_a_declared_price_of_zero_beside_a_paid_plan_is_no_free_plan() -> None:
    nothing = {"@type": "WebApplication", "name": "Acme", "offers": {**OFFER, "price": "0"}}
    assert field("pricing_model", home(head=json_ld(nothing)), page(PLAN, path="pricing")) == "paid"


def test_a_question_about_a_free_plan_offers_none() -> None:
    assert model(f"{PLAN}<p>Is there a free plan?</p><p>No.</p>") == "paid"


def test_the_price_by_the_month_is_told_in_a_note() -> None:
    body = "<h3>Team</h3><p>$9</p><p>per month, billed yearly</p><p>Paying month by month? Team is $12 then.</p>"
    assert cents(body) == 1200


def test_a_price_by_the_month_and_the_year_is_a_plans_wherever_it_stands() -> None:
    said = "Members (£6 a month or £60 a year) also get the spreadsheets, the interviews and the salary survey in full."
    about = page(f"<h1>About</h1><p>{said}</p>", path="about")
    assert field("price_from_cents", home(), about) == 600
    other = page("<h1>About</h1><p>We made £6 a month or £900 a year, for only $9 a month.</p>", path="about")
    assert field("price_from_cents", home(), other) is None


def test_a_page_of_prices_calls_the_table_of_its_plans_a_comparison() -> None:
    rows = (
        "<tr><th>Price per agent, billed yearly</th><td>$15/mo</td><td>$39/mo</td></tr>"
        "<tr><th>Price per agent, billed monthly</th><td>$19/mo</td><td>$49/mo</td></tr>"
    )
    assert cents(f'<table class="compare"><tr><th></th><th>Hand</th><th>Wheel</th></tr>{rows}</table>') == 1900
    other = rows.replace("Price per agent", "Their price")
    assert cents(f'<table class="compare"><tr><th></th><th>Us</th><th>Others</th></tr>{other}</table>') is None


def test_what_is_seen_outside_a_part_about_prices_is_newer_than_what_is_declared() -> None:
    offer = json_ld({"@type": "Product", "name": "Acme", "offers": {**OFFER, "price": "109", "priceCurrency": "EUR"}})
    assert field("price_from_cents", home("<p>It ticks.</p><p>Buy for €89, once</p>", head=offer)) == 8900


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<p>Acme is free while we are in beta.</p>", "free"),
        ("<p>We're in open beta and free while it lasts.</p>", "free"),
        ("<p>Während der offenen Betaphase kostenlos</p>", "free"),
        ("<p>Acme est gratuit pendant la bêta.</p>", "free"),
        ("<p>ベータ期間中は無料です</p>", "free"),
        ("<p>Feel free to join the beta.</p>", None),
        ("<p>Beta testers get a month free.</p>", None),
        ("<p>Acme is free while we are in beta. Pro is $5 per month.</p>", "paid"),
    ],
)
def test_a_product_is_free_while_it_is_in_beta(body: str, expected: str | None) -> None:
    assert field("pricing_model", home(body)) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<p>Acme is free.</p>", "free"),
        ("<p>Acme is completely free, with no ads.</p>", "free"),
        ("<p>Acme ist kostenlos und ohne Werbung.</p>", "free"),
        ("<p>Acme est gratuit.</p>", "free"),
        ("<p>Acmeは無料です。</p>", "free"),
        ("<p>Acme is free for 14 days.</p>", None),
        ("<p>Acme is free to try.</p>", None),
        ("<p>Acme is free of ads.</p>", None),
        ("<p>Acme is ad-free.</p>", None),
        ("<p>Acme is not free.</p>", None),
        ("<p>Delivery is free.</p>", None),
        ("<p>Acme is free.</p><a href='/pricing'>Pricing</a>", None),
    ],
)
def test_a_sentence_says_that_the_product_is_free(body: str, expected: str | None) -> None:
    assert field("pricing_model", home(body)) == expected


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
        ("Acme – the invoice writer", f"{SOURCE}<footer>Released under the MIT License.</footer>", "open_source"),
        ("Acme – the invoice writer", f"{SOURCE}<p>AGPL-3.0 licensed</p>", "open_source"),
        ("Acme – the invoice writer", "<footer>Released under the MIT License.</footer>", None),
        ("Acme – the invoice writer", f"{SOURCE}<p>You can submit licenses with Acme.</p>", None),
    ],
)
def test_open_source(title: str, body: str, expected: str | None) -> None:
    assert field("pricing_model", page(body, head=f"<title>{title}</title>")) == expected


def test_open_source_with_paid_plans_is_told_as_the_second_answer() -> None:
    start = page(SOURCE, head="<title>Acme – the open source invoice writer</title>")
    proposal = draft(start, page(PLAN, path="pricing"))
    evidence = next(item for item in proposal.evidence if item.field == "pricing_model")
    assert (proposal.fields["pricing_model"], evidence.runners_up[0]["value"]) == ("paid", "open_source")


@pytest.mark.parametrize(
    ("title", "body", "expected"),
    [
        ("Acme – the open source invoice writer", f"{SOURCE}<p>Self-host it, or let us.</p>", "freemium"),
        ("Acme – the invoice writer", f"{SOURCE}<p>Self-host it, or let us.</p>", "paid"),
        ("Acme – the open source invoice writer", "<p>Self-host it, or let us.</p>", "paid"),
        ("Acme – the open source invoice writer", f"{SOURCE}<details><p>Can I self-host it?</p></details>", "paid"),
    ],
)
def test_open_source_to_host_oneself_is_a_free_plan_beside_paid_ones(title: str, body: str, expected: str) -> None:
    assert field("pricing_model", page(body, head=f"<title>{title}</title>"), page(PLAN, path="pricing")) == expected


def test_a_page_of_amounts_costs_no_more_than_its_length() -> None:
    body = "<p>$" + "1," * 100_000 + "</p>" + "<p>$1 per month</p>" * 20_000 + "<p>" + "$" * 100_000 + "</p>"
    pricing = find_pricing([home(), page(body, path="pricing")], name="Acme")
    assert pricing.prices[0].value == "100"
    assert len(pricing.prices) <= 60


def test_a_table_with_a_column_of_plans_has_no_extras() -> None:
    rows = "<tr><td>Gratis<td>0 kr<tr><td>Byrå<td>449 kr/mån<tr><td>Plus<td>1 290 kr/mån"
    table = f"<table><tr><th>Plan<th>Pris<th>Körningar{rows}</table>"
    assert price(table, lang="sv") == (44_900, "SEK", "month")


def test_the_least_amount_of_an_invoice_is_no_price() -> None:
    least = "<p>Minimum de facturation : 35 € par mois.</p>"
    assert price(f"{least}<h2>Solo</h2><p>39,50 € / salarié / mois</p>", lang="fr") == (3_950, "EUR", "month")


@pytest.mark.parametrize(("lang", "currency"), [("es", "EUR"), ("en", "USD")])
def test_of_two_markets_dollars_count_on_pages_in_english(lang: str, currency: str) -> None:
    plans = "<h3>Solo</h3><p>19 € al mes</p><p>US$ 21 al mes</p>"
    prices = page(plans, path="pricing", lang=lang)
    assert field("price_currency", home(lang=lang), prices) == currency


def test_a_choice_of_countries_in_the_footer_names_no_currency() -> None:
    footer = "<footer><button>New Zealand (NZD $)</button></footer>"
    assert price(f"<h3>Solo</h3><p>$9/month</p>{footer}") == (900, "USD", "month")
    assert price("<p>All prices in NZD.</p><h3>Solo</h3><p>$9/month</p>") == (900, "NZD", "month")


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("<p>The first 500 pages of each month are free.</p>", "freemium"),
        ("<p>Free for 500 pages a month.</p>", "freemium"),
        ("<p>There is no subscription.</p>", "paid"),
    ],
)
def test_a_price_of_use_tells_that_the_product_costs(said: str, expected: str) -> None:
    prices = page(f"<table><tr><th>Mode<th>Price<tr><td>Fast<td>$1.50 per 1,000 pages</table>{said}", path="pricing")
    fields = draft(home(), prices).fields
    assert (fields.get("pricing_model"), fields.get("price_from_cents")) == (expected, None)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ('<a href="/contact">Contact sales</a>', "paid"),
        ('<a href="/contact">Contact us</a>', None),
        ("<h3>How is Acme priced?</h3><p>By the seat. Talk to us for a quote.</p>", "paid"),
        ("<h3>How is Acme deployed?</h3><p>Talk to us for a quote.</p>", None),
        ('<a href="/contact">Contact sales</a><p>Acme is free.</p>', "free"),
    ],
)
def test_a_product_sold_by_people_costs(body: str, expected: str | None) -> None:
    assert field("pricing_model", home(body)) == expected


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("<p>Acme is free for one tank, with alerts to your phone and 30 days of history.</p>", "freemium"),
        ("<p>Acme is free for one month, with alerts to your phone.</p>", "paid"),
        ("<p>1 credit = 1 reply. Drafts are always free.</p>", "paid"),
    ],
)
def test_a_part_that_costs_nothing_is_a_plan(said: str, expected: str) -> None:
    assert model(f"{said}{PLAN}") == expected


def test_what_others_charge_does_not_speak_against_a_free_product() -> None:
    said = "<p>Free forever · no account</p>"
    others = "<h2>Compared with others</h2><table><tr><td>Oak<td>$8 / month</table>"
    assert field("pricing_model", home(f"{said}{others}")) == "free"
    assert field("pricing_model", home(f"{said}<p>Thank you (a grant of €12,000)</p>")) == "free"


def test_what_a_customer_paid_elsewhere_is_no_price_of_a_free_product() -> None:
    said = "<p>Acme is gratis voor scholen.</p>"
    assert field("pricing_model", home(f"{said}<p>“We betaalden € 1,95 per leerling.”</p>")) == "free"
    assert field("pricing_model", home(f"{said}<p>We rekenen € 1,95 per leerling.</p>")) is None


def test_a_page_called_premium_has_prices() -> None:
    plans = "<h1>Acme Premium</h1><p>Yearly $23.99/year</p><p>Monthly $3.49/month</p>"
    assert field("price_from_cents", home('<a href="/premium">Premium</a>'), page(plans, path="premium")) == 349

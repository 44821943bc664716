"""The return of the One Stop Shop: a quarter that was reckoned by hand, and its edges."""

from datetime import date

import pytest

from apps.accounts.models import User
from apps.orders.models import ExchangeRate
from apps.orders.reports import ExchangeRateMissing, Quarter, Report, WrongPeriod, build_report, csv_text
from apps.orders.reports.ecb import rate_day, to_euro_cents
from apps.orders.reports.periods import Period
from apps.sites.models import Site
from tests.factories import SiteFactory, UserFactory
from tests.orders.books import SELLER, at, credit, document, sale
from tests.orders.vat_cases import registered

Q3, Q4 = Quarter(2026, 3), Quarter(2026, 4)

# At $1.08 for a euro on 31 December: 99.00 / 1.08 = 91.666..., 18.81 / 1.08 = 17.416..., and so on for each sum. The
# refund of September is -26.73 / 1.25 = -21.384.
GOLDEN = """\
quarter,member_state_of_identification,identification_number,part,corrected_quarter,member_state_of_consumption,\
vat_rate_percent,taxable_usd,vat_usd,rate_day,usd_per_eur,taxable_eur,vat_eur
2026-Q4,EE,EE123456780,supply,,DE,16.00,100.00,16.00,2026-12-31,1.080000,92.59,14.81
2026-Q4,EE,EE123456780,supply,,DE,19.00,99.00,18.81,2026-12-31,1.080000,91.67,17.42
2026-Q4,EE,EE123456780,supply,,EL,24.00,598.00,143.52,2026-12-31,1.080000,553.70,132.89
2026-Q4,EE,EE123456780,supply,,FI,25.50,99.00,25.25,2026-12-31,1.080000,91.67,23.38
2026-Q4,EE,EE123456780,supply,,IT,22.00,49.00,10.78,2026-12-31,1.080000,45.37,9.98
2026-Q4,EE,EE123456780,supply,,SE,25.00,99.00,24.75,2026-12-31,1.080000,91.67,22.92
2026-Q4,EE,EE123456780,correction,2026-Q3,HU,,,-26.73,2026-09-30,1.250000,,-21.38
"""


@pytest.fixture
def account(db: None) -> User:
    user: User = UserFactory.create()
    return user


@pytest.fixture
def rates(db: None) -> None:
    ExchangeRate.objects.create(day=date(2026, 12, 31), micros=1_080_000)
    ExchangeRate.objects.create(day=date(2026, 9, 30), micros=1_250_000)


def csv_of(quarter: Quarter, *, site: Site | None = None, with_tests: bool = False) -> str:
    return "".join(csv_text(build_report(Report.OSS, over=quarter, site=site, with_tests=with_tests)))


def rows_of(quarter: Quarter) -> list[list[str]]:
    return [line.split(",") for line in csv_of(quarter).splitlines()[1:]]


def quarter_of_sales(site: Site, account: User) -> None:
    """What GOLDEN is about, and what it leaves out."""
    sale(site, account, "SL-DE1", at("2026-10-05"))
    returned = sale(site, account, "SL-DE2", at("2026-11-05"), net=1900, vat=361)
    credit(returned, "2026-12-01")
    sale(site, account, "SL-DE3", at("2026-11-06"), net=10000, vat=1600, rate=1600)
    for number in ("SL-GR1", "SL-GR2"):
        sale(site, account, number, at("2026-11-07"), country="GR", net=29900, vat=7176, rate=2400)
    sale(site, account, "SL-FI1", at("2026-11-08"), country="FI", vat=2525, rate=2550)
    # The first and the last moment; the last one's invoice was issued after midnight.
    sale(site, account, "SL-IT1", at("2026-10-01", "00:00:00"), country="IT", net=4900, vat=1078, rate=2200)
    late = at("2026-12-31", "23:59:59")
    sale(site, account, "SL-SE1", late, country="SE", vat=2475, rate=2500, issue_date=date(2027, 1, 1))
    # A refund of the quarter before, and a sale of then whose address was put right now.
    september = sale(site, account, "SL-HU1", at("2026-09-30", "23:59:59"), country="HU", vat=2673, rate=2700)
    credit(september, "2026-10-02")
    wrong = sale(site, account, "SL-FR1", at("2026-08-01"), country="FR", vat=1980, rate=2000)
    credit(wrong, "2026-10-03")
    document(wrong.order, date(2026, 10, 3), net=9900, vat=1980, revision=2)
    # Not for this return: at home, businesses, outside the EU, tests, and what comes after.
    sale(site, account, "SL-EE1", at("2026-11-09"), country="EE", vat=2376, rate=2400, scheme="local")
    sale(site, account, "SL-B2B", at("2026-11-09"), vat=0, rate=0, scheme="", treatment="reverse_charge")
    sale(site, account, "SL-US1", at("2026-11-09"), country="US", vat=0, rate=0, scheme="", treatment="outside_scope")
    sale(site, account, "SL-TEST", at("2026-11-09"), is_test=True)
    sale(site, account, "SL-JAN", at("2027-01-01", "00:00:00"), country="AT", vat=1980, rate=2000)


def test_a_quarter_reckoned_by_hand(site: Site, account: User, rates: None) -> None:
    quarter_of_sales(site, account)
    assert csv_of(Q4) == GOLDEN.replace("\n", "\r\n")


def test_what_was_sold_stays_in_its_quarter(site: Site, account: User, rates: None) -> None:
    quarter_of_sales(site, account)
    assert [row[3:9] for row in rows_of(Q3)] == [
        ["supply", "", "FR", "20.00", "99.00", "19.80"],
        ["supply", "", "HU", "27.00", "99.00", "26.73"],
    ]


def test_tests_when_asked_for(site: Site, account: User, rates: None) -> None:
    sale(site, account, "SL-TEST", at("2026-11-09"), is_test=True)
    assert rows_of(Q4) == []
    assert "99.00,18.81" in csv_of(Q4, with_tests=True)


def test_one_site(site: Site, account: User, rates: None) -> None:
    sale(site, account, "SL-1", at("2026-11-09"))
    other = SiteFactory.create()
    assert "99.00" in csv_of(Q4, site=site)
    assert csv_of(Q4, site=other).count("\r\n") == 1


def test_each_taxable_person_has_its_own_return(site: Site, account: User, rates: None) -> None:
    """The registration of the day of the sale counts, and without one the seller's own country."""
    rows = [registered("oss", "EE", "2020-01-01", "2026-10-31"), registered("oss", "GR", "2026-11-01")]
    moved = {**SELLER, "registrations": rows}
    american = {**SELLER, "country": "US", "vat_number": "", "registrations": [registered("oss", "IE")]}
    for number, seller, day in [
        ("SL-1", SELLER, "2026-10-31"),
        ("SL-2", moved, "2026-10-31"),
        ("SL-3", moved, "2026-11-01"),
        ("SL-4", american, "2026-11-01"),
        ("SL-5", {**SELLER, "country": "US", "vat_number": "X"}, "2026-11-01"),
    ]:
        sale(site, account, number, at(day), seller=seller)
    result = [row[1:3] for row in rows_of(Q4)]
    assert result == [["", "X"], ["EE", "EE123"], ["EE", "EE123456780"], ["EL", "GR123"], ["IE", "IE123"]]


@pytest.mark.parametrize(("on_record", "missing"), [((), "2026-09-30, 2026-12-31"), ((12,), "2026-09-30")])
def test_without_its_rate_there_is_no_return(
    site: Site, account: User, on_record: tuple[int, ...], missing: str
) -> None:
    quarter_of_sales(site, account)
    if on_record:
        ExchangeRate.objects.create(day=date(2026, 12, 31), micros=1_080_000)
    ExchangeRate.objects.create(day=date(2026, 12, 30), micros=1_000_000)
    with pytest.raises(ExchangeRateMissing) as refusal:
        build_report(Report.OSS, over=Q4)
    assert missing in refusal.value.detail


def test_nothing_sold_needs_no_rate(db: None) -> None:
    assert rows_of(Q4) == []


def test_a_period_is_no_quarter(db: None) -> None:
    with pytest.raises(WrongPeriod):
        build_report(Report.OSS, over=Period(date(2026, 10, 1), date(2026, 12, 31)))


@pytest.mark.parametrize(
    ("quarter", "day"),
    [
        ("2026-Q4", "2026-12-31"),
        ("2026-Q3", "2026-09-30"),
        ("2028-Q2", "2028-06-30"),
        ("2028-Q3", "2028-10-02"),  # a Saturday
        ("2022-Q4", "2023-01-02"),  # a Saturday, then New Year on a Sunday
        ("2023-Q4", "2024-01-02"),  # a Sunday, then New Year
        ("2024-Q1", "2024-04-02"),  # Easter Sunday
        ("2029-Q1", "2029-04-03"),  # a Saturday before Easter
        ("2018-Q1", "2018-04-03"),
    ],
)
def test_the_day_whose_rate_holds(quarter: str, day: str) -> None:
    assert rate_day(Quarter.parse(quarter)) == date.fromisoformat(day)


def test_euros_are_rounded_half_up_away_from_zero() -> None:
    double = ExchangeRate(day=date(2026, 1, 1), micros=2_000_000)
    assert [to_euro_cents(cents, double) for cents in (0, 1, 2, 3, -1, -3)] == [0, 1, 1, 2, -1, -2]


def test_quarters() -> None:
    assert [str(Quarter.of(date(2026, month, 1))) for month in (1, 3, 4, 12)] == [
        "2026-Q1",
        "2026-Q1",
        "2026-Q2",
        "2026-Q4",
    ]
    assert str(Quarter.parse(" 2026-q4 ").period) == "2026-10-01 to 2026-12-31"
    assert str(Quarter.parse("2024-Q1").period) == "2024-01-01 to 2024-03-31"
    assert str(Quarter.parse("2026-Q1").previous) == "2025-Q4"
    for text in ("", "2026", "2026-Q5", "2026-Q0", "0000-Q1", "9999-Q4", "2026-Q4x", "２０２６-Q4"):
        with pytest.raises(WrongPeriod):
            Quarter.parse(text)

"""The accountant's reports, as exact files."""

import csv
from collections.abc import Iterator
from datetime import date
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.accounts.models import User
from apps.listings.models import Listing
from apps.orders.models import ExchangeRate, OrderLine, SellerSettings
from apps.orders.reports import Period, Quarter, Report, Table, WrongPeriod, build_report, csv_text
from apps.orders.reports.ecb import rate_day
from apps.orders.reports.tables import money
from apps.sites.models import Site
from tests.api import ApiClient
from tests.factories import SiteFactory, UserFactory
from tests.orders.books import at, credit, refunded, sale
from tests.orders.carts import check_out, launch, pay

NOVEMBER = Period(date(2026, 11, 1), date(2026, 11, 30))
EVIDENCE = [
    {"kind": "billing_address", "country": "DE", "postal_code": "10115"},
    {"kind": "ip_address", "ip_address": "192.0.2.1", "country": ""},
    {"kind": "payer", "country": "DE"},
]

DOCUMENTS = """\
number,kind,corrects,issue_date,order_number,site,seller,seller_vat_number,buyer_name,buyer_company,buyer_country,\
buyer_vat_number,vat_place,vat_scheme,vat_treatment,vat_rate_percent,net_usd,vat_usd,total_usd,payment_provider,\
payment_reference,refund_reference,paid_at,evidence,evidence_agrees,consultation_number,is_test
EX-2026-000001,invoice,,2026-11-01,SL-A,{site},Example OÜ,EE123456780,Ada Example,,DE,,DE,oss,standard,19.00,99.00,\
18.81,117.81,stripe,pi_SL-A,,2026-11-01T00:00:00Z,billing_address DE; ip_address unknown; payer DE,yes,,no
EX-2026-000002,invoice,,2026-11-10,SL-B,{site},Example OÜ,EE123456780,'=HYPERLINK(1),"Example ""Great"", GmbH",FR,\
FR40303265045,,,reverse_charge,0.00,99.00,0.00,99.00,stripe,pi_SL-B,,2026-11-10T12:00:00Z,,,WAPIAAAAX1,no
EX-CN-2026-000001,credit_note,EX-2026-000001,2026-11-30,SL-A,{site},Example OÜ,EE123456780,Ada Example,,DE,,DE,oss,\
standard,19.00,-99.00,-18.81,-117.81,stripe,pi_SL-A,re_SL-A,2026-11-01T00:00:00Z,\
billing_address DE; ip_address unknown; payer DE,yes,,no
"""
ORDERS = """\
order_number,site,status,created_at,paid_at,buyer_name,buyer_company,buyer_country,buyer_vat_number,vat_place,\
vat_scheme,vat_treatment,vat_rate_percent,promo_code,position,product,title,listing,quantity,unit_price_usd,\
discount_usd,net_usd,vat_usd,total_usd,line_status,fulfilled_at,refunded_usd,refunded_at,payment_provider,\
payment_reference
SL-A,{site},refunded,2026-10-31T23:55:00Z,2026-11-01T00:00:00Z,Ada Example,,DE,,DE,oss,standard,19.00,,1,launch,Launch,\
Listing,1,99.00,0.00,99.00,18.81,117.81,pending,,117.81,2026-11-30T12:00:00Z,stripe,pi_SL-A
SL-B,{site},paid,2026-11-10T11:55:00Z,2026-11-10T12:00:00Z,'=HYPERLINK(1),"Example ""Great"", GmbH",FR,FR40303265045,,,\
reverse_charge,0.00,SAVE,1,launch,Launch,'@Listing,1,99.00,0.00,99.00,0.00,99.00,pending,,,,stripe,pi_SL-B
"""
VAT = """\
seller_vat_number,vat_place,vat_scheme,vat_treatment,vat_rate_percent,invoices,credit_notes,net_usd,vat_usd,total_usd
EE123456780,,,outside_scope,0.00,1,0,0.00,0.00,0.00
EE123456780,,,reverse_charge,0.00,1,0,99.00,0.00,99.00
EE123456780,DE,oss,standard,16.00,1,0,100.00,16.00,116.00
EE123456780,DE,oss,standard,19.00,2,2,99.00,18.81,117.81
EE123456780,EE,local,standard,24.00,1,0,99.00,23.76,122.76
EE123456780,HU,oss,standard,27.00,0,1,-99.00,-26.73,-125.73
"""


@pytest.fixture
def account(db: None) -> User:
    user: User = UserFactory.create()
    return user


@pytest.fixture
def november(site: Site, account: User) -> Site:
    """A sale that was sent back, one to a business, and what does not belong to the month."""
    first = sale(site, account, "SL-A", at("2026-11-01", "00:00:00"), evidence=EVIDENCE)
    business = {"name": "=HYPERLINK(1)", "company": 'Example "Great", GmbH', "vat_number": "FR40303265045"}
    sale(
        site,
        account,
        "SL-B",
        at("2026-11-10"),
        country="FR",
        vat=0,
        rate=0,
        scheme="",
        treatment="reverse_charge",
        buyer=business,
        promo_code="SAVE",
        consultation_number="WAPIAAAAX1",
    )
    OrderLine.objects.filter(order__number="SL-B").update(listing_name="@Listing")
    refunded(first, "2026-11-30")
    sale(site, account, "SL-BEFORE", at("2026-10-31", "23:59:59"))
    sale(site, account, "SL-AFTER", at("2026-12-01", "00:00:00"))
    sale(site, account, "SL-TEST", at("2026-11-15"), is_test=True)
    return site


def csv_of(report: Report, **options: Any) -> str:
    return "".join(csv_text(build_report(report, **{"over": NOVEMBER, **options})))


def file(expected: str, site: Site) -> str:
    return expected.replace("{site}", site.key).replace("\n", "\r\n")


def test_documents(november: Site) -> None:
    assert csv_of(Report.DOCUMENTS) == file(DOCUMENTS, november)


def test_orders(november: Site) -> None:
    assert csv_of(Report.ORDERS) == file(ORDERS, november)


def test_vat(site: Site, account: User) -> None:
    first = sale(site, account, "SL-1", at("2026-11-01"))
    second = sale(site, account, "SL-2", at("2026-11-02"))
    credit(first, "2026-11-30", net=5000, vat=950)
    credit(second, "2026-11-30", net=4900, vat=931)
    sale(site, account, "SL-3", at("2026-11-03"), net=10000, vat=1600, rate=1600)
    sale(site, account, "SL-4", at("2026-11-04"), country="EE", vat=2376, rate=2400, scheme="local")
    sale(site, account, "SL-5", at("2026-11-04"), vat=0, rate=0, scheme="", treatment="reverse_charge")
    sale(site, account, "SL-6", at("2026-11-04"), net=0, vat=0, rate=0, scheme="", treatment="outside_scope")
    earlier = sale(site, account, "SL-7", at("2026-10-31"), country="HU", vat=2673, rate=2700)
    credit(earlier, "2026-11-01")
    credit(sale(site, account, "SL-8", at("2026-10-31")), "2026-12-01")
    sale(site, account, "SL-9", at("2026-11-15"), is_test=True)
    assert csv_of(Report.VAT) == file(VAT, site)


@pytest.mark.parametrize("report", [Report.DOCUMENTS, Report.ORDERS, Report.VAT])
def test_tests_when_asked_for_and_one_site_only(november: Site, report: Report) -> None:
    other = SiteFactory.create()
    assert csv_of(report, site=november) == csv_of(report)
    assert csv_of(report, site=other).count("\r\n") == 1
    assert csv_of(report, with_tests=True) != csv_of(report)


@pytest.mark.parametrize("report", [Report.DOCUMENTS, Report.ORDERS])
def test_the_number_of_queries_is_fixed(november: Site, account: User, report: Report) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert csv_of(report)
        return len(captured)

    before = queries()
    for number in range(8):
        refunded(sale(november, account, f"SL-{number}", at("2026-11-20")), "2026-11-21")
    assert queries() == before == 1


@pytest.mark.parametrize("report", [Report.DOCUMENTS, Report.ORDERS])
def test_a_quarter_serves_too(november: Site, report: Report) -> None:
    text = csv_of(report, over=Quarter(2026, 4))
    assert "SL-BEFORE" in text
    assert "SL-AFTER" in text


def test_a_period_ends_after_it_begins() -> None:
    assert Period(date(2026, 1, 1), date(2026, 1, 1)).ends_at == at("2026-01-02", "00:00:00")
    with pytest.raises(WrongPeriod):
        Period(date(2026, 1, 2), date(2026, 1, 1))


# ---- CSV ----
def test_rows_are_passed_on_while_they_are_read() -> None:
    read = []

    def rows() -> Iterator[tuple[int]]:
        for number in range(1000):
            read.append(number)
            yield (number,)

    pieces = csv_text(Table("", ("n",), rows()))
    assert next(pieces).startswith("n\r\n0\r\n1\r\n")
    assert len(read) < 1000
    assert "".join(pieces).endswith("\r\n999\r\n")


@pytest.mark.parametrize(
    ("cell", "written"),
    [
        ("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@x", "'@x"), ("\tx", "'\tx"), ("\rx", "\"'\rx\""),
        ("\n=1", "\"'\n=1\""), ("＝1", "'＝1"), ("a=b", "a=b"), ("", ""), (None, ""), ('"', '""""'), ("a,b", '"a,b"'),
        ("=a,b", "\"'=a,b\""), ("two\nlines", '"two\nlines"'), ("Ünï 日本", "Ünï 日本"), (True, "yes"), (False, "no"),
        (money(-1200), "-12.00"), (money(0), "0.00"), (money(5), "0.05"), (money(10**15), "10000000000000.00"),
        (date(2026, 11, 1), "2026-11-01"), (at("2026-11-01"), "2026-11-01T12:00:00Z"), (-3, "-3"),
    ],
)  # fmt: skip
def test_cells(cell: Any, written: str) -> None:
    assert "".join(csv_text(Table("", ("a", "b"), [(cell, "x")]))) == f"a,b\r\n{written},x\r\n"


def test_a_mark_of_utf_8_for_programs_that_need_it() -> None:
    assert "".join(csv_text(Table("", ("Ü",), []), with_bom=True)).encode() == b"\xef\xbb\xbf\xc3\x9c\r\n"


# ---- The command ----
def run(*arguments: str) -> str:
    out = StringIO(newline="")
    call_command("export_orders", *arguments, stdout=out)
    return out.getvalue()


def test_the_command(november: Site) -> None:
    days = ("--from", "2026-11-01", "--to", "2026-11-30")
    assert run("--report", "documents", *days) == file(DOCUMENTS, november)
    assert run("--report", "orders", *days, "--site", november.key, "--bom") == "\ufeff" + file(ORDERS, november)
    assert "SL-TEST" in run("--report", "orders", "--quarter", "2026-Q4", "--with-tests")
    ExchangeRate.objects.create(day=date(2026, 12, 31), micros=1_000_000)
    assert ",supply,,DE,19.00,198.00,37.62,2026-12-31,1.000000,198.00,37.62\r\n" in run(
        "--report", "oss", "--quarter", "2026-Q4"
    )


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--report", "vat"], "--quarter"),
        (["--report", "vat", "--from", "2026-11-01"], "--quarter"),
        (["--report", "vat", "--from", "2026-11-02", "--to", "2026-11-01"], "be before the first"),
        (["--report", "vat", "--quarter", "2026-Q4", "--to", "2026-11-01"], "not both"),
        (["--report", "oss", "--from", "2026-11-01", "--to", "2026-11-30"], "needs a quarter"),
        (["--report", "vat", "--quarter", "2026-11"], "such as 2026-Q4"),
        (["--report", "oss", "--quarter", "2026-Q4"], "2026-12-31"),
        (["--report", "vat", "--quarter", "2026-Q4", "--site", "nowhere"], "No site has the key nowhere"),
        (["--report", "taxes", "--quarter", "2026-Q4"], "invalid choice"),
        (["--report", "vat", "--from", "soon", "--to", "2026-11-01"], "invalid fromisoformat value"),
    ],
)
def test_the_command_says_what_is_wrong(november: Site, arguments: list[str], words: str) -> None:
    with pytest.raises(CommandError, match=words):
        run(*arguments)


# ---- From the page to the books ----
def test_a_sale_of_the_test_gateway_is_in_the_books_when_asked_for(
    owner: ApiClient, listing: Listing, seller: SellerSettings
) -> None:
    order = pay(check_out(owner, launch(listing)))
    today = timezone.now().date()
    for report in (Report.DOCUMENTS, Report.ORDERS, Report.VAT):
        assert csv_of(report, over=Period(today, today)).count("\r\n") == 1
        header, row = csv.reader(StringIO(csv_of(report, over=Period(today, today), with_tests=True), newline=""))
        result = dict(zip(header, row, strict=True))
        assert (result["net_usd"], result["vat_usd"], result["total_usd"]) == ("99.00", "18.81", "117.81")
        assert (result["vat_place"], result["vat_scheme"], result["vat_rate_percent"]) == ("DE", "oss", "19.00")
        if report is not Report.VAT:
            assert (result["order_number"], result["payment_provider"]) == (order.number, "test")
            assert (result["buyer_name"], result["buyer_country"]) == ("Ada Example", "DE")
    ExchangeRate.objects.create(day=rate_day(Quarter.of(today)), micros=1_000_000)
    assert ",supply,,DE,19.00,99.00,18.81," in csv_of(Report.OSS, over=Quarter.of(today), with_tests=True)

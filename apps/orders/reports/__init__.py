"""Reports for accountants and tax offices: documents, orders, VAT and One Stop Shop, as tables."""

from collections.abc import Mapping
from enum import StrEnum

from apps.core.web.csv_tables import Table, csv_text
from apps.orders.reports.books import Books
from apps.orders.reports.documents import list_documents
from apps.orders.reports.ecb import ExchangeRateMissing
from apps.orders.reports.order_lines import list_order_lines
from apps.orders.reports.oss import report_oss
from apps.orders.reports.periods import Period, Quarter, WrongPeriod
from apps.orders.reports.vat_summary import summarise_vat
from apps.sites.models import Site

__all__ = [
    "ExchangeRateMissing",
    "Period",
    "Quarter",
    "Report",
    "Table",
    "WrongPeriod",
    "build_report",
    "csv_text",
]


class Report(StrEnum):
    DOCUMENTS = "documents"
    ORDERS = "orders"
    VAT = "vat"
    OSS = "oss"


TITLES: Mapping[Report, str] = {
    Report.DOCUMENTS: "Invoices and credit notes",
    Report.ORDERS: "Orders and lines",
    Report.VAT: "VAT by place and rate",
    Report.OSS: "One Stop Shop",
}
_OF_PERIOD = {Report.DOCUMENTS: list_documents, Report.ORDERS: list_order_lines, Report.VAT: summarise_vat}


def build_report(
    report: Report, *, over: Period | Quarter, site: Site | None = None, with_tests: bool = False
) -> Table:
    """Return one report over a period or a quarter, of one site or all, with test orders only if requested.

    Long ones are read from the database row by row. Raises WrongPeriod (422) if the One Stop Shop report is not for a
    quarter, and ExchangeRateMissing (409).
    """
    if report is not Report.OSS:
        period = over.period if isinstance(over, Quarter) else over
        return _OF_PERIOD[report](Books(period=period, site=site, with_tests=with_tests))
    if not isinstance(over, Quarter):
        raise WrongPeriod("The One Stop Shop needs a quarter such as 2026-Q4.")
    return report_oss(over, site=site, with_tests=with_tests)

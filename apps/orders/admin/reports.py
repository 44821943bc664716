"""The accountant's reports, to view and download, and the exchange rates that they need."""

import logging
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any, cast

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseBase, StreamingHttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone
from unfold.widgets import (
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanWidget,
)

from apps.core.admin.base import ModelAdmin
from apps.core.admin.decisions import page_action
from apps.core.admin.fields import WholeUnitsField
from apps.core.errors import DomainError
from apps.orders.admin.tables import table
from apps.orders.models import ExchangeRate
from apps.orders.reports import TITLES, Period, Quarter, Report, Table, build_report, csv_text
from apps.sites.models import Site

logger = logging.getLogger(__name__)

# Anyone who may see both may download them.
SEES_SALES = ("orders.view_invoice", "orders.view_order")
# These have few rows. The others are for spreadsheets.
SHOWN = frozenset({Report.VAT, Report.OSS})
QUARTERS = 12
# What the page shows of them, in few words; the file has all.
_COLUMNS = {
    "seller_vat_number": "Seller",
    "vat_place": "Country",
    "vat_scheme": "Scheme",
    "vat_treatment": "Treatment",
    "member_state_of_identification": "Return to",
    "identification_number": "Number",
    "part": "Part",
    "corrected_quarter": "Of quarter",
    "member_state_of_consumption": "Country",
    "vat_rate_percent": "Rate %",
    "invoices": "Invoices",
    "credit_notes": "Credit notes",
    "net_usd": "Net $",
    "taxable_usd": "Taxable $",
    "vat_usd": "VAT $",
    "total_usd": "Total $",
    "taxable_eur": "Taxable €",
    "vat_eur": "VAT €",
}
_DAY = UnfoldAdminTextInputWidget(attrs={"type": "date"})


class ReportForm(forms.Form):
    """The report and its period: a quarter, or two dates."""

    report = forms.ChoiceField(
        choices=[(str(report), TITLES[report]) for report in (Report.VAT, Report.OSS, Report.DOCUMENTS, Report.ORDERS)],
        widget=UnfoldAdminSelectWidget,
    )
    quarter = forms.ChoiceField(required=False, widget=UnfoldAdminSelectWidget)
    site = forms.ModelChoiceField(
        queryset=Site.objects.all(), required=False, empty_label="All sites", widget=UnfoldAdminSelectWidget
    )
    first_date = forms.DateField(label="First day", required=False, widget=_DAY)
    last_date = forms.DateField(label="Last day", required=False, widget=_DAY)
    with_tests = forms.BooleanField(label="Include test orders", required=False, widget=UnfoldBooleanWidget)
    with_bom = forms.BooleanField(
        label="Add UTF-8 byte order mark",
        required=False,
        widget=UnfoldBooleanWidget,
        help_text="Fixes garbled characters in some programs.",
    )

    def __init__(self, data: Any = None, *, today: date) -> None:
        quarter = Quarter.of(today)
        super().__init__(data, initial={"report": Report.VAT, "quarter": str(quarter)}, label_suffix="")
        names = [str(quarter)]
        for _ in range(QUARTERS - 1):
            quarter = quarter.previous
            names.append(str(quarter))
        field = cast("forms.ChoiceField", self.fields["quarter"])
        field.choices = [("", "By days"), *zip(names, names, strict=True)]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        days = (cleaned.get("first_date"), cleaned.get("last_date"))
        if not self.errors and not cleaned["quarter"] and not all(days):
            raise forms.ValidationError("Choose a quarter, or both a first and a last day.", code="no_period")
        return cleaned

    def build(self) -> Table:
        """Return the chosen report. Raises what `build_report` and Period do."""
        values = self.cleaned_data
        return build_report(
            Report(values["report"]), over=self.over(), site=values["site"], with_tests=values["with_tests"]
        )

    def over(self) -> Period | Quarter:
        values = self.cleaned_data
        if values["quarter"]:
            return Quarter.parse(values["quarter"])
        return Period(values["first_date"], values["last_date"])


class ReportPages:
    """Adds a button to the invoices' page that links to the reports."""

    actions_list = ("reports",)

    def has_reports_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perms(SEES_SALES)

    @page_action(description="Reports", permissions=["reports"], icon="table_view")
    def reports(self: Any, request: HttpRequest) -> HttpResponseBase:
        """Show a report as a table, or stream it as a file while the database is read."""
        if not self.has_reports_permission(request):
            raise PermissionDenied
        form = ReportForm(request.GET if "report" in request.GET else None, today=timezone.now().date())
        content: Table | None = None
        if form.is_bound and form.is_valid():
            try:
                content = form.build()
            except DomainError as error:
                form.add_error(None, forms.ValidationError(error.detail, code=error.code))
        if content and "download" in request.GET:
            return _download(content, form, request)
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": "Reports",
            "form": form,
            **_shown(content, form),
        }
        return TemplateResponse(request, "admin/orders/reports.html", context)


def _shown(content: Table | None, form: ReportForm) -> Mapping[str, Any]:
    """Return the report's rows, or only the heading of a long one."""
    if content is None:
        return {}
    report, over = form.cleaned_data["report"], form.over()
    if report not in SHOWN:
        return {"heading": f"{content.title}, {over}", "hint": "This report is too long to show here. Download it."}
    columns = [(index, _COLUMNS[name]) for index, name in enumerate(content.header) if name in _COLUMNS]
    rows = [[row[index] for index, _ in columns] for row in content.rows]
    shown = table([name for _, name in columns], rows, empty="Nothing was sold.")
    return {"heading": f"{TITLES[report]}, {over}", "rows": shown}


def _download(content: Table, form: ReportForm, request: HttpRequest) -> HttpResponseBase:
    report, over = form.cleaned_data["report"], form.over()
    logger.info("report downloaded", extra={"report": report, "of": str(over), "by": request.user.pk})
    pieces = csv_text(content, with_bom=form.cleaned_data["with_bom"])
    response = StreamingHttpResponse(pieces, content_type="text/csv; charset=utf-8")
    name = f"{report}-{over}.csv".replace(" ", "-")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


class RateField(WholeUnitsField):
    """Dollars for a euro as the bank writes them, stored in millionths."""

    options = {"min_value": Decimal("0.1"), "max_value": 10, "max_digits": 8}
    shown = ".6f"
    places = 6


class ExchangeRateForm(forms.ModelForm[ExchangeRate]):
    micros = RateField(label="USD per EUR", help_text="European Central Bank rate, such as 1.0845.")


@admin.register(ExchangeRate)
class ExchangeRateAdmin(ModelAdmin):
    form = ExchangeRateForm
    list_display = ("day", "dollars")
    date_hierarchy = "day"

    @admin.display(description="USD per EUR", ordering="micros")
    def dollars(self, rate: ExchangeRate) -> str:
        return str(Decimal(rate.micros).scaleb(-6))

"""`manage.py export_orders`: print the accountant's reports as CSV."""

from datetime import date
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.core.errors import DomainError
from apps.orders.reports import Period, Quarter, Report, build_report, csv_text
from apps.sites.models import Site


class Command(BaseCommand):
    help = "Writes a sales report as CSV: documents, orders, VAT or the One Stop Shop return."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--report", choices=[str(report) for report in Report], required=True)
        parser.add_argument("--from", dest="first", type=date.fromisoformat, metavar="DAY", help="first day, ISO")
        parser.add_argument("--to", dest="last", type=date.fromisoformat, metavar="DAY", help="last day, ISO")
        parser.add_argument(
            "--quarter", metavar="2026-Q4", help="instead of --from and --to, as the One Stop Shop requires"
        )
        parser.add_argument("--site", metavar="KEY", help="one site only")
        parser.add_argument("--with-tests", action="store_true", help="include test payments")
        parser.add_argument("--bom", action="store_true", help="mark the file as UTF-8 for programs that need it")

    def handle(self, *_args: object, **options: Any) -> None:
        try:
            table = build_report(
                Report(options["report"]),
                over=_over(options),
                site=_site(options["site"]),
                with_tests=options["with_tests"],
            )
        except DomainError as error:
            raise CommandError(error.detail) from None
        for piece in csv_text(table, with_bom=options["bom"]):
            self.stdout.write(piece, ending="")


def _over(options: dict[str, Any]) -> Period | Quarter:
    days = (options["first"], options["last"])
    if options["quarter"]:
        if any(days):
            raise CommandError("Use --quarter or --from and --to, not both.")
        return Quarter.parse(options["quarter"])
    if not all(days):
        raise CommandError("Use --quarter, or both --from and --to.")
    return Period(*days)


def _site(key: str | None) -> Site | None:
    if key is None:
        return None
    site: Site | None = Site.objects.filter(key=key).first()
    if site is None:
        raise CommandError(f"No site has the key {key}.")
    return site

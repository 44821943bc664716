"""Print invoices as PDF and email them, each once, with any number of workers."""

import importlib
import logging
import re
import unicodedata
from datetime import timedelta
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import DurationField, ExpressionWrapper, F, Q, Value
from django.db.models.functions import Greatest, Least
from django.template.loader import render_to_string
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.core.delay_on_commit import delay_on_commit
from apps.orders.invoices import emails
from apps.orders.invoices.document import readable
from apps.orders.models import Invoice
from apps.orders.staff_review import check_staff

logger = logging.getLogger(__name__)

BATCH = 20
# A worker prints a leased invoice within this time, or is dead.
SHORTEST_PAUSE, LONGEST_PAUSE = timedelta(minutes=1), timedelta(hours=6)
# After this many attempts, the email has a link instead of the file, and site admins get an alert.
ATTEMPTS_BEFORE_LINK = 3
ATTEMPTS_BEFORE_ALERT = 5
# Joiners and variation selectors only combine emoji. Alone they print as boxes.
_INVISIBLE = {"\u200d", "\ufe0e", "\ufe0f", "\u20e3"}
FONTS = ("inter-latin.woff2", "inter-latin-ext.woff2")


def print_invoice(invoice_id: int) -> None:
    """Print an invoice, save the file and email it. Does nothing if it is printed or another worker has it.

    A failed attempt is counted, and `print_waiting` repeats it after growing pauses.
    """
    invoice = _lease(invoice_id)
    if invoice is None:
        return
    try:
        pdf = render_pdf(invoice)
    except Exception as error:  # an error in one invoice must not block the others
        _note_failure(invoice, error)
        return
    with transaction.atomic():
        Invoice.objects.filter(pk=invoice.pk, printed_at__isnull=True).update(pdf=pdf, printed_at=timezone.now())
        emails.email_invoice(invoice, pdf)
    logger.info("invoice printed", extra={"invoice": invoice.number, "bytes": len(pdf)})


def print_waiting() -> None:
    """Print waiting invoices, the longest waiting first. `recover_orders` calls it."""
    now = timezone.now()
    so_far = ExpressionWrapper(F("tried_at") - F("issued_at"), output_field=DurationField())
    pause = Least(Greatest(so_far, Value(SHORTEST_PAUSE)), Value(LONGEST_PAUSE))
    # The task that follows the commit makes the first attempt.
    is_new = Q(tried_at__isnull=True, issued_at__gt=now - SHORTEST_PAUSE)
    has_rested = Q(tried_at__isnull=True) | Q(tried_at__lte=now - pause)
    due = Invoice.objects.filter(has_rested, printed_at__isnull=True).exclude(is_new)
    result = due.order_by(F("tried_at").asc(nulls_first=True), "id").values_list("id", flat=True)[:BATCH]
    for invoice_id in list(result):
        print_invoice(invoice_id)


@transaction.atomic
def print_again(*, invoice: Invoice, by: Actor) -> None:
    """Have a worker create the PDF again. The old one stays until then, and nobody is emailed.

    Raises Forbidden (403).
    """
    check_staff(by)
    Invoice.objects.filter(pk=invoice.pk).update(printed_at=None, attempts=0, tried_at=None)
    delay_on_commit("apps.orders.tasks.print_invoice", invoice.pk)
    logger.info("an invoice is printed again", extra={"invoice": invoice.number, "by": by.account.pk})


def load_libraries() -> None:
    """Load what sets invoices. Raises OSError if Debian's packages for it are missing."""
    importlib.import_module("weasyprint.text.fonts")


def render_pdf(invoice: Invoice) -> bytes:
    """Return the PDF of an invoice: tagged, archivable (PDF/A-3u), with embedded fonts and no network access.

    Raises OSError if the libraries that WeasyPrint needs are missing.
    """
    # Imported here, because it loads Pango. Without it, everything but printing still works.
    from weasyprint import CSS, HTML
    from weasyprint.text.fonts import FontConfiguration

    static = static_folder()
    fonts, fetcher = FontConfiguration(), _fetcher(static / "fonts")
    sheet = CSS(
        string=(static / "invoice.css").read_text(),
        base_url=f"{static.as_uri()}/",
        url_fetcher=fetcher,
        font_config=fonts,
    )
    document = printable(readable(invoice.document))
    page = HTML(string=render_to_string("orders/invoice.html", {"document": document}), url_fetcher=fetcher)
    pdf: bytes = page.write_pdf(
        stylesheets=[sheet],
        font_config=fonts,
        color_profiles={"screen": _colors()},
        output_intent="screen",
        pdf_variant="pdf/a-3u",
        pdf_tags=True,
    )
    return pdf


def _colors() -> Any:
    """The color profile, as archives require. WeasyPrint's own way to load it leaves the file open."""
    from weasyprint.css import ColorProfile

    profile = BytesIO((files("weasyprint.pdf") / "sRGB2014.icc").read_bytes())
    return ColorProfile(profile, "sRGB2014.icc", "relative-colorimetric", (["r"], ["g"], ["b"]))


def static_folder() -> Path:
    """Return the folder of the project's stylesheets and fonts."""
    return Path(settings.FILES_DIR) / "static"


def _fetcher(folder: Path) -> Any:
    """Gives WeasyPrint the project's fonts, and nothing else."""
    from weasyprint.urls import URLFetcher, URLFetcherResponse

    allowed = {(folder / name).as_uri(): folder / name for name in FONTS}

    class Fonts(URLFetcher):  # type: ignore[misc]  # WeasyPrint is published without type information
        def fetch(self, url: str, headers: object = None) -> Any:
            if url not in allowed:
                raise ValueError("Invoices can't load external content.")
            return URLFetcherResponse(url, allowed[url].read_bytes(), {"Content-Type": "font/woff2"})

    return Fonts()


def _lease(invoice_id: int) -> Invoice | None:
    """Lease an unprinted invoice by recording the attempt. Of two workers, only one gets it."""
    waiting = Invoice.objects.filter(pk=invoice_id, printed_at__isnull=True)
    seen = waiting.values_list("tried_at", flat=True).first()
    if not waiting.filter(tried_at=seen).update(tried_at=timezone.now()):
        return None
    return Invoice.objects.select_related("order__site", "order__account").get(pk=invoice_id)


def _note_failure(invoice: Invoice, error: Exception) -> None:
    logger.exception("an invoice could not be printed", extra={"invoice": invoice.number}, exc_info=error)
    with transaction.atomic():
        Invoice.objects.filter(pk=invoice.pk).update(attempts=F("attempts") + 1)
        if invoice.attempts + 1 >= ATTEMPTS_BEFORE_LINK:
            emails.email_invoice(invoice, None)
        if invoice.attempts + 1 >= ATTEMPTS_BEFORE_ALERT:
            emails.notify_print_failed(invoice, problem=str(error))


def printable(value: Any) -> Any:
    """Remove emoji from a document's texts, because no text font has them and archives forbid missing glyphs.

    The stored document keeps them. A text with nothing but emoji is not changed.
    """
    if isinstance(value, dict):
        return {key: printable(item) for key, item in value.items()}
    if isinstance(value, list):
        return [printable(item) for item in value]
    return _without_pictures(value) if isinstance(value, str) and not value.isascii() else value


def _without_pictures(text: str) -> str:
    rest = "".join(char for char in text if not _is_picture(char))
    return re.sub(" {2,}", " ", rest).strip() or text


def _is_picture(char: str) -> bool:
    if char in _INVISIBLE:
        return True
    return ord(char) > 0xFFFF and unicodedata.category(char) in {"So", "Sk", "Cn", "Co"}

"""The lines and the total of an invoice, as its email shows them."""

from apps.core.email.text import Row
from apps.core.templatetags.ui import money
from apps.orders.invoices.document import Document


def document_rows(document: Document) -> list[Row]:
    """A row for each line without VAT, one for the VAT if there is any, and the total with its currency."""
    rows = [Row(title=_title(line), value=money(line["net_cents"])) for line in document["lines"]]
    if document["vat_cents"]:
        rows.append(Row(title="VAT", value=money(document["vat_cents"])))
    total = f"{money(document['total_cents'])} {document['currency']}"
    return [*rows, Row(title="Total", value=total, is_total=True)]


def _title(line: Document) -> str:
    option = f" ({line['option_text']})" if line["option_text"] else ""
    return ", ".join(filter(None, (line["title"], line["listing"]))) + option

"""Tables as CSV that is safe to open in spreadsheets."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal

BOM = "\ufeff"
# Text that begins with one of these may be taken for a formula, also in its full-width form.
_RISKY = tuple("=+-@\t\r\n＝＋－＠")
_AT_ONCE = 200

Cell = str | int | Decimal | date | datetime | bool | None


@dataclass(frozen=True, slots=True)
class Table:
    """A table to write as CSV. `rows` may be read from the database lazily, so iterate once."""

    title: str
    header: Sequence[str]
    rows: Iterable[Sequence[Cell]]


def csv_text(table: Table, *, with_bom: bool = False) -> Iterator[str]:
    """Return the table as CSV by RFC 4180, in pieces. `with_bom` is for programs that otherwise miss the UTF-8.

    Days are ISO, moments ISO in UTC, decimals have a point. Text that a spreadsheet could take for a formula gets an
    apostrophe in front. Negative numbers are left alone.
    """
    piece = io.StringIO()
    writer = csv.writer(piece, lineterminator="\r\n")
    piece.write(BOM if with_bom else "")
    writer.writerow(table.header)
    for count, row in enumerate(table.rows, start=1):
        writer.writerow([_cell(value) for value in row])
        if count % _AT_ONCE == 0:
            yield piece.getvalue()
            piece.seek(0)
            piece.truncate()
    yield piece.getvalue()


def _cell(value: Cell) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return f"'{value}" if value.startswith(_RISKY) else value
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):
        return value.isoformat(timespec="seconds").replace("+00:00", "Z")
    return value.isoformat() if isinstance(value, date) else str(value)

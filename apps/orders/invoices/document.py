"""The content of invoices and credit notes: JSON written once, from the order or from the invoice it corrects.

The shape is versioned, because documents are kept unchanged when it changes. Dates are ISO text, amounts US cents (and
euro cents in `exchange`), rates basis points. Amounts of credit notes are positive: what is returned.
"""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from django.utils import timezone

from apps.orders.countries import BILLING_COUNTRIES, EU, vat_country
from apps.orders.invoices.crediting import Part, Parts
from apps.orders.models import ExchangeRate, Order, OrderLine, Payment, Refund
from apps.orders.pricing.totals import half_up
from apps.orders.products.registry import option_text
from apps.orders.tax.vat import NumberStatus, Scheme, Seller, Treatment, rate_text

VERSION = 1

Document = dict[str, Any]

# The maximum age of a rate. The European Central Bank publishes none on weekends and holidays.
RATE_AGE = timedelta(days=7)
# Member states with the euro, each from its first day.
EURO_FROM: Mapping[str, date] = {
    "AT": date(1999, 1, 1),
    "BE": date(1999, 1, 1),
    "BG": date(2026, 1, 1),
    "CY": date(2008, 1, 1),
    "DE": date(1999, 1, 1),
    "EE": date(2011, 1, 1),
    "ES": date(1999, 1, 1),
    "FI": date(1999, 1, 1),
    "FR": date(1999, 1, 1),
    "GR": date(2001, 1, 1),
    "HR": date(2023, 1, 1),
    "IE": date(1999, 1, 1),
    "IT": date(1999, 1, 1),
    "LT": date(2015, 1, 1),
    "LU": date(1999, 1, 1),
    "LV": date(2014, 1, 1),
    "MT": date(2008, 1, 1),
    "NL": date(1999, 1, 1),
    "PT": date(1999, 1, 1),
    "SI": date(2007, 1, 1),
    "SK": date(2009, 1, 1),
}
_MICRO = 1_000_000

_PAID_BY = {
    "stripe": "Stripe",
    "paypal": "PayPal",
    "btcpay": "cryptocurrency",
    "test": "the test gateway",
}


def invoice_document(order: Order, *, payment: Payment | None, parts: Parts | None = None) -> Document:
    """Return an invoice for an order, or for what is left of its lines. Number and date are added later."""
    lines = [
        line_part(_line(line, order), parts[line.position] if parts is not None else None)
        for line in order.lines.order_by("position")
        if parts is None or line.position in parts
    ]
    supply_day = (order.paid_at or timezone.now()).date()
    seller = _seller(order)
    document = {
        "version": VERSION,
        "kind": "invoice",
        "is_test": payment is not None and payment.is_test,
        "order": order.number,
        "site": order.site.name,
        "supply_date": supply_day.isoformat(),
        "currency": order.currency.upper(),
        "seller": seller,
        "buyer": _buyer(order),
        "lines": lines,
        "promo_code": order.promo_code,
        "vat": _vat(order),
        "paid": _paid(order, payment),
        "corrects": None,
        "reason": "",
        "notes": _notes(order, seller, supply_day),
        "footer": order.seller.get("invoice_footer", ""),
    }
    return _with_totals(document, rate=_rate_on(supply_day, document["vat"]["place"]))


def credit_document(
    original: Document, parts: Parts, *, reason: str, refund: Refund | None, returned_eur_cents: int = 0
) -> Document:
    """Return a credit note for parts of an invoice's lines. Buyer, seller and rates are the invoice's.

    `returned_eur_cents` is the VAT in euros that is left when everything is credited: then this note takes it all.
    """
    lines = [line_part(line, parts[line["position"]]) for line in original["lines"] if line["position"] in parts]
    document = {
        **original,
        "kind": "credit_note",
        "lines": lines,
        "corrects": {"number": original["number"], "issue_date": original["issue_date"]},
        "reason": reason,
        "paid": _returned(refund),
    }
    return _with_totals(document, rate=original["exchange"], eur_cents=returned_eur_cents or None)


def line_part(line: Document, part: Part | None) -> Document:
    """Return a line of a document, or a partial amount of it as one undiscounted piece."""
    if part is None or (part.net_cents, part.vat_cents) == (line["net_cents"], line["vat_cents"]):
        return line
    return {
        **line,
        "is_part": True,
        "quantity": 1,
        "unit_price_cents": part.net_cents,
        "discount_cents": 0,
        "net_cents": part.net_cents,
        "vat_cents": part.vat_cents,
        "total_cents": part.total_cents,
    }


def parts_of(document: Document) -> dict[int, Part]:
    """Return the totals of the document's lines, by position."""
    return {line["position"]: Part(line["net_cents"], line["vat_cents"]) for line in document["lines"]}


def readable(document: Document) -> Document:
    """Return the document for templates: its dates as dates, its rates and euros as text."""
    read = {
        **document,
        "issue_date": date.fromisoformat(document["issue_date"]),
        "supply_date": date.fromisoformat(document["supply_date"]),
        "lines": [{**line, "rate_text": rate_text(line["vat_rate"])} for line in document["lines"]],
        "rates": [{**rate, "rate_text": rate_text(rate["rate"])} for rate in document["rates"]],
    }
    for name, day in (("paid", "date"), ("corrects", "issue_date"), ("exchange", "day")):
        if document[name]:
            read[name] = {**document[name], day: date.fromisoformat(document[name][day])}
    if read["exchange"]:
        euros, cents = divmod(document["exchange"]["vat_eur_cents"], 100)
        read["exchange"] |= {
            "amount": f"{euros:,}.{cents:02}",
            "rate": f"{document['exchange']['micros'] / _MICRO:.4f}",
        }
    return read


def _with_totals(document: Document, *, rate: Mapping[str, Any] | None, eur_cents: int | None = None) -> Document:
    lines: Sequence[Document] = document["lines"]
    net, vat = (sum(line[name] for line in lines) for name in ("net_cents", "vat_cents"))
    discount = sum(line["discount_cents"] for line in lines)
    in_euros = None
    if rate and vat:
        euros = half_up(vat * _MICRO, rate["micros"]) if eur_cents is None else eur_cents
        in_euros = {"day": rate["day"], "micros": rate["micros"], "vat_eur_cents": euros}
    return {
        **document,
        "subtotal_cents": net + discount,
        "discount_cents": discount,
        "net_cents": net,
        "rates": [{"rate": document["vat"]["rate"], "net_cents": net, "vat_cents": vat}],
        "vat_cents": vat,
        "total_cents": net + vat,
        "exchange": in_euros,
    }


def _line(line: OrderLine, order: Order) -> Document:
    return {
        "position": line.position,
        "title": line.title,
        "option_text": option_text(line.product, line.options, site_id=order.site_id),
        "listing": line.listing_name,
        "is_part": False,
        "quantity": line.quantity,
        "unit_price_cents": line.unit_price_cents,
        "discount_cents": line.discount_cents,
        "net_cents": line.net_cents,
        "vat_rate": order.vat_rate or 0,
        "vat_cents": line.vat_cents or 0,
        "total_cents": line.total_cents,
    }


def _seller(order: Order) -> Document:
    seller = order.seller
    return {
        "name": seller.get("legal_name") or order.site.name,
        "address": [line.strip() for line in seller.get("address", "").splitlines() if line.strip()],
        "country": seller.get("country", ""),
        "country_name": BILLING_COUNTRIES.get(seller.get("country", ""), ""),
        "vat_number": seller.get("vat_number", ""),
        "register_entry": seller.get("register_entry", ""),
        "email": seller.get("email", ""),
    }


def _buyer(order: Order) -> Document:
    billing = order.billing
    is_wrong = order.vat_number_status == NumberStatus.INVALID
    return {
        "name": billing.get("name", ""),
        "company": billing.get("company", ""),
        "address": [line.strip() for line in billing.get("address", "").splitlines() if line.strip()],
        "postal_code": order.postal_code,
        "city": billing.get("city", ""),
        "country": order.country,
        "country_name": BILLING_COUNTRIES.get(order.country, order.country),
        "vat_number": "" if is_wrong else order.vat_number,
    }


def _vat(order: Order) -> Document:
    place = place_of(order)
    return {
        "treatment": order.vat_treatment,
        "rate": order.vat_rate or 0,
        "place": place,
        "place_name": BILLING_COUNTRIES.get(place, place),
        "scheme": scheme_of(order),
    }


def place_of(order: Order) -> str:
    """Return the country whose VAT an order has, "" for none, derived from its parts for old orders."""
    if order.vat_place or order.vat_treatment != Treatment.STANDARD:
        return order.vat_place
    pays_at_home = order.seller.get("oss_mode") == "origin" and vat_country(order.country) in EU
    return vat_country(order.seller.get("country", "") if pays_at_home else order.country)


def scheme_of(order: Order) -> str:
    """Return how that VAT is reported: local, oss, or "" without any."""
    place = place_of(order)
    if order.vat_scheme or not place:
        return order.vat_scheme
    return "local" if place == vat_country(order.seller.get("country", "")) else "oss"


def _paid(order: Order, payment: Payment | None) -> Document | None:
    if payment is None or not payment.amount_cents:
        return None
    day = (order.paid_at or timezone.now()).date()
    return {"by": _PAID_BY.get(payment.provider, payment.provider), "date": day.isoformat()}


def _returned(refund: Refund | None) -> Document | None:
    if refund is None:
        return None
    provider = refund.payment.provider
    day = (refund.done_at or timezone.now()).date()
    return {"by": _PAID_BY.get(provider, provider), "date": day.isoformat()}


def _notes(order: Order, seller: Document, day: date) -> list[str]:
    """Return the sentences that the VAT treatment requires."""
    match order.vat_treatment:
        case Treatment.REVERSE_CHARGE:
            return [
                "Reverse charge: the recipient of the services owes the VAT "
                "(Articles 44 and 196 of Directive 2006/112/EC).",
                f"VAT number of the seller: {seller['vat_number']}. VAT number of the buyer: {order.vat_number}.",
            ]
        case Treatment.OUTSIDE_SCOPE:
            return [
                "Outside the scope of EU VAT: the services are supplied where the buyer is, which is outside the "
                "territory of EU VAT (Articles 44, 58 and 59 of Directive 2006/112/EC)."
            ]
        case Treatment.NOT_REGISTERED:
            return ["No VAT is charged: the seller is not registered for VAT."]
        case Treatment.STANDARD:
            return _standard_notes(order, seller, day)
    return []


def _standard_notes(order: Order, seller: Document, day: date) -> list[str]:
    place, scheme = place_of(order), scheme_of(order)
    name, rate = BILLING_COUNTRIES.get(place, place), rate_text(order.vat_rate)
    number = _registration(order, scheme=scheme, country=place, day=day)
    if scheme == "oss":
        note = f"VAT of the customer's country, {name}, at {rate}, declared through the One Stop Shop"
        return [f"{note} under the number {number}." if number else f"{note}."]
    if number and number != seller["vat_number"]:
        return [f"VAT of {name} at {rate}. VAT number of the seller there: {number}."]
    return []


def _registration(order: Order, *, scheme: str, country: str, day: date) -> str:
    """Return the seller's number under which the VAT is declared, from the registrations copied to the order."""
    copied = Seller.from_json(order.seller)
    if scheme == Scheme.OSS:
        row = copied.registration(Scheme.OSS, on=day)
    else:
        row = copied.registration(Scheme.LOCAL, on=day, country=country)
    return row["number"] if row else ""


def _rate_on(day: date, place: str) -> Document | None:
    """Return a day's exchange rate, or the last one of the week before, if VAT must be stated in euros."""
    begun = EURO_FROM.get(place)
    if begun is None or day < begun:
        return None
    row = ExchangeRate.objects.filter(day__range=(day - RATE_AGE, day)).order_by("-day").first()
    return {"day": row.day.isoformat(), "micros": row.micros} if row else None

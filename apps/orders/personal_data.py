"""What this app stores about people, why, and for how long. See apps.core.operations.personal_data."""

from apps.core.operations.personal_data.records import VERSION_FIELDS, AtErasure, PersonalRecords
from apps.core.operations.personal_data.retention import Retention

_TAX_LAW = "as long as tax law requires"

RECORDS = (
    PersonalRecords(
        model="orders.Order",
        person="account",
        exported="id site number status currency subtotal_cents discount_cents net_cents vat_cents total_cents promo "
        "promo_code promo_terms country postal_code vat_number vat_number_status vat_treatment vat_rate vat_place "
        "vat_scheme consultation_number notices billing seller evidence needs_review review_reason terms "
        "terms_accepted_at created_at expires_at paid_at",
        withheld="account secret tried_at",
        why="contract, and proof of the country for VAT",
        kept=_TAX_LAW,
        at_erasure=AtErasure.KEEP,
    ),
    PersonalRecords(
        model="orders.OrderLine",
        person="order__account",
        exported="id order position product title description unlocks listing listing_name has_listing options "
        "quantity unit_price_cents discount_cents net_cents vat_cents total_cents status fulfilled_at failure",
        withheld="attempts",
        why="contract",
        kept=_TAX_LAW,
        at_erasure=AtErasure.KEEP,
    ),
    PersonalRecords(
        model="orders.Placement",
        person="line__order__account",
        exported="id line site product listing week categories amount_cents created_at",
        why="delivery of an order",
        kept=_TAX_LAW,
        at_erasure=AtErasure.KEEP,
    ),
    PersonalRecords(
        model="orders.Payment",
        person="order__account",
        exported="id order attempt provider reference status amount_cents currency is_test problem created_at "
        "settled_at",
        withheld="return_url pay_url polled_at leased_at",
        why="payment of an order",
        kept=_TAX_LAW,
        at_erasure=AtErasure.KEEP,
    ),
    PersonalRecords(
        model="orders.Refund",
        person="payment__order__account",
        exported="id payment line amount_cents reason status reference problem created_at done_at",
        withheld="requested_by attempt tried_at",
        why="refund of an order",
        kept=_TAX_LAW,
        at_erasure=AtErasure.KEEP,
    ),
    PersonalRecords(
        model="orders.Invoice",
        person="order__account",
        exported="id order kind series sequence number revision original refund is_test issued_at issue_date currency "
        "net_cents vat_cents total_cents vat_country vat_rate vat_treatment vat_scheme document pdf emailed_at",
        withheld="printed_at attempts tried_at",
        why="tax law",
        kept=_TAX_LAW,
        at_erasure=AtErasure.KEEP,
    ),
    PersonalRecords(
        model="orders.PromoUse",
        person="account",
        exported="id promo order state created_at",
        withheld="account",
        why="limits of promo codes",
        kept=_TAX_LAW,
        at_erasure=AtErasure.KEEP,
    ),
    PersonalRecords(
        model="orders.ProductVersion",
        person="author",
        exported=f"id product {VERSION_FIELDS}",
        why="history of prices",
        kept="as long as the product",
        at_erasure=AtErasure.KEEP,
    ),
)

BEFORE_ERASURE = ("apps.orders.payments.cancel.close_account_orders",)

RETENTION = (Retention(model="orders.Order", days="location_evidence", since="created_at", clears="evidence"),)

IMPERSONAL = {
    "orders.ExchangeRate": "public rates",
    "orders.GatewaySession": "test payments",
    "orders.InvoiceSeries": "numbering",
    "orders.PaymentEvent": "which messages of providers were read; the payment is in orders.Payment",
    "orders.Product": "site setup",
    "orders.PromoCode": "site setup",
    "orders.SellerSettings": "the operator",
    "orders.TermsOfSale": "site setup",
    "orders.VatRate": "public rates",
    "orders.VatRegistration": "the operator",
}

"""Rules for changing promo codes. Once used, a code keeps its terms."""

from typing import Final

from django.db import transaction
from django.forms.models import model_to_dict

from apps.core.errors import Conflict, FieldProblem
from apps.orders.models import PromoCode, PromoUse

# Terms that people were promised. How long and how often a code is valid can be changed later.
TERMS: Final = (
    "site",
    "code",
    "percent_off",
    "amount_off_cents",
    "products",
    "minimum_cents",
    "starts_at",
    "max_uses_per_account",
)
MAX_AMOUNT_CENTS = 100_000_00


class CannotSavePromo(Conflict):
    code = "cannot_save_promo"
    title = "Invalid promo code"


def is_used(promo: PromoCode) -> bool:
    """Return whether anybody has begun a payment with the code, even if the use was released since."""
    return PromoUse.objects.filter(promo=promo.pk or 0).exists()


@transaction.atomic
def save_promo(*, promo: PromoCode) -> PromoCode:
    """Save a promo code. Raises CannotSavePromo (409) with the problem. Then nothing changes.

    Locks its row first, as payments do, so that no use falls in between. The counter of uses is not overwritten.
    """
    before = PromoCode.objects.select_for_update().filter(pk=promo.pk or 0).first()
    if before:
        promo.used = before.used
    if problems := problems_of(promo, before=before):
        errors = [FieldProblem("invalid", text, f"/{name}") for name, text in problems.items()]
        raise CannotSavePromo(" ".join(problems.values()), errors=errors)
    promo.save()
    return promo


def problems_of(promo: PromoCode, *, before: PromoCode | None) -> dict[str, str]:
    """Return what is wrong with changing the code `before`, a sentence for each field. Empty when nothing is."""
    fixed = _changed_terms(promo, before) if before and is_used(before) else []
    used = before.used if before else 0
    result = {
        "amount_off_cents": _discount_problem(promo),
        "minimum_cents": _bounds_problem(promo.minimum_cents, lowest=0),
        "ends_at": _dates_problem(promo),
        "max_uses": _uses_problem(promo, used),
        "max_uses_per_account": "At least one." if promo.max_uses_per_account == 0 else "",
        **dict.fromkeys(fixed, "This code has been used. End it and create a new one."),
    }
    return {name: text for name, text in result.items() if text}


def _changed_terms(promo: PromoCode, before: PromoCode) -> list[str]:
    old, new = model_to_dict(before), model_to_dict(promo)
    return [name for name in TERMS if old[name] != new[name]]


def _discount_problem(promo: PromoCode) -> str:
    if (promo.percent_off is None) == (promo.amount_off_cents is None):
        return "Enter a percentage or an amount, not both."
    return "" if promo.amount_off_cents is None else _bounds_problem(promo.amount_off_cents, lowest=1)


def _bounds_problem(cents: int, *, lowest: int) -> str:
    return "" if lowest <= cents <= MAX_AMOUNT_CENTS else f"Use {lowest} to {MAX_AMOUNT_CENTS} cents."


def _dates_problem(promo: PromoCode) -> str:
    if promo.starts_at and promo.ends_at and promo.ends_at <= promo.starts_at:
        return "The end is before the start."
    return ""


def _uses_problem(promo: PromoCode, used: int) -> str:
    if promo.max_uses is None or promo.max_uses >= max(used, 1):
        return ""
    return f"It has been used {used} times. To end it, set an end date or turn off Active." if used else "At least one."

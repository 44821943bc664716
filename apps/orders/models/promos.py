"""Promo codes and their uses."""

import re
import unicodedata
from typing import Any, ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone

from apps.core.api.patterns import SEEN
from apps.orders.models.catalog import product_choices

# Compatibility forms can be longer than what was typed.
MAX_KEY_LENGTH = 80
# What keyboards and fonts have for a dash beside punctuation: also the mark for a long vowel, which Japanese keyboards
# type for it, and lines for boxes.
_LIKE_DASHES = "~\u02d7\u2212\u23af\u2500\u2501\u2796\u30fc"
# Turkish keyboards have an i with and without a dot, each in both cases. Case-folding leaves the dot as a mark.
_TURKISH = str.maketrans({"\u0307": "", "\u0131": "i"})
_SEEN = re.compile(SEEN)


def normalize_code(typed: str) -> str:
    """Return the code as compared: NFKC, case-folded, with ASCII digits, without punctuation and what can't be seen."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", typed).casefold())
    return "".join(map(_compared, _SEEN.findall(folded.translate(_TURKISH))))


def _compared(char: str) -> str:
    if char in _LIKE_DASHES or unicodedata.category(char)[0] == "P":
        return ""
    return str(unicodedata.decimal(char, char))


class PromoCode(models.Model):
    """A code that takes a percentage or an amount off, within its dates, uses and products."""

    site = models.ForeignKey("sites.Site", on_delete=models.CASCADE, related_name="promo_codes")
    code = models.CharField(max_length=40, help_text="As you publish it. Buyers can type it in any case.")
    code_key = models.CharField(max_length=MAX_KEY_LENGTH, editable=False, help_text="Normalized code for lookups.")
    percent_off = models.PositiveIntegerField(
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(10_000)],
        help_text="In basis points: 1500 is 15%.",
    )
    amount_off_cents = models.BigIntegerField(
        "amount off",
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
        help_text="US cents off the whole order.",
    )
    products = ArrayField(
        models.CharField(max_length=20, choices=product_choices),
        default=list,
        blank=True,
        help_text="Comma-separated products. Empty for all.",
    )
    minimum_cents = models.BigIntegerField(
        "minimum",
        default=0,
        validators=[MinValueValidator(0)],
        help_text="Minimum total of these products in US cents.",
    )
    starts_at = models.DateTimeField(null=True, blank=True)
    ends_at = models.DateTimeField(null=True, blank=True)
    max_uses = models.PositiveIntegerField(null=True, blank=True, help_text="Empty for no limit.")
    max_uses_per_account = models.PositiveIntegerField(null=True, blank=True, default=1)
    used = models.PositiveIntegerField(default=0, editable=False, help_text="Reserved and completed uses.")
    is_active = models.BooleanField(default=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["site", "code_key"], name="one_promo_per_code"),
            models.CheckConstraint(
                condition=models.Q(percent_off__isnull=False, amount_off_cents__isnull=True)
                | models.Q(percent_off__isnull=True, amount_off_cents__isnull=False),
                name="promo_is_percent_or_amount",
            ),
            models.CheckConstraint(
                condition=models.Q(percent_off__isnull=True) | models.Q(percent_off__range=(1, 10_000)),
                name="promo_percent_is_1_to_100",
            ),
            models.CheckConstraint(
                condition=models.Q(amount_off_cents__isnull=True) | models.Q(amount_off_cents__gt=0),
                name="promo_amount_is_positive",
            ),
            models.CheckConstraint(
                condition=models.Q(max_uses__isnull=True) | models.Q(used__lte=models.F("max_uses")),
                name="promo_is_not_overused",
            ),
            models.CheckConstraint(condition=~models.Q(code_key=""), name="promo_code_is_not_empty"),
        ]

    def __str__(self) -> str:
        return self.code

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.code_key = normalize_code(self.code)
        super().save(*args, **kwargs)

    def clean(self) -> None:
        """Refuse a code that can't be compared or already exists, because forms don't check `code_key`."""
        self.code_key = normalize_code(self.code)
        if not self.code_key:
            raise ValidationError({"code": ValidationError("Use letters or digits in the code.", code="invalid")})
        if len(self.code_key) > MAX_KEY_LENGTH:
            raise ValidationError({"code": ValidationError("This code is too long.", code="max_length")})
        equal = PromoCode.objects.filter(site=self.site_id, code_key=self.code_key).exclude(pk=self.pk)
        if equal.exists():
            taken = ValidationError("This site has a code that looks the same.", code="unique")
            raise ValidationError({"code": taken})


class PromoUse(models.Model):
    """One order's use of a code: reserved from the start of payment, then consumed or released."""

    class State(models.TextChoices):
        RESERVED = "reserved"
        CONSUMED = "consumed"
        RELEASED = "released"

    promo = models.ForeignKey("orders.PromoCode", on_delete=models.PROTECT, related_name="uses")
    order = models.ForeignKey("orders.Order", on_delete=models.CASCADE, related_name="promo_uses")
    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    state = models.CharField(max_length=8, choices=State, default=State.RESERVED)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["promo", "order"], name="one_use_per_promo_and_order")]
        indexes: ClassVar = [models.Index(fields=["promo", "account", "state"], name="promo_uses_of_account")]

    def __str__(self) -> str:
        return f"{self.promo} {self.state}"

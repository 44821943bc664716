from typing import TYPE_CHECKING, ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex, OpClass
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models.functions import Upper
from django.utils import timezone

from apps.core.stores.valkey.generations import LISTS, company_name
from apps.core.stores.valkey.watch import PublicRow
from apps.core.text.currencies import CURRENCIES
from apps.listings.websites.identity import website_key

if TYPE_CHECKING:
    from apps.listings.models.pictures import CompanyPicture


class CompanyQuerySet(models.QuerySet["Company"]):
    def sharing_a_website(self) -> "CompanyQuerySet":
        """Return companies that wait to be merged with an older one of the same website."""
        waiting = self.filter(merged_into=None, same_website_as__isnull=False)
        return waiting.exclude(same_website_as__merged_into=models.F("pk"))

    def for_website(self, key: str) -> "Company | None":
        """Return the company of a website, as `website_key` writes it. For a merged one, the company that remains."""
        result = self.filter(website_key=key).first()
        while result is not None and result.merged_into_id is not None:
            result = self.get(pk=result.merged_into_id)
        return result


class Company(PublicRow):
    """The facts about a company that all sites share."""

    class PricePeriod(models.TextChoices):
        DAY = "day"
        WEEK = "week"
        MONTH = "month"
        YEAR = "year"
        ONCE = "once"

    class PricingModel(models.TextChoices):
        FREE = "free"
        FREEMIUM = "freemium"
        PAID = "paid"
        OPEN_SOURCE = "open_source", "Open source"

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="companies")
    name = models.CharField(max_length=80)
    website = models.URLField(max_length=300)
    website_key = models.CharField(
        max_length=300,
        unique=True,
        help_text="The host without www. On shared hosts, also the first part of the path.",
    )
    same_website_as = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        editable=False,
        on_delete=models.SET_NULL,
        related_name="twins",
        help_text="An older company with the same website. Merge the two.",
    )
    logo_url = models.URLField(max_length=500, blank=True)
    logo_key = models.CharField(
        max_length=50,
        blank=True,
        editable=False,
        help_text="The `key` of the logo's picture, copied so that lists need no join.",
    )
    founded_year = models.PositiveSmallIntegerField(null=True, blank=True)
    country = models.CharField(max_length=2, blank=True)
    city = models.CharField(max_length=80, blank=True)
    team_size = models.PositiveIntegerField(null=True, blank=True)
    stage = models.CharField(max_length=40, blank=True)
    funding = models.CharField(max_length=80, blank=True)
    legal_name = models.CharField(max_length=120, blank=True)
    contact_email = models.EmailField(max_length=254, blank=True)
    pricing_model = models.CharField(max_length=12, choices=PricingModel, blank=True)
    price_from_cents = models.BigIntegerField(null=True, blank=True, help_text="In hundredths of its currency.")
    price_currency = models.CharField(max_length=3, choices=list(CURRENCIES.items()), default="USD")
    price_period = models.CharField(max_length=5, choices=PricePeriod, blank=True)
    platforms = ArrayField(models.CharField(max_length=40), default=list, blank=True)
    tech_stack = ArrayField(models.CharField(max_length=40), default=list, blank=True)
    audience = models.CharField(max_length=160, blank=True)
    screenshots = ArrayField(models.CharField(max_length=500), default=list, blank=True)
    video_url = models.URLField(max_length=500, blank=True)
    docs_url = models.URLField(max_length=500, blank=True)
    openapi_url = models.URLField(max_length=500, blank=True)
    mcp_url = models.URLField(max_length=500, blank=True)
    llms_url = models.URLField(max_length=500, blank=True)
    socials = models.JSONField(default=dict, blank=True, help_text="URL by platform.")
    merged_into = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        editable=False,
        on_delete=models.PROTECT,
        related_name="merged",
        help_text="The company this one was merged into.",
    )
    verified_at = models.DateTimeField(
        null=True, blank=True, help_text="When the current owner last verified the website."
    )
    created_at = models.DateTimeField(default=timezone.now)
    updated_at = models.DateTimeField(auto_now=True)

    objects: ClassVar = CompanyQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "companies"
        indexes: ClassVar = [
            GinIndex(OpClass(Upper("name"), name="gin_trgm_ops"), name="company_name_trigrams"),
            models.Index(fields=["-updated_at"], name="company_changes"),
        ]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(price_from_cents__isnull=True) | models.Q(price_from_cents__gte=0),
                name="company_price_is_not_negative",
            ),
            models.CheckConstraint(
                condition=models.Q(merged_into__isnull=True) | ~models.Q(merged_into=models.F("id")),
                name="company_is_not_merged_into_itself",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def generations(self) -> tuple[str, ...]:
        return company_name(self.pk), LISTS

    def own_pictures(self) -> list["CompanyPicture"]:
        """Return the pictures that the fields name: the logo, then the screenshots in their order."""
        logo = [("logo_url", self.logo_url)] if self.logo_url else []
        named = [*logo, *(("screenshots", url) for url in self.screenshots)]
        rows = self.pictures.all() if named else []
        own = {(row.field, row.url): row for row in rows}
        replaced = sorted((row for row in rows if row.replaced_at), key=lambda row: (row.replaced_at, row.pk))
        former = {(row.field, row.replaced_by): row for row in replaced}
        for at, row in own.items():
            row.former = former.get(at)
        return [own[at] for at in named if at in own]

    def shown_screenshots(self) -> list["CompanyPicture"]:
        """Return the screenshots that visitors see, in their order. No query without any."""
        if not self.screenshots:
            return []
        return [row.shown for row in self.own_pictures() if row.field == "screenshots" and row.shown]

    def clean(self) -> None:
        """Report a website that another company has beside the field, before the database refuses it."""
        if Company.objects.filter(pk=self.pk, website=self.website).exists():
            # One of two companies that share a website keeps its key until they are merged.
            return
        self.same_website_as = None
        try:
            self.website_key = website_key(self.website)
        except ValueError:
            raise ValidationError({"website": "This isn't a website URL."}) from None
        if Company.objects.filter(website_key=self.website_key).exclude(pk=self.pk).exists():
            raise ValidationError({"website": "Another company has this website."})

"""Rules about domains, words and networks that are not wanted."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone

from apps.sites.models import Site

MAX_VALUE = 253


class BlockRuleQuerySet(models.QuerySet["BlockRule"]):
    def active(self, site: Site | None) -> "BlockRuleQuerySet":
        """Return the rules of all sites, and with a site its own. For profiles, which all sites share, use None."""
        return self.filter(models.Q(site=None) | models.Q(site=site), is_active=True)


class BlockRule(models.Model):
    """A domain with its subdomains, a word or phrase, or an IP network. Without a site it holds on all of them."""

    class Kind(models.TextChoices):
        DOMAIN = "domain", "Domain"
        WORD = "word", "Word or phrase"
        NETWORK = "network", "IP network"

    kind = models.CharField(max_length=8, choices=Kind)
    value = models.CharField(max_length=MAX_VALUE)
    site = models.ForeignKey("sites.Site", null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    note = models.CharField(max_length=300, blank=True, help_text="Why it is blocked. For site admins only.")
    is_active = models.BooleanField(default=True)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now)

    objects: ClassVar = BlockRuleQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["kind", "value"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["kind", "value", "site"], nulls_distinct=False, name="one_rule_per_value_and_site"
            ),
            models.CheckConstraint(condition=~models.Q(value=""), name="block_rule_has_a_value"),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.value}"

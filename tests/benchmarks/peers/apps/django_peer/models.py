"""Slipway's tables, as far as the peers read them."""

from typing import Any

from django.db import models


class Company(models.Model):
    name = models.CharField(max_length=80)
    website = models.CharField(max_length=300)
    logo_url = models.CharField(max_length=500)

    class Meta:
        managed = False
        db_table = "listings_company"

    def __str__(self) -> str:
        return self.name


class Category(models.Model):
    slug = models.CharField(max_length=40)
    name = models.CharField(max_length=40)
    position = models.PositiveSmallIntegerField()

    class Meta:
        managed = False
        db_table = "listings_category"
        ordering = ("position", "name")

    def __str__(self) -> str:
        return self.name


class Listing(models.Model):
    company = models.ForeignKey(Company, on_delete=models.CASCADE)
    site_id = models.BigIntegerField()
    slug = models.CharField(max_length=90)
    status = models.CharField(max_length=16)
    votes = models.PositiveIntegerField()
    headline = models.CharField(max_length=80)
    summary = models.TextField()
    launch_week = models.CharField(max_length=8)
    categories: Any = models.ManyToManyField(Category)

    class Meta:
        managed = False
        db_table = "listings_listing"

    def __str__(self) -> str:
        return self.slug


class Standing(models.Model):
    listing = models.OneToOneField(Listing, on_delete=models.CASCADE, related_name="standing")
    votes = models.PositiveIntegerField()

    class Meta:
        managed = False
        db_table = "launches_standing"

    def __str__(self) -> str:
        return str(self.listing_id)


def live() -> models.QuerySet[Listing]:
    """The listings by votes, with what a page of them shows."""
    result = Listing.objects.filter(site_id=1, status="live").order_by("-votes", "id")
    return result.select_related("company", "standing").prefetch_related("categories")

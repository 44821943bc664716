"""The categories a new site starts with. Its admins can change them."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db import connection
from django.db.models import Func, IntegerField, OuterRef, QuerySet

from apps.core.errors import FieldProblem, Unprocessable
from apps.core.web.page_numbers import COUNTED
from apps.listings.models import Category, Listing
from apps.sites.models import Site


class UnknownCategory(Unprocessable):
    code = "unknown_category"


def check_categories(site: Site, slugs: Sequence[str]) -> None:
    """Raise UnknownCategory (422, pointers into /fields/categories) for slugs that the site does not have."""
    if not slugs:
        return
    known = set(Category.objects.filter(site=site).values_list("slug", flat=True))
    problems = [
        FieldProblem(
            UnknownCategory.code,
            f"Unknown category {slug}. Use one of: {', '.join(sorted(known))}.",
            f"/fields/categories/{index}",
        )
        for index, slug in enumerate(slugs)
        if slug not in known
    ]
    if problems:
        steps = ["Call list_categories for their names." if known else f"{site} has no categories. Leave them out."]
        raise UnknownCategory(problems[0].detail, errors=problems, next_steps=steps)


def list_categories(site: Site) -> QuerySet[Category]:
    """Return the site's categories in their order, each with `live`: its live listings, counted up to COUNTED."""
    within = Listing.objects.public().filter(site=OuterRef("site"), categories=OuterRef("pk"))
    counted = ArraySubquery(within.order_by().values("pk")[:COUNTED])
    return Category.objects.filter(site=site).annotate(
        live=Func(counted, function="cardinality", output_field=IntegerField())
    )


def changed_categories(site: Site) -> list[tuple[str, bool, datetime | None]]:
    """List each category's slug, whether it holds live listings, and when a launched listing in it last changed.

    A small category reads all of its listings. For a large one, the latest change is soon found among the site's
    latest.
    """
    with connection.cursor() as cursor:
        cursor.execute(_CHANGES_SQL, {"site": site.pk, "few": _FEW})
        result: list[tuple[str, bool, datetime | None]] = cursor.fetchall()
    return result


_FEW = 200
_CHANGES_SQL = """
    SELECT category.slug,
        EXISTS (
            SELECT FROM listings_listing_categories m JOIN listings_listing l ON l.id = m.listing_id
            WHERE m.category_id = category.id AND l.status = 'live'
        ),
        CASE WHEN (
            SELECT count(*) FROM (
                SELECT FROM listings_listing_categories WHERE category_id = category.id LIMIT %(few)s + 1) counted
        ) <= %(few)s THEN (
            SELECT max((
                SELECT l.updated_at FROM listings_listing l WHERE l.id = m.listing_id AND l.launched_at IS NOT NULL))
            FROM listings_listing_categories m WHERE m.category_id = category.id
        ) ELSE (
            SELECT l.updated_at FROM listings_listing l
            WHERE l.site_id = %(site)s AND l.launched_at IS NOT NULL AND (
                SELECT true FROM listings_listing_categories m
                WHERE m.listing_id = l.id AND m.category_id = category.id)
            ORDER BY l.updated_at DESC LIMIT 1
        ) END
    FROM listings_category category
    WHERE category.site_id = %(site)s
    ORDER BY category.position, category.id"""

# slug, name, words that sort a draft into it
CATEGORIES: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("ai", "AI", ("artificial intelligence", "machine learning", "llm", "assistant?", "agents?", "generative?")),
    ("analytics", "Analytics", ("dashboard?", "metrics?", "insights?", "reporting?", "tracking?", "statistics?")),
    ("communication", "Communication", ("team chat", "messaging?", "email?", "meetings?", "calls?", "inbox?")),
    ("customer-support", "Customer support", ("helpdesk", "knowledge base", "tickets?", "support?", "faq?")),
    ("design", "Design", ("prototyping", "design system", "illustration", "fonts", "graphics?", "ui?")),
    ("developer-tools", "Developer tools", ("api", "sdk", "developers", "debugging", "cli", "git", "code?")),
    ("e-commerce", "E-commerce", ("checkout", "marketplace", "retail", "shop?", "store?", "orders?")),
    ("education", "Education", ("courses", "students", "teaching", "school", "learning?", "training?")),
    ("finance", "Finance", ("accounting", "invoices", "banking", "bookkeeping", "tax", "payments?", "budget?")),
    ("health", "Health", ("fitness", "wellbeing", "medical", "sleep", "nutrition", "patients")),
    ("hr", "HR", ("hiring", "recruiting", "payroll", "people team", "onboarding?", "employees?")),
    ("marketing", "Marketing", ("seo", "social media", "campaigns?", "ads?", "newsletter?", "growth?", "brand?")),
    ("media", "Media", ("podcast", "streaming", "journalism", "news?", "video?", "audio?", "publishing?")),
    ("no-code", "No-code", ("workflow automation", "automation?", "workflow?", "templates?", "integrations?")),
    ("open-source", "Open source", ("open source", "self-hosted", "free software", "licence?", "license?")),
    ("privacy", "Privacy", ("tracking-free", "gdpr?", "consent?", "anonymous?", "encrypted?")),
    ("productivity", "Productivity", ("time tracking", "tasks?", "notes?", "calendar?", "planning?", "focus?")),
    ("sales", "Sales", ("crm", "sales pipeline", "leads?", "pipeline?", "deals?", "outreach?", "quotes?")),
    ("security", "Security", ("passwords", "authentication", "encryption", "vulnerabilities", "compliance?")),
    ("travel", "Travel", ("trips", "flights", "itinerary", "hotels?", "maps?", "places?")),
    ("writing", "Writing", ("copywriting", "grammar", "editor?", "blog?", "drafts?", "documents?")),
)


def seed_categories(model: Any, site: Any) -> None:
    """Create a site's first categories. `model` is Category, or a migration's version of it."""
    model.objects.bulk_create(
        [
            model(site=site, slug=slug, name=name, synonyms=list(synonyms), position=position)
            for position, (slug, name, synonyms) in enumerate(CATEGORIES, start=1)
        ],
        ignore_conflicts=True,
    )

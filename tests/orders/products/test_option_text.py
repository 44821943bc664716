"""What was chosen, as buyers read it on the pages, in emails and on invoices."""

from typing import Any

import pytest

from apps.listings.models import Category
from apps.orders.products.registry import option_text
from apps.sites.models import Site
from tests.factories import CategoryFactory

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("product", "options", "text"),
    [
        ("section_faq", {}, ""),
        ("launch", {"week": "now"}, "immediately"),
        ("launch", {"week": "2026-W47"}, "Week 47 · Nov 16–22, 2026"),
        ("billboard", {"weeks": ["2026-W47"], "amount_cents": 30000}, "Week 47 · Nov 16–22, 2026"),
        ("billboard", {"weeks": ["2026-W48", "2026-W46", "2026-W47"]}, "Weeks 46–48 · Nov 9–29, 2026"),
        ("billboard", {"weeks": ["2026-W53", "2027-W01"]}, "Weeks 53–1 · Dec 28, 2026 – Jan 10, 2027"),
        (
            "category_feature",
            {"weeks": ["2026-W46", "2026-W48"], "categories": ["ai", "developer-tools"]},
            "Week 46 · Nov 9–15, 2026; Week 48 · Nov 23–29, 2026, in AI & ML, developer-tools",
        ),
    ],
)
def test_weeks_are_named_with_their_days(site: Site, product: str, options: dict[str, Any], text: str) -> None:
    Category.objects.filter(site=site).delete()
    CategoryFactory.create(site=site, slug="ai", name="AI & ML")
    assert option_text(product, options, site_id=site.pk) == text

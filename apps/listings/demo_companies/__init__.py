"""The companies of the demo data. All of them are made up; their websites end in .example."""

from apps.listings.demo_companies import builders, business, craft, everyday, media, teamwork
from apps.listings.demo_companies.company import DemoCompany

COMPANIES: tuple[DemoCompany, ...] = (
    *teamwork.COMPANIES,
    *media.COMPANIES,
    *builders.COMPANIES,
    *craft.COMPANIES,
    *business.COMPANIES,
    *everyday.COMPANIES,
)

__all__ = ["COMPANIES", "DemoCompany"]

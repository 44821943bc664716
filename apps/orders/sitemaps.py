"""The newsletters and the terms of sale in the sitemap."""

from django.urls import reverse

from apps.launches.calendar.launch_weeks import current_week
from apps.launches.sitemaps import changed_weeks
from apps.orders.checkout.terms_of_sale import latest_terms
from apps.sites.seo.sitemaps import Address, Section


class SaleSection(Section):
    """The newsletter of this week and of every past one with launches, and the terms of sale once there are any."""

    def addresses(self) -> list[Address]:
        now = current_week()
        weeks = {now: None, **changed_weeks(self.site)}
        result = [
            Address(reverse("past_newsletter", args=[str(week)]), changed_at)
            for week, changed_at in weeks.items()
            if week <= now
        ]
        terms = latest_terms(self.site)
        return [*result, Address(reverse("terms_of_sale"), terms.published_at)] if terms else result


SECTIONS = {"sales": SaleSection}

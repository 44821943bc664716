"""`manage.py renew_website_keys`: compute website keys by the current rule, and report companies that share one."""

from django.core.management.base import BaseCommand
from django.db import transaction

from apps.drafts.models import Draft
from apps.drafts.services.website_keys import renew_draft_keys
from apps.listings.models import Company, ListingEvidence
from apps.listings.websites.renewal import renew_company_keys


class Command(BaseCommand):
    """Safe to run at any time and more than once. Run it after the list of shared hosts has changed."""

    help = (
        "Updates website keys to the current public suffix list and list of shared hosts, and prints companies that "
        "share a website. Merge those in the admin."
    )

    @transaction.atomic
    def handle(self, *_args: object, **_options: object) -> None:
        shared = renew_company_keys(Company.objects, ListingEvidence.objects)
        renew_draft_keys(Draft.objects)
        for one in shared:
            self.stdout.write(str(one))
        self.stdout.write(f"{len(shared)} companies to merge." if shared else "Every company has its own website.")

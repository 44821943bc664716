"""Listings, updates and milestones as something to report and decide about."""

from datetime import datetime

from django.db.models import Q, QuerySet

from apps.accounts.actors import Actor
from apps.events.models import Event
from apps.listings.models import Listing, Milestone, Update
from apps.listings.services import moderation
from apps.listings.services.updates import page_path
from apps.moderation.kinds import Kind, Written
from apps.moderation.models import Decision
from apps.sites.models import Site


class ListingKind(Kind):
    name = "listing"
    label = "Listing"
    model = "listings.Listing"
    remove_label = "Suspend"
    removing = "Suspends the listing. Its content, votes and launch week are kept."
    written_at = "updated_at"

    def rows(self) -> QuerySet[Listing]:
        return Listing.objects.select_related("company__owner", "site")

    def public(self, site: Site) -> QuerySet[Listing]:
        return self.rows().filter(site=site, status__in=Listing.WITH_PAGE, merged_into=None)

    def written(self, row: Listing) -> Written:
        faqs = [f"{one['question']} {one['answer']}" for one in row.faqs]
        texts = (row.headline, row.summary, row.description, *faqs, row.company.website)
        return Written(
            author=row.company.owner,
            site=row.site,
            title=row.company.name,
            text="\n\n".join(filter(None, texts)),
            path=row.path,
        )

    def remove(self, row: Listing, *, reason: str, note: str, by: Actor) -> object:
        return moderation.suspend_listing(listing=row, reason=reason, note=note, by=by)

    def restore(self, decision: Decision, *, note: str, by: Actor) -> object:
        return moderation.restore_listing(listing=Listing.objects.get(pk=decision.case.object_id), note=note, by=by)

    def why_not_remove(self, row: Listing) -> str:
        return moderation.why_not("suspend", row)


class UpdateKind(Kind):
    name = "update"
    label = "Update"
    model = "listings.Update"
    removing = "Removes the update from the listing, the latest updates and the feeds."
    written_at = "created_at"

    def rows(self) -> QuerySet[Update]:
        return Update.objects.select_related("listing__company__owner", "listing__site")

    def public(self, site: Site) -> QuerySet[Update]:
        return self.rows().filter(listing__site=site, listing__status=Listing.Status.LIVE)

    def written(self, row: Update) -> Written:
        return Written(
            author=row.listing.company.owner,
            site=row.listing.site,
            title=f"Update of {row.listing.company.name}: {row.title}",
            text=f"{row.title}\n\n{row.body}",
            path=page_path(row),
        )

    def remove(self, row: Update, *, reason: str, note: str, by: Actor) -> object:
        return moderation.remove_update(update=row, reason=reason, note=note, by=by)

    def restore(self, decision: Decision, *, note: str, by: Actor) -> object:
        return moderation.restore_update(decision=decision, note=note, by=by)


class MilestoneKind(Kind):
    name = "milestone"
    label = "Milestone"
    model = "listings.Milestone"
    removing = "Removes the milestone. The listing's history keeps it."

    def rows(self) -> QuerySet[Milestone]:
        return Milestone.objects.select_related("listing__company__owner", "listing__site")

    def public(self, site: Site) -> QuerySet[Milestone]:
        is_shown = Q(listing__plan=Listing.Plan.PAID) | Q(listing__unlocked_sections__contains=["milestones"])
        return self.rows().filter(is_shown, listing__site=site, listing__status=Listing.Status.LIVE)

    def written(self, row: Milestone) -> Written:
        return Written(
            author=row.listing.company.owner,
            site=row.listing.site,
            title=f"Milestone of {row.listing.company.name}: {row.title}",
            text="\n\n".join(filter(None, (row.title, row.description, row.url))),
            path=f"{row.listing.path}#milestones",
        )

    def recent(self, since: datetime) -> QuerySet[Milestone]:
        """Read the event log, because milestones have the date of what happened only."""
        added = Event.objects.filter(type="milestone.added", at__gte=since).values_list("object_id", flat=True)
        return self.rows().filter(pk__in=[int(one) for one in added])

    def remove(self, row: Milestone, *, reason: str, note: str, by: Actor) -> object:
        return moderation.remove_milestone(milestone=row, reason=reason, note=note, by=by)

    def restore(self, decision: Decision, *, note: str, by: Actor) -> object:
        return moderation.restore_milestone(decision=decision, note=note, by=by)


KINDS = (ListingKind(), UpdateKind(), MilestoneKind())

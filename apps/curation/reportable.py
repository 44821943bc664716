"""Collections as something to report and decide about. Private ones are nobody else's business."""

from collections.abc import Sequence

from django.db.models import QuerySet

from apps.accounts.actors import Actor
from apps.contributions.kinds import ContributionKind
from apps.curation.models import Collection
from apps.curation.services import moderation
from apps.moderation.kinds import Written
from apps.sites.models import Site


class CollectionKind(ContributionKind):
    name = "collection"
    label = "Collection"
    model = "curation.Collection"
    approving = "Everybody sees the collections."
    removing = (
        "Everybody but its author loses the collection. A moderator reads the author's other collections before they "
        "become public."
    )
    written_at = "changed_at"

    def rows(self) -> QuerySet[Collection]:
        shared = Collection.objects.exclude(status=Collection.Status.PRIVATE)
        return shared.select_related("author", "site").prefetch_related("items")

    def public(self, site: Site) -> QuerySet[Collection]:
        return self.rows().filter(site=site, status=Collection.Status.PUBLIC)

    def written(self, row: Collection) -> Written:
        notes = (item.note for item in row.items.all())
        return Written(
            author=row.author,
            site=row.site,
            title=f"Collection {row.name}",
            text="\n\n".join(filter(None, (row.name, row.description, *notes))),
            path=row.path,
        )

    def effects(self, row: Collection) -> Sequence[str]:
        return [f"By {row.author} on {row.site}, {len(row.items.all())} listings"]

    def approve(self, row: Collection, *, note: str = "", by: Actor) -> object:
        return moderation.approve_collection(collection=row, note=note, by=by)

    def remove(self, row: Collection, *, reason: str, note: str = "", by: Actor) -> object:
        return moderation.remove_collection(collection=row, reason=reason, note=note, by=by)

    def publish_again(self, row: Collection, *, note: str = "", by: Actor) -> object:
        return moderation.restore_collection(collection=row, note=note, by=by)


KINDS = (CollectionKind(),)

"""Founder profiles, which moderators decide about here because accounts know no moderation."""

from django.conf import settings
from django.db.models import QuerySet

from apps.accounts.actors import Actor
from apps.accounts.models import FounderProfile
from apps.moderation.kinds import Kind, Written
from apps.moderation.models import Decision
from apps.moderation.services import founder_profiles
from apps.sites.models import Site


class FounderProfileKind(Kind):
    name = "founder_profile"
    label = "Founder profile"
    model = "accounts.FounderProfile"
    remove_label = "Clear texts"
    removing = "Deletes name, role, bio and links. The photo and published stories stay."
    written_at = "updated_at"

    def rows(self) -> QuerySet[FounderProfile]:
        return FounderProfile.objects.select_related("user")

    def public(self, site: Site) -> QuerySet[FounderProfile]:
        live = {"user__companies__listings__site": site, "user__companies__listings__status": "live"}
        return self.rows().filter(slug__isnull=False, **live).distinct()

    def written(self, row: FounderProfile) -> Written:
        return Written(
            author=row.user,
            site=Site.objects.for_host(settings.PUBLIC_HOST),
            title=f"Founder profile of {row.real_name}" if row.real_name else "Founder profile",
            text="\n".join(filter(None, (row.real_name, row.role, row.bio, *row.links))),
            path=row.path if row.slug else "",
        )

    def remove(self, row: FounderProfile, *, reason: str, note: str, by: Actor) -> object:
        return founder_profiles.empty_texts(profile=row, reason=reason, note=note, by=by)

    def restore(self, decision: Decision, *, note: str, by: Actor) -> object:
        return founder_profiles.restore_texts(decision=decision, note=note, by=by)

    def why_not_remove(self, row: FounderProfile) -> str:
        return founder_profiles.why_not("texts", row)


KINDS = (FounderProfileKind(),)

"""Launch weeks, leaderboards and vote ledgers in the admin, and moving a launch."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.loader import render_to_string
from django.urls import reverse
from unfold.widgets import UnfoldAdminIntegerFieldWidget, UnfoldAdminSelectWidget

from apps.accounts.actors import actor_of
from apps.core.admin.base import ModelAdmin, ReadOnly, labelled, week_column
from apps.core.admin.decisions import Decides, Decision, page_action, rows_at
from apps.core.dates import week_text
from apps.core.weeks import Week
from apps.launches.calendar import capacity, launch_weeks
from apps.launches.models import LaunchWeek, LedgerEntry, Standing, VoteLedger
from apps.launches.services import reschedule
from apps.listings.admin import ListingAdmin
from apps.listings.models import Listing
from apps.sites.models import Site

MAX_WEEKS = 104


class LaunchWeekForm(forms.ModelForm[LaunchWeek]):
    class Meta:
        model = LaunchWeek
        fields = ("site", "iso_week", "free_places", "paid_places")

    def clean_iso_week(self) -> str:
        try:
            return str(Week.parse(self.cleaned_data["iso_week"]))
        except ValueError:
            raise forms.ValidationError("Use an ISO week such as 2026-W46.") from None


class WeeksForm(forms.Form):
    """How far ahead."""

    weeks = forms.IntegerField(
        min_value=1,
        max_value=MAX_WEEKS,
        initial=12,
        widget=UnfoldAdminIntegerFieldWidget,
        help_text=f"From the current week on, {MAX_WEEKS} at most.",
    )


def _create_weeks(site: Site, values: Mapping[str, Any], request: HttpRequest) -> object:
    return capacity.create_weeks(site=site, count=values["weeks"])


CREATE_WEEKS = Decision(
    title="Create upcoming weeks",
    explanation=[
        "Adds missing weeks with the site's current numbers, which you can then change. Existing weeks don't change."
    ],
    done="Sites updated",
    decide=_create_weeks,
    form=WeeksForm,
)


@admin.register(LaunchWeek)
class LaunchWeekAdmin(Decides, ModelAdmin):
    form = LaunchWeekForm
    list_display = ("week", "site", "free_places", "free_taken", "paid_places", "paid_taken", "room")
    list_filter = ("site",)
    list_editable = ("free_places", "paid_places")
    week = week_column("iso_week")
    search_fields = ("iso_week",)
    ordering = ("-iso_week", "site")
    fields = ("site", "iso_week", "free_places", "paid_places", "launches")
    readonly_fields = ("launches",)
    actions_list = ("create_weeks",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[LaunchWeek]:
        return capacity.with_taken(super().get_queryset(request).select_related("site"))

    def get_readonly_fields(self, request: HttpRequest, obj: LaunchWeek | None = None) -> tuple[str, ...]:
        return ("site", "iso_week", "launches") if obj else ("launches",)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Keep the row: it is the lock for giving away spots."""
        return False

    def save_model(self, request: HttpRequest, obj: LaunchWeek, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        for warning in capacity.overfull(obj):
            self.message_user(request, warning, messages.WARNING)

    @admin.display(description="free taken", ordering="free_taken")
    def free_taken(self, week: Any) -> int:
        return int(week.free_taken)

    @admin.display(description="paid taken", ordering="paid_taken")
    def paid_taken(self, week: Any) -> int:
        return int(week.paid_taken)

    @labelled(description="room", colors={"over": "danger", "full": "warning", "spots left": "success"})
    def room(self, week: Any) -> str:
        free, paid = week.free_places - week.free_taken, week.paid_places - week.paid_taken
        if min(free, paid) < 0:
            return "over"
        return "spots left" if max(free, paid) > 0 else "full"

    @admin.display(description="launches")
    def launches(self, week: LaunchWeek) -> str:
        """Launches of this week. You can move upcoming ones."""
        rows = Listing.objects.filter(site=week.site_id, launch_week=week.iso_week).select_related("company")
        context = {"listings": rows.order_by("plan", "status", "pk"), "scheduled": Listing.Status.SCHEDULED}
        return render_to_string("admin/launches/launches_of_week.html", context)

    @page_action(description="Create upcoming weeks", permissions=["add"], icon="date_range")
    def create_weeks(self, request: HttpRequest) -> HttpResponse:
        back = reverse("admin:launches_launchweek_changelist")
        return self.ask(request, Site.objects.all(), CREATE_WEEKS, back=back)


def _move(listing: Listing, values: Mapping[str, Any], request: HttpRequest) -> object:
    week = Week.parse(values["week"])
    return reschedule.move_launch_by_team(listing=listing, week=week, by=actor_of(request, via="admin"))


def _why_not_move(listing: Listing) -> str:
    if listing.status == Listing.Status.SCHEDULED:
        return ""
    return f"The listing is {listing.get_status_display().lower()}. Only a launch that is still ahead can be moved."


MOVE = Decision(
    title="Move launch",
    explanation=[
        "Takes a spot of its plan in the chosen week and frees the old one. The owner is notified "
        "by email. In the current week, the listing goes live immediately."
    ],
    done="Launches moved",
    decide=_move,
    why_not=_why_not_move,
)


def _week_form(listing: Listing) -> type[forms.Form]:
    """Build a form with the weeks of the next year and the spots left for the listing's plan."""
    weeks = launch_weeks.places(listing.site, first=launch_weeks.current_week(), count=launch_weeks.WEEKS_AHEAD + 1)
    choices = [
        (str(one.week), f"{week_text(one.week)}: {one.left(listing.plan)} {listing.plan} spots left")
        for one in weeks
        if str(one.week) != listing.launch_week
    ]

    class MoveForm(forms.Form):
        week = forms.ChoiceField(choices=choices, widget=UnfoldAdminSelectWidget)

    return MoveForm


# Launches are a layer above listings, so the listings admin gets its button for this page from here.
admin.site.unregister(Listing)


@admin.register(Listing)
class LaunchingListingAdmin(ListingAdmin):
    actions_detail = (*ListingAdmin.actions_detail, "move")

    def get_actions_detail(self, request: HttpRequest, object_id: Any) -> list[Any]:
        found = super().get_actions_detail(request, object_id)
        if rows_at(Listing.objects.filter(status=Listing.Status.SCHEDULED), object_id).exists():
            return found
        return [action for action in found if action.action_name != "listings_listing_move"]

    @page_action(description="Move launch", permissions=["change"], icon="event")
    def move(self, request: HttpRequest, object_id: str) -> HttpResponse:
        listing = self.get_object(request, object_id)
        decision = replace(MOVE, form=_week_form(listing)) if listing is not None else MOVE
        return self.ask_about(request, object_id, decision)


@admin.register(Standing)
class StandingAdmin(ReadOnly, ModelAdmin):
    """Leaderboard entries, written by votes and when a week closes."""

    list_display = ("week", "site", "rank", "listing", "points", "votes", "launched_at", "is_final")
    week = week_column("iso_week")
    list_filter = ("site", "is_final")
    list_select_related = ("site", "listing__company", "listing__site")
    search_fields = ("iso_week", "listing__company__name", "listing__slug")
    ordering = ("-iso_week", "site", "rank", "-points", "launched_at", "listing")


@admin.register(VoteLedger)
class VoteLedgerAdmin(ReadOnly, ModelAdmin):
    list_display = ("week", "site", "length", "head", "closed_at")
    week = week_column("iso_week")
    list_filter = ("site", "closed_at")
    list_select_related = ("site",)
    search_fields = ("iso_week",)
    # The salt is left out, because it reveals who voted for what.
    fields = ("site", "iso_week", "length", "head", "closed_at")
    actions_detail = ("see_entries",)

    @page_action(description="Entries", permissions=["view"], icon="list")
    def see_entries(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return HttpResponseRedirect(f"{reverse('admin:launches_ledgerentry_changelist')}?ledger__id__exact={object_id}")


@admin.register(LedgerEntry)
class LedgerEntryAdmin(ReadOnly, ModelAdmin):
    list_display = ("number", "kind", "body", "hash", "ledger")
    list_filter = ("kind", "ledger__site", "ledger")
    list_select_related = ("ledger__site",)
    show_full_result_count = False
    ordering = ("-ledger", "-number")

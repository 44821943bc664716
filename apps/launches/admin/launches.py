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
from unfold.widgets import UnfoldAdminIntegerFieldWidget, UnfoldAdminSelectWidget, UnfoldAdminTextareaWidget

from apps.accounts.actors import actor_of
from apps.core.admin.base import ModelAdmin, ReadOnly, labelled, week_column
from apps.core.admin.decisions import Decides, Decision, page_action, rows_at
from apps.core.text.dates import week_text
from apps.core.text.weeks import Week
from apps.launches.calendar import capacity, launch_weeks
from apps.launches.models import LaunchWeek, LedgerEntry, Standing, Vote, VoteLedger
from apps.launches.services import reschedule
from apps.launches.votes.rankings import decide_held
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
        help_text=f"Choose up to {MAX_WEEKS} weeks, starting with the current one.",
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
    readonly_fields = ("launches",)
    actions_list = ("create_weeks",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[LaunchWeek]:
        return capacity.with_taken(super().get_queryset(request).select_related("site"))

    def get_readonly_fields(self, request: HttpRequest, obj: LaunchWeek | None = None) -> tuple[str, ...]:
        return ("site", "week", "launches") if obj else ("launches",)

    def get_fields(self, request: HttpRequest, obj: LaunchWeek | None = None) -> tuple[str, ...]:
        return ("site", "week" if obj else "iso_week", "free_places", "paid_places", "launches")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Keep the row: it is the lock for giving away spots."""
        return False

    def save_model(self, request: HttpRequest, obj: LaunchWeek, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        for warning in capacity.overfull(obj):
            self.message_user(request, warning, messages.WARNING)

    @admin.display(description="free spots taken", ordering="free_taken")
    def free_taken(self, week: Any) -> int:
        return int(week.free_taken)

    @admin.display(description="paid spots taken", ordering="paid_taken")
    def paid_taken(self, week: Any) -> int:
        return int(week.paid_taken)

    @labelled(description="spots", colors={"over": "danger", "full": "warning", "spots left": "success"})
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
    return f"The listing is {listing.get_status_display().lower()}. You can only move upcoming launches."


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
        result = super().get_actions_detail(request, object_id)
        if rows_at(Listing.objects.filter(status=Listing.Status.SCHEDULED), object_id).exists():
            return result
        return [action for action in result if action.action_name != "listings_listing_move"]

    @page_action(description="Move launch", permissions=["change"], icon="event")
    def move(self, request: HttpRequest, object_id: str) -> HttpResponse:
        listing = self.get_object(request, object_id)
        decision = replace(MOVE, form=_week_form(listing)) if listing is not None else MOVE
        return self.ask_about(request, object_id, decision)


class UnderReview(admin.SimpleListFilter):
    title = "votes under review"
    parameter_name = "under_review"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("yes", "Yes")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Standing]) -> QuerySet[Standing]:
        return queryset.filter(held__gt=0) if self.value() else queryset


class ReviewForm(forms.Form):
    """Why votes count or not."""

    reason = forms.CharField(
        max_length=300,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
        help_text="Published in the vote ledger. Don't name people.",
    )


def _why_not_decide(standing: Standing) -> str:
    return "" if standing.held else "No votes are under review."


def _review(state: Vote.State, *, title: str, explanation: str, done: str, is_dangerous: bool = False) -> Decision:
    """Return the decision that gives a listing's votes under review this state."""

    def decide(standing: Standing, values: Mapping[str, Any], request: HttpRequest) -> object:
        return decide_held(listing=standing.listing, state=state, reason=values["reason"])

    return Decision(
        title=title,
        explanation=[explanation, "The decision is final. It's in the public vote ledger, with the reason."],
        done=done,
        decide=decide,
        why_not=_why_not_decide,
        effects=lambda standing: [f"{standing.held} votes under review"],
        form=ReviewForm,
        is_dangerous=is_dangerous,
    )


COUNT_VOTES = _review(
    Vote.State.COUNTED,
    title="Count votes under review",
    explanation="Adds their weight to the listing's points. At the week's close, undecided votes are counted, too.",
    done="Listings with counted votes",
)
DISMISS_VOTES = _review(
    Vote.State.DISMISSED,
    title="Dismiss votes under review",
    explanation="The votes stay in the ledger without weight.",
    done="Listings with dismissed votes",
    is_dangerous=True,
)


@admin.register(Standing)
class StandingAdmin(ReadOnly, Decides, ModelAdmin):
    """Leaderboard entries, written by votes and when a week closes."""

    list_display = ("week", "site", "rank", "listing", "points", "votes", "held", "launched_at", "is_final")
    week = week_column("iso_week")
    list_filter = ("site", "is_final", UnderReview)
    fields = ("site", "week", "listing", "votes", "points", "held", "launched_at", "rank", "categories", "is_final")
    readonly_fields = ("week",)
    actions_detail = ("count_votes", "dismiss_votes")
    list_select_related = ("site", "listing__company", "listing__site")
    search_fields = ("iso_week", "listing__company__name", "listing__slug")
    ordering = ("-iso_week", "site", "rank", "-points", "launched_at", "listing")

    def get_actions_detail(self, request: HttpRequest, object_id: Any) -> list[Any]:
        held = rows_at(Standing.objects.filter(held__gt=0), object_id)
        return super().get_actions_detail(request, object_id) if held.exists() else []

    @page_action(description="Count votes under review", permissions=["decide"], icon="how_to_vote")
    def count_votes(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.ask_about(request, object_id, COUNT_VOTES)

    @page_action(description="Dismiss votes", permissions=["decide"], icon="block", is_dangerous=True)
    def dismiss_votes(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.ask_about(request, object_id, DISMISS_VOTES)


@admin.register(VoteLedger)
class VoteLedgerAdmin(ReadOnly, ModelAdmin):
    list_display = ("week", "site", "length", "head", "closed_at")
    week = week_column("iso_week")
    list_filter = ("site", "closed_at")
    list_select_related = ("site",)
    search_fields = ("iso_week",)
    # The salt is left out, because it reveals who voted for what.
    fields = ("site", "week", "length", "head", "closed_at")
    readonly_fields = ("week",)
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

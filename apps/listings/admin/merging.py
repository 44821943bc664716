"""The page that compares two companies, shows what merging them would do, and merges them when confirmed."""

from typing import Any, cast

from django import forms
from django.contrib import messages
from django.contrib.admin import AdminSite
from django.contrib.admin.widgets import AutocompleteSelect
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from unfold.widgets import UnfoldAdminRadioSelectWidget

from apps.accounts.actors import actor_of
from apps.accounts.models import User
from apps.core.admin.decisions import admin_url, rows_at
from apps.core.errors import DomainError
from apps.listings.fields.labels import label_of
from apps.listings.models import Company, Listing
from apps.listings.services.merge_plan import FactLine, MergePlan, plan_merge
from apps.listings.services.merging import merge_companies


class OtherCompanyForm(forms.Form):
    """Which company is the duplicate."""

    drop = forms.ModelChoiceField(queryset=Company.objects.filter(merged_into=None), label="Duplicate")

    def __init__(self, *args: Any, admin_site: AdminSite, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        to_company = Listing.company.field
        field = cast("forms.ModelChoiceField[Company]", self.fields["drop"])
        field.widget = AutocompleteSelect(to_company, admin_site, choices=field.choices)


class OwnerForm(forms.Form):
    """Which of two accounts owns the merged company."""

    owner = forms.ModelChoiceField(
        queryset=User.objects.none(),
        label="New owner",
        empty_label=None,
        widget=UnfoldAdminRadioSelectWidget,
        help_text="Orders, drafts and closed listings stay with their current account.",
    )

    def __init__(self, *args: Any, plan: MergePlan, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        owners = User.objects.filter(pk__in=[person.pk for person in plan.owners])
        cast("forms.ModelChoiceField[User]", self.fields["owner"]).queryset = owners
        if len(plan.owners) == 1:
            del self.fields["owner"]


class MergePage:
    """For the admin page of companies."""

    def has_merge_permission(self, request: HttpRequest, object_id: object = None) -> bool:
        user = request.user
        return bool(user.has_perm("listings.change_company") and user.has_perm("listings.change_listing"))

    def merge_page(self: Any, request: HttpRequest, object_id: str) -> HttpResponse:
        """Ask for the other company, or with ?drop= show what would happen. A POST merges."""
        companies = Company.objects.select_related("owner", "merged_into")
        keep = rows_at(companies, object_id).first()
        if keep is None:
            return cast("HttpResponse", self._get_obj_does_not_exist_redirect(request, self.opts, object_id))
        drop = rows_at(companies, request.GET.get("drop", "")).first()
        context = {**self.admin_site.each_context(request), "opts": self.opts, "keep": keep, "drop": drop}
        if drop is None:
            form = OtherCompanyForm(admin_site=self.admin_site)
            context |= {"title": f"Merge into {keep}", "form": form, "media": self.media + form.media}
            context["back"] = admin_url(self, "change", keep.pk)
            return TemplateResponse(request, "admin/listings/merge_choose.html", context)
        return cast("HttpResponse", self._preview(request, keep, drop, context))

    def _preview(
        self: Any, request: HttpRequest, keep: Company, drop: Company, context: dict[str, Any]
    ) -> HttpResponse:
        plan = plan_merge(keep=keep, drop=drop)
        form = OwnerForm(request.POST or None, plan=plan)
        if request.method == "POST" and form.is_valid():
            try:
                merged = merge_companies(
                    keep=keep, drop=drop, by=actor_of(request, via="admin"), owner=form.cleaned_data.get("owner")
                )
            except DomainError as error:
                self.message_user(request, error.detail, messages.ERROR)
            else:
                self.log_change(request, keep, f"Merged {drop} ({drop.pk}) into it.")
                self.log_change(request, drop, f"Merged into {keep} ({keep.pk}).")
                text = f"{drop} is merged: {len(merged.moved)} listings moved, {len(merged.closed)} closed."
                self.message_user(request, text, messages.SUCCESS)
                return HttpResponseRedirect(admin_url(self, "change", keep.pk))
        context |= {
            "title": f"Merge {drop} into {keep}",
            "plan": plan,
            "facts": [_shown(line) for line in plan.facts if line.keep or line.drop],
            "form": form,
            "media": self.media + form.media,
            "back": admin_url(self, "change", keep.pk),
            "swap": f"{admin_url(self, 'merge', drop.pk)}?drop={keep.pk}",
        }
        return TemplateResponse(request, "admin/listings/merge.html", context)


def _shown(line: FactLine) -> dict[str, Any]:
    return {
        "label": label_of(line.name),
        "keep": _text(line.keep),
        "drop": _text(line.drop),
        "result": _text(line.result),
        "is_filled": line.is_filled,
    }


def _text(value: Any) -> str:
    match value:
        case None:
            return ""
        case list():
            return ", ".join(str(one) for one in value)
        case dict():
            return ", ".join(str(one) for one in value.values())
    return str(value)

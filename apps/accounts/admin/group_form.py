"""What the members of a group may do in the admin, as boxes by the things that there are."""

from collections.abc import Iterator
from typing import Any, ClassVar, cast

from django import forms
from django.contrib import admin
from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType
from django.db.models import QuerySet
from django.utils.text import capfirst
from unfold.widgets import UnfoldAdminCheckboxSelectMultipleWidget

_ACTIONS = {"view": "Look at", "add": "Add", "change": "Change and decide", "delete": "Delete"}


class GroupForm(forms.ModelForm[Group]):
    """Rights of what the admin has pages for; nothing else asks for a right."""

    permissions = forms.ModelMultipleChoiceField(
        queryset=Permission.objects.none(),
        required=False,
        widget=UnfoldAdminCheckboxSelectMultipleWidget,
        label="Its members may",
        help_text="Decisions such as approving, refunding and revoking need the right to change.",
    )

    class Meta:
        model = Group
        fields: ClassVar = ("name", "permissions")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = cast("forms.ModelMultipleChoiceField[Permission]", self.fields["permissions"])
        field.queryset = _permissions()
        field.choices = list(_choices(field.queryset))

    def clean_permissions(self) -> QuerySet[Permission]:
        """What was ticked, and rights beyond the boxes that the group has already."""
        chosen: QuerySet[Permission] = self.cleaned_data["permissions"]
        kept = self.instance.permissions.exclude(pk__in=_permissions()) if self.instance.pk else chosen.none()
        return Permission.objects.filter(pk__in=[one.pk for one in (*chosen, *kept)])


def _permissions() -> QuerySet[Permission]:
    kinds = ContentType.objects.get_for_models(*admin.site._registry)  # noqa: SLF001 - Django offers no other way
    found = Permission.objects.filter(content_type__in=kinds.values()).select_related("content_type")
    return found.order_by("content_type__app_label", "content_type__model", "codename")


def _choices(permissions: QuerySet[Permission]) -> Iterator[tuple[Any, str]]:
    for permission in permissions:
        action, _, _ = permission.codename.partition("_")
        model = permission.content_type.model_class()
        what = capfirst(str(model._meta.verbose_name_plural)) if model else permission.content_type.name  # noqa: SLF001 - as above
        yield permission.pk, f"{what}: {_ACTIONS.get(action, permission.name).lower()}"

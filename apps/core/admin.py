"""The base of the project's admin pages."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, TypeVar, cast

from django.contrib import admin
from django.db import models
from django.http import HttpRequest
from unfold.admin import ModelAdmin as UnfoldModelAdmin
from unfold.decorators import display
from unfold.widgets import UnfoldAdminURLInputWidget

from apps.core.mail_admin import MailState, RetriesMails
from apps.core.models import OutgoingMail

_Method = TypeVar("_Method", bound=Callable[..., Any])


def labelled(
    *, description: str, colours: Mapping[str, str] | str, ordering: str | None = None
) -> Callable[[_Method], _Method]:
    """Show what a method of an admin page returns as a label, in a colour by its text or in one for all.

    Colours are unfold's: info, success, warning, danger, primary.
    """
    label = colours if isinstance(colours, str) else dict(colours)
    return cast("Callable[[_Method], _Method]", display(description=description, ordering=ordering, label=label))


class ModelAdmin(UnfoldModelAdmin):  # type: ignore[misc]  # published without type information
    """Unfold's look; an address typed without a scheme means https."""

    formfield_overrides: ClassVar[dict[Any, Any]] = {
        models.URLField: {"widget": UnfoldAdminURLInputWidget, "assume_scheme": "https"},
    }


class ReadOnly:
    """Rows that the services write: the site team looks at them."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(OutgoingMail)
class OutgoingMailAdmin(RetriesMails, ReadOnly, ModelAdmin):
    """Which mails left, and which did not; what is in them is their readers' matter."""

    list_display = ("subject", "to", "site_name", "created_at", "attempts", "sent_at", "failed_at")
    list_filter = (MailState,)
    search_fields = ("to", "subject")
    # The text and the headers may hold links that act for the reader.
    fields = (
        "subject",
        "to",
        "site_name",
        "key",
        "created_at",
        "send_at",
        "attempts",
        "last_error",
        "sent_at",
        "failed_at",
    )

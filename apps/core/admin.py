"""The base of the project's admin pages."""

from typing import Any, ClassVar

from django.db import models
from unfold.admin import ModelAdmin as UnfoldModelAdmin
from unfold.widgets import UnfoldAdminURLInputWidget


class ModelAdmin(UnfoldModelAdmin):  # type: ignore[misc]  # published without type information
    """Unfold's look; an address typed without a scheme means https."""

    formfield_overrides: ClassVar[dict[Any, Any]] = {
        models.URLField: {"widget": UnfoldAdminURLInputWidget, "assume_scheme": "https"},
    }

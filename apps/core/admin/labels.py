"""Labels of fields and models in the admin, as people say them."""

import re

from django.apps import apps


def shorten_labels() -> None:
    """Label fields such as `created_at` and `is_active` as "created" and "active", and write API in capitals.

    Labels that are written in the models stay.
    """
    for model in apps.get_models():
        options = model._meta
        for field in options.concrete_fields:
            if field.verbose_name == field.name.replace("_", " "):
                field.verbose_name = _capitals(field.verbose_name.removesuffix(" at").removeprefix("is "))
        options.verbose_name = _capitals(options.verbose_name)
        options.verbose_name_plural = _capitals(options.verbose_name_plural)


def _capitals(text: object) -> str:
    return re.sub(r"\bapi\b", "API", str(text))

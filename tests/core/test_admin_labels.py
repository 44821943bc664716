"""Labels in the admin that the models don't write."""

from django.apps import apps
from django.contrib import admin
from django.contrib.admin.utils import label_for_field

from apps.accounts.models import ApiKey, User


def test_labels_are_as_people_say_them() -> None:
    assert [str(label_for_field(name, User)) for name in ("is_active", "joined_at")] == ["active", "joined"]
    assert str(label_for_field("created_at", ApiKey)) == "created"
    assert str(ApiKey._meta.verbose_name_plural) == "API keys"


def test_empty_values_look_as_those_of_the_toolkit() -> None:
    shown = {
        getattr(getattr(model_admin, name, None), "empty_value_display", model_admin.get_empty_value_display())
        for model_admin in admin.site._registry.values()
        for name in (*model_admin.list_display, *model_admin.readonly_fields)
        if isinstance(name, str)
    }
    assert shown == {"-"}


def test_no_label_in_a_list_of_the_admin_is_a_name_from_the_code() -> None:
    labels = {
        (model.__name__, name): str(label_for_field(name, model, model_admin))
        for model, model_admin in admin.site._registry.items()
        for name in model_admin.list_display
        if isinstance(name, str)
    }
    assert [place for place, label in labels.items() if label.endswith(" at") or label.startswith("is ")] == []


def test_no_choice_has_the_title_that_django_makes_of_several_words() -> None:
    titles = [
        (model.__name__, field.name, label)
        for model in apps.get_models()
        if model.__module__.startswith("apps.")
        for field in model._meta.get_fields()
        for value, label in getattr(field, "flatchoices", ())
        if "_" in str(value) and label == str(value).replace("_", " ").title()
    ]
    assert titles == []

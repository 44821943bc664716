"""Refusals of services in forms."""

from django import forms

from apps.core.editing.forms import TypedForm
from apps.core.errors import Conflict


class Named(TypedForm):
    name = forms.CharField()


def test_pages_name_no_operations() -> None:
    form = Named({"name": "Acme"})
    steps = ["Edit it with update_my_listing.", "Or send refresh: true.", "Ask a site admin."]
    form.refuse(Conflict("It is listed already.", next_steps=steps))
    assert form.non_field_errors() == ["It is listed already.", "Ask a site admin."]

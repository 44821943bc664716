"""Refusals of services in forms."""

from django import forms
from django.core.exceptions import NON_FIELD_ERRORS

from apps.core.editing.forms import TypedForm
from apps.core.errors import Conflict, Unprocessable


class Named(TypedForm):
    name = forms.CharField()


def test_pages_name_no_operations() -> None:
    form = Named({"name": "Acme"})
    steps = ["Edit it with update_my_listing.", "Or send refresh: true.", "Ask a site admin."]
    form.refuse(Conflict("It is listed already.", next_steps=steps))
    assert form.non_field_errors() == ["It is listed already.", "Ask a site admin."]


def test_errors_keep_their_codes() -> None:
    form = Named({"name": "Acme"})
    form.refuse(Unprocessable("Too long.", code="max_length", pointer="/name"))
    form.refuse(Conflict("It is listed already."))
    assert form.has_error("name", "max_length")
    assert form.has_error(NON_FIELD_ERRORS, "conflict")

"""The steps of setting up a site. Each app registers its own in its admin package, and each can be saved alone."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django import forms

from apps.sites.models import Site


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A part of the setup page. `place` orders the steps, `permission` is needed to see and save it.

    `form` builds the form of a site from the arguments of Django's forms. Its `save()` stores the step. `note` returns
    something to know first, or an empty text.
    """

    key: str
    place: int
    title: str
    text: str
    permission: str
    form: Callable[..., Any]
    is_done: Callable[[Site], bool]
    note: Callable[[Site], str] = lambda site: ""


_steps: dict[str, Step] = {}


def register_step(step: Step) -> None:
    """Show a step on the setup page."""
    _steps[step.key] = step


def steps_of(user: Any) -> list[Step]:
    """Return the steps that a person may save, in order."""
    return [step for step in sorted(_steps.values(), key=lambda step: step.place) if user.has_perm(step.permission)]


def may_set_up(user: Any) -> bool:
    """Return whether a person may open the setup page."""
    return bool(user.is_active and user.is_staff and user.has_perm("sites.change_site"))


class StepForm(forms.ModelForm[Site]):
    """The base of steps that store fields of the site."""

    def __init__(self, *args: Any, site: Site, **kwargs: Any) -> None:
        # A refused form must not change what the page around it shows.
        kwargs["instance"] = Site.objects.get(pk=site.pk)
        super().__init__(*args, **kwargs)

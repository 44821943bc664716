"""Demo data: every app's `demo` module adds its own, on top of what the lower apps made.

Texts for people are YAML in the app's `demo_data` folder. The modules turn them into objects.
"""

from dataclasses import dataclass, field
from datetime import datetime
from importlib.resources import files
from random import Random
from typing import Any, TypeVar

import yaml
from django.db import transaction
from django.db.models import Model
from django.utils import timezone

from apps.core.app_modules import app_modules

_Kind = TypeVar("_Kind", bound=Model)
_SEED = 46


@dataclass(frozen=True, slots=True)
class SignIn:
    """The sign-in of the demo owner and, only in local mode, of the demo admin."""

    email: str
    password: str
    api_key: str
    admin_email: str = ""
    admin_password: str = ""


@dataclass(slots=True)
class Demo:
    """What demo modules share: the time, one random generator, and the objects made so far by key.

    `stored` is the sign-in from an earlier run, `sign_in` the current one.
    """

    stored: SignIn | None = None
    sign_in: SignIn | None = None
    now: datetime = field(default_factory=timezone.now)
    # The same numbers in every installation, so that screenshots and bug reports agree.
    random: Random = field(default_factory=lambda: Random(_SEED))  # noqa: S311 - no secret comes of it
    _made: dict[type[Model], dict[str, Model]] = field(default_factory=dict)

    def keep(self, key: str, thing: Model) -> None:
        """Remember an object for the demo modules of higher apps."""
        self._made.setdefault(type(thing), {})[key] = thing

    def get(self, kind: type[_Kind], key: str) -> _Kind:
        """Return the object of this model that was kept under `key`. Raises KeyError if there is none."""
        return self.all(kind)[key]

    def all(self, kind: type[_Kind]) -> dict[str, _Kind]:
        """Return all kept objects of a model by key, in the order they were made."""
        return {key: thing for key, thing in self._made.get(kind, {}).items() if isinstance(thing, kind)}


def read_demo_data(app: str, name: str) -> Any:
    """Return the content of `demo_data/<name>.yaml` in an app's package, such as `apps.listings`."""
    return yaml.safe_load(files(app).joinpath("demo_data", f"{name}.yaml").read_text(encoding="utf-8"))


@transaction.atomic
def seed_all(*, stored: SignIn | None = None) -> Demo:
    """Create the demo data, or only find the sign-in if they exist. `sign_in` is always set.

    An app's `demo` module has `seed(demo)`, called in the order of INSTALLED_APPS. It may have `restore(demo)`, which
    sets `demo.sign_in` if an earlier run created the data.
    """
    demo = Demo(stored=stored)
    modules = [module for module in app_modules("demo") if hasattr(module, "seed")]
    for module in modules:
        if restore := getattr(module, "restore", None):
            restore(demo)
    if demo.sign_in is None:
        for module in modules:
            module.seed(demo)
    return demo

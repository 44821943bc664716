"""Demo data: every app's `demo` module adds what is its own, on top of what the lower apps made.

What is written for people stands as YAML in the app's `demo_data` folder; the modules say what becomes of it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from importlib import import_module
from importlib.resources import files
from random import Random
from types import ModuleType
from typing import Any, TypeVar

import yaml
from django.apps import apps
from django.db import transaction
from django.db.models import Model
from django.utils import timezone
from django.utils.module_loading import module_has_submodule

_Kind = TypeVar("_Kind", bound=Model)
_SEED = 46


@dataclass(frozen=True, slots=True)
class SignIn:
    """How to act as the demo owner and, in local mode, as the demo admin; elsewhere there is none."""

    email: str
    password: str
    api_key: str
    admin_email: str = ""
    admin_password: str = ""


@dataclass(slots=True)
class Demo:
    """What the demo modules hand on: the moment, one source of chance, and the objects made so far by key.

    `stored` is the sign-in that a former run gave out, `sign_in` the one that is good now.
    """

    stored: SignIn | None = None
    sign_in: SignIn | None = None
    now: datetime = field(default_factory=timezone.now)
    # The same numbers in every installation, so that pictures and reports of errors agree.
    random: Random = field(default_factory=lambda: Random(_SEED))  # noqa: S311 - no secret comes of it
    _made: dict[type[Model], dict[str, Model]] = field(default_factory=dict)

    def keep(self, key: str, thing: Model) -> None:
        """Remember an object for the demo modules of higher apps."""
        self._made.setdefault(type(thing), {})[key] = thing

    def get(self, kind: type[_Kind], key: str) -> _Kind:
        """The object of this model that was kept under `key`; raises KeyError when there is none."""
        return self.all(kind)[key]

    def all(self, kind: type[_Kind]) -> dict[str, _Kind]:
        """Everything of a model that was kept, by key, in the order it was made."""
        return {key: thing for key, thing in self._made.get(kind, {}).items() if isinstance(thing, kind)}


def read_demo_data(app: str, name: str) -> Any:
    """The content of `demo_data/<name>.yaml` in the package of an app, such as `apps.listings`."""
    return yaml.safe_load(files(app).joinpath("demo_data", f"{name}.yaml").read_text(encoding="utf-8"))


@transaction.atomic
def seed_all(*, stored: SignIn | None = None) -> Demo:
    """Make the demo data, or only find the sign-in again when they are there; `sign_in` is always set.

    An app's `demo` module has `seed(demo)`, called in the order of INSTALLED_APPS, and may have
    `restore(demo)`, which sets `demo.sign_in` if a former run made the data.
    """
    demo = Demo(stored=stored)
    modules = list(_modules())
    for module in modules:
        if restore := getattr(module, "restore", None):
            restore(demo)
    if demo.sign_in is None:
        for module in modules:
            module.seed(demo)
    return demo


def _modules() -> Iterator[ModuleType]:
    for config in apps.get_app_configs():
        if config.module and module_has_submodule(config.module, "demo"):
            module = import_module(f"{config.name}.demo")
            if hasattr(module, "seed"):
                yield module

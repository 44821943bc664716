"""Find what each app adds to a mechanism, such as in its `demo.py`, so that the mechanism knows no app."""

from collections.abc import Iterable, Iterator
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from django.conf import settings

_PROJECT = f"{__name__.partition('.')[0]}."


def app_modules(name: str, *, installed: Iterable[str] | None = None) -> Iterator[ModuleType]:
    """Return the modules of this name in the project's apps, in the order of INSTALLED_APPS.

    `installed` is that list while the settings are read.
    """
    for app in settings.INSTALLED_APPS if installed is None else installed:
        # To look into the apps of libraries would load them.
        if app.startswith(_PROJECT) and find_spec(f"{app}.{name}"):
            yield import_module(f"{app}.{name}")

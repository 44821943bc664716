"""One email of each kind with made-up words, for developers to look at and for the test that looks at them all."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib import import_module
from typing import Any

from django.apps import apps
from django.utils.module_loading import module_has_submodule

from apps.core.email.rendering import EmailSite
from apps.core.email.text import Words, render_words

# All samples are of one moment, so that two looks at them can be compared.
MOMENT = datetime(2026, 11, 16, 9, 30, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """An email as its templates at `name` make it; `context` is what the code that emails it hands over."""

    name: str
    context: Mapping[str, Any] = field(default_factory=dict)
    subject: str = ""
    ending: str = ""
    variant: str = ""

    @property
    def key(self) -> str:
        """Its name in addresses."""
        return "-".join(filter(None, (*self.name.split("/"), self.variant))).replace("_", "-")

    def words(self, site: EmailSite) -> Words:
        return render_words(self.name, {"site": site, **self.context}, subject=self.subject, ending=self.ending)


def all_samples(site: EmailSite) -> Iterator[Sample]:
    """The samples of all apps, in the name of a site: what their `email_samples` modules give."""
    for config in apps.get_app_configs():
        if config.module and module_has_submodule(config.module, "email_samples"):
            yield from import_module(f"{config.name}.email_samples").email_samples(site)

"""One email of each kind with made-up content, for developers and for the test that checks them all."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from apps.core.email.rendering import EmailSite
from apps.core.email.text import Words, render_words

# All samples have the same time, so that two runs can be compared.
MOMENT = datetime(2026, 11, 16, 9, 30, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """An email made from the templates at `name`. `context` is what the sending code passes."""

    name: str
    context: Mapping[str, Any] = field(default_factory=dict)
    subject: str = ""
    ending: str = ""
    variant: str = ""

    @property
    def key(self) -> str:
        """Its name in URLs."""
        return "-".join(filter(None, (*self.name.split("/"), self.variant))).replace("_", "-")

    def words(self, site: EmailSite) -> Words:
        return render_words(self.name, {"site": site, **self.context}, subject=self.subject, ending=self.ending)


def all_samples(site: EmailSite) -> Iterator[Sample]:
    """Return the samples of all apps, in the name of a site, from this package's modules."""
    for module in iter_modules(__path__):
        yield from import_module(f"{__name__}.{module.name}").email_samples(site)

"""Every environment variable that is read is in the tables of docs/operations/settings.md."""

import re

from tests.config.support import PROJECT

_READ = re.compile(r"""(?:env\.\w+\(|os\.environ\.get\(|os\.environ\[)\s*"([A-Z][A-Z_]+)\"""")
# Django's own variable, and those that only tests and the engines' places need.
_NOT_FOR_OPERATORS = {"DJANGO_SETTINGS_MODULE", "CI", "TMPDIR", "PATH", "HOME"}


def test_every_variable_is_in_the_table() -> None:
    sources = [*(PROJECT / "config").rglob("*.py"), *(PROJECT / "apps").rglob("*.py"), PROJECT / "manage.py"]
    read = {name for path in sources for name in _READ.findall(path.read_text())} - _NOT_FOR_OPERATORS
    table = set(re.findall(r"`([A-Z][A-Z_]+)`", (PROJECT / "docs" / "operations" / "settings.md").read_text()))
    assert read
    assert read - table == set()

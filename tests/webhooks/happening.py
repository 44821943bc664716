"""Events for tests, numbered as at a commit."""

from django.db import connection

from apps.accounts.models import User
from apps.events.recording import Subject, record
from apps.sites.models import Site


def happen(user: User, site: Site, *types: str, pk: int | str = 5) -> None:
    for type_ in types:
        record(type_, Subject(type_.partition(".")[0], pk, user.pk, site.pk, {"total_cents": 3}))
    connection.check_constraints()

"""Opening, keeping and saving the texts of a document."""

from collections.abc import Mapping
from typing import Literal, TypeVar

from django.db import connection, transaction
from django.utils import timezone
from rest_framework.exceptions import ValidationError

from apps.core.errors import DomainError
from apps.listings.editor.form_state import token
from apps.stories.editing.documents import Document
from apps.stories.editing.merging import Conflict, Fate, Overtaken, Seen, is_known, judge
from apps.stories.editing.shown import Shown
from apps.stories.models import WorkingText

# Past every limit, so that what is too long to be saved is still kept until it is shortened.
MAX_KEPT_CHARACTERS = 40_000

Saved = TypeVar("Saved")


def open_document(document: Document[Saved]) -> list[Shown]:
    """The fields as the editor shows them: what was typed and not saved in place of what is saved."""
    saved, working = document.saved(), _working(document)
    shown = []
    for field in document.fields.values():
        now, kept = saved.get(field.name, ""), working.get(field.name)
        if kept is None or kept.text == now:
            shown.append(Shown(field, now, Seen(token(now), token(now))))
            continue
        conflict = None if kept.base == token(now) else Conflict("saved", now)
        seen = Seen(token(now), token(kept.text))
        shown.append(
            Shown(field, kept.text, seen, is_unsaved=True, conflict=conflict, problem=field.problem(kept.text))
        )
    return shown


@transaction.atomic
def autosave(document: Document[Saved], *, typed: Mapping[str, str], opened: Mapping[str, Seen]) -> dict[str, Shown]:
    """Keep what was typed, as it is, and touch nothing that is saved; how the fields that were sent stand then.

    A text that another window of the same person keeps is not overwritten: it is told as a conflict, and the field is
    not `is_kept`. Nor is a text past MAX_KEPT_CHARACTERS. Names that the document does not have are passed over.
    """
    _lock(document)
    saved, working = document.saved(), _working(document)
    shown = {}
    for name, field in document.fields.items():
        if name in typed:
            text, seen = field.clean(typed[name]), opened.get(name, Seen())
            found = Shown(field, text, seen, problem=field.problem(text))
            shown[name] = _keep(document, found, now=saved.get(name, ""), kept=working.get(name))
    return shown


def save(document: Document[Saved], *, typed: Mapping[str, str], opened: Mapping[str, Seen]) -> Saved:
    """Save what was typed, and what was shown unsaved; fields that were left as they were found are not touched.

    Raises Overtaken with everything that others changed meanwhile, and what the document's `write` raises: then nothing
    is saved, and all that was typed is kept unsaved. Returns what `write` does.
    """
    try:
        return _save(document, typed, opened)
    except (Overtaken, DomainError, ValidationError):
        autosave(document, typed=typed, opened=opened)
        raise


@transaction.atomic
def take(
    document: Document[Saved],
    name: str,
    *,
    typed: Mapping[str, str],
    opened: Mapping[str, Seen],
    kind: Literal["saved", "typed"] = "saved",
) -> None:
    """Give up what was typed in one field for what stands against it, and keep what was typed in all others.

    That is what was `saved` meanwhile, or what another window has `typed`.
    """
    autosave(document, typed={key: text for key, text in typed.items() if key != name}, opened=opened)
    if kind == "saved":
        document.working().filter(name=name).delete()


@transaction.atomic
def discard(document: Document[Saved]) -> None:
    """Throw away everything that was typed and not saved."""
    _lock(document)
    document.working().delete()


@transaction.atomic
def _save(document: Document[Saved], typed: Mapping[str, str], opened: Mapping[str, Seen]) -> Saved:
    # Held until all is written: an assistant's edit waits, or is seen here.
    document.hold()
    _lock(document)
    saved, working = document.saved(), _working(document)
    changed: dict[str, str] = {}
    conflicts: dict[str, Conflict] = {}
    done: list[int] = []
    for name, field in document.fields.items():
        if name not in typed:
            continue
        text, seen, now, kept = (
            field.clean(typed[name]),
            opened.get(name, Seen()),
            saved.get(name, ""),
            working.get(name),
        )
        fate = judge(typed=text, seen=seen, saved=now, working=kept.text if kept else None)
        if fate == Fate.SAVED_MEANWHILE:
            conflicts[name] = Conflict("saved", now)
        elif fate == Fate.TYPED_MEANWHILE and kept:
            conflicts[name] = Conflict("typed", kept.text)
        elif fate == Fate.CHANGED:
            changed[name] = text
        if kept and fate in {Fate.SAME, Fate.CHANGED} and is_known(kept.text, typed=text, seen=seen):
            done.append(kept.pk)
    if conflicts:
        raise Overtaken(conflicts)
    written = document.write(changed)
    document.working().filter(pk__in=done).delete()
    return written


def _keep(document: Document[Saved], found: Shown, *, now: str, kept: WorkingText | None) -> Shown:
    """Write one field's unsaved text, unless it is none or another window's is in the way."""
    text, seen = found.text, found.seen
    fate = judge(typed=text, seen=seen, saved=now, working=kept.text if kept else None)
    if fate == Fate.TYPED_MEANWHILE and kept:
        return found.but(is_unsaved=True, is_kept=False, conflict=Conflict("typed", kept.text))
    if fate == Fate.LEFT:
        return found
    if fate == Fate.SAME:
        if kept and is_known(kept.text, typed=text, seen=seen):
            kept.delete()
        return found.but(seen=Seen(token(now), token(now)))
    if len(text) > MAX_KEPT_CHARACTERS:
        return found.but(is_unsaved=True, is_kept=False)
    base = kept.base if kept else seen.saved
    document.working().update_or_create(
        name=found.field.name,
        defaults={"text": text, "base": base, "updated_at": timezone.now()},
        create_defaults={
            "user": document.user,
            **document.place,
            "name": found.field.name,
            "text": text,
            "base": base,
        },
    )
    conflict = None if base == token(now) else Conflict("saved", now)
    # The mark of what was saved stays the form's own: only a page that has shown a conflict may overrule it.
    return found.but(seen=Seen(seen.saved, token(text)), is_unsaved=True, conflict=conflict)


def _working(document: Document[Saved]) -> dict[str, WorkingText]:
    return {row.name: row for row in document.working()}


def _lock(document: Document[Saved]) -> None:
    """Let one request at a time work on a person's unsaved texts of a document, until the transaction ends."""
    kind, place = next(iter(document.place.items()))
    name = f"editor: account {document.user.pk}, {kind} {place.pk}"
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [name])

"""Logo and screenshots that an owner uploads beside the preview of a draft."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import QueryDict

from apps.accounts.actors import Actor
from apps.core.api.serializers import clean_text
from apps.core.editing.marks import State
from apps.core.errors import DomainError
from apps.drafts.models import Draft, DraftPicture
from apps.drafts.services.pictures import discard_uploads, upload_draft_picture
from apps.listings.editor.picture_files import PictureFilesForm, moved, no_room
from apps.listings.fields.serializers import MAX_SCREENSHOTS
from apps.listings.models import ListedPicture
from apps.listings.services.pictures.uploads import alt_problem

Field = ListedPicture.Field


def arranged(typed: State, data: QueryDict) -> State:
    """Return what is typed with a screenshot moved, or a picture removed, as the button that was pressed says."""
    removed = data.get("remove", "")
    shots = [url for url in moved(_shots(typed), data.get("move", "")) if url != removed]
    logo = typed.get(Field.LOGO, "")
    return {**typed, str(Field.LOGO): "" if logo == removed else logo, str(Field.SCREENSHOTS): "\n".join(shots)}


def _shots(typed: State) -> list[str]:
    return [url for url in str(typed.get(Field.SCREENSHOTS, "")).split("\n") if url.strip()]


class UploadsForm(PictureFilesForm):
    """The files. They stand beside the review form and are sent with it."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        for field in self.fields.values():
            field.widget.attrs["form"] = "review"

    @property
    def is_refused(self) -> bool:
        """Whether a file or a description can't be saved."""
        alts = (alt for name, alt in self.data.items() if name.startswith("alt-"))
        return bool(self.errors) or any(alt_problem(clean_text(alt)) for alt in alts)

    def alts(self, draft: Draft) -> dict[str, str]:
        """Return the descriptions that differ from those that the form was opened with, by URL."""
        typed = {row: (self._alt(row), self._opened_alt(row)) for row in draft.pictures.all()}
        return {row.url: alt for row, (alt, opened) in typed.items() if alt != opened}

    def tiles(self, shots: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Return the screenshots of the preview with their descriptions as typed."""
        return [
            {
                **shot,
                "alt": (alt := self._alt(shot["picture"])),
                "opened_alt": self._opened_alt(shot["picture"]),
                "alt_problem": alt_problem(alt),
            }
            for shot in shots
        ]

    def _alt(self, row: DraftPicture) -> str:
        return clean_text(self.data.get(f"alt-{row.pk}", row.alt))

    def _opened_alt(self, row: DraftPicture) -> str:
        return str(self.data.get(f"opened-alt-{row.pk}", row.alt))

    def store(self, draft: Draft, typed: State, *, by: Actor) -> State:
        """Store all files or none, and return what is typed with their URLs. The form then has the problems."""
        shots = _shots(typed)
        logos, files = self.files.getlist("logo_file"), self.files.getlist("screenshot_files")
        if files and len(shots) + len(files) > MAX_SCREENSHOTS:
            self.add_error("screenshot_files", no_room(len(files), MAX_SCREENSHOTS - len(shots)))
            return typed
        added: list[DraftPicture] = []
        for name, field, file in [
            *(("logo_file", Field.LOGO, file) for file in logos),
            *(("screenshot_files", Field.SCREENSHOTS, file) for file in files),
        ]:
            try:
                added.append(upload_draft_picture(draft=draft, field=field, data=file.read(), by=by))
            except DomainError as refusal:
                self.add_error(name, f"{file.name}: {refusal.detail}")
        if self.errors:
            discard_uploads(added)
            return typed
        logo = next((row.url for row in added if row.field == Field.LOGO), typed.get(Field.LOGO, ""))
        shots += [row.url for row in added if row.field == Field.SCREENSHOTS]
        return {**typed, str(Field.LOGO): logo, str(Field.SCREENSHOTS): "\n".join(shots)}

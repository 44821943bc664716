"""Logo and screenshots that an owner uploads beside the preview of a draft."""

from typing import Any

from django.http import QueryDict

from apps.accounts.actors import Actor
from apps.core.editing.marks import State
from apps.core.errors import DomainError, Unprocessable
from apps.drafts.models import Draft, DraftPicture
from apps.drafts.services.pictures import describe_pictures, discard_uploads, upload_draft_picture
from apps.listings.editor.picture_files import PictureFilesForm, moved, no_room
from apps.listings.fields.serializers import MAX_SCREENSHOTS
from apps.listings.models import ListedPicture

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

    def describe(self, draft: Draft) -> bool:
        """Save the typed descriptions, and return whether any is new. The form then has the problems."""
        typed = {row: self.data.get(f"alt-{row.pk}", row.alt) for row in draft.pictures.all()}
        changed = [row for row, alt in typed.items() if row.alt != alt]
        for row in changed:
            row.alt = typed[row]
        try:
            describe_pictures(changed)
        except Unprocessable as refusal:
            self.add_error("screenshot_files", refusal.detail)
        return bool(changed)

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

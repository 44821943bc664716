"""Logos and screenshots on admin pages: stored files as thumbnails, and uploads."""

from typing import Any

from django import forms
from django.db.models import F
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from apps.accounts.actors import Actor
from apps.core.errors import DomainError
from apps.core.pictures.reading import FORMAT_NAMES, MAX_BYTES, MEDIA_TYPES
from apps.listings.admin.forms_in_history import OwnersFieldsForm
from apps.listings.fields.serializers import MAX_SCREENSHOTS
from apps.listings.models import Company, Listing
from apps.listings.services.pictures.files import MIN_LOGO, MIN_LONG, MIN_SHORT, Field
from apps.listings.services.pictures.uploads import TooManyScreenshots, discard_uploads, upload_picture

_UPLOADS = {"logo_file": Field.LOGO, "screenshot_files": Field.SCREENSHOTS}


class _FilesInput(forms.FileInput):
    allow_multiple_selected = True


class _FilesField(forms.FileField):
    """Files as sent. The service reports problems."""

    def __init__(self, *, label: str, least: str, is_several: bool = False) -> None:
        attrs = {"accept": ",".join(sorted(MEDIA_TYPES)), **({"multiple": True} if is_several else {})}
        super().__init__(
            label=label,
            required=False,
            widget=(_FilesInput if is_several else forms.FileInput)(attrs=attrs),
            help_text=f"{FORMAT_NAMES}, at least {least} pixels, up to {MAX_BYTES // 2**20} MB.",
        )

    def clean(self, data: Any, initial: Any = None) -> Any:
        return data


class CompanyForm(OwnersFieldsForm):
    """A company's facts, with uploads for its logo and screenshots."""

    by: Actor
    logo_file = _FilesField(label="Upload a logo", least=f"{MIN_LOGO} × {MIN_LOGO}")
    screenshot_files = _FilesField(label="Add screenshots", least=f"{MIN_LONG} × {MIN_SHORT}", is_several=True)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.listing = listing_of(self.instance)
        if self.listing is None:
            for name in _UPLOADS:
                del self.fields[name]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if self.listing and not self.errors:
            cleaned |= self._uploaded(self.listing, cleaned)
        return cleaned

    def _uploaded(self, listing: Listing, cleaned: dict[str, Any]) -> dict[str, Any]:
        """Store the files, and return the values of the fields that name them. Stores all of them or none."""
        sent = [(name, file) for name in _UPLOADS for file in self.files.getlist(name)] if self.files else []
        if not sent:
            return {}
        shots = cleaned.get("screenshots", [])
        if (count := len(shots) + len(self.files.getlist("screenshot_files"))) > MAX_SCREENSHOTS:
            too_many = TooManyScreenshots(count)
            self.add_error("screenshot_files", forms.ValidationError(too_many.detail, code=too_many.error_code))
            return {}
        added = []
        for name, file in sent:
            try:
                added.append(
                    (name, upload_picture(listing=listing, field=_UPLOADS[name], data=file.read(), by=self.by))
                )
            except DomainError as refusal:
                self.add_error(name, f"{file.name}: {refusal.detail}")
        if self.errors:
            discard_uploads([row for _, row in added])
            return {}
        urls = {field: [row.url for _, row in added if row.field == field] for field in Field.values}
        logo = {Field.LOGO.value: urls[Field.LOGO][-1]} if urls[Field.LOGO] else {}
        return {**logo, Field.SCREENSHOTS.value: [*shots, *urls[Field.SCREENSHOTS]]}


def listing_of(company: Company | None) -> Listing | None:
    """Return the listing that uploads for a company are checked by. Without one, there are no uploads."""
    if not company or not company.pk:
        return None
    return company.listings.order_by(F("merged_into").asc(nulls_first=True), "pk").first()


def thumbnails(company: Company | None) -> SafeString | str:
    """Return the stored logo and screenshots, and why others have no file."""
    if not company or not company.pk:
        return "none"
    rows = {(row.field, row.url): row for row in company.pictures.all()}
    named = [(Field.LOGO, company.logo_url), *((Field.SCREENSHOTS, url) for url in company.screenshots)]
    chosen = [rows[place] for place in named if place in rows]
    return render_to_string("admin/listings/pictures.html", {"pictures": chosen}) if chosen else "none"

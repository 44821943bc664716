"""The logo and screenshots of an owner's listing: upload, order, describe, remove."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.http.request import QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST
from rest_framework.exceptions import ValidationError

from apps.accounts.actors import Actor, actor_of
from apps.core.api.problems import field_problems
from apps.core.editing.forms import TypedField, address_input
from apps.core.errors import DomainError
from apps.core.pictures.reading import MAX_BYTES
from apps.core.web.body_limits import with_too_large
from apps.listings.editor.picture_files import PictureFilesForm, moved, no_room, upload_answer
from apps.listings.fields.serializers import MAX_SCREENSHOTS, https_address
from apps.listings.models import CompanyPicture, Listing
from apps.listings.owner_pages import head, is_open, own_listing, to_overview
from apps.listings.services.pictures.files import Field
from apps.listings.services.pictures.uploads import MAX_ALT, discard_uploads, save_pictures, upload_picture
from apps.listings.services.sections import locked_sections
from apps.sites.requests import SiteHttpRequest


class PicturesForm(PictureFilesForm):
    """What to add: files, or the URLs of pictures."""

    logo_address = TypedField(label="Or use a logo URL", required=False, widget=address_input())
    screenshot_address = TypedField(label="Or add a screenshot URL", required=False, widget=address_input())

    def field_at(self, pointer: str) -> str | None:
        return "logo_address" if str(Field.LOGO) in pointer else "screenshot_files"


@dataclass
class Choice:
    """The pictures as the page holds them, by URL. `opened` are those that it was opened with."""

    logo: str
    opened_logo: str
    screenshots: list[str]
    opened: list[str]
    alts: dict[str, str] = field(default_factory=dict)
    removed: set[str] = field(default_factory=set)
    alt_problems: dict[str, str] = field(default_factory=dict)

    @classmethod
    def saved(cls, listing: Listing) -> "Choice":
        """Return the saved pictures."""
        company = listing.company
        alts = {row.url: row.alt for row in company.pictures.all()}
        shots = list(dict.fromkeys(company.screenshots))
        return cls(company.logo_url, company.logo_url, shots, shots, alts)

    @classmethod
    def posted(cls, listing: Listing, data: QueryDict) -> "Choice":
        """Return what was sent, without URLs that are no picture of the company."""
        known = set(listing.company.pictures.values_list("field", "url"))
        sent = list(zip(data.getlist("screenshot"), data.getlist("alt"), strict=False))
        alts = {url: alt for url, alt in sent if (Field.SCREENSHOTS, url) in known}
        logo = data.get("logo", "")
        return cls(
            logo=logo if (Field.LOGO, logo) in known else "",
            opened_logo=data.get("opened_logo", ""),
            screenshots=moved(list(alts), data.get("move", "")),
            opened=data.getlist("opened"),
            alts=alts,
            removed=set(data.getlist("remove")),
        )

    @property
    def kept(self) -> list[str]:
        """Return the screenshots to keep."""
        return [url for url in self.screenshots if url not in self.removed]


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@with_too_large
def pictures(request: SiteHttpRequest, slug: str) -> HttpResponse:
    """Show the logo and screenshots. Saves their choice, order and descriptions together with new files."""
    listing = own_listing(request, slug)
    if not is_open(listing, "listing_pictures"):
        return to_overview(listing)
    if request.method != "POST":
        form = PicturesForm.too_large() if getattr(request, "is_too_large", False) else PicturesForm()
        return _page(request, listing, form, Choice.saved(listing))
    form, choice = PicturesForm(request.POST, request.FILES), Choice.posted(listing, request.POST)
    status = _save(listing, form, choice, by=actor_of(request))
    if status != 200:
        return _page(request, listing, form, choice, status=status)
    messages.success(request, "Pictures saved")
    return redirect("listing_pictures", slug=slug)


@login_required
@require_POST
def upload(request: SiteHttpRequest, slug: str) -> HttpResponse:
    """Store one file for the script, which adds it to the page. Saving the page lists it."""
    listing = own_listing(request, slug)
    return upload_answer(request, partial(upload_picture, listing=listing, by=actor_of(request)))


def _save(listing: Listing, form: PicturesForm, choice: Choice, *, by: Actor) -> int:
    """Save everything or nothing. Returns the status; the form then has the problems."""
    logos, shots = form.files.getlist("logo_file"), form.files.getlist("screenshot_files")
    logo_url, shot_url = (_address(form, name) for name in ("logo_address", "screenshot_address"))
    room = MAX_SCREENSHOTS - len(choice.kept)
    if (count := len(shots) + bool(shot_url)) > room:
        form.add_error("screenshot_files", no_room(count, room))
    if form.errors:
        return 422
    files = [("logo_file", Field.LOGO, file) for file in logos]
    files += [("screenshot_files", Field.SCREENSHOTS, file) for file in shots]
    added: list[CompanyPicture] = []
    status = 200
    for name, kind, file in files:
        try:
            added.append(upload_picture(listing=listing, field=kind, data=file.read(), by=by))
        except DomainError as refusal:
            form.add_error(name, f"{file.name}: {refusal.detail}")
            status = max(status, refusal.status)
    if status == 200:
        status = _save_choice(listing, form, choice, added, (logo_url, shot_url), by)
    if status != 200:
        discard_uploads(added)
    return status


def _save_choice(
    listing: Listing,
    form: PicturesForm,
    choice: Choice,
    added: Sequence[CompanyPicture],
    addresses: tuple[str, str],
    by: Actor,
) -> int:
    logo = next((row.url for row in added if row.field == Field.LOGO), addresses[0])
    shots = [*choice.kept, *(row.url for row in added if row.field == Field.SCREENSHOTS), addresses[1]]
    chosen = logo or ("" if choice.logo in choice.removed else choice.logo)
    try:
        save_pictures(
            listing=listing,
            logo=None if chosen == choice.opened_logo else chosen,
            screenshots=[url for url in shots if url],
            alts={url: choice.alts[url] for url in choice.kept},
            seen=choice.opened,
            by=by,
        )
    except DomainError as refusal:
        choice.alt_problems = {
            choice.kept[int(problem.pointer.removeprefix("/alts/"))]: problem.detail
            for problem in refusal.errors
            if problem.pointer.startswith("/alts/")
        }
        if not choice.alt_problems:
            form.refuse(refusal)
        return refusal.status
    return 200


def _address(form: PicturesForm, name: str) -> str:
    """Return a typed URL. Without one, or with a wrong one, it is empty."""
    typed = str(form.data.get(name, "")).strip()
    if not typed:
        return ""
    try:
        return https_address(typed)
    except ValidationError as refusal:
        form.add_error(name, field_problems(refusal)[0].detail)
        return ""


def _page(
    request: SiteHttpRequest, listing: Listing, form: PicturesForm, choice: Choice, *, status: int = 200
) -> HttpResponse:
    rows = {(row.field, row.url): row for row in listing.company.pictures.all()}
    rows |= {(row.field, row.url): row for row in listing.company.own_pictures()}
    context = {
        "listing": head(listing, current="listing_pictures"),
        "form": form,
        "choice": choice,
        "logo": rows.get((Field.LOGO, choice.logo)),
        "screenshots": [
            {
                "picture": rows[Field.SCREENSHOTS, url],
                "alt": choice.alts.get(url, ""),
                "alt_problem": choice.alt_problems.get(url, ""),
                "is_removed": url in choice.removed,
            }
            for url in choice.screenshots
            if (Field.SCREENSHOTS, url) in rows
        ],
        "max_screenshots": MAX_SCREENSHOTS,
        "max_alt": MAX_ALT,
        "max_bytes": MAX_BYTES,
        "max_at_once": settings.MAX_UPLOAD_BYTES // 2**20,
        "locked": locked_sections(listing).get("gallery"),
    }
    return render(request, "listings/owner/pictures.html", context, status=status)

"""Write founder profiles: texts, links and photo."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from urllib.parse import quote

from django.db import connection, transaction
from django.utils.text import slugify

from apps.accounts.founders import photos
from apps.accounts.founders.completeness import ProfileGap, profile_gaps
from apps.accounts.models import FounderProfile, User
from apps.blocklists.matching import check_texts
from apps.core.api.serializers import clean_text
from apps.core.errors import FieldProblem, Unprocessable
from apps.core.fetch import FetchError, normalise_address
from apps.core.pictures.download import download_picture
from apps.core.pictures.reading import PictureRefused
from apps.core.pictures.storage import try_to_delete_picture
from apps.core.stores.valkey.counters import Limit
from apps.sites.models import Site

MAX_NAME = 80
MAX_ROLE = 80
MAX_BIO = 1000
PHOTOS_AN_HOUR = Limit("photos", 30, 3600, events="photo uploads")
DOWNLOADS_AN_HOUR = Limit("photo-downloads", 30, 3600, events="photo downloads")
# Fallback for names without any letters that a slug can have.
_NAMELESS = "founder"
# Paths below /founders/ that belong to no founder.
_RESERVED = {"photos"}


class ProfileRefused(Unprocessable):
    code = "profile_refused"
    title = "Profile not saved"


def update_profile(
    *,
    user: User,
    real_name: str | None = None,
    role: str | None = None,
    bio: str | None = None,
    links: Sequence[str] | None = None,
    address: str = "",
) -> FounderProfile:
    """Change the fields of the account's profile that aren't None. The first real name sets the page's permanent slug.

    `address` is the client's IP address. Raises ProfileRefused (422) with the problems by field. Then nothing changes.
    """
    sent = {"real_name": real_name, "role": role, "bio": bio}
    texts = {name: clean_text(text, multiline=name == "bio") for name, text in sent.items() if text is not None}
    valid_links, problems = read_links(clean_text("\n".join(links or ()), multiline=True).splitlines())
    check_texts({**texts, "links": "\n".join(valid_links)}, site=None, address=address)
    problems = [*_too_long(texts), *problems]
    if problems:
        raise ProfileRefused("Some fields are invalid. Nothing was saved.", errors=problems)
    with transaction.atomic():
        profile = _lock_profile(user)
        for name, text in texts.items():
            setattr(profile, name, text)
        if links is not None:
            profile.links = valid_links
        if profile.real_name and profile.slug is None:
            profile.slug = _free_slug(profile.real_name)
        profile.save()
    return profile


def download_photo(*, user: User, url: str) -> bytes:
    """Return the image at a web address, to save with `set_photo`. Failed attempts count toward the hourly limit, too.

    Raises PictureRefused (422) and TooManyRequests (429).
    """
    DOWNLOADS_AN_HOUR.take(str(user.pk))
    try:
        return download_picture(url)
    except PictureRefused as refusal:
        raise PictureRefused(refusal.detail, pointer="/photo_url") from None


def set_photo(*, user: User, data: bytes, site: Site) -> FounderProfile:
    """Replace the profile's photo. The site sets the minimum size.

    Raises PictureRefused (422) with the reason, TooManyRequests (429), and PicturesBusy or PicturesUnavailable (503).
    Then the old photo stays.
    """
    PHOTOS_AN_HOUR.try_take(str(user.pk)).check()
    photo = photos.store_photo(data, min_pixels=site.profile_min_photo_pixels)
    # If this fails, the sweep removes the files. The new state may have been saved after all.
    with transaction.atomic():
        return _replace_photo(user, photo)


@transaction.atomic
def remove_photo(*, user: User) -> FounderProfile:
    """Remove the profile's photo and its files. Does nothing without one."""
    return _replace_photo(user, None)


def _replace_photo(user: User, photo: photos.StoredPhoto | None) -> FounderProfile:
    profile = _lock_profile(user)
    old = profile.photo_key
    profile.photo_key, profile.photo_pixels = photo or ("", 0)
    if profile.photo_key != old:
        profile.save()
    if old:
        # Wait for the commit: after a rollback the old photo is still shown.
        transaction.on_commit(partial(try_to_delete_picture, old))
    return profile


def _lock_profile(user: User) -> FounderProfile:
    """Lock the account's profile, creating it if needed."""
    FounderProfile.objects.get_or_create(user=user)
    profile = FounderProfile.objects.select_for_update().get(user=user)
    # Keep the caller's account in step.
    profile.user = user
    return profile


def _too_long(texts: dict[str, str]) -> list[FieldProblem]:
    limits = {"real_name": MAX_NAME, "role": MAX_ROLE, "bio": MAX_BIO}
    return [
        FieldProblem("max_length", f"Use up to {limits[name]:,} characters. This has {len(text):,}.", f"/{name}")
        for name, text in texts.items()
        if len(text) > limits[name]
    ]


def _free_slug(real_name: str) -> str:
    """Return an unused slug, reserved until the transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", ["new pages of founders"])
    stem = slugify(real_name)[:80].strip("-_") or _NAMELESS
    taken = {*FounderProfile.objects.filter(slug__startswith=stem).values_list("slug", flat=True), *_RESERVED}
    slug, number = stem, 1
    while slug in taken:
        number += 1
        slug = f"{stem}-{number}"
    return slug


@dataclass(frozen=True, slots=True)
class StandingStory:
    """A published story, and what its author's profile lacks by its site's rules."""

    title: str
    site_name: str
    gaps: list[ProfileGap]


def published_stories(profile: FounderProfile) -> list[StandingStory]:
    """Return the account's published stories on all sites, newest first.

    They stay public whatever happens to the profile. Only an edit applies the rules again.
    """
    account = profile.user
    result = account.founder_stories.filter(published_at__isnull=False, listing__company__owner=account)
    return [
        StandingStory(story.title, story.listing.site.name, profile_gaps(profile, site=story.listing.site))
        for story in result.select_related("listing__site").order_by("-published_at", "-pk")
    ]


def has_page(profile: FounderProfile, *, site: Site) -> bool:
    """Return whether the site shows the founder's page, which needs a live listing."""
    return bool(profile.slug) and profile.user.companies.filter(listings__site=site, listings__status="live").exists()


MAX_LINK = 300
# Errors quote only the beginning of a long paste.
_MAX_TOLD = 80
_IN_FRAGMENTS = "!$&'()*+,;=:@/?-._~%"


def read_links(lines: Iterable[str]) -> tuple[list[str], list[FieldProblem]]:
    """Return the URLs in order, and the problems with invalid ones. A missing scheme becomes https.

    Skips blank lines and duplicates. Host names are stored in punycode, which reveals look-alikes.
    """
    links: list[str] = []
    problems = []
    for line in filter(None, (line.strip() for line in lines)):
        link = _https_address(line)
        if link is None:
            detail = f"{line[:_MAX_TOLD]} is not a public https URL. Use one such as https://example.com/me."
            problems.append(FieldProblem("bad_address", detail, "/links"))
        elif len(link) > MAX_LINK:
            detail = f"{link[:_MAX_TOLD]}… is too long. Use up to {MAX_LINK} characters."
            problems.append(FieldProblem("max_length", detail, "/links"))
        elif link not in links:
            links.append(link)
        if len(problems) == FounderProfile.MAX_LINKS:
            break
    if len(links) > FounderProfile.MAX_LINKS:
        detail = f"Use up to {FounderProfile.MAX_LINKS} links. This has {len(links)}."
        problems.append(FieldProblem("max_links", detail, "/links"))
    return links, problems


def _https_address(line: str) -> str | None:
    address, _, fragment = line.partition("#")
    try:
        normal = normalise_address(address, allow_private=frozenset())
    except FetchError:
        return None
    if not normal.startswith("https://"):
        return None
    return f"{normal}#{quote(fragment, safe=_IN_FRAGMENTS, errors='replace')}" if fragment else normal

"""Check whether a founder profile is complete by a site's rules."""

from collections.abc import Callable
from dataclasses import dataclass

from apps.accounts.models import FounderProfile, User
from apps.sites.models import Site
from apps.sites.rule_choices import ProfilePart

PROFILE_PATH = "/account/profile"


@dataclass(frozen=True, slots=True)
class ProfileGap:
    """A missing or insufficient profile part. `name` fits a list, and `reason` says what to do, with counts."""

    part: ProfilePart
    name: str
    reason: str
    url: str


@dataclass(frozen=True, slots=True)
class ProfileRules:
    """A site's rules for profiles: required parts, bio length and photo size in pixels."""

    parts: tuple[str, ...]
    min_bio_characters: int
    min_photo_pixels: int

    @classmethod
    def of(cls, site: Site) -> "ProfileRules":
        return cls(
            parts=tuple(site.profile_required_parts),
            min_bio_characters=site.profile_min_bio_characters,
            min_photo_pixels=site.profile_min_photo_pixels,
        )


def get_profile(user: User) -> FounderProfile:
    """The account's profile, or an empty one that is not saved yet."""
    # The reverse one-to-one lets callers with many owners prefetch profiles.
    return getattr(user, "founder_profile", None) or FounderProfile(user=user)


def profile_gaps(profile: FounderProfile, *, site: Site, rules: ProfileRules | None = None) -> list[ProfileGap]:
    """Return what a profile lacks by the site's rules, or by the given ones. Empty if complete."""
    rules_in_force = rules or ProfileRules.of(site)
    result = []
    for part in ProfilePart:
        if part in rules_in_force.parts and (gap := _CHECKS[part](profile, rules_in_force)):
            name, reason = gap
            result.append(ProfileGap(part, name, reason, site.url(f"{PROFILE_PATH}#{part}")))
    return result


def missing_profile_parts(user: User, *, site: Site) -> list[str]:
    """Return what the account's profile lacks by the site's rules, in words. Empty if complete."""
    return [gap.name for gap in profile_gaps(get_profile(user), site=site)]


def _real_name(profile: FounderProfile, rules: ProfileRules) -> tuple[str, str] | None:
    if profile.real_name.strip():
        return None
    return "your real name", "Add your real name to your founder profile."


def _role(profile: FounderProfile, rules: ProfileRules) -> tuple[str, str] | None:
    if profile.role.strip():
        return None
    return "your role", "Add your role to your founder profile, such as founder or engineer."


def _bio(profile: FounderProfile, rules: ProfileRules) -> tuple[str, str] | None:
    length = len(profile.bio.strip())
    if length >= rules.min_bio_characters and length:
        return None
    least = max(rules.min_bio_characters, 1)
    short = least - length
    return (
        f"a bio of {least} characters or more (it has {length})",
        (
            f"Add {short} more character{'' if short == 1 else 's'} to the bio of your founder profile. "
            f"It has {length} of {least}."
        ),
    )


def _photo(profile: FounderProfile, rules: ProfileRules) -> tuple[str, str] | None:
    if not profile.photo_key:
        least = f"{rules.min_photo_pixels} pixels or more each way"
        return "a photo", f"Add a photo to your founder profile, {least}."
    if profile.photo_pixels >= rules.min_photo_pixels:
        return None
    return (
        f"a photo of {rules.min_photo_pixels} pixels or more (it has {profile.photo_pixels})",
        (
            f"Replace the photo of your founder profile with one of at least {rules.min_photo_pixels} "
            f"pixels each way. It has {profile.photo_pixels}."
        ),
    )


def _links(profile: FounderProfile, rules: ProfileRules) -> tuple[str, str] | None:
    if profile.links:
        return None
    return "a link", "Add a link to your founder profile, such as your own website."


_CHECKS: dict[ProfilePart, Callable[[FounderProfile, ProfileRules], tuple[str, str] | None]] = {
    ProfilePart.REAL_NAME: _real_name,
    ProfilePart.ROLE: _role,
    ProfilePart.BIO: _bio,
    ProfilePart.PHOTO: _photo,
    ProfilePart.LINKS: _links,
}

"""What makes a founder profile complete on a site."""

from apps.accounts.models import FounderProfile, User
from apps.sites.models import Site


def missing_profile_parts(user: User, *, site: Site) -> list[str]:
    """What the account's profile still lacks by the site's rules, in words; empty when it is complete."""
    # The reverse one-to-one, so that a caller with many owners can load the profiles with them.
    profile: FounderProfile = getattr(user, "founder_profile", None) or FounderProfile(user=user)
    minimum = site.profile_min_bio_characters
    length = len(profile.bio.strip())
    parts = [
        ("your real name", bool(profile.real_name.strip())),
        ("your role", bool(profile.role.strip())),
        (f"a bio of {minimum} characters or more (it has {length})", length >= minimum),
        ("a photo", bool(profile.photo)),
    ]
    return [name for name, is_there in parts if not is_there]

"""Demo accounts: the listings' owner, voting readers, and founders of the companies."""

import secrets
from collections.abc import Iterable, Sequence
from datetime import timedelta
from importlib.resources import files

from django.conf import settings

from apps.accounts.api_keys.credentials import resolve_bearer
from apps.accounts.api_keys.services import create_api_key
from apps.accounts.founders import photos, services
from apps.accounts.models import FounderProfile, User
from apps.core.api.audience import Audience
from apps.core.api.scopes import OWNER_SCOPES
from apps.core.demo import Demo, SignIn, read_demo_data

OWNER = "owner"
OWNER_EMAIL = "demo@slipway.example"
ADMIN_EMAIL = "admin@slipway.example"
READER_COUNT = 180
_PHOTO_PIXELS = 512
_WORDS = (
    "amber anchor apple arrow basil beacon birch bottle bridge button candle canvas carbon cedar cinder "
    "clover cobalt comet copper coral cotton cradle cricket delta ember falcon fennel ferry flint forest "
    "garnet ginger granite gravel hazel honey island ivory jasmine juniper kettle ladder lantern lemon "
    "linen maple marble meadow mellow mirror nutmeg oyster paper pebble pepper pillar plum pocket quartz "
    "raven ribbon saddle saffron sailor silver spruce summit thimble thunder timber tulip velvet violet "
    "walnut willow window winter yarrow"
)


def restore(demo: Demo) -> None:
    """Set the demo owner's sign-in if there is such an account. A stored password or key that still works is kept."""
    owner = User.objects.filter(email=OWNER_EMAIL).first()
    if owner is None:
        return
    stored = demo.stored
    password = stored.password if stored and owner.check_password(stored.password) else _new_password(owner)
    api_key = stored.api_key if stored and _is_good(stored.api_key, owner) else _new_key(owner)
    demo.sign_in = SignIn(OWNER_EMAIL, password, api_key, *_admin(stored))


def seed(demo: Demo) -> None:
    """Create the readers and the demo owner with a complete profile and an API key."""
    password = _generate_password()
    owner = User.objects.create_user(
        OWNER_EMAIL,
        password,
        name="Robin Vermeer",
        joined_at=demo.now - timedelta(days=160),
    )
    demo.keep(OWNER, owner)
    make_profile(
        owner,
        role="Founder",
        bio="Runs a workshop of small, calm tools for people who work alone, and answers every message "
        "that comes in. Before that, ten years of calendars and ledgers for other people’s companies.",
        portrait=13,
        links=["https://sundial.example/desk", "https://bsky.app/profile/sundial.example"],
    )
    demo.sign_in = SignIn(OWNER_EMAIL, password, _new_key(owner), *_admin(demo.stored))
    _make_users(demo, [(f"reader{number}", "", "readers.example") for number in range(1, READER_COUNT + 1)])


def make_founders(demo: Demo, names: Iterable[tuple[str, str]]) -> None:
    """Create an account per (company key, name) and keep it under the key. They can't sign in."""
    _make_users(demo, [(key, name, f"{key}.example") for key, name in names])
    for key, written in read_demo_data("apps.accounts", "founders").items():
        make_profile(demo.get(User, key), **written)


def make_profile(user: User, *, role: str, bio: str, portrait: int, links: Sequence[str] = ()) -> FounderProfile:
    """Give an account a complete founder profile. `portrait` is the number of an image in demo_data."""
    profile = services.update_profile(user=user, real_name=user.name, role=role, bio=bio, links=links)
    picture = files("apps.accounts").joinpath("demo_data", "portraits", f"{portrait:02}.webp").read_bytes()
    profile.photo_key, profile.photo_pixels = photos.store_photo(picture, min_pixels=_PHOTO_PIXELS)
    profile.save()
    return profile


def _make_users(demo: Demo, rows: list[tuple[str, str, str]]) -> None:
    users = []
    for key, name, domain in rows:
        mailbox = "founder" if name else key
        days = demo.random.randint(140, 400)
        user = User(email=f"{mailbox}@{domain}", name=name, joined_at=demo.now - timedelta(days=days))
        user.set_unusable_password()
        users.append(user)
    for (key, _, _), user in zip(rows, User.objects.bulk_create(users), strict=True):
        demo.keep(key, user)


def _admin(stored: SignIn | None) -> tuple[str, str]:
    """Return the demo admin's email and password, creating the account if needed.

    Public installations get no admin with a printed password.
    """
    if not settings.LOCAL:
        return "", ""
    admin = User.objects.filter(email=ADMIN_EMAIL).first()
    if admin is None:
        admin = User.objects.create_superuser(ADMIN_EMAIL, name="Demo Admin")
    if stored and admin.check_password(stored.admin_password):
        return ADMIN_EMAIL, stored.admin_password
    return ADMIN_EMAIL, _new_password(admin)


def _generate_password() -> str:
    words = [secrets.choice(_WORDS.split()) for _ in range(4)]
    return "-".join([*words, f"{secrets.randbelow(9000) + 1000}"])


def _new_password(owner: User) -> str:
    password = _generate_password()
    owner.set_password(password)
    owner.save(update_fields=["password"])
    return password


def _new_key(owner: User) -> str:
    _, secret = create_api_key(user=owner, name="Demo key", scopes=OWNER_SCOPES)
    return secret


def _is_good(key: str, owner: User) -> bool:
    result = resolve_bearer(key, Audience.REST)
    return result is not None and result.user == owner and result.scopes >= set(OWNER_SCOPES)

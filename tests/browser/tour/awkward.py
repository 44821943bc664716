"""Texts as awkward as people's are, in place of what the demo says."""

from collections.abc import Iterable
from itertools import cycle
from typing import Any

from django.db.models import CharField, Model, TextField

from apps.accounts.models import FounderProfile, User
from apps.listings import search
from apps.listings.models import Category, Company, CompanyPicture, Listing, Milestone, Update
from apps.sites.models import Site
from apps.stories.models import FounderStory, InterviewAnswer, InterviewQuestion

_LONG = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft"
TEXTS = (
    _LONG,
    "منصّة صغيرة لإدارة المواعيد والحجوزات في المقاهي والمكتبات والورش الصغيرة",
    "👩‍👩‍👧‍👦🏳️‍🌈🧑🏽‍🚀" * 6,
    "יומן שקט לאנשים שעובדים לבד ורוצים לסיים את היום בזמן",
    "予定帳と請求書をひとつにまとめた、ひとりで働く人のための静かな道具",
    "</script><img src=x onerror=alert(1)>&amp;“%s”{{ name }}",
    "W" * 80,
)
_ADDRESS = "https://pictures.example/" + "a-rather-long-folder/" * 6 + "{}.png"


def make_awkward() -> None:
    """Write over what people wrote everywhere on the site; who owns what, and the numbers, stay."""
    _write(Site, "tagline")
    _write(Category, "name")
    _write(User, "name")
    _write(FounderProfile, "real_name", "role", "bio")
    _write(Company, "name", "city", "stage", "funding", "legal_name", "audience")
    _write(Listing, "headline", "summary", "description")
    _write(Update, "title", "body")
    _write(Milestone, "title", "description")
    _write(CompanyPicture, "alt")
    _write(FounderStory, "title")
    _write(InterviewQuestion, "text")
    _write(InterviewAnswer, "text")
    # A name is as long as the model allows, but must not break the layout of its list.
    Site.objects.update(name=_LONG[:40])
    for company, text in zip(_all(Company), cycle(TEXTS), strict=False):
        company.tech_stack = [text[:40], *(other[:40] for other in TEXTS[:3])]
        company.video_url = _ADDRESS.format("film")
        company.save()
    for listing, text in zip(_all(Listing), cycle(TEXTS), strict=False):
        listing.tags = [other[:30] for other in TEXTS]
        listing.alternatives = [other[:80] for other in TEXTS]
        listing.faqs = [{"question": other[:120], "answer": f"{text} {other}"} for other in TEXTS]
        listing.save()
    for story, text in zip(_all(FounderStory), cycle(TEXTS), strict=False):
        story.sections = {name: f"{text}\n\n{written}" for name, written in story.sections.items()}
        story.save()
    search.index(listing_ids=list(Listing.objects.values_list("pk", flat=True)))


def open_sections() -> None:
    """Show gallery, milestones and questions on every listing's page."""
    Listing.objects.update(unlocked_sections=["gallery", "milestones", "faq"])


def _write(model: type[Model], *names: str) -> None:
    fields = [_text_field(model, name) for name in names]
    # Each object has another text, and each of its fields, so that every page shows some of all.
    for place, thing in enumerate(_all(model)):
        for shift, field in enumerate(fields):
            text = TEXTS[(place + shift) % len(TEXTS)]
            long = isinstance(field, TextField)
            setattr(
                thing, field.name, (f"{text} {text}\n\n{_LONG} {text}" if long else text)[: field.max_length or 600]
            )
        thing.save(update_fields=names)


def _text_field(model: type[Model], name: str) -> "CharField[Any, Any] | TextField[Any, Any]":
    field = model._meta.get_field(name)
    assert isinstance(field, CharField | TextField)
    return field


def _all(model: type[Model]) -> Iterable[Any]:
    return model._default_manager.order_by("pk")

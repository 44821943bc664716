"""A story's page: paragraphs, author and interview."""

from dataclasses import dataclass

from django.utils.safestring import SafeString
from django.utils.text import Truncator

from apps.accounts.founders.completeness import get_profile
from apps.accounts.models import FounderProfile, User
from apps.core.editing.plain_text import reading_minutes
from apps.core.editing.rendering import render_sections, render_text
from apps.listings.models import Listing
from apps.sites.models import Site
from apps.stories.rules.site_rules import Words
from apps.stories.sections import SECTIONS
from apps.stories.services.interviews import shown_answers

_SUMMARY_CHARACTERS = 160
_NAMELESS = "The founder"
_SENTENCE_ENDS = (". ", "! ", "? ", "。")


@dataclass(frozen=True, slots=True)
class Section:
    name: str
    heading: str
    html: SafeString


@dataclass(frozen=True, slots=True)
class Answered:
    """A question with the founder's answer."""

    id: int
    question: str
    html: SafeString


@dataclass(frozen=True, slots=True, kw_only=True)
class Author:
    """A founder as shown on pages. `page_url` is empty if they have no page on the site."""

    name: str
    role: str
    bio: SafeString
    profile: FounderProfile
    page_url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Article:
    """A story for its page. `minutes` is its reading time."""

    title: str
    company_name: str
    listing_path: str
    summary: str
    sections: list[Section]
    answers: list[Answered]
    author: Author
    words: int
    minutes: int


def article(words: Words, *, author: User, listing: Listing) -> Article:
    """Return a story's text and its author's interview answers on the listing's site.

    The listing is loaded with its company and site.
    """
    site = listing.site
    texts = {name: text for name in SECTIONS if (text := words.sections.get(name, ""))}
    rendered = render_sections(texts, max_links=site.story_max_links)
    count = sum(words.counts().values())
    return Article(
        title=title_of(words, listing),
        company_name=listing.company.name,
        listing_path=listing.path if listing.status == Listing.Status.LIVE else "",
        summary=summary_of(words),
        sections=[Section(name, SECTIONS[name], html) for name, html in rendered.items()],
        answers=answers_of(author, site=site),
        author=author_of(author, site=site),
        words=count,
        minutes=reading_minutes(count),
    )


def title_of(words: Words, listing: Listing) -> str:
    """Return the title, or the preview's placeholder for a draft without one."""
    return words.title or f"The story of {listing.company.name}"


def summary_of(words: Words, *, characters: int = _SUMMARY_CHARACTERS) -> str:
    """Return a story's beginning on one line of limited length, ending with a sentence if that fills half of it."""
    first = next((text for name in SECTIONS if (text := words.sections.get(name, ""))), "")
    line = " ".join(first.split())
    if len(line) <= characters:
        return line
    if (end := max(line.rfind(mark, 0, characters) for mark in _SENTENCE_ENDS)) >= characters // 2:
        return line[: end + 1]
    cut, _, rest = line[:characters].rpartition(" ")
    # Scripts without spaces are cut between characters.
    return f"{cut.rstrip(',;:–—-')}…" if cut and len(rest) < characters // 2 else Truncator(line).chars(characters)


def answers_of(user: User, *, site: Site) -> list[Answered]:
    """Return a founder's answers to the site's current questions, in order."""
    return [
        Answered(answer.pk, answer.question.text, render_text(answer.text, max_links=site.story_max_links))
        for answer in shown_answers(user, site=site)
    ]


def author_of(user: User, *, site: Site) -> Author:
    """Return the person behind an account, by their real name if they have one."""
    profile = get_profile(user)
    has_page = bool(profile.slug) and Listing.objects.public().filter(site=site, company__owner=user).exists()
    return Author(
        name=author_name(user),
        role=profile.role,
        bio=render_text(profile.bio, max_links=0),
        profile=profile,
        page_url=profile.path if has_page else "",
    )


def author_name(user: User) -> str:
    """Return the real name or the account's name, never part of the email."""
    return get_profile(user).real_name or user.name or _NAMELESS

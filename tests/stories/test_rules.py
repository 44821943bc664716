"""The table of rules: what a story lacks below, at and above the bound of each, in words with counts and a place.

Nothing here is stored; the rules are a site's settings and a profile that are never saved.
"""

from typing import Any

import pytest

from apps.accounts.models import FounderProfile, User
from apps.core.editing.plain_text import WORD_PATTERN, count_links, count_words, paragraphs, reading_minutes
from apps.sites.models import Site
from apps.sites.rule_choices import ProfilePart, StorySection
from apps.stories.rules.site_rules import Rules, Words, gaps
from apps.stories.sections import OLD_NAMES, SECTIONS
from tests.stories.writing import words

EDITOR = "https://site.example/listings/acme/story"
PROFILE = "https://site.example/account/profile"


@pytest.fixture(autouse=True)
def _address(settings: Any) -> None:
    settings.PUBLIC_BASE_URL = "https://site.example"


def site(**rules: Any) -> Site:
    return Site(key="site", name="Site", is_default=True, **rules)


def profile(**fields: Any) -> FounderProfile:
    """A profile at the bounds of the default rules."""
    whole = {"real_name": "A", "role": "B", "bio": "x" * 80, "photo_key": "founders/a", "photo_pixels": 256}
    return FounderProfile(user=User(), **{**whole, **fields})


def story(title: str = "t" * 10, **sections: str) -> Words:
    """A story at the bounds of the default rules: 300 words, four sections of 40, a title of 10 characters."""
    enough = {
        "how_started": words(180), "problem": words(40), "what_built": words(40), "hard_parts": words(40),
    }  # fmt: skip
    return Words(title, {**enough, **sections})


def found(text: Words, profile_: FounderProfile | None = None, **rules: Any) -> list[tuple[str, str]]:
    """The gaps as (reason, where), with the addresses of editor and profile by a word."""
    lacking = gaps(text, profile=profile_ or profile(), site=site(**rules), editor_url=EDITOR)
    return [(gap.reason, gap.url.replace(EDITOR, "editor").replace(PROFILE, "profile")) for gap in lacking]


def test_at_every_bound_nothing_is_missing() -> None:
    assert found(story()) == []


TITLES: list[tuple[int, dict[str, Any], str]] = [
    (0, {}, "Add a title of 10 to 90 characters."),
    (8, {}, "Add 2 characters to the title. It has 8 of 10."),
    (9, {}, "Add 1 character to the title. It has 9 of 10."),
    (10, {}, ""),
    (11, {}, ""),
    (90, {}, ""),
    (91, {}, "Shorten the title by 1 character. It has 91, the maximum is 90."),
    (95, {}, "Shorten the title by 5 characters. It has 95, the maximum is 90."),
    (0, {"story_title_min_characters": 0}, "Add a title of 1 to 90 characters."),
    (1, {"story_title_min_characters": 0}, ""),
    (0, {"story_title_min_characters": 1, "story_title_max_characters": 1},
     "Add a title of 1 to 1 character."),
    (200, {"story_title_max_characters": 200}, ""),
]  # fmt: skip


@pytest.mark.parametrize(("length", "rules", "reason"), TITLES)
def test_the_title(length: int, rules: dict[str, Any], reason: str) -> None:
    assert found(story("t" * length), **rules) == ([(reason, "editor#title")] if reason else [])


def test_characters_are_those_of_people_not_of_bytes() -> None:
    assert found(story("日" * 10)) == []
    assert found(story("😀" * 10)) == []
    assert found(story("é" * 9)) != []


TOTALS: list[tuple[int, int, str]] = [
    (0, 300, "Add 140 more words. The story has 160 of 300."),
    (139, 300, "Add 1 more word. The story has 299 of 300."),
    (140, 300, ""),
    (141, 300, ""),
    (0, 160, ""),
    (0, 161, "Add 1 more word. The story has 160 of 161."),
]


@pytest.mark.parametrize(("more", "least", "reason"), TOTALS)
def test_the_words_in_all(more: int, least: int, reason: str) -> None:
    """Beside four sections of 40 words, `more` in the first of them; the way leads to the shortest section."""
    text = story(how_started=words(40 + more))
    assert found(text, story_min_words=least) == ([(reason, "editor#milestones")] if reason else [])


def test_words_of_all_sections_count_also_of_short_ones() -> None:
    text = story(how_started=words(40), milestones=words(39), whats_next=words(100))
    assert found(text, story_min_words=299) == []
    assert found(text, story_min_words=300) == [("Add 1 more word. The story has 299 of 300.", "editor#milestones")]


REQUIRED: list[tuple[int, int, str]] = [
    (0, 40, "Add 40 more words to “The problem”. It has 0 of 40."),
    (38, 40, "Add 2 more words to “The problem”. It has 38 of 40."),
    (39, 40, "Add 1 more word to “The problem”. It has 39 of 40."),
    (40, 40, ""),
    (41, 40, ""),
    (0, 0, "Add 1 more word to “The problem”. It has 0 of 1."),
    (1, 0, ""),
]


@pytest.mark.parametrize(("count", "least", "reason"), REQUIRED)
def test_a_required_section(count: int, least: int, reason: str) -> None:
    """It has its own entry, and not once more among the sections that are lacking."""
    text = story(how_started=words(300), problem=words(count), milestones=words(40))
    rules: dict[str, Any] = {"story_min_section_words": least, "story_required_sections": ["problem"]}
    assert found(text, **rules) == ([(reason, "editor#problem")] if reason else [])


@pytest.mark.parametrize("name", StorySection.values)
def test_every_section_can_be_required(name: str) -> None:
    text = Words("t" * 10, {**dict.fromkeys(SECTIONS, words(60)), name: words(39)})
    told = f"Add 1 more word to “{SECTIONS[name]}”. It has 39 of 40."
    assert found(text, story_required_sections=[name]) == [(told, f"editor#{name}")]
    assert found(text, story_required_sections=[]) == []


def test_a_section_that_is_required_twice_is_told_once() -> None:
    text = story(how_started=words(200), problem="")
    told = [("Add 40 more words to “The problem”. It has 0 of 40.", "editor#problem")]
    assert found(text, story_min_words=0, story_required_sections=["problem", "problem"]) == told


SECTIONS_ENOUGH: list[tuple[dict[str, str], int, str]] = [
    ({}, 4, ""),
    ({"milestones": words(40)}, 4, ""),
    (
        {"hard_parts": words(39)}, 4,
        "Write 1 more section of 40 words or more. 3 of 4 done. “The hard parts” has 39, “Milestones” has 0, "
        "“What’s next” has 0.",
    ),
    (
        {}, 6,
        "Write 2 more sections of 40 words or more. 4 of 6 done. “Milestones” has 0, “What’s next” has 0.",
    ),
    ({"hard_parts": words(39)}, 3, ""),
    ({}, 0, ""),
]  # fmt: skip


@pytest.mark.parametrize(("sections", "least", "reason"), SECTIONS_ENOUGH)
def test_sections_enough(sections: dict[str, str], least: int, reason: str) -> None:
    """The way leads to the section that is nearest to the bound."""
    where = "editor#hard_parts" if "hard_parts" in sections else "editor#milestones"
    assert found(story(**sections), story_min_sections=least, story_min_words=0) == (
        [(reason, where)] if reason else []
    )


def test_required_sections_that_are_short_count_towards_those_that_are_lacking() -> None:
    """With both entries done there are four sections: two more required ones and one of choice."""
    text = story(how_started="", problem="", hard_parts="")
    reasons = [reason for reason, _ in found(text, story_min_words=0)]
    assert [reason.split(".")[0] for reason in reasons] == [
        "Add 40 more words to “How it started”",
        "Add 40 more words to “The problem”",
        "Write 1 more section of 40 words or more",
    ]
    assert "1 of 4 done" in reasons[2]
    done = story(how_started=words(40), problem=words(40), hard_parts=words(40))
    assert found(done, story_min_words=0) == []


def link(number: int) -> str:
    return " ".join(f"https://a{index}.example/" for index in range(number))


LINKS: list[tuple[dict[str, str], int, str, str]] = [
    ({"milestones": link(2)}, 3, "", ""),
    ({"milestones": link(3)}, 3, "", ""),
    ({"milestones": link(2), "whats_next": link(1)}, 3, "", ""),
    (
        {"milestones": link(4)}, 3,
        "Remove 1 link. The story has 4, the maximum is 3. “Milestones” has 4.", "editor#milestones",
    ),
    (
        {"milestones": link(2), "whats_next": link(3)}, 3,
        "Remove 2 links. The story has 5, the maximum is 3. “Milestones” has 2, “What’s next” has 3.",
        "editor#whats_next",
    ),
    ({"milestones": link(1)}, 0, "Remove 1 link. The story has 1, the maximum is 0. “Milestones” has 1.",
     "editor#milestones"),
    ({}, 0, "", ""),
]  # fmt: skip


@pytest.mark.parametrize(("sections", "most", "reason", "where"), LINKS)
def test_links(sections: dict[str, str], most: int, reason: str, where: str) -> None:
    assert found(story(**sections), story_max_links=most) == ([(reason, where)] if reason else [])


PROFILES: list[tuple[dict[str, Any], dict[str, Any], str, str]] = [
    ({"real_name": ""}, {}, "real name", "real_name"),
    ({"real_name": " "}, {}, "real name", "real_name"),
    ({"role": ""}, {}, "role", "role"),
    ({"bio": ""}, {}, "80 more characters to the bio", "bio"),
    ({"bio": "x" * 79}, {}, "79 of 80", "bio"),
    ({"bio": "x" * 81}, {}, "", ""),
    ({"bio": ""}, {"profile_min_bio_characters": 0},
     "1 more character to the bio", "bio"),
    ({"photo_key": "", "photo_pixels": 0}, {},
     "Add a photo", "photo"),
    ({"photo_pixels": 255}, {},
     "It has 255.", "photo"),
    ({"photo_pixels": 257}, {}, "", ""),
    ({"links": []}, {"profile_required_parts": ["links"]},
     "link", "links"),
    ({"links": ["https://a.example/"]}, {"profile_required_parts": ["links"]}, "", ""),
    ({"real_name": "", "role": "", "bio": "", "photo_key": ""}, {"profile_required_parts": []}, "", ""),
]  # fmt: skip


@pytest.mark.parametrize(("fields", "rules", "reason", "part"), PROFILES)
def test_the_profile(fields: dict[str, Any], rules: dict[str, Any], reason: str, part: str) -> None:
    told = found(story(), profile(**fields), **rules)
    assert [where for _, where in told] == ([f"profile#{part}"] if part else [])
    assert all(reason in text for text, _ in told)


@pytest.mark.parametrize("part", ProfilePart.values)
def test_what_is_not_required_of_a_profile_is_not_asked_for(part: str) -> None:
    bare = FounderProfile(user=User())
    others = [name for name in ProfilePart.values if name != part]
    assert {where for _, where in found(story(), bare, profile_required_parts=others)} == {
        f"profile#{name}" for name in others
    }


def test_nothing_at_all_is_no_story_on_a_site_that_asks_for_nothing() -> None:
    rules: dict[str, Any] = {
        "story_min_words": 0, "story_min_sections": 0, "story_min_section_words": 0, "story_required_sections": [],
        "story_title_min_characters": 0, "profile_required_parts": [],
    }  # fmt: skip
    assert found(Words("", {}), **rules) == [
        ("Add a title of 1 to 90 characters.", "editor#title"),
        ("Add 1 more word. The story has 0 of 1.", "editor#how_started"),
    ]
    assert found(Words("T", {"whats_next": "More"}), **rules) == []


def test_everything_that_is_missing_is_told_at_once_title_first_profile_last() -> None:
    told = found(Words("", {}), FounderProfile(user=User()))
    assert [where for _, where in told] == [
        "editor#title", "editor#how_started", "editor#problem", "editor#what_built", "editor#how_started",
        "profile#real_name", "profile#role", "profile#bio", "profile#photo",
    ]  # fmt: skip


def test_other_rules_may_be_given_and_are_kept_as_json() -> None:
    softer = Rules.of(site(story_min_words=1, story_min_sections=1, profile_required_parts=["role"]))
    kept = Rules.from_json(softer.to_json())
    assert kept == softer
    short = Words("t" * 10, {"how_started": words(40), "problem": words(40)})
    strict: dict[str, Any] = {
        "profile": FounderProfile(user=User(), role="B"),
        "site": site(),
        "editor_url": EDITOR,
    }
    assert gaps(short, **strict, rules=kept) == []
    assert len(gaps(short, **strict)) > 1


def test_the_entries_lead_to_the_site_of_the_story() -> None:
    other = Site(key="other", host="other.example", name="Other")
    lacking = gaps(story(), profile=FounderProfile(user=User()), site=other, editor_url=EDITOR)
    assert lacking[0].url == "https://other.example/account/profile#real_name"


WORDS: list[tuple[str, int]] = [
    ("", 0),
    (" \n\t ", 0),
    ("one", 1),
    ("one two\nthree\n\n\nfour", 4),
    ("state-of-the-art it’s don't", 3),
    ("— … * # -- !!! 🎉 🎉", 0),
    ("one — two", 2),
    ("3.5 1,400 v2 №5", 4),
    ("https://a.example/b?c=d#e", 1),
    ("naïve Straße Ærøskøbing", 3),
    ("Привет, мир!", 2),
    ("γειά σου Κόσμε", 3),
    ("مرحبا بالعالم", 2),
    ("שלום עולם", 2),
    ("नमस्ते दुनिया", 2),
    ("안녕 세상", 2),
    ("你好，世界。", 4),
    ("こんにちは世界", 7),
    ("カタカナ", 4),
    ("3時間で built", 5),
    ("\u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35", 4),
    ("\u1798\u17bb\u1793", 2),
    ("a\u00a0b\u2009c\u3000d", 4),
    ("x" * 10_000, 1),
    ("e\u0301e\u0301", 1),
]


@pytest.mark.parametrize(("text", "count"), WORDS)
def test_words_are_counted_in_every_script(text: str, count: int) -> None:
    """Where no blanks part words, each letter or sign is one; marks over or under letters are none."""
    assert count_words(text) == count
    assert count_words(f"{text}\n\n{text}") == 2 * count


def test_the_pattern_of_words_is_one_that_browsers_read_alike() -> None:
    assert "(?" not in WORD_PATTERN
    assert all(ord(char) < 0x10000 for char in WORD_PATTERN)


LINKED: list[tuple[str, int]] = [
    ("", 0),
    ("a.example www.a.example ftp://a.example mailto:a@a.example javascript:alert(1)", 0),
    ("https://", 0),
    ("http://a", 1),
    ("HTTPS://A.EXAMPLE", 1),
    ("(https://a.example), http://b.example.", 2),
    ("https://a.example/?next=https://b.example", 1),
    ("https://a.example\nhttps://a.example", 2),
    ("<https://a.example><https://b.example>", 2),
    ('"https://a.example""https://b.example"', 2),
    ("見https://a.example、https://b.example。", 2),
    ("xhttps://a.example", 0),
    ("xhttp://a.example https://b.example", 1),
]


@pytest.mark.parametrize(("text", "count"), LINKED)
def test_links_are_addresses_written_out_in_full(text: str, count: int) -> None:
    assert count_links(text) == count


def test_paragraphs_are_what_blank_lines_part() -> None:
    assert paragraphs("one\ntwo\n\n \n\nthree\n") == ["one\ntwo", "three"]
    assert paragraphs(" \n ") == []


@pytest.mark.parametrize(("count", "minutes"), [(0, 1), (1, 1), (230, 1), (231, 2), (2300, 10)])
def test_reading_takes_a_minute_at_least(count: int, minutes: int) -> None:
    assert reading_minutes(count) == minutes


def test_every_section_has_one_older_name() -> None:
    assert sorted(OLD_NAMES.values()) == sorted(SECTIONS)
    assert not OLD_NAMES.keys() & (SECTIONS.keys() | {"title"})

"""The template tags that draw icons, marks, sparklines, prices, weeks and ages."""

from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser
from pathlib import Path

import pytest
import time_machine
from django.conf import settings
from django.template import Context, Template, TemplateDoesNotExist
from django.test import RequestFactory, SimpleTestCase, override_settings
from django.urls import path

from apps.core.templatetags import ui
from apps.core.text import dates
from apps.core.text.weeks import Week
from apps.listings.fields.labels import PLATFORMS

NOW = datetime(2026, 11, 18, 12, 0, tzinfo=UTC)

urlpatterns = [path("updates", lambda request: request, name="updates")]


def draw(source: str, **context: object) -> str:
    return Template("{% load ui %}" + source).render(Context(context))


class TagBalance(HTMLParser):
    """Fails where an element is closed that was not open, and collects what the policy forbids."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.inline: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        self.inline += [name for name, _ in attrs if name == "style" or name.startswith("on")]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


class IconTests(SimpleTestCase):
    def test_is_inlined_and_hidden_from_assistive_technology(self) -> None:
        drawn = draw('{% icon "trophy" 12 %}')
        assert drawn.startswith('<svg class="icon" width="12" height="12"')
        assert 'aria-hidden="true"' in drawn
        assert drawn.count("<path") == 6
        assert "@license" not in drawn

    def test_name_that_does_not_exist_is_an_error_of_the_template(self) -> None:
        with pytest.raises(TemplateDoesNotExist):
            draw('{% icon "no-such-icon" %}')

    def test_every_vendored_icon_and_every_social_icon_draws_balanced_markup(self) -> None:
        folder = Path(settings.BASE_DIR) / "templates" / "icons"
        names = {str(file.relative_to(folder).with_suffix("")) for file in folder.rglob("*.svg")}
        assert names >= {ui.social_icon(platform) for platform in [*PLATFORMS, "friendster"]}
        for name in names:
            parser = TagBalance()
            parser.feed(ui.icon(name))
            parser.close()
            assert parser.open == [], name
            assert parser.inline == [], name

    def test_unknown_platform_gets_a_plain_link(self) -> None:
        assert {name: ui.social_icon(name) for name in PLATFORMS} == {
            name: "rss" if name == "rss" else f"brands/{name}" for name in PLATFORMS
        }
        assert ui.social_icon("friendster") == "link"


class LogoTests(SimpleTestCase):
    def test_the_same_seed_always_gives_the_same_mark(self) -> None:
        assert ui.logo("orbitly") == ui.logo("orbitly")

    def test_seeds_spread_over_hues_and_glyphs(self) -> None:
        marks = {ui.logo(f"company-{number}") for number in range(400)}
        assert len(marks) > 200
        assert len({ui.mark_of(f"company-{number}")[1] for number in range(400)}) == len(ui.GLYPHS) >= 24
        assert all(f'data-hue="{hue}"' in "".join(marks) for hue in range(0, 360, ui.HUE_STEP))

    def test_an_image_lies_over_the_mark_and_its_address_is_escaped(self) -> None:
        drawn = ui.logo("orbitly", 'pictures/"onerror=1', "s")
        assert "&quot;onerror=1" in drawn
        assert '"onerror' not in drawn
        assert drawn.index("<svg") < drawn.index("<img")
        assert 'class="logo logo-s"' in drawn

    def test_nothing_inline_that_the_policy_forbids(self) -> None:
        parser = TagBalance()
        parser.feed(ui.logo("orbitly") + str(ui.sparkline([1, 2, 3])))
        parser.close()
        assert parser.inline == []

    def test_seed_may_be_any_text(self) -> None:
        assert "<svg" in ui.logo("")
        assert "<svg" in ui.logo("مرسى 🚀")


class SparklineTests(SimpleTestCase):
    def test_spans_the_whole_width_and_grows_upwards(self) -> None:
        assert 'points="0.0,22.0 36.0,12.0 72.0,2.0"' in ui.sparkline([0, 5, 10])

    def test_equal_points_are_a_level_line_in_the_middle(self) -> None:
        assert 'points="0.0,12.0 36.0,12.0 72.0,12.0"' in ui.sparkline([7, 7, 7])

    def test_too_few_points_draw_nothing(self) -> None:
        for points in (None, [], [3], [3, 2]):
            assert ui.sparkline(points) == ""


class MoneyTests(SimpleTestCase):
    def test_cents_as_dollars(self) -> None:
        written = {0: "$0.00", 5: "$0.05", 14_900: "$149.00", 149_000: "$1,490.00", -2_470: "−$24.70"}
        assert {cents: ui.money(cents) for cents in written} == written

    def test_an_unknown_amount_is_not_zero(self) -> None:
        assert ui.money(None) == ""

    def test_discount_is_written_with_a_minus(self) -> None:
        assert draw("{{ cents|negative|money }}", cents=500) == "−$5.00"


class WeekTests(SimpleTestCase):
    def test_label_takes_a_week_or_its_text(self) -> None:
        assert dates.week_label("2026-W07") == "Week 7"
        assert dates.week_label(Week(2026, 47)) == "Week 47"
        assert dates.week_label(None) == ""

    def test_dates_name_month_and_year_once_where_they_can(self) -> None:
        assert dates.week_dates("2026-W47") == "Nov 16–22, 2026"
        assert dates.week_dates("2026-W49") == "Nov 30 – Dec 6, 2026"
        assert dates.week_dates("2026-W53") == "Dec 28, 2026 – Jan 3, 2027"
        assert dates.week_dates("2026-W01", "2026-W53") == "Weeks 1–53, 2026"
        assert dates.week_dates("") == ""


class AgeTests(SimpleTestCase):
    def test_is_short_and_turns_into_a_date(self) -> None:
        ages = {
            timedelta(seconds=30): "just now",
            timedelta(minutes=5): "5 minutes ago",
            timedelta(hours=1, minutes=59): "1 hour ago",
            timedelta(days=3): "3 days ago",
            timedelta(days=40): "Oct 9, 2026",
        }
        with time_machine.travel(NOW, tick=False):
            assert {delta: dates.age(NOW - delta) for delta in ages} == ages
            assert dates.age(NOW + timedelta(minutes=1)) == "just now"
        assert dates.age(None) == ""


class CodeTests(SimpleTestCase):
    def test_hue_is_one_that_the_stylesheet_has(self) -> None:
        sheet = (Path(settings.BASE_DIR) / "static" / "site.css").read_text()
        for hue in (None, "", 0, 4, 268, 355, 359, 719):
            assert f'[data-hue="{ui.hue_step(hue)}"]' in sheet

    def test_codes_as_words_and_colours(self) -> None:
        assert ui.words("awaiting_badge") == "Awaiting badge"
        assert {state: ui.tone(state) for state in ("live", "pending", "crawling", "failed", "draft")} == {
            "live": "good",
            "pending": "warn",
            "crawling": "info",
            "failed": "bad",
            "draft": "neutral",
        }
        assert [ui.message_tone(level) for level in ("success", "warning", "error", "debug")] == [
            "good",
            "warn",
            "bad",
            "info",
        ]


@override_settings(ROOT_URLCONF=__name__)
class NavLinkTests(SimpleTestCase):
    def test_marks_the_page_that_is_shown(self) -> None:
        request = RequestFactory().get("/updates")
        request.resolver_match = type("Match", (), {"url_name": "updates"})()
        assert draw('{% nav_link "updates" "Updates" %}', request=request) == (
            '<a href="/updates" aria-current="page">Updates</a>'
        )

    def test_marks_the_section_that_holds_the_page_that_is_shown(self) -> None:
        request = RequestFactory().get("/updates/5")
        request.resolver_match = type("Match", (), {"url_name": "update"})()
        assert draw('{% nav_link "updates" "Updates" holds="other update" %}', request=request) == (
            '<a href="/updates" aria-current="true">Updates</a>'
        )

    def test_another_page_is_not_marked(self) -> None:
        assert draw('{% nav_link "updates" "Updates" %}') == '<a href="/updates">Updates</a>'

    def test_a_page_that_the_installation_lacks_is_left_out(self) -> None:
        assert draw('{% nav_link "board" "Leaderboards" "community-weekly" %}') == ""

"""Every email of the project: its text is whole, the HTML says the same, and its links lead somewhere."""

import re
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.template import Engine
from django.urls import Resolver404, resolve

from apps.core.email.rendering import compose
from apps.core.email.text import Kind
from apps.developers.emails import Sample, all_samples
from apps.sites.models import Site

TEMPLATES = Path(settings.BASE_DIR) / "templates"
# Other emails are made on them.
BASES = {"account/email/base_message", "account/email/base_notification"}
# Made-up websites of the samples, and where a payment provider would be.
FOREIGN = {"orbitly.example", "orbitly-hq.example", "pay.example"}
MISSING = "¡missing %s!"
HUE = 265
SITE = Site(key="sample", host="slipway.example", name="Slipway", hue=HUE, is_default=True)


@pytest.fixture(autouse=True)
def _missing_variables_show(monkeypatch: pytest.MonkeyPatch) -> None:
    """A variable that a template uses and nobody passed appears in the email, where the tests find it."""
    monkeypatch.setattr(Engine.get_default(), "string_if_invalid", MISSING)


class _Page(HTMLParser):
    """The words and the addresses of an email's HTML."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.words: list[str] = []
        self.links: list[str] = []
        self.tags: list[str] = []
        self._silent = 0
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        result = dict(attrs)
        self._silent += tag in {"style", "title"}
        if tag == "a":
            self.links.append(result.get("href") or "")

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in {"style", "title"}

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join("".join(self.words).split())


SAMPLES = list(all_samples(SITE))
each = pytest.mark.parametrize("sample", [pytest.param(sample, id=sample.key) for sample in SAMPLES])


def test_every_template_of_an_email_has_a_sample() -> None:
    result = {
        str(path.relative_to(TEMPLATES).with_suffix(""))
        for folder in ("emails", "email")
        for path in TEMPLATES.glob(f"*/{folder}/*.txt")
        if not path.stem.endswith("_subject")
    }
    assert {f"{sample.name}{sample.ending}" for sample in SAMPLES} == result - BASES
    keys = [sample.key for sample in SAMPLES]
    assert len(keys) == len(set(keys))


@each
def test_the_text_is_whole(sample: Sample) -> None:
    words = sample.words(SITE)
    assert words.subject
    assert len(words.subject) < 100
    text = "\n\n".join(words.paragraphs)
    for said in (words.subject, text):
        assert "missing" not in said or "¡" not in said, said
        assert not re.search(r"\{[{%#]|[}%#]\}|\bNone\b|&(?:amp|lt|gt|quot|#\w+);", said), said
    assert words.paragraphs[0] == "Hello,"
    assert "Slipway\n" + SITE.base_url in words.paragraphs
    assert re.search(r"^You're receiving this email because ", text, re.M)
    # Every block is a paragraph of the text to the letter, and there is one signature.
    assert all(block.text in words.paragraphs for block in words.blocks)
    assert [block.kind for block in words.blocks].count(Kind.SIGNATURE) == 1


@each
def test_the_html_says_the_same(sample: Sample) -> None:
    words = sample.words(SITE)
    email = compose(to="reader@example.com", words=words, site=SITE)
    assert email.body.split("\n\n")[-1].strip() == words.paragraphs[-1]
    html, kind = email.alternatives[0]
    assert kind == "text/html"
    page = _Page(str(html))
    blocks = {block.text: block for block in words.blocks}
    for paragraph in words.paragraphs:
        block = blocks.get(paragraph)
        if block is None:
            for line in paragraph.splitlines():
                assert " ".join(line.split()) in page.text
            continue
        if block.url:
            assert block.url in page.links
        for said in [row.title for row in block.rows] + [row.value for row in block.rows] or [
            block.label or block.text,
            block.words,
        ]:
            assert said in page.text
    assert not re.search(r"\{[{%#]|[}%#]\}", unescape(str(html)).partition("</style>")[2])
    assert not {"script", "form", "iframe", "link"} & set(page.tags)
    assert page.tags.count("h1") == 1


@each
def test_every_link_leads_somewhere(sample: Sample) -> None:
    words = sample.words(SITE)
    email = compose(to="reader@example.com", words=words, site=SITE)
    text = "\n\n".join(words.paragraphs)
    in_text = {one.rstrip(".,:;)") for one in re.findall(r"https?://[^\s>]+", text)}
    for address in {*_Page(str(email.alternatives[0][0])).links, *in_text}:
        parts = urlsplit(address)
        assert parts.scheme in {"http", "https", "mailto"}, address
        if parts.scheme == "mailto" or parts.hostname in FOREIGN:
            continue
        assert address.startswith(SITE.base_url), address
        try:
            resolve(parts.path or "/")
        except Resolver404:
            pytest.fail(f"{address} leads nowhere")

"""What visitors don't see gives no headline and no summary."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from apps.core.html.tree import parse
from apps.drafts.extraction.document.document import Document
from tests.drafts.extraction.pages import draft, field, page

OFFER = "Half price this week only"
SHOWN = "<h1>Invoices that write themselves</h1>"
TABS = '<a id="t1" aria-selected="true">A</a><a id="t2" aria-controls="p2" aria-selected="false">B</a>'


@pytest.mark.parametrize(
    ("css", "hidden"),
    [
        ("", "<h1 hidden>Half price this week only</h1>"),
        ("", '<div aria-hidden="true"><h1>Half price this week only</h1></div>'),
        ("", '<h1 style="color: red; DISPLAY : none">Half price this week only</h1>'),
        ("", "<template><h1>Half price this week only</h1></template>"),
        ("", "<dialog><h1>Half price this week only</h1></dialog>"),
        ("", '<h1 class="text-xl hidden">Half price this week only</h1>'),
        ("", '<div class="tab-pane fade"><h1>Half price this week only</h1></div>'),
        ("", '<div role="tabpanel" data-state="inactive"><h1>Half price this week only</h1></div>'),
        ("", f'{TABS}<div role="tabpanel" aria-labelledby="t2"><h1>Half price this week only</h1></div>'),
        ("", "<details><summary>Offers</summary><h1>Half price this week only</h1></details>"),
        ("", "<video><h1>Half price this week only</h1></video>"),
        ("", "<canvas><h1>Half price this week only</h1></canvas>"),
        ("", '<h1 class="hidden print:block">Half price this week only</h1>'),
        ("", '<h1 class="hidden group-hover:block">Half price this week only</h1>'),
        ("", '<h1 class="d-none d-print-block">Half price this week only</h1>'),
        ("", f'{TABS}<div role="tabpanel" id="p2"><h1>Half price this week only</h1></div>'),
        ("@media screen{.x{display:none}}", '<h1 class="x">Half price this week only</h1>'),
        ("@layer base{.x{display:none}}", '<h1 class="x">Half price this week only</h1>'),
        ("<!--.x{display:none}-->", '<h1 class="x">Half price this week only</h1>'),
        (".promo,.x{display:none}", '<div class="promo"><h1>Half price this week only</h1></div>'),
        ("/* .a{} */ div#promo { visibility: hidden; }", '<div id="promo"><h1>Half price this week only</h1></div>'),
        ("header .x{display:none}", f'<header><div><h1 class="x">{OFFER}</h1></div></header>'),
        ("#top > .x h1{display:none}", f'<div id="top"><div class="x"><p></p><h1>{OFFER}</h1></div></div>'),
        (".x.promo{display:none}", f'<h1 class="promo big x">{OFFER}</h1>'),
        (".js .no-js{display:none}", f'<div class="js"><h1 class="no-js">{OFFER}</h1></div>'),
        (".x{display:block}.x{display:none}", f'<h1 class="x">{OFFER}</h1>'),
        ("h1{display:block}.x{display:none}h1{display:flex}", f'<h1 class="x">{OFFER}</h1>'),
        (".x{display:none!important}#y{display:block}", f'<h1 class="x" id="y">{OFFER}</h1>'),
        (".x{display:none}.x.open{display:block}", f'<h1 class="x">{OFFER}</h1>'),
        ("@supports (display:grid){.x{display:none}}", f'<h1 class="x">{OFFER}</h1>'),
    ],
)
def test_a_hidden_heading_is_no_headline(css: str, hidden: str) -> None:
    home = page(f"{hidden}{SHOWN}", head=f"<title>Acme</title><style>{css}</style>")
    assert field("headline", home) == "Invoices that write themselves"


@pytest.mark.parametrize(
    ("css", "shown"),
    [
        ("", '<h1 class="hidden md:block">Invoices that write themselves</h1>'),
        ("", '<h1 class="d-none d-md-block">Invoices that write themselves</h1>'),
        (".wide{display:none}@media (min-width:40em){.wide{display:block}}", '<h1 class="wide">{}</h1>'),
        ("", '<h1 class="hidden md:table-cell">{}</h1>'),
        ("", '<h1 class="hidden min-[900px]:!inline-grid">{}</h1>'),
        ("", '<h1 class="hidden dark:lg:flow-root">{}</h1>'),
        ("", "<details open><summary>Acme</summary><h1>{}</h1></details>"),
        ("", "<details><summary><h1>{}</h1></summary>Acme</details>"),
        (".lead{display:none}", '<h1 class="lead" style="display:block">{}</h1>'),
        ("@media screen and (max-width:40em){.lead{display:none}}", '<h1 class="lead">{}</h1>'),
        (".x .lead{display:none}", '<h1 class="lead">{}</h1><div class="x"></div>'),
        (".x > .lead{display:none}", '<div class="x"><div><h1 class="lead">{}</h1></div></div>'),
        (".x.lead{display:none}", '<h1 class="lead">{}</h1>'),
        (".lead{display:none}.lead{display:block}", '<h1 class="lead">{}</h1>'),
        (".lead{display:none}.open .lead{display:block}", '<div class="open"><h1 class="lead">{}</h1></div>'),
        (".no-js .lead{display:none}", '<div class="no-js"><h1 class="lead">{}</h1></div>'),
        (".page-loading .lead{visibility:hidden}", '<div class="page-loading"><h1 class="lead">{}</h1></div>'),
        ("[x-cloak]{display:none}.lead:hover{display:none}", '<h1 x-cloak class="lead">{}</h1>'),
        ("@supports not (display:grid){.lead{display:none}}", '<h1 class="lead">{}</h1>'),
        ("@media print{.lead{display:none}}", '<h1 class="lead">{}</h1>'),
        ("", '<div style="opacity:0;transform:translateY(20px)"><h1>{}</h1></div>'),
        ("", '<h1><span class="sr-only">{}</span><span aria-hidden="true">I n v o i c e s</span></h1>'),
        ("", '{}<div role="tabpanel" aria-labelledby="t1"><h1>{}</h1></div>'.replace("{}", TABS, 1)),
    ],
)
def test_a_heading_that_is_shown_to_some_is_a_headline(css: str, shown: str) -> None:
    body = shown.replace("{}", "Invoices that write themselves")
    home = page(body, head=f"<title>Acme</title><style>{css}</style>")
    assert field("headline", home) == "Invoices that write themselves"


@pytest.mark.parametrize("attribute", ["media=print", 'media="(max-width: 40em)"', "type=text/x-template"])
def test_a_style_sheet_that_visitors_do_not_get_hides_nothing(attribute: str) -> None:
    styles = f"<style {attribute}>.lead{{display:none}}</style><style media=screen>.x{{display:none}}</style>"
    home = page(f'<h1 class="x">Half price this week only</h1><div class="lead">{SHOWN}</div>', head=styles)
    assert field("headline", home) == "Invoices that write themselves"


@contextmanager
def costs_little() -> Iterator[None]:
    """Ten times the processor time of what passes now, and half of what one pass for each rule or element takes."""
    began = time.thread_time()
    yield
    assert time.thread_time() - began < 10


@pytest.mark.slow
def test_many_rules_and_deep_elements_cost_little() -> None:
    css = "".join(f".a{number} .b .a{{display:none}}" for number in range(7000))
    root = parse(f"<style>{css}</style>{'<div class=b>' * 150}{'<i class=a></i>' * 20_000}")
    with costs_little():
        visibility = Document(root, url="https://acme.com/").visibility
        assert not any(visibility.hides(element) for element in root.iter("i"))


def test_a_style_sheet_full_of_braces_costs_little() -> None:
    root = parse(f"<style>{'@x{' * 90_000}.a{{display:none}}</style><p class=a>x</p>")
    with costs_little():
        assert Document(root, url="https://acme.com/").visibility.hides(next(root.iter("p"))) is False


def test_many_rules_in_many_others_cost_little() -> None:
    root = parse(f"<style>{'@layer{' * 14_000}{'.x{display:none}' * 6000}</style><p class=x>x</p>")
    with costs_little():
        assert Document(root, url="https://acme.com/").visibility.hides(next(root.iter("p")))


@pytest.mark.slow
def test_many_classes_of_elements_around_others_cost_little() -> None:
    css = "".join(f".a{number} .b .a{{display:none}}" for number in range(7000))
    around = f"<div class='{' '.join(map(chr, range(0x4E00, 0x51E8)))}'>" * 200
    root = parse(f"<style>{css}</style>{around}{'<i class=a></i>' * 3000}")
    with costs_little():
        visibility = Document(root, url="https://acme.com/").visibility
        assert not any(visibility.hides(element) for element in root.iter("i"))


LEFT_OUT = ["<template>{}</template>", "<noscript>{}</noscript>", "<!-- {} -->", "<select>{}</select>"]
HIDDEN = [
    "<div hidden>{}</div>",
    '<div aria-hidden="true">{}</div>',
    '<div style="display:none">{}</div>',
    '<section class="d-none"><div>{}</div></section>',
    '<div popover id="p">{}</div>',
    "<video>{}</video>",
    "<dialog>{}</dialog>",
    '<div role="tabpanel" data-state="inactive">{}</div>',
    f'{TABS}<div role="tabpanel" aria-labelledby="t2">{{}}</div>',
    "<style>.gone{{display:none}}</style><div class=gone>{}</div>",
]
DECLARED = """<meta property="og:title" content="WRONG {{title}}"><meta property="og:site_name" content="Wrong">
<meta name="description" content="Wrong words about what it is not, and for nobody in particular."><title>Wrong</title>
<script type="application/ld+json">{"@type": "Organization", "name": "Wrong", "foundingDate": "1901"}</script>
<script type="application/ld+json">{"@type": "FAQPage", "mainEntity": {"@type": "Question",
"name": "Is it wrong to ask?", "acceptedAnswer": {"@type": "Answer", "text": "It is wrong to answer."}}}</script>"""
SAID = """<h1>Wrong words for a headline</h1><p>Wrong is wrong about everything that it says it does for nobody, and it
says so at length in this one sentence.</p><h2>Pricing</h2><h3>Pro</h3><p>$999 per month</p>
<p>We were founded in 1901 in Paris, France.</p><p>wrong@acme.com</p><p>Download it for Windows and Linux.</p>"""
NAMES = ("name", "headline", "summary", "seo_title", "seo_description", "founded_year", "faqs", "price_from_cents")
FACTS = (*NAMES, "city", "country", "contact_email", "platforms")


def facts(body: str, *, head: str = "") -> dict[str, Any]:
    fields = draft(page(body, head=f"{head}<title>Acme</title>")).fields
    return {name: fields.get(name) for name in FACTS}


def test_the_same_words_say_something_where_visitors_see_them() -> None:
    plain, said = facts(SHOWN), facts(SHOWN + SAID)
    assert {name for name in FACTS if said[name] != plain[name]} >= {"founded_year", "price_from_cents"}
    assert facts(SHOWN, head=DECLARED) != plain


@pytest.mark.parametrize("around", LEFT_OUT)
def test_what_is_no_part_of_the_page_says_nothing(around: str) -> None:
    inner, plain = around.format(DECLARED + SAID), facts(SHOWN)
    assert facts(SHOWN + inner) == facts(inner + SHOWN) == plain
    assert facts(SHOWN, head=around.format(DECLARED)) == plain


@pytest.mark.parametrize("around", HIDDEN)
def test_hidden_text_says_nothing_about_the_product(around: str) -> None:
    assert facts(SHOWN + TABS + around.format(SAID)) == facts(SHOWN + TABS)


def test_what_is_hidden_hides_all_inside() -> None:
    document = Document(parse(f"<div hidden>{'<div>' * 200}<b>deep</b>"), url="https://acme.example/")
    [deep] = document.root.iter("b")
    assert document.visibility.hides(deep)


def test_a_folded_answer_is_an_answer() -> None:
    asked = "<h2>FAQ</h2><h3>How much is it?</h3><div hidden><p>It is free for everybody who asks.</p></div>"
    assert field("faqs", page(SHOWN + asked, head="<title>Acme</title>")) == [
        {"question": "How much is it?", "answer": "It is free for everybody who asks."}
    ]

"""What visitors don't see gives no headline and no summary."""

import pytest

from apps.core.html.tree import parse
from apps.drafts.extraction.document.document import Document
from tests.drafts.extraction.pages import field, page

SHOWN = "<h1>Invoices that write themselves</h1>"
TABS = '<a id="t1" aria-selected="true">A</a><a id="t2" aria-selected="false">B</a>'


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
        (".promo,.x{display:none}", '<div class="promo"><h1>Half price this week only</h1></div>'),
        ("/* .a{} */ div#promo { visibility: hidden; }", '<div id="promo"><h1>Half price this week only</h1></div>'),
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


def test_a_style_sheet_full_of_braces_costs_little() -> None:
    root = parse(f"<style>{'@x{' * 90_000}.a{{display:none}}</style><p class=a>x</p>")
    assert Document(root, url="https://acme.com/").visibility.hides(next(root.iter("p"))) is False

"""Questions and answers, however a page shows them, and headings that only look like them."""

from typing import Any

import pytest

from apps.drafts.extraction.product.faqs import MAX_ANSWER, MAX_FAQS, MAX_QUESTION, find_faqs
from tests.drafts.extraction.pages import draft, field, home, json_ld, page

Q, A = "How do I cancel?", "In the settings, at any time."
EXPECTED = [{"question": Q, "answer": A}]


def faqs(body: str, *, path: str = "faq", head: str = "", lang: str = "en") -> Any:
    return field("faqs", home(), page(body, path=path, head=head, lang=lang))


def question(name: str = Q, text: str = A) -> dict[str, Any]:
    return {"@type": "Question", "name": name, "acceptedAnswer": {"@type": "Answer", "text": text}}


@pytest.mark.parametrize(
    "body",
    [
        f"<h3>{Q}</h3><p>{A}</p>",
        f"<h2>FAQ</h2><h3>{Q}</h3><p>{A}</p><h2>Contact</h2><p>Write to us</p>",
        f"<h3>{Q}</h3><p>In the settings,</p><p>at any time.</p>",
        f"<h3>{Q}</h3>{A}<footer>Imprint</footer>",
        f"<dl><dt>{Q}</dt><dd>{A}</dd></dl>",
        f"<details><summary>{Q}</summary><p>{A}</p></details>",
        f"<details><summary>{Q}</summary>{A}</details>",
        f"<div><h3><button>{Q}</button></h3><div>{A}</div></div>",
        f"<div><div><button><span>{Q}</span> <svg><text>x</text></svg></button></div><div><p>{A}</p></div></div>",
        f"<div><div><h4>1. {Q}</h4></div><div><div><p>A: {A}</p></div></div></div>",
        f"<ul><li><h3>Q: {Q}</h3><p>{A}</p></li></ul>",
        f"<ul><li><h3><em>Q</em><b>{Q}</b></h3><div><em>A</em><p>{A}</p></div></li></ul>",
        f"<div><button>+ {Q} +</button><div hidden>{A}</div></div>",
        f"<h3>{Q}</h3><p>In the <a href='/s'>settings</a>,<br>at any time.</p><form>Ask us</form>",
        f"<p><strong>{Q}</strong><br>{A}</p>",
        f"<p><b>{Q}</b></p><p>{A}</p>",
        f"<dl><div><dt><button><span>‣ {Q}</span></button></dt><dd hidden>{A}</dd></div></dl>",
    ],
)
def test_one_question_in_many_forms(body: str) -> None:
    assert faqs(body) == EXPECTED


@pytest.mark.parametrize(
    "data",
    [
        {"@type": "FAQPage", "mainEntity": [question()]},
        {"@type": "FAQPage", "mainEntity": question()},
        {
            "@type": ["WebPage", "FAQPage"],
            "mainEntity": [question(text="<p>In the <b>settings</b>, at&nbsp;any time.</p>")],
        },
        {"@graph": [{"@type": "FAQPage", "mainEntity": [{"@id": "#q"}]}, {"@id": "#q", **question()}]},
        {"@type": "FAQPage", "mainEntity": [{"@type": "Question", "text": Q, "acceptedAnswer": [{"text": A}]}]},
    ],
)
def test_declared_questions_on_any_page(data: Any) -> None:
    assert field("faqs", home(head=json_ld(data))) == EXPECTED


@pytest.mark.parametrize(
    "data",
    [
        {"@type": "FAQPage"},
        {"@type": "FAQPage", "mainEntity": "How?"},
        {"@type": "FAQPage", "mainEntity": [None, 3, [question()], {"@type": "Question"}]},
        {"@type": "FAQPage", "mainEntity": [question(text="")]},
        {"@type": "FAQPage", "mainEntity": [question(name="")]},
        {"@type": "FAQPage", "mainEntity": [question(text=Q)]},
        {"@type": "FAQPage", "mainEntity": [question(name="x" * (MAX_QUESTION + 1))]},
        {"@type": "FAQPage", "mainEntity": [{"@type": "Question", "name": Q, "acceptedAnswer": {"@id": "#gone"}}]},
        {"@type": "QAPage", "mainEntity": question()},
    ],
)
def test_declarations_that_say_nothing(data: Any) -> None:
    assert field("faqs", home(head=json_ld(data))) is None


def test_microdata() -> None:
    body = f"""<div itemscope itemtype="https://schema.org/FAQPage">
    <div itemscope itemprop="mainEntity" itemtype="https://schema.org/Question"><h3 itemprop="name">{Q}</h3>
    <div itemscope itemprop="acceptedAnswer" itemtype="https://schema.org/Answer"><div itemprop="text">{A}</div></div>
    </div></div>"""
    proposal = draft(home(body))
    assert proposal.fields["faqs"] == EXPECTED
    assert next(item.source for item in proposal.evidence if item.field == "faqs.0") == "itemprop"


@pytest.mark.parametrize(
    ("lang", "asked", "answered"),
    [
        ("de", "Wie kann ich kündigen?", "Jederzeit in den Einstellungen."),
        ("fr", "Comment résilier ?", "À tout moment."),
        ("es", "¿Cómo puedo cancelar?", "En los ajustes."),
        ("es", "¿Funciona sin cobertura?", "Sí, en la playa."),
        ("ja", "解約できますか？", "はい、いつでも解約できます。"),
        ("zh", "如何取消？", "随时可以取消。"),
        ("ar", "كيف ألغي اشتراكي؟", "من صفحة الإعدادات."),
        ("ru", "Как отменить подписку?", "В настройках."),
    ],
)
def test_questions_in_other_languages(lang: str, asked: str, answered: str) -> None:
    body = f"<h3>{asked}</h3><p>{answered}</p>"
    assert faqs(body, lang=lang) == [{"question": asked, "answer": answered}]


@pytest.mark.parametrize(
    ("lang", "heading", "asked", "answered"),
    [
        ("cs", "Často kladené dotazy", "Lze smlouvu zrušit?", "Ano, kdykoli."),
        ("fi", "Usein kysyttyä", "Voinko perua tilauksen?", "Kyllä, milloin vain."),
        ("hu", "Gyakori kérdések", "Hogyan mondhatom le?", "A beállításokban."),
        ("ro", "Întrebări frecvente", "Pot anula oricând?", "Da, oricând."),
        ("nb", "Vanlige spørsmål", "Kan jeg si opp?", "Ja, når som helst."),
        ("el", "Συχνές ερωτήσεις", "Μπορώ να ακυρώσω;", "Ναι, οποτεδήποτε."),
        ("uk", "Поширені запитання", "Чи можна скасувати?", "Так, будь-коли."),
        ("ar", "الأسئلة الشائعة", "هل يمكنني الإلغاء؟", "نعم في أي وقت."),
        ("he", "שאלות נפוצות", "אפשר לבטל?", "כן, בכל עת."),
        ("th", "คำถามที่พบบ่อย", "ยกเลิกได้ไหม?", "ได้ทุกเมื่อ"),
        ("ja", "よくある質問", "解約できますか？", "はい、いつでも。"),
    ],
)
@pytest.mark.parametrize(
    "form",
    [
        "<h3>{}</h3><p>{}</p>",
        "<p><b>{}</b></p><p>{}</p>",
        "<div><button aria-expanded=false><span>{}</span><span>＋</span></button><div hidden>{}</div></div>",
        "<p>{}</p><p>{}</p>",
    ],
)
def test_headings_of_questions_in_more_languages(form: str, lang: str, heading: str, asked: str, answered: str) -> None:
    body = f"<section><h2>{heading}</h2>{form.format(asked, answered)}{form.format(f'1. {asked}', answered)}</section>"
    assert field("faqs", home(body, lang=lang)) == [{"question": asked, "answer": answered}]


@pytest.mark.parametrize(
    "form",
    [
        "<table><tr><th>{}</th><td>{}</td></tr><tr><th>{}</th><td>{}</td></tr></table>",
        "<table><tr><td>{}</td></tr><tr><td>{}</td></tr><tr><td>{}</td></tr><tr><td>{}</td></tr></table>",
        "<p>{}</p><p>{}</p><p>{}</p><p>{}</p>",
        "<div><div>{}</div><div>{}</div></div><div><div>{}</div><div>{}</div></div>",
    ],
)
def test_lines_of_a_faq_page(form: str) -> None:
    more = {"question": "Who reads my notes?", "answer": "Nobody but you."}
    assert faqs("<h1>FAQ</h1>" + form.format(Q, A, *more.values())) == [*EXPECTED, more]
    assert faqs(f"<h1>FAQ</h1><p>{Q}</p><p>{A}</p>") is None


def test_a_mark_makes_a_question_of_a_sentence() -> None:
    body = f"<dl><dt><span>Q</span>I forgot my password.</dt><dd><span>A</span><p>{A}</p></dd></dl>"
    assert faqs(body) == [{"question": "I forgot my password.", "answer": A}]
    assert faqs(body.replace("<span>Q</span>", "")) is None


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("pricing", f"<h2>Need help?</h2><p>{A}</p>"),
        ("about", f"<h2>{Q}</h2><p>{A}</p>"),
        ("blog", f"<h2>{Q}</h2><p>{A}</p><details><summary>{Q}</summary>{A}</details>"),
        ("changelog", f"<details><summary>{Q}</summary>{A}</details>"),
        ("pricing", f"<details><summary>All features</summary>{A}</details>"),
        ("faq", "<h2>Billing</h2><p>All about billing.</p>"),
        ("faq", f"<h2>{Q}</h2>"),
        ("faq", f"<h2>{Q}</h2><h2>Billing</h2><p>{A}</p>"),
        ("faq", f"<h2>{Q}</h2><nav>Home About</nav>"),
        ("faq", f"<h2>{'x' * (MAX_QUESTION + 1)}?</h2><p>{A}</p>"),
    ],
)
def test_what_is_no_question_with_an_answer(path: str, body: str) -> None:
    assert faqs(body, path=path) is None


@pytest.mark.parametrize(
    "body",
    [
        f'<section class="faq-list"><h3>{Q}</h3><p>{A}</p></section>',
        f"<section><h2>Frequently asked questions</h2><h3>{Q}</h3><p>{A}</p></section>",
        f"<section><div><h2>Häufige Fragen</h2></div><div><h3>{Q}</h3><p>{A}</p></div></section>",
        f"<details><summary>{Q}</summary>{A}</details>",
    ],
)
def test_a_section_of_questions_on_another_page(body: str) -> None:
    assert field("faqs", home(f"{body}<section><h2>Why wait?</h2><p>Start now.</p></section>")) == EXPECTED


def test_summaries_of_a_faq_page_need_no_question_mark() -> None:
    body = f"<details><summary>Cancelling</summary>{A}</details>"
    assert faqs(body) == [{"question": "Cancelling", "answer": A}]


def test_the_faq_page_comes_first_and_questions_come_once() -> None:
    start = home(
        head=json_ld({"@type": "FAQPage", "mainEntity": [question("Is it free?", "Yes."), question("HOW DO I CANCEL")]})
    )
    result = find_faqs([start, page(f"<h3>{Q}</h3><p>{A}</p>", path="faq")])
    assert [entry.value["question"] for entry in result] == [Q, "Is it free?"]
    assert [entry.finds[0].page.url for entry in result] == ["https://www.acme.com/faq", "https://www.acme.com/"]


OTHERS = ("Is it free?", "Yes, for one person."), (Q, A)


@pytest.mark.parametrize(
    "body",
    [
        "<h2>Good questions</h2>" + "".join(f"<p><strong>{q}</strong><br>{a}</p>" for q, a in OTHERS),
        "<h2>Frequently asked</h2><dl>" + "".join(f"<dt><button>{q}</button></dt><dd>{a}</dd>" for q, a in OTHERS),
        "".join(f"<div><button><h3>{q}</h3></button><div hidden><p>{a}</p></div></div>" for q, a in OTHERS),
        "<dl>" + "".join(f"<dt>{q}</dt><dd>{a}</dd>" for q, a in OTHERS) + "</dl>",
        "<section><h2>Got questions?</h2>" + "".join(f"<p>{q}</p><p>{a}</p>" for q, a in OTHERS) + "</section>",
        "<section><h2>❓ FAQ</h2>" + "".join(f"<h4>🤔 {q}</h4><p>{a}</p>" for q, a in OTHERS) + "</section>",
        "<section><h2>FAQ</h2>" + "".join(f"<p>Q: {q}<br>A: {a}</p>" for q, a in OTHERS) + "</section>",
        "<section><h2>FAQ</h2>"
        + "".join(f"<div><label for='x'>{q}</label><div>{a}</div></div>" for q, a in OTHERS)
        + "</section>",
        "<section><h2>FAQ</h2>"
        + "".join(f'<div><div role="button">{q}</div><div>{a}</div></div>' for q, a in OTHERS)
        + "</section>",
        "<section><h2>FAQ</h2><ul>" + "".join(f"<li><b>{q}</b> {a}</li>" for q, a in OTHERS) + "</ul></section>",
        "".join(f'<div><div><h4 class="toggle-heading">{q}</h4><i></i></div><div>{a}</div></div>' for q, a in OTHERS),
        "".join(f'<div><input type="checkbox"><label>{q}</label><div>{a}</div></div>' for q, a in OTHERS),
    ],
)
def test_questions_on_a_home_page_without_a_name_for_them(body: str) -> None:
    result = field("faqs", home(f"<h1>Acme</h1><main>{body}</main>"))
    assert [(faq["question"], faq["answer"]) for faq in result] == list(OTHERS)


def test_questions_above_the_heading_of_a_faq_ask_something_else() -> None:
    body = f"<h2>Acme or Oak?</h2><p>Acme.</p><h2>FAQ</h2><h3>{Q}</h3><p>{A}</p><h3>Is it free?</h3><p>Yes, it is.</p>"
    asked = [faq["question"] for faq in field("faqs", home(f"<main>{body}</main>"))]
    assert asked == [Q, "Is it free?"]


def test_letters_of_a_generated_class_are_no_mark_of_a_question() -> None:
    pairs = (("Com quais portais integra?", "Com todos."), ("Preciso instalar?", "Não, nada."), ("Tem plano?", "Não."))
    rows = "".join(f'<div class="framer-h{n}q2"><p>{q}</p></div><p>{a}</p>' for n, (q, a) in enumerate(pairs))
    asked = [faq["question"] for faq in field("faqs", home(f"<div><h2>Dúvidas frequentes</h2>{rows}</div>", lang="pt"))]
    assert asked == [q for q, _ in pairs]


def test_a_japanese_request_is_a_question() -> None:
    rows = "<h3>解約方法を教えてください</h3><p>いつでも解約できます。</p>"
    assert [faq["question"] for faq in faqs(rows, lang="ja")] == ["解約方法を教えてください"]


def test_a_single_button_that_asks_is_no_faq() -> None:
    assert field("faqs", home("<div><button>Who uses Acme?</button><p>Everybody we know.</p></div>")) is None


def test_neighbours_keep_their_answers() -> None:
    body = "".join(f"<h3>Question {number}?</h3><p>Answer {number}.</p><p>More {number}.</p>" for number in range(20))
    result = faqs(body)
    assert len(result) == MAX_FAQS
    assert result[3] == {"question": "Question 3?", "answer": "Answer 3. More 3."}
    framed = "".join(f"<li><div><h3>Number {number}?</h3></div><div>Reply {number}.</div></li>" for number in range(3))
    assert faqs(f"<ul>{framed}</ul>")[2] == {"question": "Number 2?", "answer": "Reply 2."}


def test_a_heading_with_a_button_in_it_keeps_its_answer() -> None:
    items = "".join(
        f"<div><div><h5><button aria-controls='c{at}'>{asked}</button></h5></div><div id='c{at}'>{A}</div></div>"
        for at, asked in enumerate(("Can I export?", "Do you sell trees?"))
    )
    result = field("faqs", home(f"<div><h2>Questions</h2><div>{items.replace(A, 'Yes.', 1)}</div></div>"))
    assert result == [{"question": "Can I export?", "answer": "Yes."}, {"question": "Do you sell trees?", "answer": A}]


def test_an_initial_letter_belongs_to_its_word() -> None:
    result = faqs(f"<h3>{Q}</h3><p><span>A</span>nywhere.</p>")
    assert result == [{"question": Q, "answer": "Anywhere."}]


def test_a_question_that_leads_to_a_post_is_a_teaser() -> None:
    teaser = f'<h2>Latest posts</h2><div><h3><a href="/2024/02/trees/">{Q}</a></h3><time>2 Feb 2024</time></div>'
    asked = "<details><summary>Can I export?</summary>Yes.</details>"
    assert field("faqs", home(f"<div><h2>Questions</h2>{asked}{teaser}</div>")) == [
        {"question": "Can I export?", "answer": "Yes."}
    ]
    toggle = f'<h3><a href="#how">{Q}</a></h3><p id="how">{A}</p>'
    assert field("faqs", home(f"<div><h2>Questions</h2>{toggle}</div>")) == EXPECTED


def test_long_answers_end_with_a_sentence() -> None:
    answer = faqs(f"<h3>{Q}</h3><p>{'It takes a moment and then it is done. ' * 100}</p>")[0]["answer"]
    assert 1000 < len(answer) <= MAX_ANSWER
    assert answer.endswith("done.")


def test_evidence_is_beside_each_question() -> None:
    evidence = {item.field: item for item in draft(home(), page(f"<h3>{Q}</h3><p>{A}</p>", path="faq")).evidence}
    assert evidence["faqs.0"].value == Q
    assert evidence["faqs.0"].snippet == f"{Q} — {A}"


@pytest.mark.parametrize(
    "body",
    [
        f"<h3>{Q}</h3>" * 5000,
        "<h2>FAQ</h2>" * 90_000,
        f"<div><h3>{Q}</h3>" * 200 + A + "</div>" * 200,
        "<details><summary>a?</summary>" * 200 + A,
        f'<div class="faq"><h3>{Q}</h3><p>{A}</p>' * 150 + "</div>" * 150,
        '<div itemscope itemtype="https://schema.org/FAQPage"><i itemprop="mainEntity">' * 100 + "x" * 1000,
        '<div itemscope itemtype="https://schema.org/FAQPage">' + '<i itemprop="mainEntity">x</i>' * 20_000,
        '<div itemscope itemtype="https://schema.org/FAQPage" itemref="a a a a a" id="a"><p itemprop="x">y</p></div>'
        * 900,
    ],
    ids=["headings", "titles", "nested", "details", "sections", "items", "properties", "references"],
)
def test_hostile_pages_come_to_an_end(body: str) -> None:
    result = find_faqs([home(), page(body, path="faq")])
    assert len(result) <= MAX_FAQS


TOGGLE = """<section class="faq"><div class="item"><div class="faq-toggle"><div>Can I import a file?</div></div>
<nav class="list"><p>Yes, any CSV file.</p></nav></div></section>"""


@pytest.mark.parametrize(
    ("body", "questions"),
    [
        ("<h2>FAQ</h2><h3>Who reads it?</h3><p>You.</p><h3>Get started</h3><p>Sign up.</p>", ["Who reads it?"]),
        (
            "<div hidden><h2>FAQ</h2></div><h2>Questions and answers</h2><h3>Who reads it?</h3><p>You.</p>",
            ["Who reads it?"],
        ),
        (TOGGLE, ["Can I import a file?"]),
        (
            '<section id="faq"><h3>Is it safe?</h3><p>Yes.</p><h3>Still have questions?</h3><p>Write.</p></section>',
            ["Is it safe?"],
        ),
        ('<section id="faq"><h3>Noch Fragen?</h3><p>Schreib uns.</p></section>', None),
        ('<section id="faq"><details><summary>Refund policy</summary>30 days.</details></section>', None),
        (
            '<section id="faq"><details><summary>How to get a refund</summary>Ask.</details></section>',
            ["How to get a refund"],
        ),
        (
            '<section id="faq"><h3>Which networks do you support?</h3><p>All of them.</p>'
            "<h3>Which networks do you support today?</h3><p>All, really.</p></section>",
            ["Which networks do you support?"],
        ),
    ],
)
def test_only_questions_of_visitors_are_faqs(body: str, questions: list[str] | None) -> None:
    result = field("faqs", home(body))
    assert (result and [faq["question"] for faq in result]) == questions


def test_inverted_marks_begin_a_question_in_a_section_of_plain_lines() -> None:
    lines = "<p>¿Funciona sin cobertura?</p><p>Sí, en la playa.</p><p>¿Cobráis comisión?</p><p>No, ninguna.</p>"
    result = field("faqs", home(f"<section><h2>Preguntas frecuentes</h2><div>{lines}</div></section>", lang="es"))
    assert [one["question"] for one in result or []] == ["¿Funciona sin cobertura?", "¿Cobráis comisión?"]


@pytest.mark.parametrize("heading", ['Is it stable? <a href="#stable">#</a>', "Is it stable? <a href=#s>¶</a>"])
def test_a_heading_that_links_to_itself_asks(heading: str) -> None:
    result = faqs(f"<h1>FAQ</h1><h3>{heading}</h3><p>Yes, since 2025.</p>")
    assert [faq["question"] for faq in result] == ["Is it stable?"]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<dt><span>Q</span>無料ですか？</dt><dd><span>A</span>はい、無料です。</dd>", "無料ですか？"),
        ("<dt><b>Q</b> Is it free?</dt><dd>Yes, for one.</dd>", "Is it free?"),
        ("<dt><span>A</span> team of one?</dt><dd>Yes, for one.</dd>", "A team of one?"),
        ("<dt><span>Q</span>uestions for us?</dt><dd>Yes, for one.</dd>", "Questions for us?"),
    ],
)
def test_a_mark_in_its_own_element_before_a_question(body: str, expected: str) -> None:
    assert [faq["question"] for faq in faqs(f"<h1>FAQ</h1><dl>{body}</dl>")] == [expected]


@pytest.mark.parametrize("rest", ["<p>Contact: hello@acme.com</p><p>About GitHub</p>", "<hr><p>Contact us</p>"])
def test_what_follows_the_last_answer_is_no_part_of_it(rest: str) -> None:
    both = "<h3>Is it free?</h3><p>Yes, for one.</p><h3>Is it stable?</h3><p>Yes, since 2025.</p>"
    result = field("faqs", home(), page(f"<main><h1>FAQ</h1>{both}{rest}</main>", path="faq"))
    assert [faq["answer"] for faq in result] == ["Yes, for one.", "Yes, since 2025."]

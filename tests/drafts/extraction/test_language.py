"""The language that a site declares, or that its text is written in."""

import pytest

from tests.drafts.extraction.pages import draft, field, home

TEXTS = {
    "en": "Acme writes the invoices of small companies and sends them to every customer on the day it was promised. ",
    "de": "Acme schreibt die Rechnungen kleiner Firmen und schickt sie jedem Kunden an dem Tag, der versprochen war. ",
    "fr": "Acme rédige les factures des petites entreprises et les envoie à chaque client le jour qui a été promis. ",
    "es": "Acme escribe las facturas de las pequeñas empresas y las envía a cada cliente el día que se prometió. ",
    "pl": "Acme wystawia faktury małych firm i wysyła je do każdego klienta w dniu, który został obiecany. ",
    "ru": "Acme выставляет счета небольших компаний и отправляет их каждому клиенту в обещанный день. ",
    "ja": "アクメは小さな会社の請求書を作成し、約束した日にすべてのお客様へお届けするサービスです。",
}


def undeclared(text: str, *, head: str = "") -> object:
    return field("language", home(f"<nav>Home About Pricing Contact Blog</nav><p>{text}</p>", head=head, lang=""))


@pytest.mark.parametrize("code", TEXTS)
def test_the_text_tells_what_is_not_declared(code: str) -> None:
    assert undeclared(TEXTS[code] * 6) == code


@pytest.mark.parametrize(
    "text", ["", "Acme", TEXTS["de"], "12 34 56 78 " * 60, "x " * 400, "lorem " * 5], ids=lambda text: text[:6]
)
def test_too_little_text_tells_nothing(text: str) -> None:
    assert undeclared(text) is None


def test_what_is_declared_counts() -> None:
    text = TEXTS["de"] * 6
    assert field("language", home(text, lang="pt-BR")) == "pt"
    assert undeclared(text, head='<meta property="og:locale" content="fr_FR">') == "fr"
    assert field("language", home(text, lang="und")) == "de"


def test_the_evidence_is_the_text() -> None:
    proposal = draft(home(f"<p>{TEXTS['de'] * 6}</p>", lang=""))
    evidence = next(item for item in proposal.evidence if item.field == "language")
    assert (evidence.source, evidence.selector) == ("text", "body")
    assert evidence.snippet.startswith("Acme schreibt")
    assert len(evidence.snippet) <= 300

"""From pages to a proposal: names, taglines, texts, contacts, and evidence for each."""

import hashlib
import json

import pytest

from apps.drafts.extraction import Proposal, ReadPage, draft_listing
from apps.drafts.extraction.text.cleaning import cut, fold, sentences
from tests.drafts.extraction.pages import json_ld

URL = "https://www.acme.com/"


def page(head: str = "", body: str = "", *, url: str = URL) -> ReadPage:
    html = f'<!doctype html><html lang="en"><head>{head}</head><body>{body}</body></html>'
    return ReadPage.open(html.encode(), url=url, content_type="text/html")


def draft(head: str = "", body: str = "", *, url: str = URL) -> Proposal:
    return draft_listing([page(head, body, url=url)])


@pytest.mark.parametrize(
    ("head", "name"),
    [
        ("<title>Acme – invoices in seconds</title>", "Acme"),
        ("<title>Invoices in seconds | Acme</title>", "Acme"),
        ("<title>Acme: invoices in seconds</title>", "Acme"),
        ("<title>Acme</title>", "Acme"),
        ("<title>Welcome to Acme</title>", "Acme"),
        ("<title>🏔️ Acme</title>", "Acme"),
        ("<title>Acme 4.2 - invoices for Windows</title>", "Acme"),
        ("<title>Acme v3 | Invoices</title>", "Acme"),
        ("<title>Acme™ | Invoices</title>", "Acme"),
        ("<title>Acme for Mac</title>", "Acme"),
        ('<meta property="og:site_name" content="Maps for Mac">', "Maps for Mac"),
        ('<meta property="og:site_name" content="Umbrella 365">', "Umbrella 365"),
        ('<title>Home</title><meta property="og:site_name" content="Acme">', "Acme"),
        ('<meta property="og:site_name" content="Acme | The invoice writer">', "Acme"),
        ('<meta property="og:site_name" content="Umbrella">', "Umbrella"),
        (
            json_ld({"@type": "Organization", "name": "Acme Holding GmbH"})
            + json_ld({"@type": "WebSite", "name": "Acme"}),
            "Acme",
        ),
        (json_ld({"@type": "SoftwareApplication", "name": "Acme Invoices"}), "Acme Invoices"),
        (json_ld({"@type": "Organization", "name": "Acme, Inc."}), "Acme"),
        ('<meta name="application-name" content="Acme">', "Acme"),
        ('<meta property="og:site_name" content="[object Object]"><title>Acme</title>', "Acme"),
        ('<meta property="og:site_name" content="{{ site.title }}">', "Acme"),
        ('<meta property="og:site_name" content="acme"><title>Home | Acme</title>', "Acme"),
        ('<meta property="og:site_name" content="Acme official site">', "Acme"),
        ('<meta property="og:site_name" content="アクメ公式サイト">', "アクメ"),
        ("<title>Acme 2 :: level editor</title>", "Acme 2"),
    ],
)
def test_name(head: str, name: str) -> None:
    assert draft(head).fields.get("name") == name


@pytest.mark.parametrize(
    ("url", "head", "name"),
    [
        ("https://acme.com/", "<title>Home</title>", "Acme"),
        ("https://acme.com/", "<title>Invoices in seconds</title>", "Acme"),
        ("https://blue-river.co.uk/", '<meta property="og:site_name" content="My Site">', "Blue River"),
        ("https://acme.com/", "", "Acme"),
        ("http://127.0.0.1:8000/", "<title>Acme · a tool for invoices</title>", "Acme"),
        ("http://127.0.0.1:8000/", "", None),
        ("https://acme.com/", "<title>How to fold a boat | Paper Boats</title>", "Acme"),
        (
            "https://acme.com/",
            '<title>How to fold a boat | Paper Boats</title><meta property="og:title" content="How to fold a boat">',
            "Paper Boats",
        ),
        (
            "https://acme.com/",
            '<title>Paper Boats: Folding the keel</title><meta property="og:title" content="Folding the keel">',
            "Paper Boats",
        ),
        (
            "https://acme.com/",
            '<title>Umbrella | The best boats of all</title><meta property="og:title" content="Umbrella">',
            "Acme",
        ),
    ],
)
def test_without_a_declared_name_the_last_resort_is_hardly_sure(url: str, head: str, name: str | None) -> None:
    proposal = draft(head, url=url)
    assert proposal.fields.get("name") == name
    assert all(item.confidence <= 0.2 for item in proposal.evidence if item.field == "name")


@pytest.mark.parametrize(
    ("url", "title", "name"),
    [
        ("https://getacme.io/", "Acme | Invoices", "Acme"),
        ("https://acmeapp.com/", "Invoices - Acme", "Acme"),
        ("https://cal.com/", "Cal.com | Scheduling for everyone", "Cal.com"),
        ("https://blue-river.co.uk/", "Blue River — boats", "Blue River"),
        ("https://acme.github.io/", "Acme · a tool", "Acme"),
    ],
)
def test_the_part_of_the_title_that_fits_the_domain_is_the_name(url: str, title: str, name: str) -> None:
    assert draft(f"<title>{title}</title>", url=url).fields.get("name") == name


def test_a_logo_in_the_header_tells_the_name() -> None:
    assert draft(body='<a class="logo" href="/"><img src="/l.png" alt="Acme logo"></a>').fields["name"] == "Acme"
    linked = '<a href="/"><img src="/l.png" alt="Acme logo"></a>'
    assert draft(body=linked, url="https://www.tryacme.com/").fields["name"] == "Acme"
    assert draft(body='<div class="logos"><img src="/c.png" alt="Customer logo"></div>').fields["name"] != "Customer"


SHIORI = "<title>しおり - 読書記録アプリ</title>"
DAFTARI = "<title>دفتري — الفواتير والمحاسبة للشركات الصغيرة</title>"


@pytest.mark.parametrize(
    ("head", "body", "name"),
    [
        (SHIORI, '<a class="logo" href="/"><img src="/l.png" alt="しおりのロゴ"></a><h1>しおり</h1>', "しおり"),
        (SHIORI, '<a class="logo" href="/"><img src="/l.png" alt="しおり ロゴ"></a><h1>本を読もう</h1>', "しおり"),
        (SHIORI, '<header><a href="/">しおり</a></header><h1>読書記録アプリ</h1>', "しおり"),
        (SHIORI, "<h1>しおり</h1>", "しおり"),
        (SHIORI, "<h1>しおりで、読書をもっと楽しく</h1>", "しおり"),
        (SHIORI + '<meta name="description" content="しおりは本の記録を残せます。">', "<h1>本を読もう</h1>", "しおり"),
        ("<title>読書記録アプリ｜しおり</title>", "<footer>© 2024 しおり</footer>", "しおり"),
        ("<title>しおり：読書記録アプリ</title>", "<h1>しおり</h1>", "しおり"),
        ("<title>しおり</title>", '<a href="/">しおり</a>', "しおり"),
        (DAFTARI, "<h1>دفتري</h1>", "دفتري"),
        (DAFTARI, '<a class="brand" href="/">دفتري</a><h1>فواتيرك في دقائق</h1>', "دفتري"),
        (DAFTARI, "<footer>© ٢٠٢٤ دفتري. جميع الحقوق محفوظة.</footer>", "دفتري"),
        (SHIORI + '<meta property="og:site_name" content="Shiori">', "<h1>しおり</h1>", "Shiori"),
        ("<title>Invoices in seconds | Umbrella</title>", '<a href="/">Umbrella</a>', "Umbrella"),
        ("<title>Invoices in seconds | Umbrella</title>", "<h1>Invoices in seconds</h1>", "Umbrella"),
        ("<title>Invoices | Umbrella</title>", '<a href="/">Home</a><p>Umbrella</p>', "Acme"),
        (SHIORI, "<h1>読書をもっと楽しく</h1>", "Acme"),
        ("<title>読書記録アプリ - 本のある暮らしのために</title>", "<h1>本のある暮らしのために</h1>", "読書記録アプリ"),
    ],
)
def test_the_name_is_what_the_page_agrees_on(head: str, body: str, name: str) -> None:
    assert draft(head, body).fields.get("name") == name


def test_a_name_in_another_script_that_nothing_else_says_can_be_picked() -> None:
    evidence = next(item for item in draft(SHIORI).evidence if item.field == "name")
    assert (evidence.value, evidence.confidence) == ("Acme", 0.2)
    assert "しおり" in [other["value"] for other in evidence.runners_up]


LONG = "Acme writes the invoices of small companies, sends them to every customer in time and books what is paid"


@pytest.mark.parametrize(
    ("head", "body", "headline"),
    [
        ("<title>Acme – invoices in seconds</title>", "<h1>Write less now</h1>", "Invoices in seconds"),
        ("<title>Invoices in no time | Acme</title>", "", "Invoices in no time"),
        (
            "<title>Acme, a calm invoice writer</title><meta property='og:site_name' content='Acme'>",
            "",
            "A calm invoice writer",
        ),
        ("<title>Acme</title>", "<h1>Invoices that write themselves</h1>", "Invoices that write themselves"),
        (
            "<title>Acme</title>" + json_ld({"@type": "Organization", "slogan": "Invoices, but fast"}),
            "",
            "Invoices, but fast",
        ),
        (
            '<title>Acme</title><meta name="description" content="Acme writes invoices. It is fast.">',
            "",
            "Acme writes invoices",
        ),
        ("<title>Acme : la facture en trois minutes</title>", "", "La facture en trois minutes"),
        ("<title>Acme 🧾 Invoices in no time</title>", "", "Invoices in no time"),
        ("<title>Home | Acme</title>", "<h1>Acme</h1>", None),
        ("<title>Gatsby Default Starter</title>", "<h1>Invoices in no time</h1>", "Invoices in no time"),
        ("<title>Acme</title>", "<h1><span>Acme</span><span>The wiki in a folder</span></h1>", "The wiki in a folder"),
        ("<title>Invoices - by Ines Duarte - Acme</title>", "", None),
        ("<title>Invoices by the dozen - Acme</title>", "", "Invoices by the dozen"),
        (f"<title>{LONG} | Acme</title>", "", "Acme writes the invoices of small companies"),
        (f"<title>{LONG} | Acme</title>", "<h1>Invoices that fit</h1>", "Invoices that fit"),
        ("<title>アクメ | 請求書を数秒で作成するサービス</title>", "", "請求書を数秒で作成するサービス"),
    ],
)
def test_headline(head: str, body: str, headline: str | None) -> None:
    assert draft(head, body).fields.get("headline") == headline


def test_summary_is_the_description_cut_at_a_sentence() -> None:
    sentence = "Acme writes the invoices of small companies and sends them. "
    fields = draft(f'<meta name="description" content="{sentence * 30}">').fields
    assert fields["summary"] == (sentence * 10).strip()
    assert fields["seo_description"] == (sentence * 2).strip()


def test_summary_of_the_home_page_comes_before_those_of_others() -> None:
    home = page(f'<meta name="description" content="{LONG}">')
    about = page('<meta name="description" content="Who we are, at some length, and why we do it.">', url=f"{URL}about")
    proposal = draft_listing([home, about])
    evidence = next(item for item in proposal.evidence if item.field == "summary")
    assert proposal.fields["summary"] == LONG
    assert evidence.runners_up[0]["page_url"] == f"{URL}about"


@pytest.mark.parametrize(
    ("title", "seo_title"),
    [
        ("Acme – invoices in seconds", "Acme – invoices in seconds"),
        (
            "Acme – invoices in seconds for companies | All the things one could need",
            "Acme – invoices in seconds for companies",
        ),
        ("Acme | " + LONG, "Acme | Acme writes the invoices of small companies, sends…"),
        ("x" * 70, None),
        ("880139124791029763", None),
    ],
)
def test_seo_title_loses_whole_parts_or_whole_words(title: str, seo_title: str | None) -> None:
    assert draft(f"<title>{title}</title>").fields.get("seo_title") == seo_title


@pytest.mark.parametrize(
    ("body", "email"),
    [
        ('<a href="mailto:ada@acme.com">Ada</a><a href="mailto:hello@acme.com?subject=Hi">Mail</a>', "hello@acme.com"),
        ('<a href="MAILTO:Info%40acme.com">Mail</a>', "info@acme.com"),
        ('<a href="mailto:info@mail.acme.com">Mail</a>', "info@mail.acme.com"),
        ('<a href="mailto:?subject=Look">Share</a>', None),
        ('<a href="mailto:noreply@acme.com">Mail</a>', None),
        ('<a href="mailto:someone@customer.com">Mail</a>', None),
        (json_ld({"@type": "Organization", "email": "mailto:acme@mail.example.org"}), "acme@mail.example.org"),
        ('<a href="mailto:press@acme.com">P</a><a href="mailto:ada@acme.com">Ada</a>', "ada@acme.com"),
        ('<a href="mailto:jobs@acme.com">J</a><a href="mailto:hola@acme.com">Hola</a>', "hola@acme.com"),
        ('<a href="mailto:sales@acme.com">S</a><footer>office@acme.com</footer>', "office@acme.com"),
        ('<a href="mailto:sales@acme.com">Sales</a>', "sales@acme.com"),
        ('<a href="mailto:dev@lists.acme.com">Join</a><a href="mailto:sales@acme.com">S</a>', "sales@acme.com"),
        ("<footer><p>Made by Mossdesk in Ghent</p><p>tab@mossdesk.net</p></footer>", "tab@mossdesk.net"),
        ("<footer><p>Made in Ghent</p><p>tab@mossdesk.net</p></footer>", None),
    ],
)
def test_contact_email(body: str, email: str | None) -> None:
    assert draft(body=body).fields.get("contact_email") == email


@pytest.mark.parametrize(
    ("path", "body", "email"),
    [
        ("contact", "<p>Write to hello@acme.com.</p>", "hello@acme.com"),
        ("contact", "<p>E-Mail: ada@acme.com</p>", "ada@acme.com"),
        ("impressum", "<p>info (at) acme.com</p>", "info@acme.com"),
        ("impressum", "<p>Telefon: 030 1234<br>E-Mail: info[at]acme[dot]com</p>", "info@acme.com"),
        ("imprint", "<p>ada@acme.com, then info@mail.acme.com</p>", "info@mail.acme.com"),
        ("kontakt", "<dl><dt>E-Mail</dt><dd>acme@post.example.org</dd></dl>", "acme@post.example.org"),
        ("お問い合わせ", "<p>メール：info@acme.com</p>", "info@acme.com"),
        (
            "contact",
            "<table><tr><th>メールアドレス</th><td>acme@post.example.org</td></tr></table>",
            "acme@post.example.org",
        ),
        ("اتصل", "<h1>Contact</h1><p>البريد الإلكتروني: hi@acme.com</p>", "hi@acme.com"),
        ("", "<p>Email: hello@acme.com</p>", "hello@acme.com"),
        ("", "<footer>© Acme · hello@acme.com</footer>", "hello@acme.com"),
        ("", "<p>ada@acme.com sent an invoice</p>", None),
        ("contact", "<p>Hosting: E-Mail: help@host.example.org</p>", None),
        ("contact", "<p>E-Mail: a@one.example.org</p><p>E-Mail: b@two.example.org</p>", None),
        ("contact", "<p>you@acme.com</p><p>someone@customer.example.org</p>", None),
        ("contact", "<blockquote>hello@acme.com</blockquote>", None),
        ("contact", "<p>https://user@acme.com/x</p><p>meet at acme.com (at) noon</p>", None),
        ("docs", "<p>Email: hello@acme.com</p>", None),
        ("blog", "<p>hello@acme.com</p>", None),
    ],
)
def test_email_addresses_without_a_link(path: str, body: str, email: str | None) -> None:
    pages = [page(body=body)] if not path else [page("<title>Acme</title>"), page(body=body, url=f"{URL}{path}")]
    proposal = draft_listing(pages)
    assert proposal.fields.get("contact_email") == email
    if email:
        evidence = next(item for item in proposal.evidence if item.field == "contact_email")
        assert evidence.source == "text"
        assert evidence.snippet in " ".join(line.text for line in pages[-1].lines)


@pytest.mark.parametrize(
    ("body", "field", "value"),
    [
        ('<a href="/docs/">Docs</a>', "docs_url", "https://www.acme.com/docs/"),
        ('<a href="https://docs.acme.com/start">Documentation</a>', "docs_url", "https://docs.acme.com/start"),
        ('<a href="https://acme.gitbook.io/help">Docs</a>', "docs_url", "https://acme.gitbook.io/help"),
        ('<a href="https://docs.stripe.com/">Docs</a>', "docs_url", None),
        ('<a href="https://support.acme.com/">Support</a>', "docs_url", "https://support.acme.com/"),
        ('<a href="/support">Support</a>', "docs_url", None),
        ('<a href="/blog/tag/docs">x</a>', "docs_url", None),
        ('<a href="/m/index.html">Online manual</a>', "docs_url", "https://www.acme.com/m/index.html"),
        ('<a href="/hilfe/1">Das Benutzerhandbuch</a>', "docs_url", "https://www.acme.com/hilfe/1"),
        ('<a href="/d">ドキュメント</a>', "docs_url", "https://www.acme.com/d"),
        ('<a href="https://guide.acme.com/">이용 가이드</a>', "docs_url", "https://guide.acme.com/"),
        ('<a href="/posts/manual">The manual for bakers</a>', "docs_url", None),
        ('<a href="/pages/help">Help center</a>', "docs_url", "https://www.acme.com/pages/help"),
        ('<a href="https://ajuda.acme.com">Ajuda</a>', "docs_url", "https://ajuda.acme.com/"),
        (
            '<a href="/help-center">Help center</a><a href="https://help.acme.com">Help</a>',
            "docs_url",
            "https://help.acme.com/",
        ),
        ('<a href="/help">Help</a><a href="/docs">Docs</a>', "docs_url", "https://www.acme.com/docs"),
        ('<a href="https://help.other.com/">Help</a>', "docs_url", None),
        ('<a href="/blog/help">Help us to grow</a>', "docs_url", None),
        ('<a href="/api/openapi.json">API</a>', "openapi_url", "https://www.acme.com/api/openapi.json"),
        ('<link rel="service-desc" href="/spec">', "openapi_url", "https://www.acme.com/spec"),
        ('<a href="https://other.com/openapi.json">API</a>', "openapi_url", None),
        ("<code>https://mcp.acme.com/mcp</code>", "mcp_url", "https://mcp.acme.com/mcp"),
        ("<pre>add --url https://api.acme.com/mcp.</pre>", "mcp_url", "https://api.acme.com/mcp"),
        ('<a href="/mcp">Our MCP server</a>', "mcp_url", None),
        ("<code>https://mcp.other.com/mcp</code>", "mcp_url", None),
        ('<a href="/llms-full.txt">full</a><a href="/llms.txt">llms</a>', "llms_url", "https://www.acme.com/llms.txt"),
    ],
)
def test_addresses_for_readers_and_machines(body: str, field: str, value: str | None) -> None:
    assert draft(body=body).fields.get(field) == value


@pytest.mark.parametrize(
    ("value", "docs_url"),
    [
        ({"@type": "CreativeWork", "url": "/learn"}, "https://www.acme.com/learn"),
        ("https://help.acme.com/", "https://help.acme.com/"),
        ("https://acme.zendesk.com/", "https://acme.zendesk.com/"),
        ("https://help.shop.example/", None),
        ({"@type": "CreativeWork", "name": "Help"}, None),
    ],
)
def test_an_application_declares_its_help(value: object, docs_url: str | None) -> None:
    head = json_ld({"@type": "WebApplication", "name": "Acme", "softwareHelp": value})
    assert draft(head).fields.get("docs_url") == docs_url
    assert draft(head, '<a href="/docs">Docs</a>').fields["docs_url"] == "https://www.acme.com/docs"


def test_pictures() -> None:
    head = (
        '<meta property="og:image" content="/share.png"><link rel="icon" sizes="192x192" href="/icon.png">'
        + json_ld({"@type": "WebApplication", "name": "Acme", "screenshot": ["/one.png", "/share.png"]})
    )
    proposal = draft(head)
    assert proposal.fields["logo_url"] == "https://www.acme.com/icon.png"
    assert proposal.fields["screenshots"] == [f"https://www.acme.com/{name}.png" for name in ("one", "share")]


def test_a_logo_that_only_the_header_shows_does_for_a_draft_but_is_no_fact_of_the_page() -> None:
    body = '<header><a href="/"><img src="/mark.png" alt="Acme logo"></a></header>'
    proposal = draft(body=body)
    assert proposal.fields["logo_url"] == "https://www.acme.com/mark.png"
    assert [item["source"] for item in proposal.as_dict()["evidence"] if item["field"] == "logo_url"] == ["dom"]
    assert page(f"<html><body>{body}</body></html>").facts.logo is None
    declared = draft('<link rel="icon" href="/icon.png">', body=body)
    assert declared.fields["logo_url"] == "https://www.acme.com/icon.png"


@pytest.mark.parametrize(
    ("first", "second", "are_same"),
    [
        ("https://acme.com/list.png", "http://acme.com/list.png", True),
        ("/list.png?w=1200", "/list.png?w=600", True),
        ("/list.png", "/list-1200x630.png", True),
        ("/list_600x315.jpg?v=1", "/list_1200x630.jpg?v=1", True),
        ("/_next/image?url=%2Fone.png&w=640", "/_next/image?url=%2Fone.png&w=1200", True),
        ("/_next/image?url=%2Fone.png&w=640", "/_next/image?url=%2Ftwo.png&w=640", False),
        ("/picture?id=1", "/picture?id=2", False),
        ("/list.png", "/list-2.png", False),
        ("/list.png", "https://other.example.com/list.png", False),
    ],
)
def test_other_sizes_of_a_picture_are_no_other_pictures(first: str, second: str, are_same: bool) -> None:
    head = f'<meta property="og:image" content="{first}"><meta name="twitter:image" content="{second}">'
    assert len(draft(head).fields["screenshots"]) == (1 if are_same else 2)


@pytest.mark.parametrize("address", ["%PUBLIC_URL%/logo.png", "{{ logo }}.png", "/${logo}.png", "[object Object]"])
def test_a_template_that_nobody_filled_in_is_no_address(address: str) -> None:
    assert "logo_url" not in draft(f'<link rel="icon" href="{address}">').fields


def test_every_value_has_evidence_that_can_be_looked_up() -> None:
    head = b'<html lang="en"><head><title>Acme - invoices in seconds</title></head>'
    html = head + b"<body><h1>Hi there Acme</h1></body></html>"
    proposal = draft_listing([ReadPage.open(html, url=URL, content_type="text/html")])
    evidence = {item.field: item for item in proposal.evidence}
    assert set(evidence) == {"name", "headline", "seo_title", "language"}
    assert evidence["headline"].as_dict() == {
        "field": "headline",
        "value": "Invoices in seconds",
        "page_url": URL,
        "source": "dom",
        "selector": "title",
        "snippet": "<title>Acme - invoices in seconds",
        "page_sha256": hashlib.sha256(html).hexdigest(),
        "confidence": 0.8,
        "runners_up": [
            {
                "value": "Hi there Acme",
                "page_url": URL,
                "source": "dom",
                "selector": "h1",
                "snippet": "<h1>Hi there Acme",
                "confidence": 0.6,
            }
        ],
    }


def test_what_is_not_there_is_missing_with_a_reason() -> None:
    proposal = draft(url="http://127.0.0.1:8000/")
    missing = {item["field"]: item["reason"] for item in proposal.missing}
    assert proposal.fields == {"language": "en"}
    assert set(missing) == {
        *("name", "headline", "summary", "seo_title", "seo_description", "logo_url", "screenshots", "socials"),
        *("contact_email", "docs_url", "openapi_url", "mcp_url", "llms_url", "milestones", "platforms"),
        *("faqs", "pricing_model", "price_from_cents", "founded_year", "country", "city", "team_size", "founders"),
    }
    assert all(reason.endswith(".") for reason in missing.values())


def test_a_proposal_is_json_and_needs_a_page() -> None:
    shown = draft("<title>Acme - invoices in seconds</title>").as_dict()
    assert json.loads(json.dumps(shown)) == shown
    with pytest.raises(ValueError, match="home page"):
        draft_listing([])


@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [
        ("short", 10, "short"),
        ("One two three four", 10, "One two…"),
        ("One two. Three four five", 16, "One two."),
        ("One. Two three four five six", 20, "One. Two three four…"),
        ("Unbreakable", 5, ""),
        ("Ada, the first, wrote", 10, "Ada, the…"),
    ],
)
def test_cut_ends_with_a_sentence_or_a_word(text: str, limit: int, expected: str) -> None:
    assert cut(text, limit) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("Made by Acme Inc. in Berlin. Now.", ["Made by Acme Inc. in Berlin.", "Now."]),
        ("J. Doe e.g. wrote 3.5 pages. Done", ["J. Doe e.g. wrote 3.5 pages.", "Done"]),
        ("一つ。二つ。", ["一つ。", "二つ。"]),
        ("", []),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


def test_names_are_compared_without_case_accents_and_signs() -> None:
    assert fold("Café-Müller, Inc.") == fold("cafe muller inc") == "cafemullerinc"

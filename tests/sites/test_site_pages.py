"""Terms, privacy and imprint: what an operator writes, what is shown until then, and every version."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.core.exceptions import NON_FIELD_ERRORS
from django.test import Client, override_settings
from django.urls import reverse

from apps.accounts.models import User
from apps.core.versions.models import Author
from apps.core.web.markdown import render_markdown
from apps.orders.models import TermsOfSale
from apps.sites import texts
from apps.sites.models import Site, SitePage, SitePageVersion
from tests.factories import UserFactory
from tests.process_caches import forget_everything

ADD = "/admin/sites/sitepage/add/"
PREVIEW = "/admin/sites/sitepage/preview"


def write(
    site: Site, member: User, kind: str = "terms", text: str = "Be kind.", title: str = "House rules"
) -> SitePage:
    page = SitePage.objects.filter(site=site, kind=kind).first() or SitePage(site=site, kind=kind)
    page.title, page.text = title, text
    return texts.save_page(page=page, by=Author(user=member, via="admin"))


def restore_of(version: SitePageVersion) -> str:
    return reverse("admin:sites_sitepageversion_restore", args=[version.pk])


def page_of(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


# ---- what people see ----
@pytest.mark.parametrize(("address", "part"), [("/terms", "launch week"), ("/privacy", "<code>sessionid</code>")])
def test_until_it_is_written_a_page_says_what_the_software_does(
    client: Client, site: Site, address: str, part: str
) -> None:
    page = page_of(client, address)
    assert part in page
    assert "notice-warn" in page
    assert site.name in page


def test_nothing_replaces_an_imprint(client: Client, site: Site, member: User) -> None:
    assert client.get("/imprint").status_code == 404
    assert 'href="/imprint"' not in page_of(client, "/terms")
    write(site, member, kind="imprint", title="Imprint")
    assert "Be kind." in page_of(client, "/imprint")
    assert 'href="/imprint"' in page_of(client, "/terms")


def test_what_site_admins_wrote_is_shown_on_its_site_alone(client: Client, site: Site, member: User) -> None:
    other = Site.objects.create(key="other", host="other.localhost", name="Other")
    write(site, member, text="## Rules\n\nBe *kind*.")
    page = page_of(client, "/terms")
    assert '<h1 dir="auto">House rules</h1>' in page
    assert '<h2 dir="auto">Rules</h2>' in page
    assert "notice-warn" not in page
    elsewhere = client.get("/terms", headers={"host": other.host}).content.decode()
    assert "House rules" not in elsewhere


def test_the_terms_lead_to_the_terms_of_sale_where_there_are_some(client: Client, site: Site) -> None:
    assert "/terms/sale" not in page_of(client, "/terms")
    TermsOfSale.objects.create(site=site, text="Pay first.")
    assert 'href="/terms/sale"' in page_of(client, "/terms")
    assert "Pay first." in page_of(client, "/terms/sale")


def test_a_model_is_named_where_there_is_one(client: Client, site: Site) -> None:
    assert "language model" not in page_of(client, "/privacy")
    # A process reads its settings once; here they change under a page that is kept.
    forget_everything()
    with override_settings(LLM_BASE_URL="http://127.0.0.1:9/v1"):
        assert "language model" in page_of(client, "/privacy")


def test_what_browsers_keep_beside_cookies_is_named(site: Site) -> None:
    scripts = [path.read_text("utf-8") for path in (Path(__file__).parents[2] / "static").glob("*.js")]
    text = texts.placeholder(site, "privacy")
    for storage in ("localStorage", "sessionStorage", "indexedDB"):
        assert (storage in text) is any(storage in script for script in scripts)


def test_every_cookie_of_ours_is_named(client: Client, site: Site, settings: Any) -> None:
    text = texts.placeholder(site, "privacy")
    for name in (settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME, "messages"):
        assert f"`{name}`" in text
    client.post("/account/sign-in", {"login": "nobody@example.com", "password": "wrong"})
    client.get("/account/sign-up")
    assert {*client.cookies} <= {settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME, "messages"}


# ---- Markdown ----
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# One\n\n### Two", '<h2 dir="auto">One</h2>\n<h4 dir="auto">Two</h4>'),
        ("### Deep", '<h2 dir="auto">Deep</h2>'),
        ("# a\n\n###### f", '<h2 dir="auto">a</h2>\n<h6 dir="auto">f</h6>'),
        ("- a\n- b", '<ul>\n<li dir="auto">a</li>\n<li dir="auto">b</li>\n</ul>'),
        ("[us](/about)", '<p dir="auto"><a href="/about">us</a></p>'),
        ("a & b", '<p dir="auto">a &amp; b</p>'),
        ("", ""),
    ],
)
def test_markdown_becomes_html(text: str, expected: str) -> None:
    assert render_markdown(text).strip() == expected


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "a <img src=x onerror=alert(1)> b",
        "<!-- --><iframe src='//e.example'></iframe>",
        "[a](javascript:alert(1))",
        "[a](JaVaScRiPt:alert(1))",
        "[a](&#106;avascript:alert(1))",
        "[a](data:text/html;base64,PHNjcmlwdD4=)",
        "<javascript:alert(1)>",
        "[a]: javascript:alert(1)\n\n[a]",
        '[a](https://e.example "x\\" onmouseover=\\"alert(1)")',
        '`"><script>alert(1)</script>`',
        '```x" onclick="alert(1)\n<script>\n```',
        "![a](https://e.example/pixel.png)",
        "| <script> | b |\n| --- | --- |\n| <b>x</b> | ![p](//e.example/p) |",
    ],
)
def test_markdown_carries_nothing_that_acts(text: str) -> None:
    html = render_markdown(text)
    tags = re.findall(r"<([a-z0-9]+)((?:\s[^<>]*)?)>", html)
    assert {name for name, _ in tags} <= {"p", "a", "code", "pre", "table", "thead", "tbody", "tr", "th", "td"}
    for _, attributes in tags:
        assert not re.search(r"\son\w+=(?![^\"]*\"(?:\s|$))", re.sub(r'"[^"]*"', '""', attributes))
        assert not re.search(r'href="\s*(javascript|data|vbscript):', attributes, re.IGNORECASE)


# ---- site admins ----
def test_a_new_page_begins_with_the_placeholder(team: Client, site: Site) -> None:
    buttons = page_of(team, "/admin/sites/sitepage/")
    assert reverse("admin:sites_sitepage_write_privacy") in buttons
    begun = team.get(reverse("admin:sites_sitepage_write_privacy"))
    assert begun["Location"] == f"{ADD}?site={site.pk}&kind=privacy"
    form = team.get(begun["Location"]).context["adminform"].form
    assert form.initial["title"] == "Privacy"
    assert "`sessionid`" in form.initial["text"]
    assert "text" not in team.get(ADD).context["adminform"].form.initial
    assert team.get(ADD, {"site": "x", "kind": "nonsense"}).status_code == 200


def test_a_page_is_written_changed_and_brought_back(team: Client, site: Site, member: User) -> None:
    new = {"site": site.pk, "kind": "terms", "title": "Terms", "text": "First."}
    assert team.post(ADD, new).status_code == 302
    page = SitePage.objects.get()
    change = f"/admin/sites/sitepage/{page.pk}/change/"
    for text in ("Second.", "Second."):
        assert team.post(change, {"title": "Terms", "text": text}).status_code == 302
    first, second = SitePageVersion.objects.order_by("pk")
    assert [(one.snapshot["text"], one.author) for one in (first, second)] == [("First.", member), ("Second.", member)]
    restore = restore_of(first)
    assert "Publish this version again" in page_of(team, restore)
    assert "Second." in page_of(team, "/terms")
    team.post(restore, {"confirmed": "yes"})
    assert "First." in page_of(team, "/terms")
    assert SitePageVersion.objects.count() == 3
    newest = SitePageVersion.objects.latest("pk")
    assert (newest.restored_from, newest.author, newest.via) == (first, member, "admin")
    assert newest.changes == [{"field": "text", "before": "Second.", "after": "First."}]
    assert "Current version" in page_of(team, restore)


def test_a_version_shows_what_changed_and_who_did(team: Client, site: Site, member: User) -> None:
    write(site, member, text="Be kind to all people here.")
    page = write(site, member, text="Be kind to most people here.", title="Rules")
    version = page.versions.latest("pk")
    html = page_of(team, f"/admin/sites/sitepageversion/{version.pk}/change/")
    assert re.search(r"<del[^>]*>all</del><ins[^>]*>most</ins>", html)
    assert re.search(r"<del[^>]*>House rules</del>", html)
    assert member.email in html
    listed = page_of(team, "/admin/sites/sitepageversion/?q=most")
    assert "Rules" in listed
    assert "House rules" not in listed


@pytest.mark.parametrize(
    "wrong",
    [{"title": ""}, {"text": ""}, {"text": "x" * 100_001}, {"title": "x" * 81}, {"kind": "cookies"}, {"site": "0"}],
)
def test_a_page_that_lacks_something_is_not_saved(team: Client, site: Site, wrong: dict[str, str]) -> None:
    answer = team.post(ADD, {"site": site.pk, "kind": "terms", "title": "Terms", "text": "T.", **wrong})
    assert set(answer.context["adminform"].form.errors) == set(wrong)
    assert not SitePage.objects.exists()


def test_a_site_has_one_page_of_a_kind(team: Client, site: Site, member: User) -> None:
    write(site, member)
    answer = team.post(ADD, {"site": site.pk, "kind": "terms", "title": "Terms", "text": "Again."})
    assert answer.context["adminform"].form.has_error(NON_FIELD_ERRORS)
    assert SitePage.objects.get().text == "Be kind."


def test_a_preview_saves_nothing(team: Client, site: Site) -> None:
    assert PREVIEW in page_of(team, ADD)
    answer = team.post(PREVIEW, {"title": "Rules", "text": "**Bold** <b>typed</b>"})
    page = answer.content.decode()
    assert answer.status_code == 200
    assert "<strong>Bold</strong> &lt;b&gt;typed&lt;/b&gt;" in page
    assert "Not saved" in page
    assert not SitePage.objects.exists()
    assert team.post(PREVIEW).status_code == 200


def test_only_those_who_may_write_pages_do(client: Client, site: Site, member: User) -> None:
    page = write(site, member)
    reader = UserFactory.create(is_staff=True)
    reader.user_permissions.add(
        *Permission.objects.filter(codename__in=["view_sitepage", "view_sitepageversion"]),
    )
    client.force_login(reader)
    change = f"/admin/sites/sitepage/{page.pk}/change/"
    assert client.get(change).status_code == 200
    version = page.versions.get()
    for address in (change, ADD, PREVIEW, restore_of(version)):
        answer = client.post(address, {"title": "x", "text": "x", "confirmed": "yes"})
        assert answer.status_code in {302, 403}, address
    page.refresh_from_db()
    assert (page.text, page.versions.count()) == ("Be kind.", 1)
    client.force_login(member)
    assert client.post(f"/admin/sites/sitepage/{page.pk}/delete/", {"post": "yes"}).status_code == 403

"""Typed text survives every way of losing a sign-in, in every form that takes more than a line."""

from typing import Any
from urllib.parse import urlencode

import pytest
from django.core.cache import cache
from django.test import Client
from lxml import html

from apps.accounts.models import User
from apps.comments.models import Comment
from apps.core.editing.kept_forms import COOKIE, MAX_CHARACTERS, SHOWN_TO, fill
from apps.listings.models import Listing
from apps.sites.models import Site
from tests.drafts.factories import DraftFactory
from tests.factories import ListingFactory, UserFactory

ORIGIN = {"origin": "http://testserver"}
# The pages with such forms. `{draft}` is the number of a draft to review.
PAGES = (
    "/listings/acme/edit",
    "/listings/acme/updates/new",
    "/listings/acme/milestones",
    "/listings/acme/story",
    "/listings/acme/comments/new",
    "/listings/acme/save",
    "/collections/new",
    "/account/profile",
    "/account/interview",
    "/drafts/{draft}",
)


@pytest.fixture
def owner(site: Site) -> User:
    made: User = UserFactory.create()
    ListingFactory.create(slug="acme", live=True, company__owner=made)
    return made


@pytest.fixture
def client(owner: User) -> Client:
    client = Client(headers=ORIGIN)
    client.force_login(owner)
    return client


def form_of(client: Client, page: str) -> Any:
    """The form of a page with the most texts."""
    answer = client.get(page)
    assert answer.status_code == 200, page
    tree: Any = html.document_fromstring(answer.content.decode())
    return max((form for form in tree.forms if form.method == "POST"), key=lambda form: len(texts(form)))


def texts(form: Any) -> list[Any]:
    return [*form.xpath(".//textarea[@name]"), *form.xpath(".//input[@name][not(@type) or @type='text']")]


def values(form: Any) -> dict[str, list[str]]:
    """What a browser sends of the form, without its token. It drops the first line break of a text."""
    sent: dict[str, list[str]] = {}
    for name, value in form.form_values():
        sent.setdefault(name, []).append(value.removeprefix("\n"))
    sent.pop("csrfmiddlewaretoken", None)
    return sent


def type_into(form: Any) -> dict[str, list[str]]:
    for number, control in enumerate(texts(form)):
        text = f"Words & <{number}>, written at {control.get('name')}"
        if control.tag == "textarea":
            control.text = text
        else:
            control.set("value", text)
    return values(form)


@pytest.mark.db
@pytest.mark.parametrize("page", PAGES)
def test_the_form_is_there_again_after_signing_in(page: str, client: Client, owner: User) -> None:
    page = page.format(draft=DraftFactory.create(owner=owner, ready=True).pk)
    form = form_of(client, page)
    sent = type_into(form)
    del client.cookies["sessionid"]
    answer = client.post(form.action or page, sent, headers={"referer": f"http://testserver{page}"})
    assert answer.status_code == 302
    sign_in = client.get(answer["Location"])
    assert [message.level_tag for message in sign_in.context["messages"]] == ["info"]
    assert sign_in.context["redirect_field_value"] == page
    client.force_login(owner)
    back = form_of(client, page)
    assert values(back) == sent
    assert "Your text is back" in back.text_content()
    assert values(form_of(client, page)) != sent


@pytest.mark.db
@pytest.mark.parametrize(
    ("method", "path", "next_path"),
    [
        ("post", "/listings/acme/vote", "/account/sign-up?next=/listings/acme/vote"),
        ("post", "/listings/acme/follow", "/account/sign-in?next=/listings/acme"),
        ("get", "/listings/acme/launch", "/account/sign-in?next=/listings/acme/launch"),
    ],
)
def test_a_part_of_a_page_leads_the_whole_page_to_signing_in(
    method: str, path: str, next_path: str, owner: User
) -> None:
    answer = getattr(Client(headers=ORIGIN), method)(path, headers={"hx-request": "true"})
    assert (answer.status_code, answer["HX-Redirect"]) == (204, next_path)
    assert "Location" not in answer


@pytest.mark.db
def test_a_text_in_a_part_of_a_page_is_kept(client: Client, owner: User) -> None:
    page = f"/drafts/{DraftFactory.create(owner=owner, ready=True).pk}"
    sent = type_into(form_of(client, page))
    del client.cookies["sessionid"]
    headers = {"referer": f"http://testserver{page}", "hx-request": "true"}
    answer = client.post(f"{page}/preview", sent, headers=headers)
    assert answer["HX-Redirect"] == f"/account/sign-in?{urlencode({'next': page})}"
    client.force_login(owner)
    assert values(form_of(client, page)) == sent


@pytest.mark.db
def test_the_form_is_there_again_after_a_sign_in_in_another_tab(owner: User) -> None:
    page, strict = "/listings/acme/updates/new", Client(headers=ORIGIN, enforce_csrf_checks=True)
    strict.force_login(owner)
    form = form_of(strict, page)
    sent = type_into(form) | {"csrfmiddlewaretoken": "x" * 64}
    answer = strict.post(page, sent, headers={"referer": f"http://testserver{page}"})
    assert (answer.status_code, answer["Location"]) == (302, page)
    assert "written at body" in form_of(strict, page).xpath(".//textarea[@name='body']")[0].text


@pytest.mark.db
@pytest.mark.parametrize(
    "page",
    [
        "/listings/acme/updates/new",
        "/account/profile",
        "/account/interview",
        "/listings/acme/comments/new",
        "/listings/acme/comments/{comment}/reply",
        "/collections/new",
        "/claims/new",
        "/drafts/new",
    ],
)
def test_another_account_sees_nothing_of_it(page: str, client: Client, owner: User) -> None:
    listing = Listing.objects.get(slug="acme")
    page = page.format(comment=Comment.objects.create(listing=listing, author=UserFactory.create(), text="Hello").pk)
    form = form_of(client, page)
    sent = type_into(form)
    del client.cookies["sessionid"]
    client.post(form.action or page, sent, headers={"referer": f"http://testserver{page}"})
    client.force_login(UserFactory.create())
    answer = client.get(page)
    assert answer.status_code == 404 or "written at" not in answer.content.decode()
    client.force_login(owner)
    assert "Your text is back" in form_of(client, page).text_content()


@pytest.mark.db
def test_what_was_typed_before_signing_in_is_given_to_the_account(owner: User) -> None:
    page, strict = "/listings/acme/updates/new", Client(headers=ORIGIN, enforce_csrf_checks=True)
    strict.force_login(owner)
    sent = type_into(form_of(strict, page)) | {"csrfmiddlewaretoken": "x" * 64}
    del sent[SHOWN_TO]
    strict.post(page, sent)
    assert "Your text is back" in form_of(strict, page).text_content()


@pytest.mark.db
@pytest.mark.parametrize("text", ["旋盤は手で動きます。", "เครื่องกลึง", "Станок"])
def test_a_text_without_spaces_is_kept(text: str, client: Client, owner: User) -> None:
    page = "/listings/acme/updates/new"
    client.get(page)
    del client.cookies["sessionid"]
    client.post(page, {"body": text})
    client.force_login(owner)
    assert text in client.get(page).content.decode()


@pytest.mark.db
@pytest.mark.parametrize("sign", ["\x00", "\x0b", "\x0c", "\x1f", "\ufffe", "\uffff"])
def test_signs_that_no_page_can_hold_leave_the_rest(sign: str, client: Client, owner: User) -> None:
    page = "/listings/acme/updates/new"
    client.get(page)
    del client.cookies["sessionid"]
    client.post(page, {"title": f"One{sign}two", "body": f"Three{sign}four", "gone": f"Five{sign}six"})
    client.force_login(owner)
    form = form_of(client, page)
    assert {"One two", "\nThree four", "Five six"} <= {getattr(text, "value", "") for text in texts(form)} | {
        text.text.strip() for text in form.xpath(".//textarea[@readonly]")
    }


@pytest.mark.db
def test_forms_of_several_tabs_are_all_kept(client: Client, owner: User) -> None:
    pages = ["/listings/acme/updates/new", "/account/interview", "/listings/acme/updates/new"]
    sent = [type_into(form_of(client, page)) for page in pages]
    sent[2] = sent[2] | {"title": ["Another update"]}
    del client.cookies["sessionid"]
    for page, fields in zip(pages, sent, strict=True):
        client.post(page, fields)
    client.force_login(owner)
    for page, fields in zip(reversed(pages), reversed(sent), strict=True):
        assert values(form_of(client, page)) == fields


@pytest.mark.db
@pytest.mark.parametrize(
    ("sent", "headers"),
    [
        ({"body": "one"}, {}),
        ({"body": "Two words"}, {"origin": "https://elsewhere.example"}),
        ({"body": "Two words"}, {"origin": ""}),
        ({"password": "two words"}, {}),
        ({"body": "a word " * MAX_CHARACTERS}, {}),
    ],
    ids=["nothing long", "another website's", "no origin", "a secret", "too long"],
)
def test_what_is_not_kept(sent: dict[str, str], headers: dict[str, str], client: Client) -> None:
    page = "/listings/acme/updates/new"
    client.get(page)
    del client.cookies["sessionid"]
    answer = client.post(page, sent, headers=ORIGIN | headers)
    assert answer["Location"].startswith("/account/sign-in")
    assert COOKIE not in client.cookies


@pytest.mark.db
@pytest.mark.parametrize(
    ("path", "leads_to"), [("//elsewhere.example/a", "/%2Felsewhere.example/a"), ("//[::1", "/%2F[::1")]
)
def test_the_way_back_stays_on_the_site(path: str, leads_to: str, owner: User) -> None:
    strict = Client(headers=ORIGIN, enforce_csrf_checks=True)
    strict.force_login(owner)
    strict.get("/account/profile")
    sent = {"bio": "Two words", "csrfmiddlewaretoken": "x" * 64}
    answer = strict.post("/account/profile", sent, headers={"referer": f"http://testserver{path}"})
    assert (answer.status_code, answer["Location"]) == (302, leads_to)


@pytest.mark.db
@pytest.mark.parametrize("key", ["unknown", "", "a" * 5000])
def test_a_made_up_key_gives_nothing(key: str, client: Client) -> None:
    client.cookies[COOKIE] = key
    assert client.get("/listings/acme/updates/new").status_code == 200


@pytest.mark.db
def test_a_sign_in_form_goes_on_where_somebody_is_signed_in_already(owner: User) -> None:
    strict = Client(headers=ORIGIN, enforce_csrf_checks=True)
    strict.force_login(owner)
    old = {"login": owner.email, "password": "a long password", "csrfmiddlewaretoken": "x" * 64}
    for wanted, leads_to in (
        ("/account/keys", "/account/keys"),
        ("https://elsewhere.example/", "/account"),
        ("", "/account"),
    ):
        answer = strict.post("/account/sign-in", {**old, "next": wanted})
        assert (answer.status_code, answer["Location"]) == (302, leads_to)


PAGE = """<!doctype html><html><body>
<form action="/search"><input name="q"></form>
<form action="/save" method="post" id="f">
<input type="hidden" name="csrfmiddlewaretoken" value="new">
<input name="title" value="old"><textarea name="text">
old</textarea>
<input type="checkbox" name="tags" value="a" checked><input type="checkbox" name="tags" value="b">
<input type="radio" name="kind" value="x" checked><input type="radio" name="kind" value="y">
<select name="week"><option value="1" selected>1</option><option value="2">2</option></select>
<input name="link"><input name="link"><input type="password" name="password"><input type="file" name="photo">
</form><textarea name="more" form="f"></textarea></body></html>"""


def test_every_kind_of_control_is_filled() -> None:
    fields = {
        "csrfmiddlewaretoken": ["old"],
        "title": ["A & <b>"],
        "text": ["\nOne\ntwo"],
        "tags": ["b"],
        "kind": ["y"],
        "week": ["2"],
        "link": ["one", "two", "a third link"],
        "more": ["Outside of it"],
        "gone": ["Of a row that is gone"],
        "photo": ["no file"],
    }
    filled = fill(PAGE, action="/save", fields=fields)
    tree: Any = html.document_fromstring(filled)
    form = tree.forms[1]
    assert dict(form.form_values()) == {
        "csrfmiddlewaretoken": "new",
        "title": "A & <b>",
        "text": "\n\nOne\ntwo",
        "tags": "b",
        "kind": "y",
        "week": "2",
        "link": "two",
    }
    assert "Outside of it" in filled
    assert [note.text.strip() for note in form.xpath(".//textarea[@readonly]")] == [
        "a third link",
        "Of a row that is gone",
        "no file",
    ]


@pytest.mark.parametrize("fields", [{"q": ["two words"]}, {"other": ["two words"]}, {"tags": ["a b"]}, {}])
def test_a_page_without_that_form_stays(fields: dict[str, list[str]]) -> None:
    assert fill(PAGE, action="/save", fields=fields) == ""


@pytest.mark.db
def test_a_form_is_given_back_once(client: Client, owner: User) -> None:
    page = "/listings/acme/updates/new"
    sent = type_into(form_of(client, page))
    del client.cookies["sessionid"]
    client.post(page, sent)
    key = client.cookies[COOKIE].value
    assert [kept["fields"] for kept in cache.get(f"{COOKIE}:{key}")] == [sent]
    client.force_login(owner)
    form_of(client, page)
    assert not cache.get(f"{COOKIE}:{key}")
    assert client.cookies[COOKIE].value == ""
    assert Listing.objects.count() == 1

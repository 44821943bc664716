"""Give back what somebody typed into a form that came without its sign-in.

A sign-in ends in many ways: signed out in another tab, expired, revoked, replaced by another account's. The texts of
forms that are refused for it are cached under a random key in a cookie, because a new sign-in has a new session. A
form's page is filled with them when it is next shown to the account that typed them.
"""

import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import urlencode, urlsplit

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.core.cache import cache
from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, UnreadablePostError
from django.http.response import HttpResponseBase
from django.template.loader import render_to_string
from django.urls import reverse

from apps.core.web.error_pages import IS_REFUSED_FORM, is_own_form, is_secret, is_typed, page_of_form

COOKIE = "kept_forms"
# The field of every form with the account that it was shown to.
SHOWN_TO = "shown_to"
_KEY = re.compile(r"[\w-]{22}", re.ASCII)
# Browsers send them, and no tree takes them.
_CONTROLS = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
MAX_CHARACTERS = 100_000
# One each for a person's open tabs.
MAX_FORMS = 10
SECONDS = 3600
_SIGN_INS = ("account_login", "account_signup", "admin:login")

Fields = Mapping[str, Sequence[str]]


class KeptFormMiddleware:
    """Keeps the texts of a form that is sent to the sign-in page or refused for its token, and gives them back.

    Part of a page, which htmx asks for, never becomes the sign-in page: the whole page does.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if request.method == "POST":
            response = _keep(request, response) or response
        if request.headers.get("HX-Request") == "true" and _sign_in_path(response):
            response["HX-Redirect"] = response["Location"]
            del response["Location"]
            response.status_code = 204
        if request.method == "GET" and COOKIE in request.COOKIES and isinstance(response, HttpResponse):
            _give_back(request, response)
        return response


def _keep(request: HttpRequest, response: HttpResponseBase) -> HttpResponse | None:
    """Keep the form's fields and return a redirect to its page, by way of signing in. None if nothing is lost."""
    sign_in = _sign_in_path(response)
    if not (sign_in or hasattr(response, IS_REFUSED_FORM)) or not is_own_form(request):
        return None
    # Without cookies nothing can be given back. The page for a refused form shows the texts.
    fields = _fields(request) if settings.CSRF_COOKIE_NAME in request.COOKIES else {}
    if not any(is_typed(value) for values in fields.values() for value in values):
        return None
    page, key = page_of_form(request), secrets.token_urlsafe(16)
    stored = {"page": page, "action": request.path, "fields": fields}
    others = [form for form in _kept(request) if form != stored]
    cache.set(f"{COOKIE}:{key}", [stored, *others][:MAX_FORMS], SECONDS)
    if sign_in:
        messages.info(request, "You were signed out. Sign in, and your text is still there.")
        page = f"{sign_in}?{urlencode({REDIRECT_FIELD_NAME: page})}"
    answer = HttpResponseRedirect(page)
    answer.set_cookie(
        COOKIE, key, max_age=SECONDS, httponly=True, samesite="Lax", secure=bool(settings.SESSION_COOKIE_SECURE)
    )
    return answer


def _sign_in_path(response: HttpResponseBase) -> str:
    """Return the path of the sign-in page that a response redirects to, or an empty text."""
    path = urlsplit(response["Location"]).path if response.status_code == 302 else ""
    return path if path in {reverse(name) for name in _SIGN_INS} else ""


def _fields(request: HttpRequest) -> dict[str, list[str]]:
    """Return the form's fields. Empty if they are too large or can't be read."""
    try:
        sent = {
            name: [_CONTROLS.sub(" ", value) for value in values]
            for name, values in request.POST.lists()
            if not is_secret(name)
        }
    except (SuspiciousOperation, UnreadablePostError):
        return {}
    return sent if sum(len(value) for values in sent.values() for value in values) <= MAX_CHARACTERS else {}


def _kept(request: HttpRequest) -> list[Any]:
    """Return the forms that are kept for this browser, the newest first."""
    key = request.COOKIES.get(COOKIE, "")
    return (_KEY.fullmatch(key) and cache.get(f"{COOKIE}:{key}")) or []


def _give_back(request: HttpRequest, response: HttpResponse) -> None:
    """Fill the page's form if this is a page whose form was kept."""
    if response.status_code != 200 or not response.get("Content-Type", "").startswith("text/html"):
        return
    forms = _kept(request)
    for form in forms:
        if urlsplit(form["page"]).path != request.path:
            continue
        if filled := fill(response.content.decode(), action=form["action"], fields=form["fields"]):
            response.content = filled
            forms.remove(form)
            cache.set(f"{COOKIE}:{request.COOKIES[COOKIE]}", forms, SECONDS)
            if not forms:
                response.delete_cookie(COOKIE, samesite="Lax")
            return


def fill(page: str, *, action: str, fields: Fields) -> str:
    """Return a page with these values in its form, or an empty text if it has no form for them.

    Texts without a field, such as those of rows that a script had added, are shown above the form.
    """
    # Imported here, because few requests need it.
    from lxml import html

    tree: Any = html.document_fromstring(page)
    # Many pages have the same address for every account. A form that was shown to nobody is anyone's.
    [account, *_] = fields.get(SHOWN_TO) or [""]
    forms = [
        form
        for form in tree.forms
        if form.method == "POST"
        and fields.keys() & _texts(form).keys()
        and account in {"", form.xpath("string(.//input[@name=$name]/@value)", name=SHOWN_TO)}
    ]
    if not forms:
        return ""
    form = max(forms, key=lambda form: (urlsplit(form.action or "").path == action, len(fields.keys() & _names(form))))
    left = {name: list(values) for name, values in fields.items()}
    for control in _controls(form):
        _set(control, fields, left)
    lost = [value for values in left.values() for value in values if is_typed(value)]
    note = html.fragment_fromstring(render_to_string("editing/given_back.html", {"texts": lost}), create_parent="div")
    form.insert(0, note)
    return str(html.tostring(tree, encoding="unicode", doctype="<!doctype html>"))


def _controls(form: Any) -> list[Any]:
    """Return the form's controls, also those outside that name it."""
    result: list[Any] = form.xpath(".//*[self::input or self::select or self::textarea][@name][not(@form)]")
    if form.get("id"):
        result += form.xpath("//*[self::input or self::select or self::textarea][@name][@form=$id]", id=form.get("id"))
    return [control for control in result if control.get("type") not in {"file", "password", "submit"}]


def _names(form: Any) -> set[str]:
    return {control.get("name") for control in _controls(form)}


def _texts(form: Any) -> dict[str, Any]:
    """Return the controls that a person types into, by name."""
    return {
        control.get("name"): control
        for control in _controls(form)
        if control.tag == "textarea" or (control.tag == "input" and control.get("type", "text") in {"text", "url"})
    }


def _set(control: Any, fields: Fields, left: dict[str, list[str]]) -> None:
    """Give a control its value, and take that from the values that are left."""
    name = control.get("name")
    if control.get("type") in {"checkbox", "radio"}:
        # A box that was not checked was not sent.
        control.checked = control.get("value", "on") in fields.get(name, ())
        return
    if not left.get(name):
        return
    if control.tag == "select":
        for option in control.iter("option"):
            if option.get("value", option.text) in fields[name]:
                option.set("selected", "selected")
            else:
                option.attrib.pop("selected", None)
        left[name] = []
    elif name != "csrfmiddlewaretoken":
        value = left[name].pop(0)
        if control.tag == "textarea":
            # Browsers drop the first line break.
            control.text = f"\n{value}"
        else:
            control.set("value", value)

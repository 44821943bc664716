"""Templates keep to the layers of their apps: they load, include and link what is in the same app or below."""

import tomllib
from collections import defaultdict
from functools import cache
from pathlib import Path

from django.template.base import Lexer, TokenType
from django.template.engine import Engine
from django.urls import get_resolver

from apps.core.app_modules import app_modules

PROJECT = Path(__file__).resolve().parents[1]
TEMPLATES = PROJECT / "templates"
# Folders with a name that a library or an error page asks for.
_OF_OTHER_NAMES = {
    **dict.fromkeys(("account", "mfa", "oauth", "socialaccount", "usersessions"), "accounts"),
    **dict.fromkeys(("about", "admin", "unfold"), "sites"),
    **dict.fromkeys(("editing", "emails", "icons", "parts"), "core"),
}
# What surrounds every page, or replaces one. It leads to pages of all apps, and so may every page.
FRAME = "frame"


@cache
def layers() -> dict[str, int]:
    """The height of each app, by the contract of the imports."""
    contracts = tomllib.loads((PROJECT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    [stack] = [one["layers"] for one in contracts if one["name"] == "Apps stand in layers"]
    return {
        name.strip().removeprefix("apps."): height
        for height, names in enumerate(reversed(stack))
        for name in names.split("|")
    }


@cache
def apps_of_pages() -> dict[str, str]:
    """The app of each URL name."""
    return {
        name: module.__name__.split(".")[1]
        for module in app_modules("urls")
        if hasattr(module, "urlpatterns")
        for name in get_resolver(module.__name__).reverse_dict
        if isinstance(name, str)
    }


@cache
def apps_of_tags() -> dict[str, str]:
    """The app of each tag library of the project."""
    libraries = Engine.get_default().libraries.items()
    return {name: module.split(".")[1] for name, module in libraries if module.startswith("apps.")}


def app_of(template: str) -> str:
    folder = template.partition("/")[0]
    return FRAME if template == "base.html" or folder == "errors" else _OF_OTHER_NAMES.get(folder, folder)


@cache
def uses() -> dict[str, set[tuple[str, str]]]:
    """What each template names: pairs of the tag and its first word."""
    result: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for path in TEMPLATES.rglob("*.*"):
        for token in Lexer(path.read_text()).tokenize():
            if token.token_type != TokenType.BLOCK:
                continue
            tag, *words = token.split_contents()
            if tag == "load":
                result[str(path.relative_to(TEMPLATES))] |= {(tag, word) for word in words}
            elif tag in {"url", "include"} and words[0][0] in "\"'":
                result[str(path.relative_to(TEMPLATES))].add((tag, words[0][1:-1]))
    return result


def upward(template: str) -> list[str]:
    """What a template uses of apps above its own."""
    anywhere = {word for name in uses() if app_of(name) == FRAME for tag, word in uses()[name] if tag == "url"}
    height = layers()[app_of(template)]
    result = []
    for tag, word in sorted(uses()[template]):
        if tag == "url":
            app = None if word in anywhere else apps_of_pages().get(word)
        else:
            app = apps_of_tags().get(word) if tag == "load" else app_of(word)
        if app not in {None, FRAME} and layers()[app] > height:
            result.append(f"{tag} {word} of {app}")
    return result


def test_no_template_goes_up() -> None:
    result = {name: upward(name) for name in uses() if app_of(name) != FRAME}
    assert {name: what for name, what in result.items() if what} == {}


def test_what_goes_up_is_noticed() -> None:
    uses()["core/example.html"] = {("load", "placements"), ("url", "pricing"), ("include", "orders/parts/header.html")}
    try:
        assert upward("core/example.html") == [
            "include orders/parts/header.html of orders",
            "load placements of orders",
            "url pricing of directory",
        ]
    finally:
        del uses()["core/example.html"]

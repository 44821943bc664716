"""Grammars of what programs read of a site, written from their specifications, and the checks against them."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator, FormatChecker
from lxml import etree

_FOLDER = Path(__file__).parent


def check_xml(content: bytes, grammar: str) -> Any:
    """The root of a document that fits `atom.rng`, `rss.rng`, `sitemap.xsd` and so on; fails with what does not."""
    root = etree.fromstring(content)
    validator = _grammar(grammar)
    assert validator.validate(root), str(validator.error_log)
    return root


def check_json(content: bytes, schema: str) -> Any:
    """The value of a document that fits a JSON schema of this folder."""
    value = json.loads(content)
    validator = Draft202012Validator(json.loads((_FOLDER / schema).read_text()), format_checker=FormatChecker())
    result = [f"{error.json_path}: {error.message}" for error in validator.iter_errors(value)]
    assert not result, result
    return value


@cache
def _grammar(name: str) -> Any:
    document = etree.parse(_FOLDER / name)
    return etree.RelaxNG(document) if name.endswith(".rng") else etree.XMLSchema(document)

"""Which meta tags are in a page's head, as browsers see it. Everything else in a page proves nothing."""

import pytest

from apps.core.html.heads import meta_tags

TAG = '<meta name="slipway-claim" content="word">'
FOUND = {"name": "slipway-claim", "content": "word"}


@pytest.mark.parametrize(
    "html",
    [
        f"<!doctype html><html lang=en><head><title>Acme</title>{TAG}</head><body></body></html>",
        f"\ufeff<!-- first --><!DOCTYPE html>\n<html>\n<head>\n{TAG}",
        TAG,
        f"<title>Acme</title>{TAG}<h1>Acme</h1>",
        f"<head><script>if (a < b) document.write('</p>')</script><style>a > b {{}}</style>{TAG}</head>",
        f"<head><noscript><link rel=stylesheet href=x></noscript><link rel=icon href=x>{TAG}</head>",
        f"<head><base href=/></link></title>{TAG}</head>",
        "<META NAME='slipway-claim'\n CONTENT='word'/>",
        "<meta content = word name = slipway-claim />",
        '<meta name="slipway-claim" content="word" content="other" name="x">',
        '<meta data-text="a > b" name="slipway-claim" content="word">',
        f"<head><!-- a --- b --!>{TAG}</head>",
        f"<!-->{TAG}",
        f"<?xml version='1.0'?>{TAG}",
    ],
)
def test_a_tag_in_the_head(html: str) -> None:
    result = [tag for tag in meta_tags(html) if tag.get("name") == "slipway-claim"]
    assert [{name: tag[name] for name in FOUND} for tag in result] == [FOUND]


@pytest.mark.parametrize(
    "html",
    [
        f"<head></head>{TAG}<body>",
        f"<head></head><body>{TAG}</body>",
        f"<head><title>Acme</title></head><body><p>{TAG}</p>",
        f"<p>Hello</p>{TAG}",
        f"Hello {TAG}",
        f"<head>Hello {TAG}</head>",
        f"<body><head>{TAG}</head></body>",
        f"<div><html><head>{TAG}</head></html></div>",
        f"<head><!-- {TAG} --></head>",
        f"<head><!-- a -- > {TAG} --></head>",
        f"<head><!-- never closed {TAG}</head>",
        f"<head><title>{TAG}</title></head>",
        f"<head><title>{TAG}</head>",
        f"<head><title>a</titles>{TAG}</title></head>",
        f"<head><script>var a = `{TAG}`</script></head>",
        f"<head><script><!--<script></script>{TAG}</script></head>",
        f"<head><style>/* {TAG} */</style></head>",
        f"<head><noscript>{TAG}</noscript></head>",
        f"<head><template>{TAG}</template></head>",
        f"<head><template></template>{TAG}</head>",
        f"<head><textarea>{TAG}</textarea></head>",
        f"<head><link title='{TAG}' rel=x></head>",
        f"<head><meta name=\"description\" content='{TAG}'></head>",
        f'<head><meta name=description content="{TAG.replace(chr(34), chr(39))}"></head>',
        f"<head><svg>{TAG}</svg></head>",
        f"<head></br>{TAG}</head>",
        f"&lt;meta&gt;{TAG}",
        "<head><meta name=slipway-claim content='word</head>",
        "<head><meta name='slipway-claim content=word>",
        "<metaname=slipway-claim content=word>",
        '<meta property="slipway-claim" content="word">',
        '<meta name="x" name="slipway-claim" content="word">',
        "",
        "<",
    ],
)
def test_everywhere_else_it_is_none(html: str) -> None:
    assert [tag for tag in meta_tags(html) if tag.get("name") == "slipway-claim"] == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "part",
    ["<", "<!--", "<!-- - ", "<meta ", "<meta a='", "<meta a=", "<title>", "<script>", "</", '<a b="', "--", "<meta>"],
)
def test_repeated_parts_take_no_time_that_grows_with_their_square(part: str) -> None:
    # A square of these lengths would not end within the run.
    list(meta_tags(part * 100_000))
    list(meta_tags("<head>" + part * 100_000 + TAG))


@pytest.mark.slow
def test_tags_that_never_end_are_read_once() -> None:
    for piece in ("<a ", '<a b="c" \'', "<meta charset=x "):
        assert list(meta_tags(piece * 200_000, anywhere=True)) == []

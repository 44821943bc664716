"""Pages that send their visitors on without a click."""

import pytest

from apps.core.html.refresh import refresh_target

PAGE = "https://acme.example/home/"


def target(html: str = "", *, header: str = "") -> str:
    return refresh_target(html.encode(), content_type="text/html", page_url=PAGE, header=header)


@pytest.mark.parametrize(
    ("content", "leads_to"),
    [
        ("0; url=/en/", "https://acme.example/en/"),
        ("0;URL=/en/", "https://acme.example/en/"),
        ("0 ;\n url = /en/", "https://acme.example/en/"),
        ("0;url='/en/'", "https://acme.example/en/"),
        ("0;url=&quot;/en/&quot;", "https://acme.example/en/"),
        ("0;url='/en/", "https://acme.example/en/"),
        ("0;url='/en/' trailing", "https://acme.example/en/"),
        ("0,/en/", "https://acme.example/en/"),
        ("0 /en/", "https://acme.example/en/"),
        ("0;/en/", "https://acme.example/en/"),
        ("0;'/en/'", "https://acme.example/en/"),
        ("0.5; url=/en/", "https://acme.example/en/"),
        (".5; url=/en/", "https://acme.example/en/"),
        ("  3; url=/en/", "https://acme.example/en/"),
        ("10; url=/en/", "https://acme.example/en/"),
        ("0; url=en/", "https://acme.example/home/en/"),
        ("0; url=?lang=en", "https://acme.example/home/?lang=en"),
        ("0; url=//www.acme.example/", "https://www.acme.example/"),
        ("0; url=http://other.example/a b", "http://other.example/a b"),
        ("0; url=\\en\\", "https://acme.example/en/"),
        ("0; url=/e\nn/", "https://acme.example/en/"),
        ("0; url=URL=/en/", "https://acme.example/home/URL=/en/"),
        ("0", PAGE),
        ("0; url=", PAGE),
        ("0;", PAGE),
        ("11; url=/en/", ""),
        ("99999999999999999999; url=/en/", ""),
        ("url=/en/", ""),
        ("; url=/en/", ""),
        ("0x; url=/en/", ""),
        ("-1; url=/en/", ""),
        ("", ""),
        ("0; url=javascript:alert(1)", ""),
        ("0; url=data:text/html,x", ""),
        ("0; url=file:///etc/passwd", ""),
        ("0; url=http://[", ""),
    ],
)
def test_each_spelling_of_a_refresh(content: str, leads_to: str) -> None:
    assert target(f'<title>x</title><META content="{content}" HTTP-EQUIV=" Refresh ">') == leads_to
    if "&" not in content:
        assert target(header=content) == leads_to


@pytest.mark.parametrize(
    ("html", "leads_to"),
    [
        ("<noscript>{}</noscript>", ""),
        ("<template>{}</template>", ""),
        ("<!-- {} -->", ""),
        ("<script>'{}'</script>", ""),
        ("<textarea>{}</textarea>", ""),
        ("<body><center>Redirecting …</center>{}", "https://acme.example/en/"),
        ('<base href="https://cdn.example/x/">{}', "https://cdn.example/en/"),
        ('<meta http-equiv="refresh" content="soon">{}', "https://acme.example/en/"),
        ('<meta http-equiv="refresh" content="300">{}', ""),
        ('<meta name="refresh" content="0; url=/no/">', ""),
        ('<noscript><meta http-equiv="refresh" content="0; url=/no/"></noscript>{}', "https://acme.example/en/"),
    ],
)
def test_only_a_tag_that_browsers_obey_counts(html: str, leads_to: str) -> None:
    tag = '<meta http-equiv="refresh" content="0; url=/en/">'
    assert target(html.replace("{}", tag)) == leads_to


def test_the_header_counts_first() -> None:
    tag = '<meta http-equiv="refresh" content="0; url=/meta/">'
    assert target(tag, header="0; url=/header/") == "https://acme.example/header/"
    assert target(tag, header="soon") == "https://acme.example/meta/"


def test_only_the_first_tags_are_read() -> None:
    useless = f'<meta http-equiv="refresh" content="{"0" * 4000}x">'
    tag = '<meta http-equiv="refresh" content="0; url=/en/">'
    assert target(useless * 19 + tag) == "https://acme.example/en/"
    assert target(useless * 500 + tag) == ""

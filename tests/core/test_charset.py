"""Pages in every character set that browsers read, however they declare it."""

import pytest
import webencodings

from apps.core.html import decode
from apps.core.html.charset import GUESS_WINDOW

JAPANESE, KOREAN = "日本語の請求書アプリ", "한국어 청구서 앱"
SIMPLIFIED, TRADITIONAL = "中文发票应用程序", "繁體中文發票應用程式"
CYRILLIC, GREEK, THAI = "Счета за минуты", "Τιμολόγια σε λεπτά", "ใบแจ้งหนี้"
TEXTS = {
    "shift_jis": JAPANESE, "euc-jp": JAPANESE, "iso-2022-jp": JAPANESE, "euc-kr": KOREAN, "gbk": SIMPLIFIED,
    "gb18030": SIMPLIFIED, "big5": TRADITIONAL, "ibm866": CYRILLIC, "koi8-r": CYRILLIC, "koi8-u": "Рахунки за хвилини",
    "windows-1251": CYRILLIC, "iso-8859-5": CYRILLIC, "x-mac-cyrillic": CYRILLIC, "windows-1253": GREEK,
    "iso-8859-7": GREEK, "windows-874": THAI, "windows-1255": "חשבוניות", "iso-8859-8": "חשבוניות",
    "iso-8859-8-i": "חשבוניות", "windows-1256": "فواتير", "iso-8859-6": "فواتير", "windows-1250": "Účtovnictví",
    "iso-8859-2": "Účtovnictví", "windows-1254": "Faturalarınız", "windows-1257": "Sąskaitos",
    "windows-1258": "Hóa đơn", "iso-8859-16": "Facturi în țară",
}  # fmt: skip
NAMES = sorted({name for name in webencodings.LABELS.values() if name not in {"replacement", "x-user-defined"}})
HOW = {
    "header": ("{}", "text/html; charset={label}"),
    "quoted header": ("{}", 'text/html;Charset = "{label}"; v=1'),
    "meta": ('<meta charset="{label}">{}', "text/html"),
    "http-equiv": ("<META HTTP-EQUIV=Content-Type CONTENT='text/html; charset={label}'>{}", "text/html"),
    "declaration": ('<?xml version="1.0" encoding="{label}"?>{}', "application/xhtml+xml"),
}


def encoded(text: str, name: str) -> bytes:
    return bytes(webencodings.encode(text, name, "strict"))


@pytest.mark.parametrize("how", HOW)
def test_every_declared_set_is_read(how: str) -> None:
    page, header = HOW[how]
    for name in NAMES:
        if name.startswith("utf-16") and "header" not in how:
            # A label in ASCII bytes can't mean UTF-16.
            continue
        html = page.replace("{label}", name).replace("{}", f"<title>{TEXTS.get(name, 'Müßig')}</title>")
        assert decode(encoded(html, name), content_type=header.replace("{label}", name)) == html, name


def test_every_label_of_the_standard_means_what_browsers_read() -> None:
    for label, name in webencodings.LABELS.items():
        text = TEXTS.get(name, "Müßig")
        if name in NAMES:
            assert decode(encoded(text, name), content_type=f"text/html; charset= {label.upper()} ") == text, label


@pytest.mark.parametrize(
    ("body", "label", "text"),
    [
        (b"\x93Gr\xfc\xdfe\x94 \x96 \x80", "iso-8859-1", "“Grüße” – €"),
        (b"\x93Gr\xfc\xdfe\x94", "us-ascii", "“Grüße”"),
        (b"a\x81\xfc", "windows-1252", "a\x81ü"),
        (b"\x87@\x87\x8a\xfb\xfc", "x-sjis", "①㈱髙"),
        (b"\xad\xa1\xad\xea\xfc\xe2\xc6\xfc\xcb\xdc", "euc-jp", "①㈱髙日本"),
        (b"\x1b$B-!-jF|K\\\x1b(B end", "iso-2022-jp", "①㈱日本 end"),
        (b"\x1b(I67\x1b(B", "csiso2022jp", "ｶｷ"),
        (b"\xf9\xfe\xa4\xa4\xa4\xe5", "big5", "￭中文"),
        (b"\x80 \xd6\xd0\xce\xc4", "gb2312", "€ 中文"),
        (b"\x81\x41\xc7\xd1\xb1\xdb", "ks_c_5601-1987", "갂한글"),
        (b"\xa1\xb9\x85", "tis-620", "กน…"),
        ("Müßig".encode("cp1252"), "x-user-defined", "Müßig"),
    ],
)
def test_a_label_means_the_superset_that_browsers_read(body: bytes, label: str, text: str) -> None:
    assert decode(body, content_type=f"text/html; charset={label}") == text


def test_one_broken_byte_costs_one_character() -> None:
    for name in ("shift_jis", "euc-jp", "euc-kr", "gbk", "big5"):
        body = encoded(TEXTS[name] * 3, name) + b"\x81 <b>" + encoded(TEXTS[name], name)
        assert decode(body, content_type=f"text/html; charset={name}") == f"{TEXTS[name] * 3}\ufffd <b>{TEXTS[name]}"


@pytest.mark.parametrize(
    ("html", "content_type"),
    [
        ("<meta charset=iso-8859-1><title>Grüße</title>", "text/html"),
        ("<meta charset=shift_jis><title>日本語</title>", "text/html; charset=big5"),
        ("<meta charset=utf-16><title>日本語</title>", "text/html; charset=utf-16"),
        ("<title>Grüße +AGE-</title>", "text/html; charset=utf-7"),
        ("<title>Grüße ~{VPND~}</title>", "text/html; charset=hz-gb-2312"),
        ("<title>Grüße</title>", "text/html; charset=utf8mb4"),
        ("<title>Grüße</title>", "text/html; charset="),
        ("<title>Grüße</title>", "text/html; charset=\u00fc"),
        ("<title>Grüße</title>", "text/html; charset=zlib"),
    ],
)
def test_what_is_valid_utf_8_is_read_so(html: str, content_type: str) -> None:
    assert decode(html.encode(), content_type=content_type) == html


@pytest.mark.parametrize("name", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("content_type", ["text/html", "text/html; charset=utf-16", "text/html; charset=iso-8859-1"])
def test_utf_16_is_read_with_and_without_a_mark(name: str, content_type: str) -> None:
    html = f"<html><title>{JAPANESE}</title><p>Rechnungen in Minuten</p>"
    assert decode(html.encode(name), content_type=content_type) == html
    assert decode(f"\ufeff{html}".encode(name), content_type=content_type) == html
    xml = f'<?xml version="1.0" encoding="utf-16"?>{JAPANESE}'
    assert decode(xml.encode(name), content_type="application/xhtml+xml") == xml


def test_utf_16_without_ascii_needs_its_header() -> None:
    assert decode(JAPANESE.encode("utf-16-le"), content_type="text/html; charset=utf-16") == JAPANESE


@pytest.mark.parametrize(
    "before",
    [
        "<!-- <meta charset=koi8-r> -->",
        "<script>'<meta charset=koi8-r>'</script>",
        "<style>/* <meta charset=koi8-r> */</style>",
        '<meta name="description" content="text/html; charset=koi8-r">',
        '<meta http-equiv="refresh" content="9; charset=koi8-r">',
        "<meta charset=nonsense>",
        '<!doctype html><html lang=ru><head><link rel=x href="<meta charset=koi8-r>">',
        "<body><p>",
        "<!-- " + "x" * 3000 + " -->",
    ],
)
def test_the_meta_tag_that_browsers_see_counts(before: str) -> None:
    html = f"{before}<meta charset=windows-1251><title>{CYRILLIC}</title>"
    assert decode(html.encode("cp1251"), content_type="text/html") == html


def test_the_header_counts_before_the_page_and_a_declaration_of_xml_in_xml() -> None:
    html = f'<?xml version="1.0" encoding="koi8-r"?><meta charset="windows-1251">{CYRILLIC}'
    assert decode(html.encode("ibm866"), content_type="text/html; charset=ibm866") == html
    assert decode(html.encode("cp1251"), content_type="text/html") == html
    assert decode(html.encode("koi8-r"), content_type="application/xhtml+xml") == html


def test_short_text_of_two_bytes_a_character_is_not_taken_for_utf_8() -> None:
    # "联通" and "小猫" are well known for it: all their bytes are also valid UTF-8.
    body = bytes.fromhex("d0a1c3a8")
    assert body.decode() == "Сè"
    assert decode(b"<title>" + body, content_type="text/html; charset=gbk") == "<title>小猫"


def test_broken_utf_8_that_is_declared_stays_utf_8() -> None:
    for head, header in (("", "text/html; charset=utf-8"), ("<meta charset=UTF-8>", "text/html")):
        html = f"{head}<p>Für Büros"
        assert decode(html.encode() + b" in Besan\xe7on", content_type=header) == f"{html} in Besan\ufffdon"
        assert decode(f"{head}{GERMAN}".encode("latin-1"), content_type=header) == f"{head}{GERMAN}"


def test_no_guess_gives_ascii_another_meaning() -> None:
    rules = b"User-agent: *\nDisallow: /\n"
    for noise in (b"\xff", b"\x80\x81\x8d", bytes(range(128, 256)) * 9, b"\xc3\xb6\xf6+AGE-~{"):
        assert rules.decode() in decode(noise + b"\n" + rules, content_type="text/plain")


def test_a_declaration_that_does_not_fit_gives_way_to_the_next() -> None:
    html = f'<meta charset="shift_jis"><title>{JAPANESE * 5}</title>'
    assert decode(html.encode("cp932"), content_type="text/html; charset=euc-kr") == html


GERMAN = "Schöne Grüße aus Köln: für kleine Büros, die täglich viele Aufträge prüfen müssen. " * 3


@pytest.mark.parametrize(
    ("body", "content_type", "text"),
    [
        ("Grüße".encode(), "text/html; charset=iso-8859-1", "Grüße"),
        ("Grüße".encode("cp1252"), "text/html; charset=iso-8859-1", "Grüße"),
        ("„Grüße“ – €".encode("cp1252"), "text/html; charset=latin1", "„Grüße“ – €"),
        ("\ufeffGrüße".encode(), "text/html; charset=utf-16", "Grüße"),
        (GERMAN.encode("cp1252"), "text/html; charset=nonsense", GERMAN),
        (b"plain", "text/html; charset=zlib_codec", "plain"),
        ("Grüße".encode()[:-1], "text/html", "Grüß"),
        ("Zürich".encode()[:2], "text/html", "Z"),
        ("ä".encode() * 20 + b"\xff", "text/html", "ä" * 20 + "\ufffd"),
        (b"", "", ""),
    ],
)
def test_decode(body: bytes, content_type: str, text: str) -> None:
    assert decode(body, content_type=content_type) == text


def test_any_bytes_become_text() -> None:
    for body in (bytes(range(256)), b"\x81\x8d\x8f" * 100, b"\xff\xfe\x00", b"\x00" * 50):
        assert isinstance(decode(body, content_type="text/html; charset=utf-8"), str)


def test_a_page_in_an_undeclared_charset_is_guessed() -> None:
    text = "Быстрая доставка еды по всему городу, удобная оплата и честные отзывы покупателей. " * 5
    assert decode(text.encode("cp1251"), content_type="text/html") == text


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("<title>Acme® – © 2024 Acme</title>", "windows-1252"),
        ("<title>Пекарня - счета за минуту</title><p>Удобные счета для пекарни</p>", "koi8-r"),
        ("<title>請求書アプリ クルメル</title><p>パン屋のための請求書</p>", "euc-jp"),
    ],
)
def test_only_a_set_that_browsers_read_is_guessed(text: str, name: str) -> None:
    assert decode(encoded(text, name), content_type="text/html") == text


@pytest.mark.parametrize(
    "text", ["Niño: contraseñas", "Café Zoé – crêpes à emporter", "São Paulo: gestão", "Sæd på øya", "It’s “naïve”: €5"]
)
def test_undeclared_western_text_is_read_as_browsers_do(text: str) -> None:
    for html in (text, f'<html lang="en"><title>{text}</title><h1>{text}</h1><p>Plan your work.</p>'):
        assert decode(html.encode("cp1252"), content_type="text/html") == html


@pytest.mark.parametrize(
    ("language", "text", "names"),
    [
        ("ja", "ソフト", "shift_jis euc-jp"),
        ("zh-CN", "网站首页 欢迎光临", "gb18030"),
        ("zh-Hant", "網站首頁 歡迎光臨", "big5"),
        ("ko", "한국어 홈페이지", "euc-kr"),
        ("ru", "Крюмель", "windows-1251"),
        ("pl", "Strona główna – książki", "windows-1250"),
        ("cs", "Příliš žluťoučký kůň", "windows-1250"),
        ("tr", "Hoş geldiniz: ığüşöç", "windows-1254"),
        ("el", "Αρχική σελίδα", "windows-1253"),
        ("he", "ברוכים הבאים", "windows-1255"),
    ],
)
def test_an_undeclared_charset_is_guessed_by_the_language(language: str, text: str, names: str) -> None:
    html = (
        f'<!doctype html><html class="a" lang="{language}"><title>{text}</title><h1>{text}</h1><p>Plan your work.</p>'
    )
    for name in names.split():
        assert decode(encoded(html, name), content_type="text/html") == html


def test_a_language_that_the_bytes_are_not_in_does_not_count() -> None:
    text = '<html lang="en"><title>Пекарня</title><p>Удобные счета для пекарни за минуту</p>'
    assert decode(text.encode("cp1251"), content_type="text/html") == text


def test_many_declarations_and_bytes_of_no_set_take_no_multiple_of_time() -> None:
    declared = b"".join(b"<meta charset=%s>" % name for name in (b"big5", b"euc-kr", b"shift_jis", b"gbk") * 200)
    assert decode(declared + b"\xff" * 2_000_000, content_type="text/html").startswith("<meta charset=big5>")


def test_the_first_window_of_a_set_may_end_inside_a_character() -> None:
    text = "<meta charset=euc-jp>" + "a" * (GUESS_WINDOW - 22) + "日本語" * 100
    assert decode(text.encode("euc-jp"), content_type="text/html") == text

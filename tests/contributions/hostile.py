"""Texts that would run as script or markup where somebody forgot to escape: 200 and more."""

from itertools import product

_TAGS = (
    "script", "img", "svg", "iframe", "object", "embed", "body", "video", "audio", "math", "details", "input", "style",
    "link", "meta", "base", "form", "marquee", "template", "noscript", "xmp", "textarea", "title", "table", "a",
)  # fmt: skip
_SHAPES = (
    "<{tag} src=x onerror=alert(1)>",
    "<{tag}/onload=alert(1)//",
    '"><{tag} onfocus=alert(1) autofocus>',
    "'><{tag} style=animation:x onanimationstart=alert(1)>x</{tag}>",
    "<{tag}\tsrc=data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==>",
    "</p></div><{tag}>alert(1)</{tag}>",
)
_LINKS = (
    "javascript:alert(1)", "JaVaScRiPt:alert(1)", "java\tscript:alert(1)", "\x01javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>", "vbscript:msgbox(1)", "file:///etc/passwd", "blob:https://a.example/1",
    "https://good.example@evil.example/", "https://evil.example\\@good.example/", "//evil.example/x",
    'https://a.example/"onmouseover="alert(1)', "https://a.example/'onmouseover='alert(1)",
    "https://a.example/<script>alert(1)</script>", "https://a.example/`onclick=alert(1)`", "http://[::1]/x",
    "https://a.example/?q=</a><img src=x onerror=alert(1)>", "https:javascript:alert(1)", "https://javascript:alert(1)",
    "[x](javascript:alert(1))", "<javascript:alert(1)>", "https://a.example/&quot;onload=&quot;alert(1)",
    "https://a.example/%22%3E%3Cscript%3Ealert(1)%3C/script%3E", "http://a.example:99999999999/",
)  # fmt: skip
_ODD = (
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "&#60;script&#62;alert(1)&#60;/script&#62;", "\\u003cscript\\u003ealert(1)",
    "<scr\u200bipt>alert(1)</scr\u200bipt>", "<scr\u00adipt>alert(1)</scr\u00adipt>", "\uff1cscript\uff1ealert(1)",
    "<<script>alert(1)//<</script>", "<script\n>alert(1)</script\n>", "<ScRiPt>alert(1)</sCrIpT>", "<!--<script>-->",
    "<![CDATA[<script>alert(1)</script>]]>",
    "<?xml version='1.0'?><x onload=alert(1)/>", "]]><script>alert(1)</script>",
    "{{7*7}}", "{% load x %}", "${alert(1)}", "#{alert(1)}", "<%= alert(1) %>", "--><script>alert(1)</script><!--",
    "</script><script>alert(1)</script>", "</title><script>alert(1)</script>", "</textarea><script>alert(1)</script>",
    "<svg><script>alert&#40;1)</script>",
    "<math><mtext></p><img src onerror=alert(1)>", "<a\x0bhref=//x>x",
    "<\x00script>",
    "<img src=`x`onerror=alert(1)>", "<svg/onload=alert`1`>", "\u2028<script>alert(1)</script>",
    "\ufeff<script>alert(1)",
)  # fmt: skip
STRINGS = (
    *(shape.format(tag=tag) for shape, tag in product(_SHAPES, _TAGS)),
    *_LINKS,
    *_ODD,
)
assert len(set(STRINGS)) >= 200

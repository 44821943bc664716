"""Where a client may be sent back to: the addresses that registration refuses, and those that it takes."""

from typing import Any

import pytest
from django.core.exceptions import ValidationError

from apps.accounts.clients.redirects import MAX_REDIRECT_URIS, check_redirect_uri, join_redirect_uris
from apps.accounts.models import Application
from tests.accounts.oauth.flow import CALLBACK, HOST, named, refused, register

# Addresses that no authorization code may be sent to.
REFUSED_ADDRESSES = {
    "http on a foreign host": "http://assistant.example.com/cb",
    "http in capitals": "HTTP://assistant.example.com/cb",
    "http on a private address": "http://192.168.0.1/cb",
    "http on any address": "http://0.0.0.0/cb",
    "short loopback": "http://127.1/cb",
    "another loopback address": "http://127.0.0.2/cb",
    "hexadecimal loopback": "http://0x7f.1/cb",
    "octal loopback": "http://0177.0.0.1/cb",
    "loopback as one number": "http://2130706433/cb",
    "loopback as a hexadecimal number": "http://0x7f000001/cb",
    "loopback as a label": "http://127.0.0.1.evil.example/cb",
    "localhost as a label": "http://localhost.evil.example/cb",
    "localhost with a dot": "http://localhost./cb",
    "loopback with a dot": "http://127.0.0.1./cb",
    "name under localhost": "http://app.localhost/cb",
    "mapped loopback": "http://[::ffff:127.0.0.1]/cb",
    "mapped loopback over https": "https://[::ffff:127.0.0.1]/cb",
    "loopback spelled out": "http://[0:0:0:0:0:0:0:1]/cb",
    "loopback with a zone": "http://[::1%25lo]/cb",
    "loopback as user name": "http://127.0.0.1@evil.example/cb",
    "loopback with a password": "http://127.0.0.1:80@evil.example/cb",
    "loopback before a backslash": "http://127.0.0.1\\@evil.example/cb",
    "backslashes": "https:\\\\assistant.example.com\\cb",
    "backslash in the path": "https://assistant.example.com/cb\\..",
    "user name": "https://user@assistant.example.com/cb",
    "empty user name": "https://@assistant.example.com/cb",
    "password": "https://user:password@assistant.example.com/cb",
    "fragment": "https://assistant.example.com/cb#here",
    "empty fragment": "https://assistant.example.com/cb#",
    "any subdomain": "https://*.example.com/cb",
    "any host": "https://*/cb",
    "port as a wildcard": "https://assistant.example.com:*/cb",
    "port out of range": "https://assistant.example.com:65536/cb",
    "port of letters": "https://assistant.example.com:port/cb",
    "negative port": "https://assistant.example.com:-1/cb",
    "policy in the port": "https://assistant.example.com:443;script-src/cb",
    "policy in the host": "https://assistant.example.com;script-src/cb",
    "comma in the host": "https://a.example,b.example/cb",
    "no host": "https:///cb",
    "no slashes": "https:assistant.example.com/cb",
    "one slash": "https:/assistant.example.com/cb",
    "bare word": "https://intranet/cb",
    "one address": "https://93.184.215.14/cb",
    "address as a number": "https://1572395022/cb",
    "IPv6 address": "https://[2606:2800:220:1::1]/cb",
    "unclosed bracket": "https://[::1/cb",
    "empty brackets": "https://[]/cb",
    "underscore in the host": "https://my_app.example.com/cb",
    "percent in the host": "https://assistant%2eexample.com/cb",
    "empty label": "https://assistant..example.com/cb",
    "trailing dot": "https://assistant.example.com./cb",
    "international name": "https://bücher.example/cb",
    "full-width letters": "https://ｅｘａｍｐｌｅ.com/cb",
    "Cyrillic look-alike": "https://\u0430ssistant.example.com/cb",
    "ideographic full stop": "https://example\u3002com/cb",
    "space in the middle": "https://assistant.example.com/a b",
    "leading space": " https://assistant.example.com/cb",
    "trailing space": "https://assistant.example.com/cb ",
    "two in one": f"{CALLBACK} https://evil.example/cb",
    "tab": "https://assistant.example.com/\tcb",
    "tab in the scheme": "java\tscript:alert(1)",
    "line feed": "https://assistant.example.com/\ncb",
    "line feed at the end": "https://assistant.example.com/cb\n",
    "header after a line feed": "https://assistant.example.com/cb\r\nSet-Cookie: a=b",
    "null character": "https://assistant.example.com/\x00cb",
    "delete character": "https://assistant.example.com/\x7fcb",
    "no-break space": "https://assistant.example.com/\xa0cb",
    "bidi override": "https://assistant.example.com/\u202ecb",
    "script": "javascript:alert(1)",
    "script in capitals": "JavaScript:alert(1)//https://assistant.example.com",
    "script with a host": "javascript://assistant.example.com/%0aalert(1)",
    "old script": "vbscript:msgbox(1)",
    "data": "data:text/html,<script>alert(1)</script>",
    "data in capitals": "DATA:text/html;base64,PHNjcmlwdD4=",
    "file": "file:///etc/passwd",
    "source": "view-source:https://assistant.example.com/",
    "blob": "blob:https://assistant.example.com/1",
    "about": "about:blank",
    "inner frame": "filesystem:https://assistant.example.com/temporary/1",
    "Android intent": "intent://cb#Intent;scheme=https;end",
    "mail": "mailto:somebody@example.com",
    "web socket": "wss://assistant.example.com/cb",
    "unknown program": "evilapp://callback",
    "reversed domain": "com.example.app:/callback",
    "out of band": "urn:ietf:wg:oauth:2.0:oob",
    "program without a place": "cursor://",
    "program with a slash only": "vscode:/",
    "program with credentials": "cursor://user@host/cb",
    "program with a fragment": "cursor://host/cb#here",
    "look-alike of a program": "cursors://host/cb",
    "relative": "/callback",
    "scheme-relative": "//assistant.example.com/cb",
    "no scheme": "assistant.example.com/cb",
    "empty": "",
    "a word": "callback",
    "a star": "*",
    "null in quotes": "null",
    "code in the query": f"{CALLBACK}?code=1",
    "hidden code in the query": f"{CALLBACK}?%63ode=1",
    "code without a value": f"{CALLBACK}?code",
    "state in the query": f"{CALLBACK}?a=1&state=fixed",
    "issuer in the query": f"{CALLBACK}?iss=https://evil.example",
    "error in the query": f"{CALLBACK}?error=none",
    "description in the query": f"{CALLBACK}?error_description=none",
    "error address in the query": f"{CALLBACK}?error_uri=https://evil.example",
    "too long": "https://assistant.example.com/" + "a" * 1000,
    "much too long": "https://assistant.example.com/" + "a" * 7000,
}

ACCEPTED_ADDRESSES = {
    "https": CALLBACK,
    "capitals": "HTTPS://Assistant.Example.COM/Callback",
    "port": "https://assistant.example.com:8443/cb",
    "query": f"{CALLBACK}?tenant=1&codes=2",
    "international name in ASCII": "https://xn--bcher-kva.example/cb",
    "loopback": "http://127.0.0.1/cb",
    "loopback with a port": "http://127.0.0.1:33418/cb",
    "IPv6 loopback": "http://[::1]:33418/cb",
    "localhost": "http://localhost:33418/cb",
    "localhost over https": "https://localhost:33418/cb",
    "editor": "cursor://anysphere.cursor-retrieval/oauth/callback",
    "another editor": "vscode://ms-vscode.auth/callback",
}


@pytest.mark.parametrize("uri", named(REFUSED_ADDRESSES))
def test_addresses_that_are_refused(uri: str) -> None:
    with pytest.raises(ValidationError):
        check_redirect_uri(uri)
    with pytest.raises(ValidationError):
        join_redirect_uris([CALLBACK, uri])


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["http on a foreign host", "two in one", "null character", "much too long"])
def test_registration_refuses_them(name: str) -> None:
    uri = REFUSED_ADDRESSES[name]
    refused(register({"client_name": "A", "redirect_uris": [uri]}), error="invalid_redirect_uri")
    refused(register({"client_name": "A", "redirect_uris": [CALLBACK, uri]}), error="invalid_redirect_uri")
    assert not Application.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["http on a foreign host", "script", "code in the query"])
def test_the_model_refuses_them_too(name: str) -> None:
    with pytest.raises(ValidationError):
        Application(redirect_uris=f"{CALLBACK} {REFUSED_ADDRESSES[name]}").full_clean()


@pytest.mark.parametrize("uri", named(ACCEPTED_ADDRESSES))
def test_addresses_that_are_accepted(uri: str) -> None:
    assert join_redirect_uris([uri]) == uri


@pytest.mark.django_db
def test_registration_accepts_them() -> None:
    uris = list(ACCEPTED_ADDRESSES.values())[:MAX_REDIRECT_URIS]
    answer = register({"redirect_uris": uris})
    assert (answer.status_code, answer.json()["redirect_uris"]) == (201, uris)


@pytest.mark.parametrize("host", ["slipway.example", "second.example", "other.third.example", "third.example"])
@pytest.mark.parametrize(
    "form", ["https://{}/cb", "https://{}:443/cb", "https://{}:8443/", "http://{}/cb", "https://{}./cb", "HTTPS://{}/"]
)
@pytest.mark.parametrize("is_shouted", [False, True])
def test_no_code_is_sent_to_ourselves(host: str, form: str, is_shouted: bool, settings: Any) -> None:
    settings.PUBLIC_BASE_URL, settings.PUBLIC_HOST = "https://slipway.example", "slipway.example"
    settings.ALLOWED_HOSTS = ["second.example", ".third.example", HOST]
    with pytest.raises(ValidationError):
        check_redirect_uri(form.format(host.upper() if is_shouted else host))


@pytest.mark.django_db
@pytest.mark.parametrize("uri", ["http://127.0.0.1:8000/cb", "http://localhost:8000/cb", "http://[::1]:8000/cb"])
@pytest.mark.parametrize("public", ["127.0.0.1", "localhost", "slipway.localhost"])
def test_nor_by_another_name_of_this_machine(uri: str, public: str, settings: Any) -> None:
    settings.PUBLIC_BASE_URL, settings.PUBLIC_HOST = f"http://{public}:8000", public
    refused(register({"redirect_uris": [uri]}), error="invalid_redirect_uri")
    assert register({"redirect_uris": [uri.replace("8000", "8001")]}).status_code == 201


NUMBERS_OF_ADDRESSES = {
    "none": [],
    "eleven": [f"{CALLBACK}/{number}" for number in range(11)],
    "hundreds": [f"https://a.example/{number}" for number in range(300)],
    "the same again and again": [CALLBACK] * 11,
}


@pytest.mark.django_db
@pytest.mark.parametrize("uris", named(NUMBERS_OF_ADDRESSES))
def test_numbers_of_addresses_that_are_refused(uris: list[str]) -> None:
    refused(register({"redirect_uris": uris}), error="invalid_redirect_uri")

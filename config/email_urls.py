"""Parse EMAIL_URL, the server for outgoing email."""

from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

_PORTS = {"smtp": 25, "smtp+starttls": 587, "smtps": 465}


@dataclass(frozen=True)
class EmailServer:
    """An SMTP server. `starttls` upgrades a plain connection, `tls` uses TLS from the first byte."""

    host: str
    port: int
    user: str
    password: str = field(repr=False)
    starttls: bool
    tls: bool


def email_server(url: str) -> EmailServer:
    """Parse `smtp://`, `smtp+starttls://` or `smtps://`, then `user:password@host:port`.

    Reserved characters in user and password are percent-encoded. Raises ImproperlyConfigured for anything else.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    if parts.scheme not in _PORTS or not parts.hostname:
        raise ImproperlyConfigured("EMAIL_URL must be smtp://, smtp+starttls:// or smtps://user:password@host:port.")
    return EmailServer(
        host=parts.hostname,
        port=port or _PORTS[parts.scheme],
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        starttls=parts.scheme == "smtp+starttls",
        tls=parts.scheme == "smtps",
    )

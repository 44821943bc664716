"""Mails to people: a text, and the same words as HTML."""

from collections.abc import Mapping

from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string


def compose(
    *,
    to: str,
    subject: str,
    text: str,
    site_name: str,
    site_url: str,
    code: str = "",
    headers: Mapping[str, str] | None = None,
) -> EmailMultiAlternatives:
    """A mail from DEFAULT_FROM_EMAIL in the name of a site.

    Paragraphs of `text` are separated by blank lines; its addresses become links. A paragraph that is `code` stands
    out. Line breaks in the subject become blanks. `headers` are added as they are.
    """
    subject = " ".join(subject.split())
    paragraphs = [part.strip() for part in text.strip().split("\n\n") if part.strip()]
    mail = EmailMultiAlternatives(subject, "\n\n".join(paragraphs) + "\n", to=[to], headers=dict(headers or {}))
    context = {
        "subject": subject,
        "paragraphs": paragraphs,
        "code": code,
        "site_name": site_name,
        "site_url": site_url,
    }
    mail.attach_alternative(render_to_string("mail/letter.html", context), "text/html")
    return mail

"""The headers by which mail programs offer a button to leave."""


def one_click(url: str) -> dict[str, str]:
    """Headers of a mail that one leaves by one POST to `url`, without cookies or a question. Source: RFC 8058."""
    return {"List-Unsubscribe": f"<{url}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}

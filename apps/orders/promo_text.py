"""How promo codes are compared."""

import unicodedata


def normalise_code(typed: str) -> str:
    """The code as it is compared: NFKC, casefold, without white space and invisible characters."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", typed).casefold())
    return "".join(char for char in folded if not char.isspace() and unicodedata.category(char) not in {"Cf", "Cc"})

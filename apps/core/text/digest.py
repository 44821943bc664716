"""Short names of texts."""

from hashlib import sha256


def short_digest(text: str) -> str:
    """Return 16 hexadecimal digits. Equal texts have equal ones."""
    return sha256(text.encode()).hexdigest()[:16]

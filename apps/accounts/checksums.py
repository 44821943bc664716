"""How keys, codes and tokens stand in the database."""

import hashlib
from uuid import UUID


def checksum(secret: str) -> str:
    """SHA-256 in hexadecimal digits, as the toolkit has it; enough for secrets that a machine drew."""
    return hashlib.sha256(secret.encode()).hexdigest()


def family_of(code_checksum: str) -> UUID:
    """The family of all tokens that come from a code: whoever shows the code again names it, without a record."""
    return UUID(bytes=bytes.fromhex(code_checksum)[:16])

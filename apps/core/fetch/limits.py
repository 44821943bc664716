"""How much of a server's time and bytes one fetch accepts."""

from dataclasses import dataclass

MAX_ADDRESS_CHARACTERS = 2048
PORTS = frozenset({80, 443})


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Bounds of one fetch. `deadline_seconds` covers all of it: lookup, redirects, head and body.

    The other times only end a silent server earlier; a dripping one resets them with every byte.
    `max_head_bytes` counts everything before the body, so informational answers too.
    """

    deadline_seconds: float = 10.0
    connect_seconds: float = 4.0
    idle_seconds: float = 6.0
    max_redirects: int = 5
    max_body_bytes: int = 2 * 1024 * 1024
    max_head_bytes: int = 64 * 1024
    max_headers: int = 200

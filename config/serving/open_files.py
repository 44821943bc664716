"""Raise the limit of open files and sockets, which many systems start far below what they allow."""

import resource

# Connections per web process. Idle ones close after 15 seconds.
MOST_CONNECTIONS = 8192
# For all other open files: bodies and responses in files, the database, Valkey.
_ELSE = 1024


def raise_limit() -> None:
    """Raise the soft limit of open files towards the hard one, as far as connections need it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_CONNECTIONS + _ELSE
    if soft != resource.RLIM_INFINITY and soft < wanted:
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, most), hard))


def connections_that_fit() -> int:
    """Return how many connections a web process may accept within the limit of open files."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard == resource.RLIM_INFINITY or hard >= MOST_CONNECTIONS + _ELSE:
        return MOST_CONNECTIONS
    return max(hard - _ELSE, hard // 2)

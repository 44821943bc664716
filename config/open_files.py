"""How many files and sockets a process may have open: many systems start it with far fewer than it may ask for."""

import resource

# Connections that a web process takes; those on which no request arrives are closed after 15 seconds.
MOST_CONNECTIONS = 8192
# For everything else that is open: bodies and answers in files, the database, Valkey.
_ELSE = 1024


def raise_limit() -> None:
    """Raise the soft limit of open files towards the hard one, as far as connections need it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_CONNECTIONS + _ELSE
    if soft != resource.RLIM_INFINITY and soft < wanted:
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, most), hard))


def connections_that_fit() -> int:
    """How many connections a web process may take, such that they stay below the limit of open files."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard == resource.RLIM_INFINITY or hard >= MOST_CONNECTIONS + _ELSE:
        return MOST_CONNECTIONS
    return max(hard - _ELSE, hard // 2)

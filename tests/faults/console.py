"""A process of an installation that runs calls of tests.faults.team, one a line; its client is in shop.py.

usage: python -m tests.faults.console
"""

import json
import sys

import django


def main() -> None:
    django.setup()
    from django.db import close_old_connections

    from tests.faults import team

    for line in sys.stdin:
        wanted = json.loads(line)
        # The server may have been killed since the last call.
        close_old_connections()
        result = getattr(team, wanted["call"])(**wanted["arguments"])
        sys.stdout.write(json.dumps(result) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()

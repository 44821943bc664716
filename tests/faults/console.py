"""A process of an installation that runs calls of a module, one a line; its client is in tests/faults/shop.py.

usage: python -m tests.faults.console [tests.faults.team]
"""

import json
import sys
import traceback
from importlib import import_module

import django


def main() -> None:
    django.setup()
    from django.db import close_old_connections

    calls = import_module(sys.argv[1] if len(sys.argv) > 1 else "tests.faults.team")
    for line in sys.stdin:
        wanted = json.loads(line)
        # The server may have been killed since the last call.
        close_old_connections()
        try:
            answer = {"result": getattr(calls, wanted["call"])(**wanted["arguments"])}
        except Exception:
            answer = {"error": traceback.format_exc()}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()

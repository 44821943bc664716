"""Delete the note of `manage.py up` after it has ended. A stale note would point to a stopped server.

up.py runs this as a script. It is never imported. When possible, `up` deletes its note itself and ends this
process.

usage: note_keeper.py STARTER_PID NOTE
"""

import os
import sys
import time
from pathlib import Path


def main() -> None:
    starter, note = int(sys.argv[1]), Path(sys.argv[2])
    while os.getppid() == starter:
        time.sleep(0.2)
    note.unlink(missing_ok=True)


if __name__ == "__main__":
    main()

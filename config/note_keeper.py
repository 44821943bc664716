"""Removes the note of `manage.py up` once that has ended, however it ended; a stale one would send readers nowhere.

Run as a script by config.up, never imported; `up` removes its note itself when it can, and ends this one then.

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

"""A real Celery worker with its scheduler, on a clock of its own so that lost work is found as soon as a test can wait.

usage: python -m tests.drafts.crawl.kill_worker --name one --pool threads --lease 3 --recover 1 --beat-file PATH
"""

import argparse
import os
from datetime import timedelta

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--name", required=True)
    parser.add_argument("--lease", type=float, required=True, help="seconds; a third of it is the heartbeat")
    parser.add_argument("--recover", type=float, required=True, help="seconds between two recoveries")
    parser.add_argument("--pool", choices=["prefork", "threads"], required=True)
    parser.add_argument("--beat-file", required=True)
    options = parser.parse_args()

    import django

    django.setup()

    from apps.drafts.crawl import lock
    from config.celery import app

    # The pool's processes are forked from this one, so they have these values too.
    lock.LEASE = timedelta(seconds=options.lease)
    lock.REQUEUE_AFTER = timedelta(seconds=4 * options.lease)
    lock.Heartbeat.__init__.__kwdefaults__ = {"seconds": options.lease / 3}
    app.conf.beat_schedule = {
        "drafts-recover": {"task": "apps.drafts.tasks.recover_drafts", "schedule": options.recover},
    }
    app.worker_main(
        [
            *(
                "--quiet",
                "worker",
                "--beat",
                "--schedule",
                options.beat_file,
                "--hostname",
                f"{options.name}@localhost",
            ),
            *(
                "--queues",
                "celery,crawls",
                "--pool",
                options.pool,
                "--concurrency",
                "2",
                "--loglevel",
                "WARNING",
                "--without-gossip",
                "--without-mingle",
            ),
        ]
    )


if __name__ == "__main__":
    main()

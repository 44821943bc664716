"""`manage.py up`: start Slipway with one command."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from config.supervisor import up
from config.supervisor.processes import StartError


class Command(BaseCommand):
    """Parses the command line. config.supervisor.up does the work, in processes that have the right addresses."""

    help = "Starts PostgreSQL, Valkey, the web server, worker, crawler and beat. Ctrl-C stops them all."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: %(default)s)")
        parser.add_argument("--port", type=int, default=8000, help="0 picks a free one (default: %(default)s)")
        parser.add_argument("--data-dir", help="where to keep all data (default: .slipway next to manage.py, or here)")
        parser.add_argument("--no-demo", action="store_true", help="start without the demo companies and owner")
        parser.add_argument("--workers", type=int, help="web processes (default: WEB_PROCESSES, or one per core)")

        parser.add_argument("--verbose", action="store_true", help="print logs instead of writing them to files")

    def handle(self, *_args: object, **options: Any) -> None:
        web = settings.WEB_PROCESSES if options["workers"] is None else options["workers"]
        counts = {
            "--workers or WEB_PROCESSES": web,
            "WORKER_PROCESSES": settings.WORKER_PROCESSES,
            "CRAWL_THREADS": settings.CRAWL_THREADS,
        }
        for name, count in counts.items():
            if count < 1:
                raise CommandError(f"{name} must be 1 or more.")
        connections = settings.DATABASE_CONNECTIONS | {"web": web * sum(settings.WEB_THREADS.values())}
        chosen = up.Options(
            host=options["host"],
            port=options["port"],
            data_dir=Path(options["data_dir"] or settings.DATA_DIR),
            demo=not options["no_demo"],
            web_processes=web,
            worker_processes=settings.WORKER_PROCESSES,
            crawl_threads=settings.CRAWL_THREADS,
            database_connections=sum(connections.values()),
            api_path=settings.API_PATH,
            mcp_path=settings.MCP_PATH,
            emails=settings.EMAIL_FILE_PATH if settings.EMAIL_BACKEND.endswith("filebased.EmailBackend") else "",
            verbose=options["verbose"],
        )
        try:
            up.run(chosen, say=self._say)
        except StartError as error:
            raise CommandError(str(error)) from error

    def _say(self, text: str) -> None:
        self.stdout.write(text)
        self.stdout.flush()

"""`manage.py doctor`: check every part of the installation, and say what to fix."""

import json
import logging
from argparse import ArgumentParser
from collections.abc import Mapping
from dataclasses import asdict
from functools import partial
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.template.defaultfilters import pluralize

from apps.core.operations.doctor.examinations import Examination, Finding, examinations, examine, send_test_email


class ExaminesCommand(BaseCommand):
    """Prints the findings of some parts. Exits with 1 if it finds an error, so that a timer can alert somebody."""

    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="print only the findings, as JSON")

    def parts(self, **options: Any) -> Mapping[str, Examination]:
        """Return what is examined."""
        raise NotImplementedError

    def handle(self, *_args: object, **options: Any) -> None:
        # Parts that fail log it, too.
        logging.disable(logging.CRITICAL)
        try:
            findings = self._examined(options)
        finally:
            logging.disable(logging.NOTSET)
        if options["json"]:
            self.stdout.write(json.dumps([asdict(finding) for finding in findings], indent=2))
        errors = sum(finding.level == "error" for finding in findings)
        if errors:
            raise CommandError(f"{errors} error{pluralize(errors)} found.")

    def _examined(self, options: Mapping[str, Any]) -> list[Finding]:
        findings: list[Finding] = []
        parts = self.parts(**options)
        width = max(map(len, parts))
        for part, result in examine(parts):
            findings += result
            if not options["json"]:
                self._tell(part.ljust(width), result)
        return findings

    def _tell(self, part: str, findings: list[Finding]) -> None:
        if not findings:
            self.stdout.write(f"{part} ok")
        for finding in findings:
            self.stdout.write(f"{part} {finding.level}: {finding.problem} {finding.hint}")


class Command(ExaminesCommand):
    help = "Checks the settings and the running parts. --json prints the findings as a list."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--email", metavar="ADDRESS", help="send a test email there")

    def parts(self, **options: Any) -> Mapping[str, Examination]:
        address = options["email"]
        return examinations() | ({"test email": partial(send_test_email, address)} if address else {})

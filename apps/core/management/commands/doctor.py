"""`manage.py doctor`: check every part of the installation, and say what to fix."""

import json
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.core.mail import send_mail
from django.core.management.base import BaseCommand, CommandError

from apps.core.doctor import Finding, examine


class Command(BaseCommand):
    """Exits with 1 if it finds an error, so that a timer can alert somebody."""

    help = "Examines the settings and the running parts; --json prints a list of findings."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="print the findings as JSON, and nothing else")
        parser.add_argument("--email", metavar="ADDRESS", help="send a test email there")

    def handle(self, *_args: object, **options: Any) -> None:
        findings: list[Finding] = []
        for part, found in examine():
            findings += found
            if not options["json"]:
                self._tell(part, found)
        if options["email"]:
            send_mail("Slipway's test email", "If you read this, emails arrive.", None, [options["email"]])
        if options["json"]:
            self.stdout.write(json.dumps([asdict(finding) for finding in findings], indent=2))
        errors = sum(finding.level == "error" for finding in findings)
        if errors:
            raise CommandError(f"{errors} of the findings are errors.")

    def _tell(self, part: str, found: list[Finding]) -> None:
        if not found:
            self.stdout.write(f"{part:<12} ok")
        for finding in found:
            self.stdout.write(f"{part:<12} {finding.level}: {finding.problem} {finding.hint}")

"""What `manage.py doctor` finds in one part."""

from apps.core.operations.doctor.examinations import Finding, examinations, examine


def findings(part: str) -> list[Finding]:
    """Examine a part, without the others, of which one waits for a scheduler. Every finding has a hint."""
    [(_, result)] = examine({part: examinations()[part]})
    assert all(finding.hint for finding in result)
    return result


def problems(part: str) -> list[str]:
    return [finding.problem for finding in findings(part)]

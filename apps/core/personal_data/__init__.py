"""What the installation stores about people: exported, erased, and deleted after a time. Here: the table of core."""

from apps.core.personal_data.own import IMPERSONAL, RECORDS, RETENTION

__all__ = ["IMPERSONAL", "RECORDS", "RETENTION"]

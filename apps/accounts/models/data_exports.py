"""Data exports that people requested."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone


class DataExportQuerySet(models.QuerySet["DataExport"]):
    def ready(self) -> "DataExportQuerySet":
        """Return exports that can be downloaded."""
        return self.filter(made_at__isnull=False, expires_at__gt=timezone.now())


class DataExport(models.Model):
    """One ZIP archive for one person. A task writes it, and its file is deleted when it expires."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="data_exports")
    requested_at = models.DateTimeField(default=timezone.now)
    made_at = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    file = models.CharField(max_length=80, blank=True, help_text="File name in the storage.")
    size = models.PositiveBigIntegerField(default=0, help_text="In bytes.")

    objects: ClassVar = DataExportQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(made_at__isnull=True, expires_at__isnull=True, file="")
                | (models.Q(made_at__isnull=False, expires_at__isnull=False) & ~models.Q(file="")),
                name="data_export_is_made_whole",
            ),
            models.UniqueConstraint(
                fields=["user"],
                condition=models.Q(made_at__isnull=True),
                name="one_data_export_in_preparation",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id}, {self.requested_at:%Y-%m-%d}"

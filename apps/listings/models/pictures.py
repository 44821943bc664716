from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone

from apps.core.pictures.storage import picture_path
from apps.core.stores.valkey.generations import company_name
from apps.core.stores.valkey.watch import PublicRow

# Widths of a screenshot's files. The largest is its own width, up to the first of these.
SCREENSHOT_WIDTHS = (1600, 960, 480)
# Side of a logo's square files in pixels, the largest first.
LOGO_SIDES = (512, 192, 96)


def file_widths(width: int) -> list[int]:
    """Return the widths of the files of a screenshot whose largest file is `width` pixels wide, the largest first."""
    return [width, *(smaller for smaller in SCREENSHOT_WIDTHS if smaller < width)]


class ListedPicture(models.Model):
    """A logo or screenshot: its URL in the listing, and our own files of it once there is a `key`."""

    class Field(models.TextChoices):
        """The listing field with the picture's URL."""

        LOGO = "logo_url", "Logo"
        SCREENSHOTS = "screenshots", "Screenshots"

    field = models.CharField(max_length=12, choices=Field)
    url = models.CharField(max_length=500)
    key = models.CharField(max_length=50, blank=True, help_text="Folder with the files in the storage.")
    width = models.PositiveSmallIntegerField(default=0, help_text="Width of the largest file in pixels.")
    height = models.PositiveSmallIntegerField(default=0)
    alt = models.CharField(
        max_length=160,
        blank=True,
        default="",
        db_default="",
        help_text="Description for people who can't see the picture.",
    )
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.url

    @property
    def image_url(self) -> str:
        """The absolute URL of our largest file as JPEG, or empty without one."""
        return image_url(self.key, self.width) if self.key else ""

    @property
    def jpeg_path(self) -> str:
        """The path of our largest file as JPEG."""
        return picture_path(self.key, f"{self.width}.jpg")

    @property
    def thumb_path(self) -> str:
        """The path of a small file."""
        width = LOGO_SIDES[1] if self.field == self.Field.LOGO else file_widths(self.width)[-1]
        return picture_path(self.key, f"{width}.webp")

    @property
    def srcset(self) -> str:
        """Our files with their widths, as a `srcset` attribute."""
        return ", ".join(f"{picture_path(self.key, f'{width}.webp')} {width}w" for width in file_widths(self.width))


def image_url(key: str, width: int) -> str:
    """Return the absolute URL of a stored picture as JPEG, which every program reads."""
    return f"{settings.PUBLIC_BASE_URL}{picture_path(key, f'{width}.jpg')}"


def logo_image_url(key: str) -> str:
    """Return the absolute URL of the logo with this key, or an empty string without one."""
    return image_url(key, LOGO_SIDES[0]) if key else ""


class CompanyPicture(ListedPicture, PublicRow):
    """A picture of a company. Uploads that no saved field names yet aren't listed, and replaced pictures neither."""

    # Services save and delete row by row what pages show. Bulk changes are only about downloads.
    bulk_generations: ClassVar = ()

    company = models.ForeignKey("listings.Company", on_delete=models.CASCADE, related_name="pictures", db_index=False)
    problem = models.CharField(max_length=200, blank=True, help_text="Why the picture can't be shown yet.")
    is_upload = models.BooleanField(default=False)
    is_listed = models.BooleanField(default=True)
    replaced_at = models.DateTimeField(
        null=True, blank=True, editable=False, help_text="When another picture took its place."
    )
    replaced_by = models.CharField(
        max_length=500,
        blank=True,
        db_default="",
        default="",
        editable=False,
        help_text="The URL now in its place. Until that picture is stored, visitors see the last one replaced.",
    )
    attempts = models.PositiveSmallIntegerField(default=0, editable=False)
    download_at = models.DateTimeField(null=True, blank=True, editable=False, help_text="When to download it.")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["company", "field", "url"], name="one_picture_per_url"),
            models.CheckConstraint(
                condition=models.Q(download_at__isnull=True) | models.Q(key=""),
                name="only_pending_pictures_are_downloaded",
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["download_at"], condition=models.Q(download_at__isnull=False), name="pictures_to_download"
            ),
        ]

    # The last picture that this one replaced, as `Company.own_pictures` sets it.
    former: "CompanyPicture | None" = None

    def generations(self) -> tuple[str, ...]:
        return (company_name(self.company_id),)

    @property
    def shown(self) -> "CompanyPicture | None":
        """The picture that visitors see: this one, or until it is stored the former one."""
        return self if self.key else self.former

    @property
    def shown_image_url(self) -> str:
        """The absolute URL of the picture that visitors see as JPEG, or empty without one."""
        return self.shown.image_url if self.shown else ""

    @property
    def status(self) -> str:
        """`stored`, `refused` with a problem, or `pending`, with the problem of the last attempt."""
        return "stored" if self.key else "refused" if self.problem and not self.download_at else "pending"

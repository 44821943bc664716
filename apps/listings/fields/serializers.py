"""The fields of a listing as owners send them: their limits, with errors field by field."""

from collections.abc import Mapping
from datetime import date
from re import fullmatch
from typing import Any
from urllib.parse import quote, urlsplit, urlunsplit

from django.conf import settings
from django.utils import timezone
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.core.api.patterns import EMAIL, HTTPS_ADDRESS, SLUG, countries, or_blank
from apps.core.api.serializers import (
    JsonSchema,
    ListedChoiceField,
    PlainTextField,
    StatedListField,
    StrictIntegerField,
    StrictSerializer,
    StrictStringField,
    unknown_keys,
)
from apps.core.fetch import FetchError, normalise_address
from apps.core.pictures.storage import PICTURES
from apps.core.text.countries import COUNTRIES, country_hint
from apps.core.text.currencies import CURRENCIES
from apps.core.web.hosts import ascii_host
from apps.listings.fields.socials import LINK_PATTERNS, PLATFORMS, mastodon_profile, profile_of
from apps.listings.models import Company
from apps.listings.websites.identity import STORE_PAGE, is_store_page

MAX_CATEGORIES = 3
MAX_TAGS = 8
MAX_FAQS = 12
MAX_SCREENSHOTS = 8
MAX_ADDRESS = 500
MAX_WEBSITE = 300
FIRST_YEAR = 1800
_IN_FRAGMENTS = "!$&'()*+,;=:@/?-._~%"
_NO_ADDRESS = "Use a public https URL such as https://example.com/page, without a user name or port."


class BoundedListField(StatedListField):
    """A JSON array with a maximum length, checked before its entries. Removes duplicates."""

    def __init__(self, *, max_length: int, **kwargs: Any) -> None:
        super().__init__(max_length=max_length, **kwargs)
        self.bound = max_length

    def to_internal_value(self, data: Any) -> list[Any]:
        if isinstance(data, list) and len(data) > self.bound:
            message = f"Send up to {self.bound} entries. This has {len(data)}."
            raise serializers.ValidationError(message, code="max_length")
        values: list[Any] = super().to_internal_value(data)
        return self.without_repeats(values)

    def without_repeats(self, values: list[Any]) -> list[Any]:
        return [value for index, value in enumerate(values) if value not in values[:index]]


class DistinctListField(BoundedListField):
    """An array that refuses repeated entries, each by its index. Questions repeat whatever their answers are."""

    def without_repeats(self, values: list[Any]) -> list[Any]:
        seen: set[str] = set()
        problems: Any = {}
        for index, value in enumerate(values):
            text, key = (value["question"], "question") if isinstance(value, dict) else (value, None)
            if text.casefold() in seen:
                problem = [serializers.ErrorDetail(f"Send “{text}” only once.", code="repeated")]
                problems[index] = {key: problem} if key else problem
            seen.add(text.casefold())
        if problems:
            raise serializers.ValidationError(problems)
        return values


class HttpsAddressField(StrictStringField):
    """An https URL of a public host. International host names are stored in punycode, which reveals look-alikes."""

    def __init__(self, *, max_length: int = MAX_ADDRESS, **kwargs: Any) -> None:
        # The stored URL is measured, which is longer if characters are encoded.
        kwargs.setdefault("help_text", f"An https URL, up to {max_length} characters.")
        super().__init__(pattern=HTTPS_ADDRESS, **kwargs)
        self.bound = max_length

    @property
    def json_schema(self) -> JsonSchema:
        return {**super().json_schema, "maxLength": self.bound}

    def to_internal_value(self, data: Any) -> str:
        address = https_address(super().to_internal_value(data))
        if len(address) > self.bound:
            message = f"The URL is over {self.bound} characters. Use a shorter one."
            raise serializers.ValidationError(message, code="max_length")
        return address


class PictureAddressField(HttpsAddressField):
    """The URL of a picture on the web, or of one that this installation stores, as its answers give it."""

    def to_internal_value(self, data: Any) -> str:
        if isinstance(data, str) and data.startswith(f"{settings.PUBLIC_BASE_URL}/{PICTURES}/"):
            # Without https in local mode, which other URLs need.
            return StrictStringField.to_internal_value(self, data)
        return super().to_internal_value(data)


class WebsiteField(HttpsAddressField):
    """The URL of a company's website, without query and fragment."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=MAX_WEBSITE, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        address = urlunsplit(urlsplit(super().to_internal_value(data))._replace(query="", fragment=""))
        if is_store_page(address):
            raise serializers.ValidationError(STORE_PAGE, code="bad_address")
        return address


def https_address(raw: str) -> str:
    """Return the normalized https URL. Raises ValidationError for anything else. Looks nothing up."""
    address, _, fragment = raw.partition("#")
    try:
        normal = normalise_address(address) if address.lower().startswith("https://") else ""
    except FetchError:
        normal = ""
    if not normal.startswith("https://"):
        raise serializers.ValidationError(_NO_ADDRESS, code="bad_address")
    # Encode the fragment, which documentation URLs often have. The rest is already encoded.
    return f"{normal}#{quote(fragment, safe=_IN_FRAGMENTS, errors='replace')}" if fragment else normal


class EmailAddressField(serializers.EmailField):
    """An email address. An international domain is stored in punycode."""

    default_error_messages = {"string": "Send a string."}
    # An empty text is no email address in this format.
    json_schema: JsonSchema = {"format": None, "pattern": or_blank(EMAIL)}

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("string")
        name, at, domain = str(super().to_internal_value(data)).rpartition("@")
        try:
            domain = ascii_host(domain).lower()
        except ValueError:
            self.fail("invalid")
        # The general check accepts non-ASCII look-alikes of letters, and domains that are numbers.
        if not name.isascii() or domain.startswith("["):
            self.fail("invalid")
        return f"{name}{at}{domain}"


class ClearableIntegerField(StrictIntegerField):
    """An optional integer of a serializer whose empty values clear."""

    json_schema: JsonSchema = {"type": ["integer", "string"], "maxLength": 0, "pattern": "^$"}

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(required=False, allow_null=True, **kwargs)


class PricingModelField(ListedChoiceField):
    """A pricing model, or an empty string."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(choices=Company.PricingModel.choices, allow_blank=True, **kwargs)


class PriceCurrencyField(ListedChoiceField):
    """An ISO 4217 code. An empty string means USD."""

    def __init__(self, **kwargs: Any) -> None:
        help_text = "ISO code, USD by default."
        super().__init__(choices=list(CURRENCIES.items()), allow_blank=True, help_text=help_text, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        return str(super().to_internal_value(data)) or "USD"


class PricePeriodField(ListedChoiceField):
    """How often a price is paid, or an empty string."""

    def __init__(self, **kwargs: Any) -> None:
        help_text = "How often price_from_cents is paid."
        super().__init__(choices=Company.PricePeriod.choices, allow_blank=True, help_text=help_text, **kwargs)


class CountryField(StrictStringField):
    """An ISO 3166-1 alpha-2 code in capitals."""

    def __init__(self, **kwargs: Any) -> None:
        help_text = "Two-letter ISO country code, such as DE."
        super().__init__(max_length=2, help_text=help_text, pattern=countries(), **kwargs)

    def to_internal_value(self, data: Any) -> str:
        code = super().to_internal_value(data)
        if code not in COUNTRIES:
            raise serializers.ValidationError(country_hint(code), code="unknown_country")
        return code


@extend_schema_field({"type": "string", "format": "date"})
class DayField(StrictStringField):
    """A calendar day as YYYY-MM-DD, and in no other form of ISO 8601."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(pattern="^(?:1[89]|20)[0-9]{2}-[0-9]{2}-[0-9]{2}$", **kwargs)

    def to_internal_value(self, data: Any) -> date:  # type: ignore[override] # a string becomes a day here
        text = super().to_internal_value(data)
        try:
            return date.fromisoformat(text if fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text) else "")
        except ValueError:
            message = "Use a date such as 2026-11-09."
            raise serializers.ValidationError(message, code="bad_date") from None


class SocialsField(serializers.DictField):
    """Links by platform: https URLs of a profile there. `rss` takes any https URL."""

    child = HttpsAddressField()
    default_error_messages = {"not_a_dict": 'Send an object, such as {{"github": "https://github.com/acme"}}.'}

    @property
    def json_schema(self) -> JsonSchema:
        """A rule for each platform."""
        links = {
            name: {"type": ["string", "null"], "pattern": or_blank(LINK_PATTERNS[name]), "maxLength": MAX_ADDRESS}
            for name in PLATFORMS
        }
        return {"properties": links, "additionalProperties": False}

    def to_internal_value(self, data: Any) -> dict[str, str]:
        if isinstance(data, Mapping) and (unknown := unknown_keys(data, PLATFORMS, what="platform")):
            raise serializers.ValidationError(unknown)
        if isinstance(data, Mapping):
            data = {platform: address for platform, address in data.items() if address not in (None, "")}
        links: dict[str, str] = super().to_internal_value(data)
        problems = {key: [problem] for key, address in links.items() if (problem := _wrong_link(key, address))}
        if problems:
            raise serializers.ValidationError(problems)
        return links


def _wrong_link(platform: str, address: str) -> str:
    if platform == "rss":
        return ""
    profile = mastodon_profile(address) if platform == "mastodon" else profile_of(address)
    is_profile = profile is not None and profile.platform == platform
    return "" if is_profile else f"Use the URL of a profile on {platform}."


class FaqInputSerializer(StrictSerializer):
    """A question with its answer."""

    question = PlainTextField(max_length=160)
    answer = PlainTextField(max_length=1500, multiline=True)


def faqs_field() -> DistinctListField:
    """The questions and answers of a listing, as sent."""
    return DistinctListField(required=False, child=FaqInputSerializer(), max_length=MAX_FAQS)


class ListingFieldsSerializer(StrictSerializer):
    """Every field that an owner may send: facts of the company, and texts of the listing on its site."""

    empty_clears = True

    name = PlainTextField(required=False, max_length=80)
    website = WebsiteField(required=False)
    headline = PlainTextField(required=False, max_length=80)
    summary = PlainTextField(required=False, max_length=600, multiline=True)
    description = PlainTextField(required=False, max_length=6000, multiline=True, allow_blank=True)
    categories = DistinctListField(
        required=False,
        child=StrictStringField(max_length=40, pattern=SLUG),
        max_length=MAX_CATEGORIES,
        help_text="Slugs from list_categories.",
    )
    tags = BoundedListField(required=False, child=PlainTextField(max_length=30), max_length=MAX_TAGS)
    alternatives = BoundedListField(required=False, child=PlainTextField(max_length=80), max_length=12)
    socials = SocialsField(required=False, help_text="Links by platform. Replaces all existing links.")
    faqs = faqs_field()
    seo_title = PlainTextField(required=False, max_length=60, allow_blank=True)
    seo_description = PlainTextField(required=False, max_length=160, allow_blank=True)
    seo_keywords = PlainTextField(required=False, max_length=200, allow_blank=True)
    logo_url = PictureAddressField(required=False, allow_blank=True)
    screenshots = BoundedListField(required=False, child=PictureAddressField(), max_length=MAX_SCREENSHOTS)
    video_url = HttpsAddressField(required=False, allow_blank=True)
    docs_url = HttpsAddressField(required=False, allow_blank=True)
    openapi_url = HttpsAddressField(required=False, allow_blank=True)
    mcp_url = HttpsAddressField(required=False, allow_blank=True)
    llms_url = HttpsAddressField(required=False, allow_blank=True)
    # Without a maximum, which would make the schema another one each year.
    founded_year = ClearableIntegerField(min_value=FIRST_YEAR, help_text="Up to the current year.")
    country = CountryField(required=False, allow_blank=True)
    city = PlainTextField(required=False, max_length=80, allow_blank=True)
    team_size = ClearableIntegerField(min_value=1, max_value=2_000_000)
    stage = PlainTextField(required=False, max_length=40, allow_blank=True)
    funding = PlainTextField(required=False, max_length=80, allow_blank=True)
    legal_name = PlainTextField(required=False, max_length=120, allow_blank=True)
    contact_email = EmailAddressField(required=False, max_length=254, allow_blank=True)
    pricing_model = PricingModelField(required=False)
    price_from_cents = ClearableIntegerField(min_value=0, max_value=10**11)
    price_currency = PriceCurrencyField(required=False)
    price_period = PricePeriodField(required=False)
    platforms = BoundedListField(required=False, child=PlainTextField(max_length=40), max_length=12)
    tech_stack = BoundedListField(required=False, child=PlainTextField(max_length=40), max_length=20)
    audience = PlainTextField(required=False, max_length=160, allow_blank=True)

    def validate_founded_year(self, value: int | None) -> int | None:
        if value is not None and value > timezone.now().year:
            raise serializers.ValidationError("Use a year up to the current one.", code="in_the_future")
        return value

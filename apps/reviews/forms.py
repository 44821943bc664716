"""Forms of reviews, answers, links and domains. The services validate them."""

from typing import Any

from django import forms

from apps.accounts.models import User
from apps.contributions.names import MAX_NAME_LENGTH, has_name
from apps.core.editing.forms import TypedField, TypedForm, text_area, text_input
from apps.reviews.models import MAX_ANSWER_LENGTH, MAX_LABEL_LENGTH, MAX_LENGTH, MIN_LENGTH
from apps.reviews.services.writing import MAX_LINKS

_STARS = (("5", "5 stars"), ("4", "4 stars"), ("3", "3 stars"), ("2", "2 stars"), ("1", "1 star"))


class ReviewForm(TypedForm):
    """Stars, text and a code, with the author's name where the account has none."""

    rating = forms.ChoiceField(choices=_STARS, widget=forms.RadioSelect, label="Rating")
    text = TypedField(
        label="Review",
        widget=text_area(8),
        help_text=f"Plain text, {MIN_LENGTH} to {MAX_LENGTH:,} characters and up to {MAX_LINKS} links.",
    )
    name = TypedField(
        label="Your name",
        widget=text_input(autocomplete="name"),
        help_text=f"Shown with your review. Up to {MAX_NAME_LENGTH} characters.",
    )
    code = TypedField(
        label="Review code",
        required=False,
        widget=text_input(),
        help_text="From the company, if you have one. It marks your review as verified.",
    )

    def __init__(self, *args: Any, author: User, is_verified: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if has_name(author):
            del self.fields["name"]
        if is_verified:
            del self.fields["code"]


class AnswerForm(TypedForm):
    """The owner's answer to a review."""

    text = TypedField(
        label="Answer",
        widget=text_area(6),
        help_text=f"Plain text, up to {MAX_ANSWER_LENGTH:,} characters and {MAX_LINKS} links.",
    )


class LinkForm(TypedForm):
    """A new review link."""

    label = TypedField(
        label="Note for you",
        required=False,
        widget=text_input(),
        help_text=f"For example: Newsletter in May. Up to {MAX_LABEL_LENGTH} characters.",
    )
    days = TypedField(label="Days until it expires", required=False, widget=text_input(inputmode="numeric"))
    max_uses = TypedField(label="Maximum reviews", required=False, widget=text_input(inputmode="numeric"))


class DomainForm(TypedForm):
    """The email domain of a customer."""

    domain = TypedField(
        label="Domain",
        widget=text_input(inputmode="url", autocapitalize="none", spellcheck="false", placeholder="customer.example"),
    )

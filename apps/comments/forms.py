"""Forms of comments. The services validate them."""

from typing import Any

from apps.accounts.models import User
from apps.comments.models import MAX_LENGTH
from apps.comments.services.writing import MAX_LINKS
from apps.contributions.names import MAX_NAME_LENGTH, has_name
from apps.core.editing.forms import TypedField, TypedForm, text_area, text_input

LABELS = {"text": "Comment", "name": "Your name"}


class CommentForm(TypedForm):
    """A comment, with the author's name where the account has none."""

    text = TypedField(
        label=LABELS["text"],
        widget=text_area(4),
        help_text=f"Plain text, up to {MAX_LENGTH:,} characters and {MAX_LINKS} links.",
    )
    name = TypedField(
        label=LABELS["name"],
        widget=text_input(autocomplete="name"),
        help_text=f"Shown with your comments. Up to {MAX_NAME_LENGTH} characters.",
    )

    def __init__(self, *args: Any, author: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if has_name(author):
            del self.fields["name"]

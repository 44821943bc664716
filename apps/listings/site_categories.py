"""The categories of a site, as owners choose them."""

from collections.abc import Sequence

from apps.core.errors import FieldProblem, Unprocessable
from apps.listings.models import Category
from apps.sites.models import Site


class UnknownCategory(Unprocessable):
    code = "unknown_category"


def check_categories(site: Site, slugs: Sequence[str]) -> None:
    """Raise UnknownCategory (422, pointers into /fields/categories) for slugs that the site does not have."""
    if not slugs:
        return
    known = set(Category.objects.filter(site=site).values_list("slug", flat=True))
    problems = [
        FieldProblem(UnknownCategory.code, f"{slug} is not a category of {site}.", f"/fields/categories/{index}")
        for index, slug in enumerate(slugs)
        if slug not in known
    ]
    if problems:
        steps = [f"Categories of {site}: {', '.join(sorted(known)) or 'none'}."]
        raise UnknownCategory(problems[0].detail, errors=problems, next_steps=steps)

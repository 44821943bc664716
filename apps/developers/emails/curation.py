"""Sample emails about collections."""

from collections.abc import Iterator

from apps.curation.models import Collection
from apps.developers.emails import Sample
from apps.sites.models import Site


def email_samples(site: Site) -> Iterator[Sample]:
    """Return one of each email this app sends."""
    collection = Collection(pk=1, site=site, name="Quiet tools", slug="quiet-tools")
    context = {
        "collection": collection,
        "site": site,
        "reason": "It advertises another product.",
        "edit_url": site.url(collection.edit_path),
    }
    yield Sample(name="curation/emails/removed", context=context)

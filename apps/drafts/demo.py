"""A demo draft: what a crawl found on a website, ready for the demo owner's review."""

from collections.abc import Mapping
from datetime import timedelta
from hashlib import sha256
from importlib.resources import files
from typing import Any

from apps.accounts import demo as accounts
from apps.accounts.models import User
from apps.core.demo import Demo, read_demo_data
from apps.drafts.models import Draft, DraftPicture
from apps.listings.services.pictures.files import Field, store
from apps.sites.demo import DEFAULT
from apps.sites.models import Site


def seed(demo: Demo) -> None:
    """Write demo_data/draft.yaml as if its website had been read an hour ago."""
    written = read_demo_data("apps.drafts", "draft")
    home = f"https://{written['domain']}/"
    pages = [f"{home}{path}" for path in written["pages"]]
    draft = Draft.objects.create(
        owner=demo.get(User, accounts.OWNER),
        site=demo.get(Site, DEFAULT),
        url=home,
        website=home,
        website_key=written["domain"],
        domain=written["domain"],
        status=Draft.Status.READY,
        attempt=1,
        pages_done=len(pages),
        pages_planned=len(pages),
        pages_read=[{"url": page, "kind": kind} for page, kind in zip(pages, written["pages"].values(), strict=True)],
        proposal=written["proposal"],
        evidence=[_evidence(item, home=home) for item in written["evidence"]],
        missing=written["missing"],
        created_at=demo.now - timedelta(hours=1),
        queued_at=demo.now - timedelta(hours=1),
        finished_at=demo.now - timedelta(minutes=59),
    )
    _make_pictures(draft)


def _make_pictures(draft: Draft) -> None:
    """Store the pictures that the proposal names, as if they had been found."""
    folder = files("apps.drafts").joinpath("demo_data", "pictures")
    shots = [(Field.SCREENSHOTS, url) for url in draft.proposal["screenshots"]]
    for field, url in [(Field.LOGO, draft.proposal["logo_url"]), *shots]:
        stored = store(field, folder.joinpath(url.rpartition("/")[2]).read_bytes())
        DraftPicture.objects.create(draft=draft, field=field, url=url, **stored._asdict())


def _evidence(item: Mapping[str, Any], *, home: str) -> dict[str, Any]:
    page = f"{home}{item['page']}"
    others = [_reading(other, home=home) for other in item.get("runners_up", ())]
    digest = sha256(page.encode()).hexdigest()
    return {"field": item["field"], **_reading(item, home=home), "page_sha256": digest, "runners_up": others}


def _reading(item: Mapping[str, Any], *, home: str) -> dict[str, Any]:
    fields = {name: item[name] for name in ("value", "source", "selector", "snippet", "confidence")}
    return {**fields, "page_url": f"{home}{item['page']}"}

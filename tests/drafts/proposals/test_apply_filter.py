"""A proposal holds only what an owner could send as well."""

from typing import Any

import pytest

from apps.drafts.proposals.apply_filter import drop_unacceptable

PAGE = "https://acme.com/"
OTHER = "https://acme.com/about"


def read(field: str, value: Any, *others: str, page: str = PAGE) -> dict[str, Any]:
    place = {"page_url": page, "source": "dom", "selector": "a", "snippet": "<a>", "confidence": 0.9}
    runners_up = [{"value": other, **place, "page_url": OTHER} for other in others]
    return {"field": field, "value": str(value), **place, "page_sha256": f"of {page}", "runners_up": runners_up}


def proposal(fields: dict[str, Any], *evidence: dict[str, Any]) -> dict[str, Any]:
    return drop_unacceptable({"fields": fields, "evidence": list(evidence), "missing": []})


@pytest.mark.parametrize(
    ("read_at", "value", "others", "kept"),
    [
        (PAGE, "https://acme.com/logo.png", (), "https://acme.com/logo.png"),
        (PAGE, "http://img.acme.com/logo.png", (), "https://img.acme.com/logo.png"),
        (PAGE, "http://pictures.example.net/logo.png", (), None),
        ("http://acme.com/", "http://acme.com/logo.png", (), None),
        (PAGE, "http://pictures.example.net/logo.png", ("https://acme.com/icon.png",), "https://acme.com/icon.png"),
    ],
)
def test_an_address_without_https_gives_way(
    read_at: str, value: str, others: tuple[str, ...], kept: str | None
) -> None:
    result = proposal({"logo_url": value}, read("logo_url", value, *others, page=read_at))

    assert result["fields"].get("logo_url") == kept
    assert [item["value"] for item in result["evidence"]] == ([kept] if kept else [])
    assert [item["field"] for item in result["missing"]] == ([] if kept else ["logo_url"])
    assert all("https" in item["reason"] for item in result["missing"])


def test_a_runner_up_that_replaces_it_names_its_own_page() -> None:
    result = proposal(
        {"logo_url": "http://a.example.net/1.png", "headline": "Fast invoices"},
        read("logo_url", "http://a.example.net/1.png", "https://acme.com/2.png", "http://a.example.net/3.png"),
        read("headline", "Fast invoices", page=OTHER),
    )
    logo = result["evidence"][0]
    assert (logo["page_url"], logo["page_sha256"]) == (OTHER, f"of {OTHER}")
    assert logo["runners_up"] == []


def test_of_a_list_the_entries_that_can_be_sent_stay_with_their_evidence() -> None:
    shots = ["http://a.example.net/1.png", "http://acme.com/2.png", "https://acme.com/2.png", "https://acme.com/3.png"]
    result = proposal({"screenshots": shots}, *(read(f"screenshots.{at}", shot) for at, shot in enumerate(shots)))

    assert result["fields"]["screenshots"] == ["https://acme.com/2.png", "https://acme.com/3.png"]
    assert [(item["field"], item["value"]) for item in result["evidence"]] == [
        ("screenshots.0", "https://acme.com/2.png"),
        ("screenshots.1", "https://acme.com/3.png"),
    ]


def test_of_profiles_those_that_can_be_sent_stay() -> None:
    socials = {"rss": "http://news.example.net/feed", "x": "https://x.com/acme"}
    result = proposal({"socials": socials}, *(read(f"socials.{key}", value) for key, value in socials.items()))

    assert result["fields"] == {"socials": {"x": "https://x.com/acme"}}
    assert [item["field"] for item in result["evidence"]] == ["socials.x"]


def test_what_owners_do_not_send_stays_as_it_is() -> None:
    founders = [{"name": "Ada", "role": "", "url": "http://ada.example.net/"}]
    item = read("founders.0", "Ada")
    result = proposal({"founders": founders, "team_size": 0}, item, read("team_size", 0))
    assert (result["fields"], result["evidence"]) == ({"founders": founders}, [item])
    assert [gap["field"] for gap in result["missing"]] == ["team_size"]

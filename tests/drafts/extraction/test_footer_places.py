"""Places in footers, which rarely have a postal code."""

import pytest

from apps.drafts.extraction.company.places import Place, place_in_footer


@pytest.mark.parametrize(
    ("line", "place"),
    [
        ("Acme Ltd · 14 Harbour Row, Bristol, United Kingdom", Place("Bristol", "GB")),
        ("© 2014–2026 Two Hats Software, Portland, Oregon", Place("Portland", "US")),
        ("© 2026 Acme. 548 Market St, San Francisco", Place("San Francisco", "US")),
        ("© Acme, 5 Market St, Austin, TX", Place("Austin", "US")),
        ("Acme Ltd, York, UK. Registered in England.", Place("York", "GB")),
        ("Acme GmbH · Zürich", Place("Zürich", "CH")),
        ("Acme GmbH, Kantstraße 4, 04275 Leipzig", Place("Leipzig", "DE")),
        ("© 2026 Acme, Inc. · Made in Ljubljana", Place("Ljubljana", "SI")),
        ("Made with ♥ in Lisbon, Portugal", Place("Lisbon", "PT")),
        ("Made in Andorra", Place("", "AD")),
        ("Acme Oy, Oulu", Place("Oulu", "FI")),
        ("Acme GmbH · Bregenz", Place("Bregenz", "")),
        ("Acme GmbH, 6900 Bregenz", Place("Bregenz", "")),
        ("Acme SAS, 12 rue des Lices, Nantes", Place("Nantes", "")),
        ("Acme Inc, Springfield", Place("Springfield", "")),
        ("Hecho en Valencia", Place("Valencia", "")),
        ("Berlin, Germany", Place("Berlin", "DE")),
        ("© 2026 Acme GmbH · Impressum", None),
        ("© 2026 Acme, Inc. All rights reserved.", None),
        ("Acme Ltd · Privacy", None),
        ("© 2026 Acme", None),
        ("Pricing, Docs, Blog", None),
        ("Made with love in Europe", None),
        ("We ship to Spain, France, Germany", None),
    ],
)
def test_a_place_in_a_footer(line: str, place: Place | None) -> None:
    assert place_in_footer(line, name="Acme") == place


@pytest.mark.parametrize(
    ("line", "language", "country"),
    [
        ("Acme SAS, 12 rue des Lices, Nantes", "fr", "FR"),
        ("Acme SAS, 12 rue des Lices, Nantes", "fr-FR", "FR"),
        ("Acme SAS · Medellín", "es", "CO"),
        ("Acme SARL · Carouge", "fr", ""),
        ("Acme GmbH · Bregenz", "de", ""),
    ],
)
def test_a_legal_form_and_the_language_may_tell_the_country(line: str, language: str, country: str) -> None:
    place = place_in_footer(line, name="Acme", language=language)
    assert place is not None
    assert place.country == country

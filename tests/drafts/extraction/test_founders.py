"""Founders of the company itself, among the many other founders on pages."""

from typing import Any

import pytest

from apps.drafts.extraction.company.founders import MAX_FOUNDERS, find_founders
from tests.drafts.extraction.pages import draft, field, home, json_ld, page

OWN = {"@type": "Organization", "name": "Acme"}
ADA = {"@type": "Person", "name": "Ada Lovelace"}


def names(body: str, *, path: str = "team") -> list[str]:
    return [person["name"] for person in field("founders", home(), page(body, path=path)) or []]


@pytest.mark.parametrize(
    ("extra", "expected"),
    [
        ({"founder": ADA}, [{"name": "Ada Lovelace", "role": "", "url": ""}]),
        (
            {"founders": [ADA, {**ADA, "name": "Grace"}]},
            [{"name": "Ada Lovelace", "role": "", "url": ""}, {"name": "Grace", "role": "", "url": ""}],
        ),
        ({"founder": "Ada Lovelace"}, [{"name": "Ada Lovelace", "role": "", "url": ""}]),
        (
            {"founder": {**ADA, "jobTitle": "CEO", "sameAs": ["https://www.linkedin.com/in/ada"], "url": "/ada"}},
            [{"name": "Ada Lovelace", "role": "CEO", "url": "https://www.linkedin.com/in/ada"}],
        ),
        (
            {"founder": {**ADA, "url": "/ada"}},
            [{"name": "Ada Lovelace", "role": "", "url": "https://www.acme.com/ada"}],
        ),
        (
            {"employee": [{**ADA, "jobTitle": "Co-Founder"}, {**ADA, "name": "Bob Ross", "jobTitle": "Designer"}]},
            [{"name": "Ada Lovelace", "role": "Co-Founder", "url": ""}],
        ),
        ({"founder": {"@type": "Organization", "name": "Umbrella"}}, None),
        ({"founder": {"@type": "Person"}}, None),
        ({"founder": {"@type": "Person", "name": "The Acme Team"}}, None),
        ({"founder": {"@type": "Person", "name": "x" * 100}}, None),
        ({"founder": [None, 3, [], {}]}, None),
        ({"employee": ADA}, None),
        ({"founder": {**ADA, "url": "javascript:alert(1)"}}, [{"name": "Ada Lovelace", "role": "", "url": ""}]),
    ],
)
def test_declared_founders(extra: dict[str, Any], expected: object) -> None:
    assert field("founders", home(head=json_ld({**OWN, **extra}))) == expected


def test_founders_of_other_organizations() -> None:
    other = {"@type": "Organization", "name": "Zapmail", "founder": ADA}
    assert field("founders", home(head=json_ld([other, OWN]))) is None


def test_microdata() -> None:
    body = """<div itemscope itemtype="https://schema.org/Organization"><b itemprop="name">{}</b>
    <p itemprop="founder" itemscope itemtype="https://schema.org/Person"><i itemprop="name">Ada Lovelace</i>,
    <i itemprop="jobTitle">CEO</i></p></div>"""
    assert field("founders", home(body.format("Acme"))) == [{"name": "Ada Lovelace", "role": "CEO", "url": ""}]
    assert field("founders", home(body.format("Zapmail"))) is None


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("Ada Lovelace", "Founder"),
        ("Ada Lovelace", "Co-Founder & CEO"),
        ("Ada Lovelace", "CEO and co-founder"),
        ("Ada Lovelace", "Founder, CTO"),
        ("Ada Lovelace", "Founder of Acme"),
        ("Ada Lovelace", "Co-founder @ Acme"),
        ("Jürgen von der Lippe", "Gründer und Geschäftsführer"),
        ("Zoë Ångström", "Mitgründerin"),
        ("Anne-Marie Dupont", "Fondatrice"),
        ("José da Silva", "Cofundador"),
        ("Giulia O’Neil", "Fondatrice e CEO"),
        ("Jan de Vries", "Mede-oprichter"),
        ("Анна Петрова", "Основатель"),
        ("山田太郎", "創業者"),
        ("王小明", "创始人"),
    ],
)
def test_cards_of_a_team_page(name: str, role: str) -> None:
    other = "<div class='card'><h3>Bob Ross</h3><p>Designer</p></div>"
    card = f"<div class='card'><img alt=''><h3>{name}</h3><p>{role}</p><p>Likes invoices.</p></div>"
    expected = [{"name": name, "role": role, "url": ""}]
    assert field("founders", home(), page(other + card + other, path="team")) == expected


@pytest.mark.parametrize(
    "body",
    [
        "<p>Ada Lovelace, Co-founder</p>",
        "<p>Ada Lovelace – Founder &amp; CEO</p>",
        "<li><span>Ada Lovelace</span> (Founder)</li>",
        "<div><p>Founder</p><h3>Ada Lovelace</h3></div>",
        "<p>Acme was founded by Ada Lovelace in 2019.</p>",
        "<p>Founded in 2019 by Ada Lovelace, we write invoices.</p>",
        "<p>Wir wurden gegründet von Ada Lovelace.</p>",
    ],
)
def test_other_forms(body: str) -> None:
    assert names(body) == ["Ada Lovelace"]


@pytest.mark.parametrize(
    "body",
    [
        "<blockquote><p>It is great.</p><p>Ada Lovelace</p><p>Founder</p></blockquote>",
        '<div class="testimonial"><p>Ada Lovelace</p><p>Founder</p></div>',
        "<div><p>Ada Lovelace</p><p>Founder, Zapmail</p></div>",
        "<div><p>Ada Lovelace</p><p>Co-founder at Zapmail</p></div>",
        "<div><p>Ada Lovelace</p><p>Founder of Zapmail Inc.</p></div>",
        "<p>Ada Lovelace, Founder @ Zapmail</p>",
        "<div><p>Ada Lovelace</p><p>Former founder</p></div>",
        "<div><p>Ada Lovelace</p><p>Advisor to founders</p></div>",
        "<div><p>Ada Lovelace</p><p>Founder stories are what we love to read here every day.</p></div>",
        "<div><h3>Meet the team</h3><p>Founder</p></div>",
        "<div><h3>Ada Lovelace</h3><p>CEO</p></div>",
        "<p>Zapmail was founded by Ada Lovelace.</p>",
        "<p>Zapmail, founded by Ada Lovelace, uses Acme.</p>",
        "<p>The Smith Foundation</p><p>Founding Fathers</p>",
        "<div><div><h3>Ada Lovelace</h3></div><hr></div><p>One</p><p>Two</p><p>Three</p><p>Founder</p>",
    ],
)
def test_founders_of_something_else(body: str) -> None:
    assert names(body) == []


@pytest.mark.parametrize("path", ["", "pricing", "blog", "docs", "customers"])
def test_cards_of_other_pages_are_praise(path: str) -> None:
    body = "<div><h3>Ada Lovelace</h3><p>Founder</p></div>"
    assert field("founders", home(body), page(body, path=path)) is None


def test_a_card_gives_its_own_link() -> None:
    card = "<div class='card'><h3>{}</h3><p>Founder</p><a href='https://www.linkedin.com/in/{}'>in</a></div>"
    result = field(
        "founders", home(), page(card.format("Ada Lovelace", "ada") + card.format("Grace Hopper", "grace"), path="team")
    )
    assert [person["url"] for person in result] == [f"https://www.linkedin.com/in/{who}" for who in ("ada", "grace")]
    bare = "<div class='card'><h3>Ada Lovelace</h3><p>Founder</p></div>" + card.format("Grace Hopper", "grace")
    assert [person["url"] for person in field("founders", home(), page(f"<div>{bare}</div>", path="team"))] == [
        "",
        "https://www.linkedin.com/in/grace",
    ]


def test_several_places_make_one_person() -> None:
    start = home(head=json_ld({**OWN, "founder": ADA}))
    proposal = draft(start, page("<div><h3>Ada Lovelace</h3><p>Founder &amp; CEO</p></div>", path="team"))
    assert proposal.fields["founders"] == [{"name": "Ada Lovelace", "role": "Founder & CEO", "url": ""}]
    evidence = next(item for item in proposal.evidence if item.field == "founders.0")
    assert (evidence.value, evidence.source) == ("Ada Lovelace", "json_ld")


@pytest.mark.parametrize(
    "body",
    [
        "<p>Founder</p>" * 20_000,
        "<div>" * 200 + "<h3>Ada Lovelace</h3><p>Founder</p>" * 500,
        "<p>" + "Founder, " * 50_000 + "</p>",
        "<p>" + "Ada " * 50_000 + "founded by " + "Ada " * 50_000 + "</p>",
        "<p>" + "Ada-" * 50_000 + "</p>",
    ],
    ids=["roles", "cards", "commas", "names", "hyphens"],
)
def test_hostile_pages_come_to_an_end(body: str) -> None:
    assert len(find_founders([home(), page(body, path="team")], name="Acme")) <= MAX_FOUNDERS

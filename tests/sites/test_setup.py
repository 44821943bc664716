"""The setup page: steps that are saved alone, and where name, logo, color and contact show."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client, override_settings
from lxml import html

from apps.core.email.rendering import compose
from apps.core.email.text import Words
from apps.core.web.colors import (
    LEAST_CONTRAST,
    contrast,
    dark_accents,
    hex_of,
    light_accents,
    nearest_readable,
    oklch_of,
)
from apps.orders.models import SellerSettings
from apps.sites.models import Site
from apps.sites.seo.site_preview import picture_of_site
from tests.browsing import browser, signed_in
from tests.factories import UserFactory
from tests.pictures import picture, png_that_claims

pytestmark = pytest.mark.db

READABLE, PALE = "#0f62fe", "#ffd54f"


@pytest.fixture
def admin(site: Site) -> Client:
    return signed_in(UserFactory.create(is_staff=True, is_superuser=True))


def save(client: Client, step: str, **values: Any) -> Any:
    return client.post("/setup", {"step": step, **{f"{step}-{name}": value for name, value in values.items()}})


def form_of(answer: Any, key: str) -> Any:
    return next(one["form"] for one in answer.context["steps"] if one["step"].key == key)


def upload(data: bytes) -> SimpleUploadedFile:
    return SimpleUploadedFile("logo.png", data)


def main_buttons(client: Client) -> list[str]:
    page: Any = html.fromstring(client.get("/setup").content.decode())
    return [node.text_content().strip() for node in page.xpath("//main//*[contains(@class, 'button main')]")]


def test_the_main_button_is_that_of_the_next_step(admin: Client, site: Site) -> None:
    assert main_buttons(admin) == ["Save name"]
    steps = admin.get("/setup").context["steps"]
    assert len(steps) > 1
    save(admin, "name", name="Harbor", tagline="Ships")
    [following] = main_buttons(admin)
    assert following != "Save name"


def test_each_step_is_saved_alone(admin: Client, site: Site) -> None:
    assert save(admin, "name", name="Harbor", tagline="Ships")["Location"] == "/setup#name"
    assert save(admin, "contact", contact_email="hello@harbor.example").status_code == 302
    assert save(admin, "email", sender_email="news@harbor.example").status_code == 302
    assert save(admin, "look", color=READABLE.upper(), logo=upload(picture("PNG", size=(300, 200)))).status_code == 302
    seller = {"legal_name": "Harbor Ltd", "address": "Quay 1", "country": "DE"}
    assert save(admin, "seller", **seller).status_code == 302
    site.refresh_from_db()
    assert (site.name, site.contact_email, site.sender_email) == (
        "Harbor",
        "hello@harbor.example",
        "news@harbor.example",
    )
    assert (site.color, site.hue) == (READABLE, round(oklch_of(READABLE)[2]))
    assert site.logo_key.startswith("brand/")
    assert SellerSettings.objects.get(site=site).legal_name == "Harbor Ltd"


@pytest.mark.parametrize(
    ("step", "values", "field"),
    [
        ("name", {"name": ""}, "name"),
        ("contact", {"contact_email": "no"}, "contact_email"),
        ("email", {"sender_email": "no"}, "sender_email"),
        ("look", {"color": PALE}, "color"),
        ("look", {"color": "red"}, "color"),
        ("seller", {"legal_name": "", "address": "Quay 1", "country": "DE"}, "legal_name"),
        ("seller", {"legal_name": "Harbor Ltd", "address": "Quay 1", "country": "XX"}, "country"),
    ],
)
def test_a_refused_step_changes_nothing(
    admin: Client, site: Site, step: str, values: dict[str, str], field: str
) -> None:
    before = Site.objects.filter(pk=site.pk).values().get()
    answer = save(admin, step, **values)
    assert answer.status_code == 422
    assert list(form_of(answer, step).errors) == [field]
    assert Site.objects.filter(pk=site.pk).values().get() == before


def test_a_sellers_country_is_chosen_by_its_name(admin: Client, site: Site) -> None:
    page = admin.get("/setup").content.decode()
    assert '<option value="DE">Germany</option>' in page
    save(admin, "seller", legal_name="Harbor Ltd", address="Quay 1", country="DE")
    assert '<option value="DE" selected>Germany</option>' in admin.get("/setup").content.decode()


@pytest.mark.parametrize(
    "data",
    [b"", b"<svg xmlns='http://www.w3.org/2000/svg'/>", b"GIF89a", png_that_claims(7000, 7000), b"x" * (5 * 2**20 + 1)],
)
@pytest.mark.parametrize("field", ["logo", "favicon"])
def test_what_is_no_picture_is_refused_beside_the_field(admin: Client, site: Site, field: str, data: bytes) -> None:
    answer = save(admin, "look", color=READABLE, **{field: upload(data)})
    assert answer.status_code == 422
    assert list(form_of(answer, "look").errors) == [field]
    site.refresh_from_db()
    assert (site.color, site.logo_key, site.icon_key) == ("", "", "")


def test_a_pale_color_stores_no_logo(admin: Client, site: Site, stored_files: list[str]) -> None:
    assert save(admin, "look", color=PALE, logo=upload(picture("PNG"))).status_code == 422
    assert stored_files == []


def test_every_reason_is_told_at_once(admin: Client, site: Site, stored_files: list[str]) -> None:
    answer = save(admin, "look", color=PALE, logo=upload(b"GIF89a"), favicon=upload(picture("PNG")))
    assert set(form_of(answer, "look").errors) == {"logo", "favicon", "color"}
    answer = save(admin, "seller", legal_name="Harbor Ltd", address="Quay 1", country="")
    form = form_of(answer, "seller")
    assert list(form.errors) == ["country"]
    assert form.has_error("country", "required")
    assert stored_files == []


def test_countries_are_ordered_without_regard_to_accents(admin: Client, site: Site) -> None:
    page = admin.get("/setup").content.decode()
    names = [page.index(f">{name}</option>") for name in ("Afghanistan", "Åland Islands", "Albania")]
    assert names == sorted(names)


@pytest.fixture
def stored_files(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    stored: list[str] = []
    monkeypatch.setattr("apps.core.pictures.storage.store_files", lambda key, files: stored.append(key))
    return stored


def test_a_logo_is_on_pages_and_in_the_admin_until_it_is_removed(admin: Client, site: Site) -> None:
    save(admin, "look", color=READABLE, logo=upload(picture("PNG")))
    site.refresh_from_db()
    path = f"/{site.logo_key}/96"
    page = browser().get("/terms").content.decode()
    assert f'src="{path}.webp"' in page
    assert f'href="{path}.png"' in page
    assert f'href="/brand/{READABLE[1:]}.css"' in page
    assert f'src="{path}.webp"' in admin.get("/admin/").content.decode()
    assert browser().get("/favicon.ico")["Location"] == f"{path}.png"
    served = browser().get(f"{path}.png")
    assert (served.status_code, served["Content-Type"]) == (200, "image/png")
    assert "immutable" in served["Cache-Control"]
    assert picture_of_site(site).logo_key == site.logo_key
    assert browser().get("/preview.png").status_code == 200
    save(admin, "look", color=READABLE, remove_logo="on")
    site.refresh_from_db()
    assert site.logo_key == ""
    assert browser().get("/favicon.ico")["Location"].endswith("favicon.svg")


def test_emails_have_logo_color_sender_and_contact(site: Site) -> None:
    site.color, site.logo_key = READABLE, f"brand/{'a' * 32}"
    site.contact_email, site.sender_email, site.name = "hello@harbor.example", "news@harbor.example", 'Harbor, "A"'
    email = compose(to="ada@example.com", words=Words(subject="Hi", text="Hello"), site=site)
    message = email.message()
    assert message["From"] == '"Harbor, \\"A\\"" <news@harbor.example>'
    assert message["Reply-To"] == "hello@harbor.example"
    html = str(email.alternatives[0][0])
    assert f"/{site.logo_key}/96.jpg" in html
    assert light_accents(READABLE).text in html


def test_the_contact_is_in_the_footer(site: Site) -> None:
    assert "mailto:" not in browser().get("/terms").content.decode()
    site.contact_email = "hello@harbor.example"
    site.save()
    assert 'href="mailto:hello@harbor.example"' in browser().get("/terms").content.decode()


class TestReminder:
    LINK = 'href="/setup"'

    def test_staff_see_it_until_setup_is_finished(self, admin: Client, site: Site) -> None:
        for path in ("/terms", "/admin/"):
            assert "Set up your site" in admin.get(path).content.decode()
        assert admin.post("/setup/finish")["Location"] == "/admin/"
        for path in ("/terms", "/admin/"):
            assert "Set up your site" not in admin.get(path).content.decode()
        assert self.LINK in admin.get("/admin/").content.decode()

    def test_it_names_the_steps_that_are_left(self, admin: Client, site: Site) -> None:
        assert "setup steps left: name, logo and color, contact, seller" in admin.get("/terms").content.decode()
        save(admin, "contact", contact_email="hello@harbor.example")
        save(admin, "seller", legal_name="Harbor Ltd", address="Quay 1", country="DE")
        for path in ("/terms", "/admin/"):
            assert "setup steps left: name, logo and color" in admin.get(path).content.decode()

    def test_others_never_see_it(self, site: Site) -> None:
        for client in (browser(), signed_in(UserFactory.create())):
            assert self.LINK not in client.get("/terms").content.decode()


@pytest.mark.parametrize("rights", [{}, {"is_staff": True}])
def test_the_page_is_for_site_admins(site: Site, rights: dict[str, bool]) -> None:
    person = signed_in(UserFactory.create(**rights))
    assert person.get("/setup").status_code == 403
    assert save(person, "name", name="Taken").status_code == 403
    assert person.post("/setup/finish").status_code == 403
    assert browser().get("/setup")["Location"].startswith("/account/sign-in")


@override_settings(STAFF_SECOND_FACTOR=True)
def test_the_page_needs_a_second_factor_where_the_admin_does(admin: Client) -> None:
    assert admin.get("/setup").status_code == 403
    assert save(admin, "name", name="Taken").status_code == 403


def test_an_unknown_step_is_not_found(admin: Client) -> None:
    assert save(admin, "nothing").status_code == 404


class TestColors:
    @pytest.mark.parametrize("color", [READABLE, "#000000", "#7a3b00", "#b00020", "#1a7f37", "#767676"])
    def test_all_shades_are_readable(self, color: str) -> None:
        light, dark = light_accents(color), dark_accents(color)
        hue = oklch_of(color)[2]
        for shade in (light.fill, light.hover, dark.fill, dark.hover):
            assert contrast(shade, "#ffffff") >= LEAST_CONTRAST
        assert contrast(light.text, hex_of(0.96, 0.022, hue)) >= LEAST_CONTRAST
        assert contrast(dark.text, hex_of(0.265, 0.062, hue)) >= LEAST_CONTRAST

    @pytest.mark.parametrize("color", ["#ffffff", PALE, "#00ff00", "#0f62fe"])
    def test_the_nearest_shade_is_readable_and_keeps_what_is(self, color: str) -> None:
        assert contrast(nearest_readable(color), "#ffffff") >= LEAST_CONTRAST
        assert nearest_readable(READABLE) == READABLE

    @pytest.mark.parametrize("color", ["#0f62fe", "#7a3b00", "#000000", "#ffffff"])
    def test_conversion_and_back(self, color: str) -> None:
        assert hex_of(*oklch_of(color)) == color

    @pytest.mark.parametrize(("color", "status"), [(READABLE[1:], 200), (PALE[1:], 404), ("red", 404), ("0F62FE", 404)])
    def test_the_stylesheet_is_for_readable_colors(self, site: Site, color: str, status: int) -> None:
        assert browser().get(f"/brand/{color}.css").status_code == status

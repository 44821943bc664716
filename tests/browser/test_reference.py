"""Sending requests from the API reference, with a key made for it."""

from tests.browser.conftest import with_script
from tests.browser.playwright import Page, expect
from tests.installation import Account

pytestmark = with_script


def test_an_owner_creates_a_test_key_and_sends_a_request_with_it(signed_in: Page, account: Account) -> None:
    page = signed_in
    page.goto("/reference/list_my_listings")
    page.get_by_role("link", name="Create a test key").click()
    page.get_by_label("Password").fill(account.password)
    page.get_by_role("button", name="Confirm").click()
    page.get_by_role("button", name="Create key").click()
    back = page.get_by_role("link", name="Try list_my_listings")
    back.wait_for()
    # The page's script hands over the key.
    page.wait_for_load_state()
    back.click()
    expect(page.get_by_label("API key")).not_to_have_value("")
    page.get_by_label("per_page").fill("1")
    page.get_by_role("button", name="Send request").click()
    expect(page.locator("[data-status]")).to_have_text("200 OK")
    expect(page.locator("[data-answer] code")).to_contain_text('"per_page": 1')


def test_a_word_that_only_fields_have_is_found_with_enter(page: Page) -> None:
    page.goto("/reference")
    field = page.get_by_role("searchbox", name="Search operations and fields")
    field.press_sequentially("promo_code")
    expect(page.locator(".reference-menu").get_by_text("Press Enter to search fields")).to_be_visible()
    field.press("Enter")
    page.get_by_role("main").get_by_role("link", name="quote_order").last.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Price an order")


def test_on_a_phone_the_menu_comes_first_and_opens(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("/reference/list_products")
    menu, heading = page.locator(".reference-menu"), page.get_by_role("heading", level=1)
    assert menu.evaluate("menu => menu.offsetTop") < heading.evaluate("title => title.offsetTop")
    expect(menu.get_by_role("link", name="get_order", exact=True)).to_be_hidden()
    menu.get_by_text("All operations").click()
    expect(menu.get_by_role("link", name="get_order", exact=True)).to_be_visible()


def test_the_menu_filters_and_the_language_stays_chosen(page: Page) -> None:
    page.goto("/reference/list_products")
    page.get_by_role("searchbox", name="Search operations and fields").press_sequentially("milest")
    expect(page.locator(".reference-menu a[data-text]:visible")).to_have_text(["add_milestone", "delete_milestone"])
    page.locator(".languages").get_by_text("TypeScript").click()
    expect(page.locator(".sample:visible")).to_contain_text("await fetch(")
    page.goto("/reference/get_order")
    expect(page.locator(".sample:visible")).to_contain_text("await fetch(")

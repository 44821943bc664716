"""An owner buys for a listing in a browser: put together, check out, be declined, pay, read the order."""

import re
from decimal import Decimal
from typing import Any

from tests.browser.conftest import with_script
from tests.browser.playwright import Locator, Page, ViewportSize, expect
from tests.browser.reloading import reload_when_it_says
from tests.waiting import wait_for

PHONE = ViewportSize(width=390, height=844)


def total_of(page: Page) -> Decimal:
    """What the Pay button asks for, in dollars."""
    text = page.get_by_role("button", name=re.compile(r"^Pay \$")).inner_text()
    return Decimal(text.partition("$")[2].replace(",", ""))


def fits(page: Page) -> None:
    """Nothing scrolls sideways on a phone."""
    wide = page.viewport_size
    page.set_viewport_size(PHONE)
    fitting = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
    wait_for(lambda: bool(page.evaluate(fitting)))
    page.set_viewport_size(wide or PHONE)


def stays_in_view(page: Page, total: Locator) -> None:
    """The total is there on a phone while products are chosen above it."""
    wide = page.viewport_size
    page.set_viewport_size(PHONE)
    page.evaluate("scrollTo(0, 0)")
    expect(total).to_be_in_viewport()
    page.set_viewport_size(wide or PHONE)


def week(page: Page, index: int) -> Locator:
    """One of the weeks whose newsletter still has a slot. The first one may end meanwhile."""
    return page.get_by_role("checkbox", name="Newsletter slot", disabled=False).nth(1 + index)


def test_from_the_dashboard_to_a_paid_order(signed_in: Page, listing: dict[str, Any], has_script: bool) -> None:
    page = signed_in
    page.goto("/account")
    main = page.get_by_role("main")
    main.locator(f'a[href="/account/listings/{listing["id"]}/buy"]').first.click()
    price = main.get_by_role("region", name="Price")
    price.get_by_role("button", name="Continue to checkout").click()
    expect(main).to_contain_text("Choose something to buy.")
    week(page, 0).check()
    week(page, 1).check()
    show = price.get_by_role("button", name="Show price")
    # With a script the total follows each choice.
    expect(show).to_be_hidden() if has_script else show.click()
    expect(price).to_contain_text("$298.00")
    fits(page)
    if has_script:
        stays_in_view(page, price.get_by_text("Total before VAT"))
    price.get_by_role("button", name="Continue to checkout").click()

    expect(page).to_have_url(re.compile("/checkout/"))
    # Its script listens from then on.
    page.wait_for_load_state()
    assert total_of(page) == Decimal("298.00")
    country, number = page.get_by_label("Country"), page.get_by_label(re.compile("^VAT number"))
    update = page.get_by_role("button", name="Update total").last
    country.select_option("DE")
    if not has_script:
        update.click()
    expect(main).to_contain_text("19% Germany")
    assert total_of(page) == Decimal("354.62")
    number.fill("DE123")
    number.blur()
    if not has_script:
        update.click()
    expect(main).to_contain_text("Not a valid VAT number")
    number.fill("")
    page.get_by_label(re.compile("^Promo code")).fill("NO-SUCH-CODE")
    update.click()
    expect(main).to_contain_text("Unknown promo code.")
    page.get_by_label(re.compile("^Promo code")).fill("welcome-20")
    update.click()
    expect(main).to_contain_text("−$59.60")
    assert total_of(page) == Decimal("283.70")
    fits(page)

    for label, value in {"Name": "Ada Example", "Address": "1 Quay", "City": "Berlin"}.items():
        page.get_by_label(label, exact=True).fill(value)
    page.get_by_label("I accept the terms").check()
    page.get_by_role("button", name=re.compile(r"^Pay \$")).click()
    page.get_by_role("button", name="Decline").click()
    expect(main).to_contain_text("The last payment didn't go through. The payment was declined.")
    page.get_by_label("I accept the terms").check()
    page.get_by_role("button", name=re.compile(r"^Pay \$")).click()
    expect(page.get_by_role("button", name="Decline")).to_be_visible()
    page.wait_for_load_state()
    # Back without an answer: the page offers to go on, or to pay anew.
    page.go_back()
    page.reload()
    expect(main).to_contain_text("You started a payment but didn't finish it.")
    main.get_by_role("link", name="Continue payment").click()
    page.get_by_role("button", name="Pay now").click()

    expect(page).to_have_url(re.compile("/orders/SL-"))
    expect(main).to_contain_text("Payment received.")
    expect(main).to_contain_text("$283.70")
    expect(main).to_contain_text("Ada Example")
    reload_when_it_says(page, "Scheduled")
    fits(page)
    page.goto("/orders")
    expect(main.get_by_role("listitem").first).to_contain_text("Newsletter slot")
    expect(main.get_by_role("listitem").first).to_contain_text("Paid")


@with_script
def test_an_order_is_cancelled(signed_in: Page, listing: dict[str, Any]) -> None:
    page, main = signed_in, signed_in.get_by_role("main")
    page.goto(f"/account/listings/{listing['id']}/buy")
    week(page, 0).check()
    main.get_by_role("button", name="Continue to checkout").click()
    main.get_by_role("link", name="View or cancel order").click()
    expect(main).to_contain_text("Prices are held")
    main.get_by_role("button", name="Cancel order").click()
    expect(main).to_contain_text("Order canceled")
    expect(main.get_by_role("link", name="Continue to payment")).to_have_count(0)

"""What is wrong with how a page of the tests' browser looks, mostly by axe-core, the accessibility checker."""

import json
from collections.abc import Sequence
from functools import cache

from tests.browser.playwright import Page
from tests.conformance import npm

# Colors that are still on their way to what they will be are no complaint. What follows scrolling never ends.
_SETTLED = """
Promise.all(document.getAnimations()
  .filter((one) => one.timeline === document.timeline && one.effect.getComputedTiming().endTime !== Infinity)
  .map((one) => one.finished.catch(() => null)))
"""
_RUN = "axe.run({options}).then(({{ violations }}) => JSON.stringify(violations))"
# Rules for another run on a page whose colors or size changed.
COLORS = ("color-contrast", "link-in-text-block")
# Not among axe's defaults. Lighthouse asks for it.
SIZES = ("target-size",)


@cache
def _source() -> str:
    return (npm.needed().modules / "axe-core" / "axe.min.js").read_text("utf-8")


def complaints(page: Page) -> list[str]:
    """Return what is wrong with the current page: what axe reports, and whether it is too wide."""
    return violations(page) + too_wide(page)


def too_wide(page: Page) -> list[str]:
    """Return a line if the page scrolls sideways."""
    pixels = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return [f"scrolls sideways by {pixels} pixels"] if pixels > 0 else []


def squeezed(page: Page) -> list[str]:
    """Return a line for each text beside a heading that something else leaves less than half of the page."""
    script = (
        "all => all.filter((one) => one.clientWidth && one.clientWidth < innerWidth / 2).map((one) => one.innerText)"
    )
    return [f"squeezed: {text}" for text in page.locator("main .grow:has(> :is(h1, h2))").evaluate_all(script)]


def violations(page: Page, *, only: Sequence[str] = ()) -> list[str]:
    """Return what axe reports about the current page by all rules or `only` these, one line per rule and element."""
    # By the debugger: the pages themselves let no foreign script in.
    debugger = page.context.new_cdp_session(page)
    page.wait_for_load_state("load")
    rules = {"runOnly": only} if only else {"rules": {name: {"enabled": True} for name in SIZES}}
    run = _RUN.format(options=json.dumps({"resultTypes": ["violations"], **rules}))
    if debugger.send("Runtime.evaluate", {"expression": "typeof axe"})["result"]["value"] == "undefined":
        debugger.send("Runtime.evaluate", {"expression": _source()})
    words = {"expression": f"{_SETTLED}.then(() => {run})", "awaitPromise": True, "returnByValue": True}
    answer = debugger.send("Runtime.evaluate", words)
    debugger.detach()
    assert "exceptionDetails" not in answer, answer
    result = json.loads(answer["result"]["value"])
    return [f"{rule['id']} at {' '.join(node['target'])}" for rule in result for node in rule["nodes"]]

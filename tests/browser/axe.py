"""axe-core, the accessibility checker, run in a page of the tests' browser."""

import json
from functools import cache

from tests.browser.playwright import Page
from tests.conformance import npm

# Colors that are still on their way to what they will be are no complaint. What follows scrolling never ends.
_SETTLED = """
Promise.all(document.getAnimations()
  .filter((one) => one.timeline === document.timeline && one.effect.getComputedTiming().endTime !== Infinity)
  .map((one) => one.finished.catch(() => null)))
"""
_RUN = "axe.run({{ resultTypes: ['violations']{only} }}).then(({{ violations }}) => JSON.stringify(violations))"
_COLOURS = ", runOnly: ['color-contrast', 'link-in-text-block']"


@cache
def _source() -> str:
    return (npm.needed().modules / "axe-core" / "axe.min.js").read_text("utf-8")


def violations(page: Page, *, colours_only: bool = False) -> list[str]:
    """Return what axe reports about the current page, one line per rule and element.

    `colours_only` is for a second run on a page where only the colors changed.
    """
    # By the debugger: the pages themselves let no foreign script in.
    debugger = page.context.new_cdp_session(page)
    page.wait_for_load_state("load")
    run = _RUN.format(only=_COLOURS if colours_only else "")
    if debugger.send("Runtime.evaluate", {"expression": "typeof axe"})["result"]["value"] == "undefined":
        debugger.send("Runtime.evaluate", {"expression": _source()})
    words = {"expression": f"{_SETTLED}.then(() => {run})", "awaitPromise": True, "returnByValue": True}
    answer = debugger.send("Runtime.evaluate", words)
    debugger.detach()
    assert "exceptionDetails" not in answer, answer
    found = json.loads(answer["result"]["value"])
    return [f"{rule['id']} at {' '.join(node['target'])}" for rule in found for node in rule["nodes"]]

"""Charts in templates."""

from typing import Any

from django import template

from apps.core.web.charts import GAP, HEIGHT, STEP, Chart

register = template.Library()


@register.inclusion_tag("parts/chart.html")
def chart(shown: Chart, *, with_table: bool = False) -> dict[str, Any]:
    """A chart as SVG; its numbers as a table below, unless the page shows them elsewhere."""
    return {
        "chart": shown,
        "with_table": with_table,
        "bar_width": f"{STEP - 2 * GAP:g}",
        "step": f"{STEP:g}",
        "height": f"{HEIGHT:g}",
    }


@register.filter
def thousands(value: int) -> str:
    """A whole number with commas: `1,490`."""
    return f"{value:,}"

"""Write the product websites of `products/*.yaml` as folders of pages with labels.

Each site's structure follows its `style`: what frameworks and site builders put out differs more than the words.

usage: python -m tests.corpus.sites {develop,aside} FOLDER
"""

import argparse
import json
from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Any

import yaml

PRODUCTS = Path(__file__).parent / "products"
Site = dict[str, Any]


def write_sites(part: str, folder: Path) -> None:
    """Write `FOLDER/SITE/{index,pricing}.html` and `labels.json` for each product of a part."""
    for site in yaml.safe_load((PRODUCTS / f"{part}.yaml").read_text()):
        label = site["name"].lower().replace(" ", "")
        home = folder / label
        home.mkdir(parents=True, exist_ok=True)
        url = f"https://{label}.example/"
        pages = {"index.html": (url, _page(site, _home(site))), "pricing.html": (f"{url}pricing", _page(site, ""))}
        if site.get("plans"):
            pages["pricing.html"] = (f"{url}pricing", _page(site, f"<main>{_pricing(site)}</main>", title="Pricing"))
        else:
            del pages["pricing.html"]
        for name, (_, html) in pages.items():
            (home / name).write_text(html)
        told = {"pages": {name: address for name, (address, _) in pages.items()}, "labels": _labels(site)}
        (home / "labels.json").write_text(json.dumps(told, ensure_ascii=False))


def _labels(site: Site) -> dict[str, Any]:
    given = site["labels"]
    return {
        "name": [site["name"]],
        "headline": [site["tagline"]],
        "categories": given["categories"],
        "github": f"https://github.com/{given['github']}" if "github" in given else None,
        "price_from_cents": given.get("price"),
        "pricing_model": given.get("model"),
    }


def _page(site: Site, body: str, *, title: str = "") -> str:
    written = site.get("title") or f"{site['name']} – {site['tagline']}"
    title = f"{title} | {site['name']}" if title else written
    head = f"<title>{escape(title)}</title><meta name=description content='{escape(site['description'])}'>"
    if site["style"] in ("next", "framer", "cards"):
        head += f"<meta property=og:site_name content='{escape(site['name'])}'>"
    language = site.get("lang", "en")
    return f"<!doctype html><html lang={language}><head><meta charset=utf-8>{head}</head><body>{body}</body></html>"


def _home(site: Site) -> str:
    if site["style"] == "shell":
        return '<div id="root"></div><noscript>Enable JavaScript to run this app.</noscript><script src=/a.js></script>'
    return _FRAMES[site["style"]](site, _links(site))


def _links(site: Site) -> str:
    links = ['<a href="/pricing">Pricing</a>'] if site.get("plans") else []
    own, others = site.get("repo"), site.get("others", [])
    links += [f'<a href="https://github.com/{own}">GitHub</a>'] if own else []
    links += [f'<a href="https://github.com/{repo}">{repo}</a>' for repo in others]
    return " ".join(links)


def _words(site: Site, tag: str) -> str:
    said = [site.get("open"), site["description"], *site.get("text", ()), site.get("free"), site.get("trial")]
    said += [site.get("fee"), site.get("license") and f"{site['license']} license"]
    return "".join(f"<{tag}>{escape(text)}</{tag}>" for text in said if text)


def _next(site: Site, links: str) -> str:
    words = _words(site, "p")
    return (
        f'<div id="__next"><header><nav>{links}</nav></header><main><h1>{site["tagline"]}</h1>{words}</main></div>'
        '<script id="__NEXT_DATA__" type="application/json">{"props":{}}</script>'
    )


def _astro(site: Site, links: str) -> str:
    return (
        f'<main class="astro-j7pv25f6"><article><h1 class="astro-x">{site["tagline"]}</h1>'
        f'{_words(site, "section")}</article></main><footer class="astro-f">{links}</footer>'
    )


def _framer(site: Site, links: str) -> str:
    words = _words(site, "div")
    return (
        f'<div data-framer-root><div class="framer-1a2b"><div hidden><h1>Template</h1></div>'
        f'<div data-framer-component-type="RichTextContainer"><h1>{site["tagline"]}</h1></div>{words}'
        f'<div class="framer-9z">{links}</div></div></div>'
    )


def _webflow(site: Site, links: str) -> str:
    blocks = _words(site, "div").replace("<div>", '<div class="w-layout-cell text-block-12 w-richtext">')
    return (
        f'<div class="w-nav"><div class="w-container">{links}</div></div><div class="section hero-3">'
        f'<div class="div-block-7"><h1 class="heading-2">{site["tagline"]}</h1></div>{blocks}</div>'
    )


def _docs(site: Site, links: str) -> str:
    return (
        f'<aside class="sidebar"><ul><li><a href="/docs/start">Quick start</a></li></ul></aside><article class="md">'
        f"<h1>{site['tagline']}</h1>{_words(site, 'p')}<pre><code>install {site['name'].lower()}</code></pre>"
        f"<p>{links}</p></article>"
    )


def _table(site: Site, links: str) -> str:
    return (
        f'<table class="layout"><tr><td>{links}</td></tr><tr><td><h1>{site["tagline"]}</h1>'
        f"{_words(site, 'p')}</td></tr></table>"
    )


def _cards(site: Site, links: str) -> str:
    cards = _words(site, "li")
    return (
        f'<main class="grid gap-6 p-4"><h1 class="text-5xl"><span>{site["tagline"]}</span></h1><ul>{cards}</ul></main>'
        f"<footer>{links}</footer>"
    )


def _list(site: Site, links: str) -> str:
    return (
        f'<header><b>{site["name"]}</b></header><section id="top"><h1>{site["tagline"]}</h1>'
        f"<dl>{_words(site, 'dd')}</dl></section><p>{links}</p>"
    )


_FRAMES: dict[str, Callable[[Site, str], str]] = {
    "next": _next,
    "astro": _astro,
    "framer": _framer,
    "webflow": _webflow,
    "docs": _docs,
    "table": _table,
    "cards": _cards,
    "list": _list,
}


def _pricing(site: Site) -> str:
    rows = _plans(site)
    others = "".join(
        f"<tr><td>{name}</td><td>{price}{period}</td></tr>" for name, price, period in site.get("versus", ())
    )
    other = f"<section class=comparison><h2>Compare with others</h2><table>{others}</table></section>" if others else ""
    notes = "".join(f"<p>{escape(site[key])}</p>" for key in ("usage", "trial", "saved", "fee") if site.get(key))
    return f"<h1>Pricing</h1>{rows}{notes}{other}"


def _plans(site: Site) -> str:
    plans, old = site["plans"], f"<del>{site['old']}</del>" if site.get("old") else ""
    match site["style"]:
        case "table" | "docs":
            names = "".join(f"<th>{name}</th>" for name, _, _ in plans)
            amounts = "".join(f"<td>{price} {period}</td>" for _, price, period in plans)
            return f"<table><tr><th></th>{names}</tr><tr><td>Price</td>{amounts}</tr></table>"
        case "list":
            return (
                "<dl>" + "".join(f"<dt>{name}</dt><dd>{price} {period}</dd>" for name, price, period in plans) + "</dl>"
            )
        case "webflow" | "framer":
            return "".join(
                f'<div class="card"><div>{name}</div><div class="amount">{price}</div><div>{period}</div></div>'
                for name, price, period in plans
            )
    return "".join(
        f"<section><h3>{name}</h3><p>{old}<span>{price}</span> <span>{period}</span></p></section>"
        for name, price, period in plans
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=("develop", "aside"))
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    write_sites(options.part, options.folder)


if __name__ == "__main__":
    main()

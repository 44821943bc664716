"""Tell the site's own profiles on other platforms from those it only mentions."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from lxml import etree

from apps.core.web.urls import host_of, parts_of
from apps.drafts.extraction.company.places import names_maker
from apps.drafts.extraction.document.addresses import absolute
from apps.drafts.extraction.document.document import selector_of, snippet_of, text_of
from apps.drafts.extraction.document.json_ld import APPLICATION_TYPES, ORGANIZATION_TYPES, strings
from apps.drafts.extraction.document.titles import SURE_FIT, domain_fit
from apps.drafts.extraction.page.read_page import Find, ReadPage
from apps.drafts.extraction.text.cleaning import fold, words_of
from apps.listings.fields.socials import PLATFORMS, Profile, mastodon_profile, profile_of, repository_owner

MAX_STRANGERS = 2
SURE = 0.8
# A link in running text scores above this only if its name matches the site's.
LIKELY = 0.65
UNSURE = 0.6

_FRAME_TAGS = frozenset({"footer", "header", "nav"})
_FRAME_WORDS = re.compile(r"\b(?:footer|header|navbar|nav|social|socials|follow|sns|share-?links)")
_OWN_REPOSITORY = re.compile(
    r"^\W*(?:(?:view|see|find|star|fork|check|watch|follow|contribute|join)\b.{0,20}\b(?:git(?:hub|lab)|source)"
    r"|git(?:hub|lab)|source(?: code)?|repository|code|open source|[★⭐☆]?\s*[\d.,]+\s?k?(?:\s*stars?)?|[★⭐]\s*stars?)"
    r"\W*$",
    re.IGNORECASE,
)
_FEED_TYPES = frozenset({"application/rss+xml", "application/atom+xml", "application/feed+json"})
# Website builders, themes and frameworks, whose examples keep their makers' profiles.
_BUILDERS = frozenset(
    fold(name)
    for name in words_of("""
        astrodotbuild bricksbuilder bubble carrd carrdco divi docusaurus drupal durable elegantthemes elementor elemntor
        envato framer gatsbyjs getbootstrap ghost gitbook godaddy gohugo gohugoio hostinger jekyllrb jimdo joomla kajabi
        laravel laravelphp lovable lovable_dev mintlify nextjs nuxtjs nuxt_js rails shadcn shopify softr softr_io
        squarespace strikingly sveltejs tailwindcss tailwindui themeforest tildapublishing tryghost typedream typo3
        unbounce unicornplatform vuejs webflow weebly wix wixcom wordpress wordpressdotcom wordpressdotorg wpastra
        yootheme
    """)
)
_FEDIVERSE_WORDS = re.compile(r"mastodon|fediverse|mstdn|fosstodon")


def find_profiles(pages: Sequence[ReadPage], *, name: str | None) -> dict[str, list[Find]]:
    """Return the site's own profiles by platform, best first: declared, then in header and footer, then others.

    If running text mentions several profiles of a platform and none matches the site's name, they belong to customers
    or staff, and none is proposed.
    """
    result: defaultdict[str, dict[str, Find]] = defaultdict(dict)
    for page in pages:
        for profile, find in _on_page(page, name, is_home=page is pages[0]):
            known = result[profile.platform].get(find.value.lower())
            if known is None or known.confidence < find.confidence:
                result[profile.platform][find.value.lower()] = find
    if feeds := _feeds(pages[0]):
        result["rss"] = {feed.value: feed for feed in feeds}
    own = {platform: _own(list(result[platform].values())) for platform in PLATFORMS if platform in result}
    return {platform: finds for platform, finds in own.items() if finds}


def _own(finds: list[Find]) -> list[Find]:
    ranked = sorted((find for find in finds if find.confidence >= LIKELY), key=lambda find: -find.confidence)
    if not ranked:
        return []
    if ranked[0].confidence < SURE and len(ranked) > MAX_STRANGERS:
        return []
    return ranked


def _on_page(page: ReadPage, name: str | None, *, is_home: bool) -> Iterator[tuple[Profile, Find]]:
    for profile, find in (*_declared(page), *_linked(page, name)):
        if host_of(profile.address).endswith(_registered(page.url)):
            continue
        fit = max(domain_fit(profile.name, page.url), 0.9 if name and fold(profile.name) == fold(name) else 0)
        confidence = find.confidence * (1 if is_home else 0.85) + fit * 0.15
        if not fit and (fold(profile.name) in _BUILDERS or fold(profile.name) == _generator(page)):
            continue
        # A person's page is rarely the company's, wherever the link is.
        if "/in/" in profile.address:
            confidence -= 0.3
        yield profile, replace(find, confidence=min(confidence, 1.0))


def _generator(page: ReadPage) -> str:
    """Return the name of the program that says it made the page: "ghost" of "Ghost 5.101"."""
    metas = page.document.metas.get("generator", ())
    return fold(next(iter(metas[0].content.split()), "")) if metas else ""


def _registered(url: str) -> str:
    return host_of(url).removeprefix("www.")


def _declared(page: ReadPage) -> Iterator[tuple[Profile, Find]]:
    yield from _declared_same(page)
    yield from _declared_in_meta(page)
    for _, address, element in page.document.links_as("me"):
        if profile := profile_of(address) or mastodon_profile(address):
            yield profile, Find(profile.address, page, "dom", 'link[rel="me"]', snippet_of(element), 0.9)


def _declared_same(page: ReadPage) -> Iterator[tuple[Profile, Find]]:
    for node in page.document.json_ld.of_type(ORGANIZATION_TYPES | APPLICATION_TYPES | {"website"}):
        for address in strings(node.get("sameAs"), key="url", limit=40):
            sound = absolute(address, page.url)
            if sound and (profile := profile_of(sound)):
                selector = 'script[type="application/ld+json"] sameAs'
                yield profile, Find(profile.address, page, "json_ld", selector, f'"sameAs": "{address}"', 0.9)


def _declared_in_meta(page: ReadPage) -> Iterator[tuple[Profile, Find]]:
    for meta in page.document.metas.get("twitter:site", ())[:1]:
        handle = meta.content.strip().removeprefix("@")
        if re.fullmatch(r"\w{1,15}", handle) and (profile := profile_of(f"https://x.com/{handle}")):
            yield (
                profile,
                Find(profile.address, page, "twitter", meta.selector, snippet_of(meta.element), 0.85),
            )
    for meta in page.document.metas.get("article:publisher", ())[:1]:
        # Themes fill in their own author here, so it counts only if the name matches.
        if (sound := absolute(meta.content, page.url)) and (profile := profile_of(sound)):
            yield profile, Find(profile.address, page, "meta", meta.selector, snippet_of(meta.element), UNSURE)


def _linked(page: ReadPage, name: str | None) -> Iterator[tuple[Profile, Find]]:
    labelled = _labelled_owner(page)
    for address, element in page.document.anchors:
        is_me = "me" in (element.get("rel") or "").lower().split()
        profile = profile_of(address) or _fediverse(address, element, is_me)
        if profile is None and (owner := repository_owner(address)):
            is_own = _is_own_repository(owner, address, page, name) or owner.address == labelled
            profile = owner if is_own else None
        if profile is not None:
            confidence = 0.9 if is_me else 0.8 if _in_frame(element) else UNSURE
            if profile_of(address) is None and profile.platform in ("github", "gitlab"):
                # A repository with the product's name says more than where its link is.
                confidence = max(confidence, 0.75)
            yield (
                profile,
                Find(profile.address, page, "dom", selector_of(element), snippet_of(element), confidence),
            )


def _is_own_repository(owner: Profile, address: str, page: ReadPage, name: str | None) -> bool:
    """Return whether a repository's owner or the repository itself has the site's name.

    Many products live in the account of a company or a person with another name. If the site names its owner as the
    maker, a part of the product will do, such as "acme-loaders".
    """
    if domain_fit(owner.name, page.url):
        return True
    repository = next(iter(parts_of(address).path.split("/")[2:]), "")
    if domain_fit(repository, page.url) >= SURE_FIT or bool(name and fold(repository) == fold(name)):
        return True
    return domain_fit(repository, page.url) > 0 and names_maker(owner.name, (line.text for line in page.lines))


def _labelled_owner(page: ReadPage) -> str:
    """Return the address of the only owner whose repositories links call the site's own, as "View on GitHub" does."""
    owners = {
        owner.address
        for address, element in page.document.anchors
        if (owner := repository_owner(address)) and _calls_it_own(element)
    }
    return owners.pop() if len(owners) == 1 else ""


def _calls_it_own(element: etree._Element) -> bool:
    label = element.get("aria-label") or element.get("title") or text_of(element, limit=60)
    return bool(_OWN_REPOSITORY.search(label))


def _fediverse(address: str, element: etree._Element, is_me: bool) -> Profile | None:
    """Find a profile on a server of any name. It needs a label, since many sites write names with an @."""
    profile = mastodon_profile(address)
    if profile is None:
        return None
    words = " ".join((host_of(address), snippet_of(element))).lower()
    return profile if is_me or _FEDIVERSE_WORDS.search(words) else None


def _in_frame(element: etree._Element) -> bool:
    """Return whether a link is in the header, the footer or a group of profile links."""
    for depth, parent in enumerate(element.iterancestors()):
        if parent.tag in _FRAME_TAGS:
            return True
        words = f"{parent.get('class') or ''} {parent.get('id') or ''}".lower()
        if depth < 4 and _FRAME_WORDS.search(words):
            return True
        if depth > 40 or parent.tag in ("article", "blockquote", "main"):
            return False
    return False


def _feeds(home: ReadPage) -> list[Find]:
    """Return the feeds that the home page announces, comment feeds last."""
    finds = []
    for _, address, element in home.document.links_as("alternate"):
        if (element.get("type") or "").lower() in _FEED_TYPES:
            is_comments = "comment" in f"{address} {element.get('title') or ''}".lower()
            selector = f'link[rel="alternate"][type="{element.get("type")}"]'
            confidence = 0.4 if is_comments else 0.9
            finds.append(Find(address, home, "dom", selector, snippet_of(element), confidence))
    return sorted((find for find in finds if find.confidence > 0.5), key=lambda find: len(find.value))

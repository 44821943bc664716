"""Find where the product runs: declared systems, links to its pages in app stores, and stated requirements."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from lxml import etree

from apps.core.web.urls import host_of, parts_of
from apps.drafts.extraction.document.addresses import domain_label, same_site
from apps.drafts.extraction.document.document import selector_of, snippet_of, text_of
from apps.drafts.extraction.document.json_ld import APPLICATION_TYPES, strings
from apps.drafts.extraction.page.read_page import Entry, Find, ReadPage, finds_of
from apps.drafts.extraction.text.cleaning import fold

MAX_PLATFORMS = 8
MAX_LINE = 200

# Platforms with the words for them.
_SYSTEMS = {
    "iOS": re.compile(r"\b(?:ios|iphones?|ipados|ipads?)\b", re.IGNORECASE),
    "Android": re.compile(r"\bandroid\b", re.IGNORECASE),
    "macOS": re.compile(r"\b(?:mac ?os(?: x)?|os x|macs?)\b", re.IGNORECASE),
    "Windows": re.compile(r"\bwindows\b", re.IGNORECASE),
    "Linux": re.compile(r"\b(?:linux|ubuntu|debian)\b", re.IGNORECASE),
    "Web": re.compile(r"\b(?:web|browser)\b", re.IGNORECASE),
}
_STORES: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("macOS", re.compile(r"^(?:apps|itunes)\.apple\.com/.*(?:mt=12|platform=mac)")),
    ("iOS", re.compile(r"^(?:apps|itunes)\.apple\.com/(?:[a-z]{2}/)?app/|^testflight\.apple\.com/join/")),
    ("Android", re.compile(r"^play\.google\.com/store/apps/details|^f-droid\.org/(?:[a-z]{2}/)?packages/")),
    ("Chrome", re.compile(r"^chromewebstore\.google\.com/detail/|^chrome\.google\.com/webstore/detail/")),
    ("Firefox", re.compile(r"^addons\.mozilla\.org/(?:[a-zA-Z-]+/)?firefox/addon/")),
    ("Edge", re.compile(r"^microsoftedge\.microsoft\.com/addons/detail/")),
    ("Windows", re.compile(r"^apps\.microsoft\.com/|^www\.microsoft\.com/(?:[a-z-]+/)?(?:store|p)/")),
    ("Linux", re.compile(r"^snapcraft\.io/[a-z]|^flathub\.org/(?:[a-z]{2}/)?apps/")),
    ("VS Code", re.compile(r"^marketplace\.visualstudio\.com/items")),
    ("Shopify", re.compile(r"^apps\.shopify\.com/[a-z\d-]+$")),
    ("WordPress", re.compile(r"^(?:[a-z]{2}\.)?wordpress\.org/plugins/[a-z]")),
)
# Extensions run in browsers and editors, and are paid for on the web, without being web apps.
_EXTENSION_HOSTS = frozenset({"Chrome", "Firefox", "Edge", "VS Code"})
_SAYS_WEB = re.compile(r"\bweb\b(?!-? ?(?:browsers?|pages?|sites?))", re.IGNORECASE)
_WAY_IN = re.compile(
    r"\b(?:(?:sign|log)[ -]?(?:in|up)|register|create (?:an |your |a free )?account"
    r"|(?:open|launch|go to) (?:the |web ?)?app|anmelden|einloggen|registrieren|konto erstellen"
    r"|connexion|se connecter|s['’]inscrire|créer un compte"
    r"|iniciar sesión|regístrate|registrarse|crear (?:una )?cuenta|fazer login|cadastr\w+|criar (?:uma )?conta|accedi"
    r"|registrati|inloggen|aanmelden|registreren|logga in|log ind|logg inn|zaloguj(?: się)?|войти|giriş yap)\b"
    r"|ログイン|新規登録|登录|登錄|注册|註冊|로그인|회원가입",
    re.IGNORECASE,
)
_PATH_IN = re.compile(r"/(?:log|sign)[-_]?(?:in|up)(?:/|$)|/regist(?:er|ration)(?:/|$)", re.IGNORECASE)
_RUNS_ON = re.compile(
    r"\b(?:requires?|available (?:on|for)|runs (?:\w+ )?on|works on|(?:download|get it|install) (?:for|on)"
    r"|native (?:app )?(?:on|for)|apps?(?: of its own)? on"
    r"|(?:apps?|binar(?:y|ies)|builds?|installers?|executables?|downloads|packages) for|binar(?:y|ies) on"
    r"|use (?:it|\w+) on|us[ea] (?:no|na)|(?:use|utiliza|usa)(?:l[oa])? en|usal[oa] su|utilisez-l[ea] sur"
    r"|nutze (?:es|\w+) (?:auf|unter)|gebruik (?:het|\w+) op|använd (?:den|det) på|brug (?:den|det) på"
    r"|(?:verfügbar|erhältlich) für|(?:läuft|funktioniert) (?:auf|unter)|(?:benötigt|erfordert)|apps? für"
    r"|download für|disponible (?:sur|pour|para|en)|fonctionne (?:sur|sous)|nécessite|requiert|télécharger pour"
    r"|applications? (?:pour|sur)|descargar para|funciona (?:en|no)|requiere|aplicaci(?:ón|ones) para|apps? para"
    r"|disponível para|baixar para|requer|aplicativos? para|disponibile (?:per|su)|funziona su|richiede|scarica per"
    r"|app per|beschikbaar (?:voor|op)|(?:werkt|draait) op|vereist|downloaden? voor|apps? voor"
    r"|finns (?:för|till|på)|körs på|(?:fungerar|funkar) på|kräver|ladda (?:ner|ned) (?:för|till)"
    r"|tillgänglig[at]? (?:för|till|på)|app(?:ar|en)? (?:för|till)|(?:findes|fås) (?:til|på)|kører på|kræver"
    r"|(?:hent|last ned) (?:til|for)|tilgængelig[e]? (?:til|på)|finnes (?:for|til|på)|kjører på|krever"
    r"|tilgjengelig[e]? (?:for|til|på)|app(?:s|er|en)? til|dostępn[aey] (?:na|dla)|działa na|wymaga|pobierz (?:na|dla)"
    r"|aplikacj[aei] na|vyžaduje|běží na|funguje na|dostupn[éýá] pro|vaatii)\b",
    re.IGNORECASE,
)
# All of a sentence, before systems alone: "Für Windows 10 und 11."
_FOR = re.compile(
    r"\W*(?:(?:also|außerdem|auch|aussi|également|también|também|anche|ook|även|også) )?"
    r"(?:for|für|pour|para|per|voor|för|till|til|dla|na)\s+",
    re.IGNORECASE,
)
_BESIDE_SYSTEMS = re.compile(
    r"\b(?:and|or|und|oder|et|ou|y|o|e|en|of|och|og|eller|i|a|x|lub|nebo|alebo|tai|later|newer|above|up|higher"
    r"|neuer|höher|plus récent|ultérieure?|posteriore?s?|superiore?s?|successiv[oie]|hoger|nieuwer|senare|nyare|nyere"
    r"|senere|nowszy|wyższy|novější|vyšší|novšie|uudempi|tablets?|phones?)\b",
    re.IGNORECASE,
)
# Before systems alone that answer a question: "Ja, ab Windows 10."
_YES = re.compile(
    r"\W*(?:yes|ja|oui|sí|sim|sì|tak|jo)\W+(?:(?:from|ab|since|à partir de|depuis|desde|vanaf|da|fra|från|od)\s+)?",
    re.IGNORECASE,
)
# "A level editor for Windows, macOS and Linux."
_SYSTEM = r"(?:windows|mac ?os|os x|macs?|linux|ios|iphones?|ipads?|android)(?:[ -](?:tablets?|phones?))?"
_FOR_SEVERAL = re.compile(
    rf"\b(?:for|für|pour|para|per|voor|för|till|til|dla|na)\s+{_SYSTEM}"
    rf"(?:\s?(?:,|&|and|or|und|oder|et|ou|y|o|e|en|of|och|og|eller|i)\s*"
    rf"(?:(?:and|und|et|y|e|en|och|og|i)\s)?{_SYSTEM})+\b",
    re.IGNORECASE,
)
# Plug-ins run on the server of a website.
_OF_WORDPRESS = re.compile(
    r"\b(?:wordpress|woocommerce)[ -]plug-?in\b"
    r"|\b(?:plug-?in|extension|estensione) (?:(?:for|für|pour|para|per|voor|för|till|til|dla) )?"
    r"(?:wordpress|woocommerce)\b"
    r"|\b(?:requires|benötigt|erfordert|nécessite|requiere|requer|richiede|vereist|kräver|kræver|krever|wymaga) "
    r"wordpress\b",
    re.IGNORECASE,
)
# What begins or is a list of requirements: "Windows 10 or later", "Windows 10, 4 GB of memory".
_VERSION = re.compile(
    rf"\W*{_SYSTEM} \d[\d.]*\+?(?:\W*$|\s*,\s*\d+ ?[gm]b\b|\s+(?:or|oder|ou|o|of|eller|lub|nebo|alebo|tai|e|and|und|et"
    r"|y|i|a|en|och|og)\s+(?:\w+\s)?(?:\d+|later|newer|above|up|higher|neuer|höher|récent|ultérieure?|posterior|superiore?"
    r"|successiv[oi]|hoger|nieuwer|senare|nyare|nyere|senere|nowszy|wyższy|novější|vyšší|novšie|uudempi)\b)",
    re.IGNORECASE,
)
# Words that say so before several systems, such as "runs wherever you work: Linux and macOS".
_RUNS = re.compile(r"\bruns\b|,\s+on\b", re.IGNORECASE)
_NOT_YET = re.compile(
    r"\b(?:coming soon|not (?:yet )?available|isn['’]t|doesn['’]t|(?:is|does) not|no plans|planned|not (?:on|for)"
    r"|bald verfügbar|noch nicht|nicht (?:verfügbar|auf|unter|für)|(?:läuft|funktioniert) nicht|bientôt|pas encore"
    r"|(?:fonctionne|tourne|disponible) pas|pas disponible|próximamente|no (?:funciona|está|disponible)|todavía no"
    r"|aún no|em breve|não (?:funciona|está|roda|há|disponível)|ainda não|in arrivo"
    r"|non (?:funziona|è|disponibile|ancora)"
    r"|binnenkort|nog niet|werkt niet|niet (?:voor|op|beschikbaar)|kommer snart|snart|ännu inte|endnu ikke|ennå ikke"
    r"|(?:fungerar|finns) inte|inte (?:för|på)|(?:fungerer|kører|finnes|findes) ikke|ikke (?:til|for|på)|wkrótce"
    r"|nie (?:działa|na|dla)|jeszcze nie|neběží|nefunguje|není|zatím ne|ei (?:toimi|vielä))\b"
    r"|не работает|пока нет|未対応|非対応|対応していません|使えません|不支持|暂不|지원하지",
    re.IGNORECASE,
)
# A system that there is nothing for: "no iPhone app", "kein Client für Linux".
_NONE_FOR = re.compile(
    rf"\bno {_SYSTEM}(?:(?:\s?(?:,|/|&|and|or)\s?)+{_SYSTEM})*[ -](?:apps?|clients?|versions?|builds?|support|yet)\b"
    r"|\b(?:no (?:apps?|clients?|versions?|builds?)|without an?|kein(?:e|en)?|ohne|pas d['’e]|aucune?|sin|sem|nenhuma?"
    r"|senza|nessun[ao]?|geen|ingen|inget|brak|žádn\w+)\s?"
    r"(?:(?:native|app|client|version|appli|application|aplicación|aplicativo|aplikacj[aei]|aplikace|for|für|pour|para|per"
    rf"|voor|för|til|na|dla|pro)\s)*{_SYSTEM}(?:\s?(?:,|/|&|and|or|oder|und|ou|ni|o|of|eller|lub|ani|nebo)\s?{_SYSTEM})*"
    r"(?:[ -]apps?\b|[ -]clients?\b|[ -]versions?\b)?",
    re.IGNORECASE,
)
_IN_BROWSERS = re.compile(
    r"\b(?:(?:works|runs) (?:\w+ )?in (?:any|every|all|your|the|a) (?:\w+ )?browsers?"
    r"|(?:everything|all|entirely|right|straight|directly) in (?:any|your|the) browser"
    r"|use (?:it|\w+) in (?:any|your|the) browser|(?:läuft|funktioniert) (?:direkt )?(?:im|in jedem) browser"
    r"|(?:dans|depuis) (?:votre|le|n[’']importe quel) navigateur|(?:en|desde) (?:el|tu|su|cualquier) navegador"
    r"|(?:no|pelo) (?:seu )?navegador|(?:nel|dal) (?:tuo )?browser|in (?:de|je|uw|elke|iedere) browser"
    r"|i (?:(?:din|alla) )?webbläsare[n]?|i (?:(?:din|alle) )?(?:browsere?[n]?|nettlesere?[n]?)|w przeglądarce"
    r"|selaimessa|tarayıcı(?:da|nızda))\b|ブラウザで",
    re.IGNORECASE,
)
# All words of a store's badge. Its link may lead through a page or service that counts clicks.
_BADGE = (
    r"\W*(?:(?:download(?: (?:it|now))?|get (?:it|the app)|(?:now |also )?available|install) (?:on|from|in|via|for)"
    r"(?: the)? |(?:jetzt )?(?:laden|bei|im|in|erhältlich)(?: (?:bei|im|in))?(?: dem)? "
    r"|(?:télécharger|disponible|consíguelo|descárgal[oa]|baixar|disponível|scarica|hämta|ladda ne[dr]"
    r"|finns|tillgänglig|hent|last ned|tilgængelig|tilgjengelig|pobierz|dostępne|disponibile|verkrijgbaar|beschikbaar) "
    r"(?:(?:nu|nå) )?(?:dans|sur|en|na|no|su|i|på|z|w|in|op) (?:(?:el|la|il|de) |l['’])?)?(?:{})"
    r"(?:から(?:ダウンロード)?|\s?で手に入れよう)?\W*"
)
_BADGES = tuple(
    (platform, re.compile(_BADGE.format(store), re.IGNORECASE))
    for platform, store in (
        ("macOS", "mac app store"),
        ("iOS", "(?:apple )?app store|testflight"),
        ("Android", "google play(?: store)?|f-droid"),
        # Links of customers and partners have the bare name.
        ("Windows", "(?:microsoft|windows) store|(?<=from )microsoft"),
    )
)
_SENTENCE = re.compile(r"(?<=[^\W\d_])[.!]\s|(?<=[?？؟])\s*|(?<=\d)\.\s(?=[^\W\d_a-z])|[。！]")
_ASKS = ("?", "？", "؟")
# Files to download, and commands that install.
_FILES = (
    ("macOS", re.compile(r"\.(?:dmg|pkg)$", re.IGNORECASE)),
    ("Windows", re.compile(r"\.(?:exe|msi|msix)$", re.IGNORECASE)),
    ("Linux", re.compile(r"\.(?:deb|rpm|appimage|flatpakref)$", re.IGNORECASE)),
    ("Android", re.compile(r"\.apk$", re.IGNORECASE)),
)
_TO_DOWNLOAD = re.compile(r"(?<![a-z])(?:download|install|get|dl)(?![a-z])", re.IGNORECASE)
# All of a button, perhaps with a version: "macOS 12+", "Windows (64-bit)".
_SYSTEM_ALONE = re.compile(
    r"\W*(?:mac ?os|os x|mac|windows|linux|ios|iphone|ipad|android)(?: \d[\d.]*\+?)?(?:\s?\([^()]{1,30}\))?\W*",
    re.IGNORECASE,
)
_COMMANDS = (
    ("macOS", re.compile(r"\bbrew install\s+(?:--cask\s+)?(?P<of>\S+)")),
    ("Windows", re.compile(r"\b(?:winget|choco|scoop) install\s+(?P<of>\S+)")),
    ("Linux", re.compile(r"\b(?:apt|apt-get|dnf|yum|snap|zypper|flatpak) install\s+(?:-\S+\s+)?(?P<of>\S+)")),
)
_APP_OF = re.compile(
    r"\b(?:an?|one|native|our|the)(?: native)?"
    r"(?:[, ]+(?:and |& )?(?:mac(?:os)?|windows|linux|ios|iphone|ipad|android|web)){1,5}(?: desktop| mobile)? app\b",
    re.IGNORECASE,
)
_OF_DOCS = re.compile(r"^/(?:[a-z]{2}/)?(?:docs?|documentation|manual|download|install)", re.IGNORECASE)
_APP_HOSTS = ("app.", "my.", "web.", "mijn.", "mein.", "panel.", "dashboard.")
MAX_LINKS = 500
MAX_COMMANDS = 50
_NOT_OURS = frozenset({"quote", "struck", "versus", "notice"})


def find_platforms(pages: Sequence[ReadPage], *, name: str | None, faqs: Sequence[Entry] = ()) -> list[Entry]:
    """Return platforms such as iOS, Android or Web, each with its source. The first page is the home page.

    `faqs` are the site's questions with their answers, which pages often hide.
    """
    about_it = [page for page in pages if page is pages[0] or _OF_DOCS.match(parts_of(page.url).path)]
    stated = [find for page in about_it for find in _stated(page)]
    finds = [*_declared(pages[0]), *_linked(pages, name), *_downloads(pages, name), *_in_tabs(pages[0]), *stated]
    finds.extend(find for faq in faqs for find in _answered(faq))
    if any(find.value in _EXTENSION_HOSTS for find in finds) and not _is_web_app(pages[0], finds):
        finds = [find for find in finds if find.value != "Web"]
    result: dict[str, Find] = {}
    for find in finds:
        result.setdefault(find.value, find)
    return [Entry(platform, [find]) for platform, find in list(result.items())[:MAX_PLATFORMS]]


def _is_web_app(home: ReadPage, finds: Sequence[Find]) -> bool:
    """Return whether a product with an extension is also an app: it says so, or the home page leads into the app."""
    web = [find for find in finds if find.value == "Web"]
    if any(find.source == "json_ld" or (find.source == "text" and _SAYS_WEB.search(find.snippet)) for find in web):
        return True
    return any(
        _leads_in(address, text_of(element, limit=MAX_LINE), home)
        for address, element in islice(home.document.anchors, MAX_LINKS)
    )


def _leads_in(address: str, text: str, home: ReadPage) -> bool:
    """Return whether a link leads to an app's own host, or to a page of the site to sign in or up."""
    if not same_site(address, home.url):
        return False
    path = parts_of(address).path
    return (_is_app_host(address, home) and path in ("", "/")) or bool(_PATH_IN.search(path) or _WAY_IN.search(text))


def _is_app_host(address: str, page: ReadPage) -> bool:
    host = host_of(address)
    return host.startswith(_APP_HOSTS) and same_site(address, page.url) and host != host_of(page.url)


def _declared(home: ReadPage) -> Iterator[Find]:
    selector = 'script[type="application/ld+json"] operatingSystem'
    for node in home.document.json_ld.of_type(APPLICATION_TYPES):
        for value in strings(node.get("operatingSystem")):
            for platform in _systems_in(value):
                yield Find(platform, home, "json_ld", selector, f'"operatingSystem": "{value[:200]}"', 0.9)


def _systems_in(text: str) -> list[str]:
    places = {platform: result.start() for platform, words in _SYSTEMS.items() if (result := words.search(text))}
    return sorted(places, key=lambda platform: places[platform])


def _linked(pages: Sequence[ReadPage], name: str | None) -> Iterator[Find]:
    """Yield platforms of stores that the site links to with its own name, or with a single address."""
    linked: dict[str, dict[str, Find]] = {}
    for page in pages:
        for address, element in page.document.anchors:
            platform = _platform_of(address)
            if platform == "iOS" and "macOS" in _of_badge(text_of(element, limit=MAX_LINE), element):
                platform = "macOS"
            if platform:
                find = Find(platform, page, "dom", selector_of(element), snippet_of(element), 0.85)
                linked.setdefault(platform, {}).setdefault(address.split("#")[0], find)
    labels = {label for label in (fold(name or ""), fold(domain_label(pages[0].url))) if label}
    for finds in linked.values():
        own = [find for address, find in finds.items() if any(label in fold(address) for label in labels)]
        if own or len(finds) == 1:
            yield next(iter(own or finds.values()))


def _platform_of(address: str) -> str:
    parts = parts_of(address)
    place = f"{host_of(address)}{parts.path}{'?' if parts.query else ''}{parts.query}"
    return next((platform for platform, store in _STORES if store.search(place)), "")


def _downloads(pages: Sequence[ReadPage], name: str | None) -> Iterator[Find]:
    """Yield platforms of buttons and commands to download and install the product, and the web of an app's host."""
    labels = {label for label in (fold(name or ""), fold(domain_label(pages[0].url))) if label}
    for page in pages:
        for address, element in islice(page.document.anchors, MAX_LINKS):
            text = text_of(element, limit=MAX_LINE)
            path = parts_of(address).path
            systems = [platform for platform, file in _FILES if file.search(path)]
            systems += _of_badge(text, element) if not _platform_of(address) else []
            if _SYSTEM_ALONE.fullmatch(text) and _TO_DOWNLOAD.search(f"{path} {parts_of(address).query}"):
                systems += _systems_in(text)
            if says := _RUNS_ON.match(text):
                systems += _systems_in(text[says.end() :])
            if _is_app_host(address, pages[0]):
                systems.append("Web")
            yield from (Find(one, page, "dom", selector_of(element), snippet_of(element), 0.75) for one in systems)
        for element in islice(page.document.root.iter("code", "pre"), MAX_COMMANDS):
            text = text_of(element, limit=MAX_LINE * 5)
            for platform, command in _COMMANDS:
                if any(fold(label) in fold(result["of"]) for result in command.finditer(text) for label in labels):
                    yield Find(platform, page, "dom", selector_of(element), text[:300], 0.75)


def _in_tabs(page: ReadPage) -> Iterator[Find]:
    """Yield the systems of tabs that show how to install the product on each."""
    tabs = islice(page.document.root.iterfind(".//*[@role='tab']"), MAX_COMMANDS)
    said = [(tab, text) for tab in tabs if _SYSTEM_ALONE.fullmatch(text := text_of(tab, limit=MAX_LINE))]
    if len(said) > 1:
        for tab, text in said:
            yield from (Find(one, page, "dom", selector_of(tab), text, 0.75) for one in _systems_in(text))


def _of_badge(text: str, link: etree._Element) -> list[str]:
    """Return the platform of a link that is the badge of a store, by its text, label, or picture."""
    pictures = (picture.get("alt") or "" for picture in islice(link.iter("img"), 1))
    said = [words[:MAX_LINE] for words in (text, link.get("aria-label") or "", *pictures) if words]
    return [platform for platform, badge in _BADGES if any(map(badge.fullmatch, said))][:1]


def _stated(page: ReadPage) -> Iterator[Find]:
    """Yield platforms of sentences such as "Requires macOS 14", "Runs on Linux" or "Works in every browser"."""
    description = page.facts.description
    for find in finds_of(description, page)[:1]:
        for sentence in _SENTENCE.split(find.value[: MAX_LINE * 2]):
            yield from (replace(find, value=platform, confidence=0.7) for platform in _said_in(sentence))
    for line in page.lines:
        if line.marks & _NOT_OURS:
            continue
        for sentence in _SENTENCE.split(line.text):
            if len(sentence) <= MAX_LINE:
                for platform in _said_in(sentence):
                    yield Find(platform, page, "text", selector_of(line.element), sentence, 0.7)


def _answered(faq: Entry) -> Iterator[Find]:
    """Yield platforms that an answer says it runs on, and those that a question asks for if the answer is yes."""
    find, question, answer = faq.finds[0], str(faq.value["question"]), str(faq.value["answer"])
    said = [one for sentence in _SENTENCE.split(answer[: MAX_LINE * 2]) for one in _said_in(sentence)]
    if _YES.match(answer) and not _NOT_YET.search(answer):
        said += _said_in(question.rstrip("?？؟ "))
    yield from (replace(find, value=platform, confidence=0.7) for platform in said)


def _said_in(sentence: str) -> list[str]:
    """Return the platforms that a sentence says it runs on, none if it asks or denies."""
    if _NOT_YET.search(sentence) or sentence.rstrip().endswith(_ASKS):
        return []
    sentence = _NONE_FOR.sub(" ", sentence)
    if _OF_WORDPRESS.search(sentence):
        return ["WordPress"]
    if (says := _RUNS_ON.search(sentence)) and (result := _systems_in(sentence[says.end() :])):
        return list(dict.fromkeys([*result, *(["Web"] if _IN_BROWSERS.search(sentence) else [])]))
    if says := _VERSION.match(sentence):
        return _systems_in(says[0])
    if (says := _FOR.match(sentence) or _YES.match(sentence)) and not _beside_systems(rest := sentence[says.end() :]):
        return _systems_in(rest)
    if says := _FOR_SEVERAL.search(sentence):
        return _systems_in(says[0])
    if len(several := _systems_in(sentence)) > 1 and not _beside_systems(sentence):
        return several
    if (says := _RUNS.search(sentence)) and len(several := _systems_in(sentence[says.end() :])) > 1:
        return several
    return ["Web"] if _IN_BROWSERS.search(sentence) else _of_app(sentence)


def _beside_systems(text: str) -> str:
    """Return what a text says besides systems, their versions, and words between them."""
    for words in (*_SYSTEMS.values(), _BESIDE_SYSTEMS):
        text = words.sub(" ", text)
    return re.sub(r"[\W\d]", "", text)


def _of_app(text: str) -> list[str]:
    """Return the systems in "one Mac and Windows app"."""
    result = _APP_OF.search(text)
    return _systems_in(result[0]) if result else []

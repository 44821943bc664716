"""Words that separate company news from advice to readers, in common languages.

Compared without case: whole words in languages with spaces, anywhere in the text in others.
"""

import re

from apps.drafts.extraction.text.cleaning import fold, words_of

_REACHED = words_of("""
    launch launches launched launching release releases released releasing introducing introduces announcing
    announces announced announcement available beta ga raises raised raise funding seed acquires acquired acquisition
    joins joined partnership partners milestone milestones anniversary founded award awarded awards wins won
    opensource opensourcing live rebrand rebranding version unveils unveiling shipped ships debuts certified
    veröffentlicht veröffentlichen veröffentlichung verfügbar vorgestellt ankündigung finanzierung finanzierungsrunde
    übernahme übernimmt gegründet gründung jubiläum meilenstein auszeichnung ausgezeichnet startet gestartet neu
    lancement lance lançons lancé sortie disponible annonce annonçons levée rachat rachète partenariat anniversaire
    nouveauté présentons
    lanzamiento lanzamos lanza presentamos anuncia anunciamos financiación adquisición adquiere alianza aniversario
    hito premio
    lançamento lançamos apresentamos disponível investimento aquisição parceria aniversário prêmio
    lancio lanciamo presentiamo annunciamo finanziamento acquisizione partnership anniversario rilascio
    lancering lanceert lanceren beschikbaar aankondiging financiering overname jubileum mijlpaal
    premiera wprowadzamy dostępny dostępna dostępne finansowanie przejęcie rocznica nagroda wydanie wersja
    lansering lanserar lanserer lancerer tillgänglig tilgængelig tilgjengelig
    запуск запустили запускаем релиз версия выпустили выпуск представляем доступен доступна доступно инвестиции
    yayınlandı yayında duyuru sürüm yatırım
""")
_REACHED_UNPARTED = (
    *("リリース", "公開", "提供開始", "発表", "資金調達", "周年", "受賞"),
    *("发布", "發布", "上线", "上線", "推出", "融资", "融資", "收购", "周年", "获奖"),
    *("출시", "공개", "투자", "발표", "주년", "수상"),
)
_REACHED_PATTERN = re.compile(
    r"\bnow (?:available|live|open|in|supports?|with)\b|\b(?:is|are) (?:now |finally )?here\b|^new:|^meet "
    r"|\bseries [a-e]\b|\bopen[- ]sourc|\bv(?:ersion )?\d+(?:\.\d+)*\b|\b\d+\.\d+(?:\.\d+)?\b|\bnouvelle version\b"
    r"|\bnueva versión\b|\bnova versão\b|\bnuova versione\b"
    r"|\b\d[\d.,]*(?:\s?[km]|\s?million)?\+? (?:customers|users|teams|companies|downloads|stars|members|subscribers"
    r"|kunden|nutzer|clients|utilisateurs|clientes|usuarios|usuários|clienti|utenti|klanten|gebruikers)\b",
    re.IGNORECASE,
)
# Advice and opinion, whatever else the title says.
_ADVICE = re.compile(
    r"^(?:how|why|what|when|which|who|should|do you|the (?:ultimate|complete|best)|best|top|a guide|guide to"
    r"|\d+ (?!(?:million|billion|customers|users|teams|companies|downloads|stars|members|subscribers)\b)[a-z]+"
    r"|wie|warum|was|welche|comment|pourquoi|qu['’]est|cómo|por qué|qué|como|por que|o que|come|perché|cosa|hoe"
    r"|waarom|wat|jak|dlaczego|hur|varför|как|почему|что|nasıl|neden)\b"
    r"|\b(?:guide|tutorial|tips|checklist|best practices|vs\.?|versus|lessons|interview|webinar|podcast|hiring"
    r"|leitfaden|anleitung|tipps|conseils|consejos|dicas|consigli|porady|советы)\b|[?？]$",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+")

# Pages whose entries are all news, by the last word of their URL or of the link to them.
NEWS_PAGES = frozenset(
    fold(word)
    for word in words_of("""
        news newsroom press press-releases pressroom announcements company-news latest-news aktuelles neuigkeiten presse
        pressemitteilungen actualités communiqués noticias notícias notizie comunicati-stampa nieuws persberichten
        nyheter aktualności новости haberler お知らせ ニュース プレスリリース 新闻 新聞 뉴스
    """)
)
# Headings of the parts of one release.
SECTIONS = frozenset(
    fold(word)
    for word in words_of("""
        added changed deprecated removed fixed fixes security features new improvements improved improvement bugfixes
        bug-fixes bugs enhancements breaking-changes other misc notes highlights unreleased new-features
        neu verbessert behoben fehlerbehebungen nouveautés corrections améliorations novedades correcciones mejoras
    """)
)

# A weekday beside a date is not a title.
WEEKDAYS = frozenset(
    fold(word)
    for word in words_of("""
        monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun
        montag dienstag mittwoch donnerstag freitag samstag sonntag lundi mardi mercredi jeudi vendredi samedi dimanche
        lunes martes miércoles jueves viernes sábado domingo segunda-feira terça-feira quarta-feira quinta-feira
        sexta-feira lunedì martedì mercoledì giovedì venerdì sabato domenica maandag dinsdag woensdag donderdag vrijdag
        zaterdag zondag poniedziałek wtorek środa czwartek piątek sobota niedziela måndag tisdag onsdag torsdag fredag
        lördag söndag mandag tirsdag lørdag søndag понедельник вторник среда четверг пятница суббота воскресенье
        pazartesi salı çarşamba perşembe cuma cumartesi pazar
    """)
)


def announces(title: str) -> bool:
    """Return whether a title announces something the company achieved, rather than advice to readers."""
    if _ADVICE.search(title):
        return False
    words = {word.casefold() for word in _WORD.findall(title)}
    return (
        bool(words & _REACHED)
        or bool(_REACHED_PATTERN.search(title))
        or any(word in title for word in _REACHED_UNPARTED)
    )

"""Words that sites use to talk about themselves, in common languages."""

import re

# The site itself as the subject of a sentence.
OURSELVES = (
    r"\b(?:we|we're|we’re|wir|nous|nosotr[oa]s|somos|siamo|noi|nós|wij|we zijn|vi|jesteśmy|jest nas|мы)\b"
    r"|\b(?:our|unser[e]?|notre|nuestr[oa]|noss[oa]|nostr[oa]|ons|onze|vår[t]?|nasz[a]?|наш[а]?)\s+"
    r"(?:compan(?:y|ia)|startup|start-up|team|firm|firma|studio|agency|agentur|unternehmen|story|entreprise|société|"
    r"équipe|empresa|compañía|equipo|equipe|azienda|società|bedrijf|företag|team|компания|команда)\b"
    r"|当社|弊社|私たち|我们|本公司|公司|저희|우리|\b(?:نحن|شركتنا|فريقنا)\b"
)
# These mean the site itself only on pages about the company.
THE_COMPANY = (
    r"|\b(?:the company|das unternehmen|l['’]entreprise|la empresa|a empresa|l['’]azienda|het bedrijf|الشركة)\b"
)
FOUNDED = re.compile(
    r"\b(?:founded|co-founded|established|incorporated|gegründet|gründeten?|fondée?s?|avons fondé|fundad[ao]s?|"
    r"fundamos|fundou|fundó|gibt es seit|existe depuis|existe desde|bestaat sinds|has been around since|"
    r"fondat[aoie]|opgericht|grundad(?:es?)?|grundat|grundlagt|stiftet|założon[aeoy]|założyliśmy|"
    r"основан[аоы]?|kuruldu|perustettu|ت[أا]سس(?:ت|نا)?|[أا]سسنا)\b"
    r"|設立|創業|創立|成立|创立|설립|창립",
    re.IGNORECASE,
)
# The founding as the site's own event: "since our founding in 2019".
OUR_FOUNDING = re.compile(
    r"\b(?:our|unser(?:er?|en)?|notre|nuestra|nossa|nostra|onze|vår|naszej|нашей|нашего)\s+"
    r"(?:founding|foundation|inception|gründung|création|fondation|fundación|fundação|fondazione|oprichting|"
    r"założenia|компании|основания)\b"
    r"|\b(?:we (?:started|began)(?: (?:building|making|writing|developing|designing|soldering))?|"
    r"wir (?:starteten|begannen)|(?:angefangen|begonnen|gestartet) (?:haben|sind) wir|"
    r"nous avons (?:commencé|démarré|débuté)|abrimos|nacimos|empezamos|comenzamos|arrancamos|nascemos|começamos|"
    r"siamo (?:nati|partiti)|"
    r"abbiamo (?:cominciato|iniziato)|(?:wij|we) begonnen|begonnen (?:wij|we)|"
    r"vi (?:startade|började|startet|begynte|startede|begyndte)|zaczęliśmy|zaczynaliśmy|začali jsme)\b"
    r"(?! (?:with|using|mit|con|com|to|a|à|att|å|at|\w+ing)\b)",
    re.IGNORECASE,
)
# Before the product's name as what people began: "in 2015 Acme begonnen", "they started Acme in 2015".
BEGUN = r"(?:started|began|begonnen|startede|startade|starteten|gründeten)"
# The same of those who speak for themselves.
I_BEGAN = (
    r"(?:\bI (?:began|started|founded|created)|\bj['’]ai (?:commencé|fondé|créé|lancé)|"
    r"\b(?:empecé|fundé|creé|comecei|fundei|criei)|\bho (?:iniziato|fondato|creato)|\b(?:gründete|startete|"
    r"begann) ich|\bbegon ik|\b(?:startade|grundade) jag|"
    r"\b(?:startet|startede|grunnla) jeg|\b(?:zacząłem|zaczęłam|założyłem|założyłam))"
)
_SPAN = r"(?P<year>1[89]\d\d|20\d\d)(?![\d%]|[.,/-]\d)"
# Behind the product's name at the beginning of a sentence: "Acme began in 2019", "Acme ble startet i Bergen i 2019".
BORN = (
    r"(?:began|started|opened|was (?:born|started|created|begun)|begann|startete|entstand|est née?|"
    r"a (?:démarré|commencé|débuté)|a vu le jour|a été (?:créée?|lancée?)|nació|empezó|comenzó|arrancó|"
    r"nasceu|começou|surgiu|è nat[oa]|ha (?:cominciato|iniziato)|begon|ontstond|startte|startade|började|startet|"
    r"ble (?:startet|til)|blev (?:startet|til)|begynte|begyndte|startede|powstał[aoy]?|zacz[ąę]ł[ao]?(?: się)?|"
    r"vznikl[aoiy]?)\s+"
    rf"(?:(?:in|à|a|en|em|te|i|w|we|v|ve)\s+(?-i:[^\W\d_a-zà-ÿ])[^\d,.;:!?]{{1,28}}\s+)?"
    rf"(?:in|im|im jahre?|en|em|nel|i|w|v|v roce)\s+{_SPAN}"
    r"(?!,?\s(?:its|the|our|to|\w+ing|an?\s|(?:à|att|å|at)\s(?-i:[^\W\d_A-ZÀ-Ý])))"
)
_SINCE = r"(?:since|seit|depuis|desde|dal|sinds|sedan|siden|od(?: roku)?|с)"
_MADE = (
    r"(?:made|built|written|developed|designed|crafted|created|drawn|maintained|run|gemacht|hergestellt|gebaut|"
    r"entwickelt|"
    r"geschrieben|"
    r"fabriquée?|faite?|conçue?|développée?|écrite?|hech[oa]|desarrollad[oa]|escrit[oa]|feit[oa]|desenvolvid[oa]|"
    r"fatt[oa]|"
    r"sviluppat[oa]|scritt[oa]|gemaakt|ontwikkeld|geschreven|gjord|utvecklad|laget|utviklet|lavet|udviklet|"
    r"tworzon[aey]|rozwijan[aey])"
)
# A sentence about those who make the product or where they do, up to the year.
MADE_SINCE = re.compile(
    rf"^(?P<subject>[^,;:]{{1,60}}?\s+(?:is|are|wird|est|es|é|è|wordt|är|er|jest)\s+)?{_MADE}\s+"
    rf"(?:(?:by|von|par|por|da|door|av|af|przez)\s.{{1,100}}?|(?:in|à|en|em|a|i|w|we)\s+(?P<place>[^\d]{{1,60}}?)),?\s+"
    rf"{_SINCE}\s+{_SPAN}(?:[\s.]*$|\.\s)",
    re.IGNORECASE,
)
SINCE_ALONE = re.compile(rf"^(?:\w+ing\s+)?{_SINCE}\s+{_SPAN}[\s.]*$", re.IGNORECASE)
# What people say of their own work on a page about them.
WE_MAKE_SINCE = re.compile(
    r"\b(?:(?:we|I)(?: have|['’]ve) been (?:building|making|writing|developing|working on)|"
    r"(?:ich entwickle|wir entwickeln|entwickeln wir|entwickle ich)|(?:je développe|nous développons)|"
    r"desarrollamos|desenvolvemos|sviluppiamo|(?:ik ontwikkel|(?:wij|we) ontwikkelen|ontwikkelen (?:wij|we))|"
    rf"(?:jag|vi) utvecklar|tworzę|tworzymy|rozwijam|rozwijamy|vyvíjím|vyvíjíme)\b[^,.;\d]{{0,50}}\s{_SINCE}\s+{_SPAN}",
    re.IGNORECASE,
)
_FOUNDED_WORD = (
    r"(?:(?:was |year )?founded|established|est\.?|incorporated|(?:founding|foundation) (?:year|date)|year founded|"
    r"gegründet|gründung(?:sjahr|sdatum)?|fondée?|créée?|(?:année|date) de (?:création|fondation)|"
    r"fundad[ao]|año de (?:fundación|creación)|fundación|ano de fundação|fundação|fondat[ao]|anno di fondazione|"
    r"fondazione|opgericht|(?:jaar van )?oprichting|grundad(?:es)?|grundat|grundlagt|stiftet|założon[aoy]|"
    r"rok założenia|основан[ао]?|год основания|дата основания|kuruluş(?: yılı)?|perustettu|"
    r"設立(?:年月日?|日)?|創業(?:年月日?|年)?|創立(?:年月日?|年)?|成立(?:于|於|时间|時間|日期)?|"
    r"설립(?:일|연도|년도)?|창립(?:일)?|ت[أا]سس(?:ت)?|(?:سنة|تاريخ|عام) الت[أا]سيس|الت[أا]سيس)"
)
_AT = r"(?:in|im|à|a|en|em|nel|te|i|w|we|в|во|في|bei|near)"
# A place before or after the year is capitalized in scripts that have capitals.
_PLACE_WORDS = r"[^\W\d_a-zà-ÿ][^\d,.;:!?]{1,28}"
# Text with nothing but the year, and perhaps a month or a place: "Gegründet 2017 in Leipzig".
FOUNDED_LABEL = re.compile(
    rf"^(?i:{_FOUNDED_WORD})\s*[:：\-–—]?\s*(?:{_AT}\s+{_PLACE_WORDS}?,?\s+)?"
    rf"(?i:(?:in|im jahr|im|en|em|nel|år|w|в|i|عام|سنة|في عام|في)\s+)?"
    r"(?:(?P<month>[^\W\d_]{3,12})\.?\s+(?:de\s+)?)?(?P<year>1[89]\d\d|20\d\d)(?!\d)"
    r"\s*(?:年(?:\s*\d{1,2}\s*月)?(?:\s*\d{1,2}\s*日)?|년(?:\s*\d{1,2}\s*월)?(?:\s*\d{1,2}\s*일)?|г\.?|году?|roku|yılında)?"
    rf"(?:\s*(?:,|{_AT}\s)\s*{_PLACE_WORDS})?[.。\s]*$",
)
# Japanese omits the subject on a page about only one company.
FOUNDED_UNSAID = re.compile(r"^(?P<year>1[89]\d\d|20\d\d)\s*年[^はがを、。]{0,20}(?:設立|創業|創立)")
# The word alone, with the year beside or above it, and the year alone as written there.
FOUNDED_ALONE = re.compile(rf"^{_FOUNDED_WORD}\s*[:：]?$", re.IGNORECASE)
YEAR_ALONE = re.compile(
    r"^(?:(?:in|im|en|em|nel|w|в|عام|سنة)\s+)?(?:\d{1,2}[./]\d{1,2}[./]|\d{1,2}[./]|(?:\d{1,2}\.?\s+(?:de\s+)?)?"
    r"(?P<month>[^\W\d_]{3,12})\.?\s+(?:de\s+)?)?(?P<year>1[89]\d\d|20\d\d)(?!\d)"
    r"\s*(?:[-./]\d{1,2}(?:[-./]\d{1,2})?|年(?:\s*\d{1,2}\s*月)?(?:\s*\d{1,2}\s*日)?(?:設立|創業|創立|成立)?"
    r"|년(?:\s*\d{1,2}\s*월)?(?:\s*\d{1,2}\s*일)?|г\.?|году?|roku|m)?"
    rf"(?:\s*(?:,|{_AT}\s)\s*{_PLACE_WORDS})?[.。\s]*$",
    re.IGNORECASE,
)
_PEOPLE = (
    r"(?:people|persons|humans|employees|team members|teammates|colleagues|staff|folks|makers|engineers and designers|"
    r"mitarbeiter(?:n|innen)?|mitarbeitenden?|menschen|personen|köpfe|leuten?|personnes|collaborateurs|salariés|"
    r"employés|"
    r"personas|empleados|pessoas|funcionários|colaboradores|persone|dipendenti|mensen|medewerkers|personer|medarbetare|"
    r"osób|osoby|pracowników|человек|сотрудников)"
)
_SIZE = r"(\d{1,3}(?:[.,’' ]\d{3})+|\d{1,6})(?!\s*[-–—]\s*\d)(?![\d%])\+?"
# A number of people. The text beside it says whose people they are.
TEAM_OF = re.compile(
    rf"\b(?:team|group|équipe|equipo|equipe|squadra|zespół|команда)\s+(?:of|von|mit|de|di|van|z|av|"
    rf"из)\s+(?:just |only |about |over |around )?{_SIZE}\b"
    rf"|\b(?:we are|we're|we’re|wir sind|nous sommes|somos|siamo|we zijn|vi är|jesteśmy|нас)\s+(?:now |just |"
    rf"only |about |over |around |heute |inzwischen |rund |über |plus de |más de |"
    rf"mais de )?{_SIZE}\s+(?:\w+\s+)?{_PEOPLE}\b"
    rf"|\b(?:sind wir|(?:we|wij) (?:werken|zijn)) (?:heute |inzwischen |nu |inmiddels )?(?:rund |über |met )?{_SIZE}\s+"
    rf"(?:\w+\s+)?{_PEOPLE}\b"
    rf"|\b(?:has|have|employ|employs|beschäftigt|beschäftigen|haben|hat|compte|comptons|tiene|tenemos|temos|ha|"
    rf"abbiamo)\s+(?:now |about |over |around |more than |rund |über |plus de |más de |mais de |"
    rf"oltre )?{_SIZE}\s+(?:\w+\s+)?{_PEOPLE}\b"
    rf"|\b(?:werken|zijn) (?:we|wij) (?:nu |inmiddels |vandaag )?met {_SIZE}\s+(?:\w+\s+)?{_PEOPLE}\b"
    rf"|\bjest nas {_SIZE}\s+{_PEOPLE}\b"
    rf"|\b{_MADE} (?:by|von|par|por|da|door|av|af|przez) (?:just |only )?(?:[^,.;:]{{1,40}}, )?{_SIZE}\s+"
    rf"(?:\w+\s+)?{_PEOPLE}\b",
    re.IGNORECASE,
)
TEAM_LABEL = re.compile(
    r"^(?:(?:team size|team|employees|headcount|mitarbeiter(?:zahl)?|effectif|empleados|funcionários|dipendenti|"
    r"medewerkers)\s*[:：]\s*(?P<size>\d[\d.,]{0,8})"
    r"|(?P<size2>\d[\d.,]{0,8})\+?\s*(?:employees|team members|mitarbeiter(?:innen)?|collaborateurs|salariés|"
    r"empleados|funcionários|dipendenti|medewerkers|medarbetare))\s*$",
    re.IGNORECASE,
)
# On a page about the company, a sentence without a subject that nobody else can be meant by.
TEAM_UNSAID = re.compile(
    rf"^{_SIZE}\s+{_PEOPLE}\s+(?:across|in|from|working)\b|\bthere are (?:now )?{_SIZE} of us\b"
    rf"|^(?:today |now )?{_SIZE} of us (?:work|build|make|run|write)\b(?! (?:from|in|at|part))"
    rf"|^(?:today |now )?{_SIZE}\s+{_PEOPLE} work (?:here|on|at|in)\b|\bour {_SIZE} people (?:work|live|are)\b"
    rf"|^(?:heute )?arbeiten {_SIZE}\s+{_PEOPLE} (?:hier|bei uns|für uns)\b|{_SIZE} kişilik (?:\w+ )?ekibiz\b",
    re.IGNORECASE,
)
# The same where the number is small: "Five people, one workshop".
FEW_PEOPLE = re.compile(
    rf"^(\d{{1,2}})\s+{_PEOPLE}(?:,\s(?:\w+\s){{1,3}}\w+\.?$|\sand (?:a|one|two) (?:dog|cat|robot)s?\b"
    r"|\s(?:am|an der|an|aus|aan|à|en|em|i|w|we)\s(?!\w+\s(?:use|nutzen|utilisent|usan|usam|gebruiken)\b))",
    re.IGNORECASE,
)
# "Fabriqué en Bretagne par neuf personnes".
MADE_BY_PEOPLE = re.compile(
    rf"^{_MADE}\b[^,.;:]{{0,40}}\s(?:by|von|par|por|da|door|av|af|"
    rf"przez)\s{_SIZE}\s+(?:\w+\s+)?{_PEOPLE}\b",
    re.IGNORECASE,
)
# The number of people beside this label in a table or list.
TEAM_ALONE = re.compile(
    r"^(?:team size|employees|headcount|mitarbeiter(?:zahl|innen)?|mitarbeitende|effectif|empleados|funcionários|"
    r"dipendenti|medewerkers|medarbetare|従業員数?|社員数|员工人数|직원 ?수)\s*[:：]?$",
    re.IGNORECASE,
)
PEOPLE_ALONE = re.compile(rf"^{_SIZE}\s*(?:{_PEOPLE}|[名人])?$", re.IGNORECASE)
# From two on, by language.
_NUMBERS = {
    "en": "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen "
    "nineteen twenty",
    "de": "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn "
    "siebzehn achtzehn "
    "neunzehn zwanzig",
    "fr": "deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize",
    "es": "dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince",
    "pt": "dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezesseis",
    "it": "due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici",
    "nl": "twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien "
    "achttien "
    "negentien twintig",
    "sv": "två tre fyra fem sex sju åtta nio tio elva tolv tretton fjorton femton sexton",
    "no": "to tre fire fem seks syv åtte ni ti elleve tolv tretten fjorten femten seksten",
    "pl": "dwie trzy cztery pięć sześć siedem osiem dziewięć dziesięć jedenaście dwanaście trzynaście "
    "czternaście piętnaście",
}
NUMBER_OF = {word: str(number) for words in _NUMBERS.values() for number, word in enumerate(words.split(), 2)}
NUMBER_OF["duas"] = "2"
_WE_ARE = {
    "en": "(?:we are|we're|we’re)",
    "de": "(?:wir sind|sind wir)",
    "fr": "(?:nous sommes|on est)",
    "es": "somos",
    "pt": "somos",
    "it": "siamo(?: in)?",
    "nl": "(?:(?:we|wij) zijn|zijn (?:we|wij))(?: met)?",
    "sv": "(?:vi är|är vi)",
    "no": "(?:vi er|er vi)",
    "pl": "jest nas",
}
_NOW = (
    r"(?:\s(?:now|today|just|only|still|heute|nur|noch|aujourd['’]hui|maintenant|hoy|ahora|solo|sólo|hoje|agora|"
    r"apenas|oggi|"
    r"nu|nog|maar|fortfarande|bara|fortsatt|bare|i dag|idag|dziś|już))*"
)
# "We are eight: …", with nothing but a pause behind the number. "We are ten." may be an age.
WE_ARE_ALONE = re.compile(
    "|".join(
        rf"\b{phrase}{_NOW}\s(?:(?:{'|'.join(words.split())})\b|{_SIZE}(?!\w))(?=\s?[:,;–—])"
        for phrase, words in ((_WE_ARE[language], words) for language, words in _NUMBERS.items())
    ),
    re.IGNORECASE,
)
# Numbers in words count only beside what they count.
NUMBER_WORD = re.compile(
    rf"(?<=team of )(?:{'|'.join(NUMBER_OF)})\b|\b(?:{'|'.join(NUMBER_OF)})"
    rf"(?=\s+(?:\w+\s+)?{_PEOPLE}\b|\s+of us\b)",
    re.IGNORECASE,
)
ONE_PERSON = re.compile(
    r"\bby (?:just |only )?(?:one|a single) (?:person|developer|maker|human)\b|"
    r"\bvon (?:nur )?einer (?:einzigen )?person\b|"
    r"\bpar une seule personne\b|\bpor una sola persona\b|\bpor uma (?:só |única )?pessoa\b|"
    r"\bda una (?:sola )?persona\b|"
    r"\bdoor (?:één|een) persoon\b|\bav en (?:enda )?person\b|\bprzez jedną osobę\b",
    re.IGNORECASE,
)
HEADQUARTERS = re.compile(
    r"\b(?:headquarters?|hq|head office|main office|registered office|hauptsitz|firmensitz|hauptbüro|siège(?: social)?|"
    r"sede (?:central|principal|legale|social)|hoofdkantoor|huvudkontor|siedziba|главный офис)\b|"
    r"本社|本店|所在地|总部|總部|본사",
    re.IGNORECASE,
)
_WORD = r"[^\W\d_a-z][^\W\d_]*(?:[.'’-][^\W\d_]+)*"
_NAME = rf"{_WORD}(?:\s(?:(?:de|do|da|am|an der|of|la|upon)\s)?{_WORD}){{0,2}}"
BASED = re.compile(
    r"(?i:\b(?:(?:is |are |'re |’re )?(?:a \w+ (?:company|studio|team) )?(?:based|headquartered)(?: out of| in)|"
    r"registered in|(?:is|are) (?:made|built|developed) in(?=\s\w+,\s)|"
    r"mit sitz in|sitzen in|sitz in|basée?s? à|"
    r"siège à|con sede (?:en|a)|basad[oa]s? en|com sede em|sediad[ao] em|gevestigd in|baserad[e]? i|med säte i|"
    r"z siedzibą w))"
    rf"\s+(?P<city>{_NAME})(?:,\s*(?P<country>{_NAME}|USA|UK))?"
)
# "Made by two people in Oslo, Norway", "Three people and a dog in Perth, Western Australia, Australia".
PEOPLE_IN = re.compile(
    rf"(?i:{_SIZE}\s+(?:\w+\s+)?{_PEOPLE}(?:\sand\s(?:a|one|two)\s\w+)?)\s(?:in|à|en|em|a|i|w|we)\s(?P<city>{_NAME}),\s"
    rf"(?:(?P<region>{_NAME}),\s)?(?P<country>{_NAME}|USA|UK)"
)
# Words that are capitalized in a heading and are not cities.
COMPANY_NOUN = re.compile(
    r"\b(?:Europe|EU|Europa|North|South|Asia|Africa|Silicon|Bay|The|Your|Our|Cloud|Reality|Science|Data|Office)\b"
)

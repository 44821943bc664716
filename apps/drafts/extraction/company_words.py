"""The words with which sites speak of themselves, in the languages of most sites."""

import re

# The site itself as the subject of a sentence.
OURSELVES = (
    r"\b(?:we|we're|we’re|wir|nous|nosotr[oa]s|somos|siamo|noi|nós|wij|we zijn|vi|jesteśmy|мы)\b"
    r"|\b(?:our|unser[e]?|notre|nuestr[oa]|noss[oa]|nostr[oa]|ons|onze|vår[t]?|nasz[a]?|наш[а]?)\s+"
    r"(?:compan(?:y|ia)|startup|start-up|team|firm|firma|studio|agency|agentur|unternehmen|story|entreprise|société|"
    r"équipe|empresa|compañía|equipo|equipe|azienda|società|bedrijf|företag|team|компания|команда)\b"
    r"|当社|弊社|私たち|我们|本公司|公司|저희|우리"
)
# These are the site itself only where the page is about it.
THE_COMPANY = r"|\b(?:the company|das unternehmen|l['’]entreprise|la empresa|a empresa|l['’]azienda|het bedrijf)\b"
FOUNDED = re.compile(
    r"\b(?:founded|co-founded|established|incorporated|gegründet|gründeten?|fondée?s?|avons fondé|fundad[ao]s?|"
    r"fundamos|"
    r"fondat[ao]|opgericht|grundades|grundat|grundlagt|stiftet|założon[aey]|założyliśmy|основан[аы]?|kuruldu|"
    r"perustettu)\b"
    r"|設立|創業|成立|创立|創立|설립",
    re.IGNORECASE,
)
# A line that says nothing else.
FOUNDED_LABEL = re.compile(
    r"^(?:founded|established|est\.?|incorporated|year founded|founding year|gegründet|gründung(?:sjahr)?|fondée?|"
    r"année de création|fundad[ao]|año de fundación|ano de fundação|fondata|anno di fondazione|opgericht|grundat|"
    r"założona|rok założenia|основана|год основания|設立|創業|成立于|成立|설립)"
    r"\s*[:：\-–—]?\s*(?:in|im jahr|im|en|em|nel|år|w|в)?\s*(?P<year>1[89]\d\d|20\d\d)\s*(?:年|년|г\.?)?"
    r"(?:\s*(?:in|,)\s*[^\d]{2,25})?[.\s]*$",
    re.IGNORECASE,
)
_PEOPLE = (
    r"(?:people|persons|humans|employees|team members|teammates|colleagues|staff|folks|makers|engineers and designers|"
    r"mitarbeiter(?:n|innen)?|mitarbeitenden?|menschen|personen|köpfe|leuten?|personnes|collaborateurs|salariés|"
    r"employés|"
    r"personas|empleados|pessoas|funcionários|colaboradores|persone|dipendenti|mensen|medewerkers|personer|medarbetare|"
    r"osób|pracowników|человек|сотрудников)"
)
_SIZE = r"(\d{1,3}(?:[.,’' ]\d{3})+|\d{1,6})(?!\s*[-–—]\s*\d)(?![\d%])\+?"
# A number of people; whose people they are is looked at beside it.
TEAM_OF = re.compile(
    rf"\b(?:team|group|équipe|equipo|equipe|squadra|zespół|команда)\s+(?:of|von|mit|de|di|van|z|av|"
    rf"из)\s+(?:just |only |about |over |around )?{_SIZE}\b"
    rf"|\b(?:we are|we're|we’re|wir sind|nous sommes|somos|siamo|we zijn|vi är|jesteśmy|нас)\s+(?:now |just |"
    rf"only |about |over |around |heute |inzwischen |rund |über |plus de |más de |"
    rf"mais de )?{_SIZE}\s+(?:\w+\s+)?{_PEOPLE}\b"
    rf"|\b(?:has|have|employ|employs|beschäftigt|beschäftigen|haben|hat|compte|comptons|tiene|tenemos|temos|ha|"
    rf"abbiamo)\s+(?:now |about |over |around |more than |rund |über |plus de |más de |mais de |"
    rf"oltre )?{_SIZE}\s+(?:\w+\s+)?{_PEOPLE}\b",
    re.IGNORECASE,
)
TEAM_LABEL = re.compile(
    r"^(?:(?:team size|team|employees|headcount|mitarbeiter(?:zahl)?|effectif|empleados|funcionários|dipendenti|"
    r"medewerkers)\s*[:：]\s*(?P<size>\d[\d.,]{0,8})"
    r"|(?P<size2>\d[\d.,]{0,8})\+?\s*(?:employees|team members|mitarbeiter(?:innen)?|collaborateurs|salariés|"
    r"empleados|funcionários|dipendenti|medewerkers|medarbetare))\s*$",
    re.IGNORECASE,
)
HEADQUARTERS = re.compile(
    r"\b(?:headquarters?|hq|head office|main office|registered office|hauptsitz|firmensitz|hauptbüro|siège(?: social)?|"
    r"sede (?:central|principal|legale|social)|hoofdkantoor|huvudkontor|siedziba|главный офис)\b|本社|总部|總部|본사",
    re.IGNORECASE,
)
_WORD = r"[^\W\d_a-z][^\W\d_]*(?:[.'’-][^\W\d_]+)*"
_NAME = rf"{_WORD}(?:\s(?:(?:de|do|da|am|an der|of|la|upon)\s)?{_WORD}){{0,2}}"
BASED = re.compile(
    r"(?i:\b(?:(?:is |are |'re |’re )?(?:a \w+ (?:company|studio|team) )?(?:based|headquartered)(?: out of| in)|"
    r"mit sitz in|sitzen in|sitz in|basée?s? à|"
    r"siège à|con sede (?:en|a)|basad[oa]s? en|com sede em|sediad[ao] em|gevestigd in|baserad[e]? i|med säte i|"
    r"z siedzibą w))"
    rf"\s+(?P<city>{_NAME})(?:,\s*(?P<country>{_NAME}|USA|UK))?"
)
# Words that begin with a capital in a heading and are no city.
COMPANY_NOUN = re.compile(
    r"\b(?:Europe|EU|Europa|North|South|Asia|Africa|Silicon|Bay|The|Your|Our|Cloud|Reality|Science|Data|Office)\b"
)

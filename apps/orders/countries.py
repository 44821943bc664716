"""Countries as VAT sees them. Codes are ISO 3166-1 alpha-2, names in English."""

import re

EU = frozenset(
    {
        "AT", "BE", "BG", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GR", "HR", "HU",
        "IE", "IT", "LT", "LU", "LV", "MT", "NL", "PL", "PT", "RO", "SE", "SI", "SK",
    }
)  # fmt: skip

# Other codes that are in use for the same country.
_SPELLINGS = {"EL": "GR", "UK": "GB", "XI": "GB"}
# Countries and parts of countries that are another country for VAT. Northern Ireland counts as EU for goods only.
_VAT_HOME = {"MC": "FR", "IM": "GB", **_SPELLINGS}

# Parts of member states in which the EU's VAT does not apply, by postal code.
_OUTSIDE_EU_VAT = {
    "ES": re.compile(r"(35|38|51|52)\d{3}"),  # Canaries, Ceuta, Melilla
    "FI": re.compile(r"22\d{3}"),  # Åland
    "FR": re.compile(r"97\d{3}|98[1-9]\d{2}"),  # overseas; 980 is Monaco
    "DE": re.compile(r"78266|27498"),  # Büsingen, Heligoland
    "IT": re.compile(r"23041|22061"),  # Livigno, Campione
    "GR": re.compile(r"6308[67]"),  # Athos
}


def vat_country(code: str) -> str:
    """The country whose VAT rules hold: France for Monaco, the United Kingdom for the Isle of Man and XI."""
    return _VAT_HOME.get(code, code)


def is_outside_eu_vat(country: str, postal_code: str) -> bool:
    """Whether an address lies in a part of a member state that EU VAT leaves out; False without a postal code."""
    code = _SPELLINGS.get(country, country)
    digits = re.sub(r"\D", "", postal_code)
    rule = _OUTSIDE_EU_VAT.get(code)
    return rule is not None and rule.fullmatch(digits) is not None


def read_country(text: str) -> str | None:
    """The country code that was typed, in upper case; None when there is no such country."""
    code = text.strip().upper()
    code = {"EL": "GR", "UK": "GB"}.get(code, code)
    return code if code in COUNTRIES or code == "XI" else None


COUNTRIES = dict(
    entry.split(" ", 1)
    for entry in """
AD Andorra|AE United Arab Emirates|AF Afghanistan|AG Antigua and Barbuda|AI Anguilla|AL Albania|AM Armenia|AO Angola
AQ Antarctica|AR Argentina|AS American Samoa|AT Austria|AU Australia|AW Aruba|AX Åland Islands|AZ Azerbaijan
BA Bosnia and Herzegovina|BB Barbados|BD Bangladesh|BE Belgium|BF Burkina Faso|BG Bulgaria|BH Bahrain|BI Burundi
BJ Benin|BL Saint Barthélemy|BM Bermuda|BN Brunei|BO Bolivia|BQ Caribbean Netherlands|BR Brazil|BS Bahamas|BT Bhutan
BV Bouvet Island|BW Botswana|BY Belarus|BZ Belize|CA Canada|CC Cocos Islands|CD Congo (Kinshasa)
CF Central African Republic|CG Congo (Brazzaville)|CH Switzerland|CI Côte d'Ivoire|CK Cook Islands|CL Chile|CM Cameroon
CN China|CO Colombia|CR Costa Rica|CU Cuba|CV Cabo Verde|CW Curaçao|CX Christmas Island|CY Cyprus|CZ Czechia|DE Germany
DJ Djibouti|DK Denmark|DM Dominica|DO Dominican Republic|DZ Algeria|EC Ecuador|EE Estonia|EG Egypt|EH Western Sahara
ER Eritrea|ES Spain|ET Ethiopia|FI Finland|FJ Fiji|FK Falkland Islands|FM Micronesia|FO Faroe Islands|FR France|GA Gabon
GB United Kingdom|GD Grenada|GE Georgia|GF French Guiana|GG Guernsey|GH Ghana|GI Gibraltar|GL Greenland|GM Gambia
GN Guinea|GP Guadeloupe|GQ Equatorial Guinea|GR Greece|GS South Georgia|GT Guatemala|GU Guam|GW Guinea-Bissau|GY Guyana
HK Hong Kong|HM Heard and McDonald Islands|HN Honduras|HR Croatia|HT Haiti|HU Hungary|ID Indonesia|IE Ireland|IL Israel
IM Isle of Man|IN India|IO British Indian Ocean Territory|IQ Iraq|IR Iran|IS Iceland|IT Italy|JE Jersey|JM Jamaica
JO Jordan|JP Japan|KE Kenya|KG Kyrgyzstan|KH Cambodia|KI Kiribati|KM Comoros|KN Saint Kitts and Nevis|KP North Korea
KR South Korea|KW Kuwait|KY Cayman Islands|KZ Kazakhstan|LA Laos|LB Lebanon|LC Saint Lucia|LI Liechtenstein|LK Sri Lanka
LR Liberia|LS Lesotho|LT Lithuania|LU Luxembourg|LV Latvia|LY Libya|MA Morocco|MC Monaco|MD Moldova|ME Montenegro
MF Saint Martin|MG Madagascar|MH Marshall Islands|MK North Macedonia|ML Mali|MM Myanmar|MN Mongolia|MO Macao
MP Northern Mariana Islands|MQ Martinique|MR Mauritania|MS Montserrat|MT Malta|MU Mauritius|MV Maldives|MW Malawi
MX Mexico|MY Malaysia|MZ Mozambique|NA Namibia|NC New Caledonia|NE Niger|NF Norfolk Island|NG Nigeria|NI Nicaragua
NL Netherlands|NO Norway|NP Nepal|NR Nauru|NU Niue|NZ New Zealand|OM Oman|PA Panama|PE Peru|PF French Polynesia
PG Papua New Guinea|PH Philippines|PK Pakistan|PL Poland|PM Saint Pierre and Miquelon|PN Pitcairn|PR Puerto Rico
PS Palestine|PT Portugal|PW Palau|PY Paraguay|QA Qatar|RE Réunion|RO Romania|RS Serbia|RU Russia|RW Rwanda
SA Saudi Arabia|SB Solomon Islands|SC Seychelles|SD Sudan|SE Sweden|SG Singapore|SH Saint Helena|SI Slovenia
SJ Svalbard and Jan Mayen|SK Slovakia|SL Sierra Leone|SM San Marino|SN Senegal|SO Somalia|SR Suriname|SS South Sudan
ST São Tomé and Príncipe|SV El Salvador|SX Sint Maarten|SY Syria|SZ Eswatini|TC Turks and Caicos Islands|TD Chad
TF French Southern Territories|TG Togo|TH Thailand|TJ Tajikistan|TK Tokelau|TL Timor-Leste|TM Turkmenistan|TN Tunisia
TO Tonga|TR Türkiye|TT Trinidad and Tobago|TV Tuvalu|TW Taiwan|TZ Tanzania|UA Ukraine|UG Uganda|UM US Outlying Islands
US United States|UY Uruguay|UZ Uzbekistan|VA Vatican City|VC Saint Vincent and the Grenadines|VE Venezuela
VG British Virgin Islands|VI US Virgin Islands|VN Vietnam|VU Vanuatu|WF Wallis and Futuna|WS Samoa|YE Yemen|YT Mayotte
ZA South Africa|ZM Zambia|ZW Zimbabwe
""".replace("\n", "|").split("|")
    if entry
)

"""Recognize text that gives assistants orders, in many languages and through disguises."""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

_MAX_TEXT = 200_000
_REACH = 90

# What some words mean together: drop (1) the instructions (2) that were given before (3). Beginnings of words, without
# accents. Languages in the order of the words for "ignore".
_OVERRIDES = (
    "ignor oubli neglig|instruction consigne directive prompt|precedent anterieur ci-dessus toutes systeme",
    "ignorier vergiss vergesst missacht ubergeh|anweisung instruktion befehl prompt|vorherig bisherig obig voran fruher"
    " alle system",
    "ignor olvid descart omit|instruccion orden indicacion prompt|anterior previ arriba toda sistema",
    "ignor esque desconsider|instruc orden prompt comando|anterior previ acima toda sistema",
    "ignora dimentica trascura|istruzion prompt comand direttiv|precedent sopra tutte sistema",
    "ignora uita|instructiun comenz|anterioar preceden toate",
    "negeer vergeet|instructie opdracht prompt|vorige eerdere bovenstaande alle systeem",
    "ignorera ignorer glom glem bortse|instruktion instruks anvisning prompt|tidigare tidligere forega forrige ovan"
    " all",
    "unohda ohita jata|ohje kehot|aiem edelli kaikki",
    "zignoruj ignoruj zapomnij pomin|instrukcj polecen prompt|poprzedni wczesniejsz powyzsz wszystk systemow",
    "ignoruj zapomen|instrukc pokyn prompt|predchoz vsechn",
    "hagyd felejtsd|utasitas|korabbi elozo minden osszes",
    "игнорир проигнорир забуд|инструкци указани команд промпт|предыдущ прежн выше все",
    "ігнору проігнору забуд|інструкці вказівк промпт|попередн вище всі",
    "αγνοησ ξεχασ|οδηγιες εντολες|προηγουμεν παραπανω ολες",
    "unut gormezden yok|talimat komut yonerge prompt|onceki yukaridaki tum",
    "abaikan lupakan|instruksi perintah prompt|sebelumnya semua atas sistem",
    "bo qua quen phot|chi dan huong lenh chi thi|truoc tren tat he",
    "تجاهل انس|تعليمات أوامر توجيهات|السابق أعلاه جميع كل",
    "نادیده فراموش|دستور|قبلی تمام همه",
    "התעלם שכח|הוראות|הקודמ כל",
    "अनदेखा नज़रअंदाज़ भूल|निर्देश आदेश|पिछले पहले सभी ऊपर",
    "เพิกเฉย ละเว้น ลืม|คำสั่ง คำแนะนำ|ก่อนหน้า ทั้งหมด",
    "忽略 无视 無視 忘记 忘記 不要理会|指令 指示 提示 说明 說明 规则|之前 先前 以前 上述 以上 前面 所有 系统 系統",
    "無視 忘れ|指示 命令 指令 プロンプト|これまで 以前 前の 上記 すべて 全て システム",
    "무시 잊어|지시 명령 지침 프롬프트|이전 앞의 위의 모든 시스템",
)
_UNSPACED = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\u0590-\u06ff\u0900-\u097f]")


class _Rule:
    """A pattern, and groups of words. Every text it matches has a word of each group.

    Words are found much faster than patterns. In them, + stands for a space.
    """

    def __init__(self, words: str, pattern: str) -> None:
        self._groups = [group.replace("+", "\0").split() for group in words.split("|")]
        self._groups = [[word.replace("\0", " ") for word in group] for group in self._groups]
        self._pattern = re.compile(pattern)

    def finds(self, text: str) -> bool:
        """Return whether the pattern is in the text, which is in lower case."""
        return _has_each(text, self._groups) and bool(self._pattern.search(text))


def _has_each(text: str, groups: Iterable[Iterable[str]]) -> bool:
    # Loops, because generators take longer than the search.
    for group in groups:
        for word in group:
            if word in text:
                break
        else:
            return False
    return True


_W = r"(?:\w{1,30}\W{1,3})"
_AI = (
    r"(?:(?:ai|llm|automated|autonomous|language)[\s-]{1,3}(?:assistant|agent|model|bot|crawler|system|reviewer|reader)s?"
    r"|ais?|llms?|assistants?|chatbots?|chatgpt|claude|gemini|copilot)"
)
_AI_WORDS = "ai llm assistant agent model bot gpt claude gemini copilot"
_TOOL = (
    r"(?:add|answer|archive|cancel|check|choose|claim|create|delete|move|post|quote|recrawl|restore|set|submit"
    r"|unpublish|update)_(?:free_|founder_|listing_|my_)?"
    r"(?:draft|listing|order|checkout|milestone|story|profile|launch|website|interview|version|update|claim)"
)
# Rules with words of which each text that they find has one in each group, because looking for words is fast.
_RULES = (
    # Take back what an assistant was told.
    _Rule(
        "ignore disregard forget override bypass dismiss|instruction prompt directive",
        rf"\b(?:ignore|disregard|forget|override|bypass|dismiss)\W{{1,3}}{_W}{{0,4}}?"
        rf"(?:previous|prior|above|earlier|preceding|existing|original|initial|system|all|any|your)\W{{1,3}}{_W}{{0,3}}?"
        r"(?:instruction|prompt|directive)s?\b",
    ),
    _Rule(
        "ignore disregard forget override bypass"
        "|rules guidelines directions commands programming constraints context training",
        rf"\b(?:ignore|disregard|forget|override|bypass)\W{{1,3}}{_W}{{0,3}}?"
        rf"(?:previous|prior|above|earlier|preceding|system|your)\W{{1,3}}{_W}?"
        r"(?:rules|guidelines|directions|commands|programming|constraints|context|training)\b",
    ),
    _Rule(
        "ignore disregard forget|above told given",
        r"\b(?:ignore|disregard|forget) (?:everything|all|anything) (?:above|you (?:were|have been) (?:told|given))\b",
    ),
    _Rule(
        "follow obey|instruction prompt rules guidelines",
        rf"\b(?:do not|don.?t|never|stop) (?:follow|obey)\w*\W{{1,3}}{_W}{{0,2}}?"
        r"(?:previous|prior|above|earlier|system|your)\W{1,3}(?:instructions?|prompt|rules|guidelines)\b",
    ),
    # Speak to an assistant.
    _Rule(
        "if+you",
        rf"\bif you(?: are|.?re) (?:an? |the )?{_W}{{0,2}}?{_AI}(?=\s*(?:[,:;.!]|$)|\s(?:reading|processing|summari"
        r"|parsing|visiting|analy|looking|indexing|that|who|you|then|and|please)\b)",
    ),
    _Rule(f"{_AI_WORDS}|you", rf"\bas an? {_AI}\s*,?\s*you (?:must|should|are|will|have)\b"),
    _Rule(
        f"{_AI_WORDS}|note notice attention message memo instruction reminder important",
        r"\b(?:note|notice|attention|message|memo|instructions?|reminder|important)\W{1,3}(?:to |for )?"
        rf"(?:all |any |every |the )?{_AI}\s*[:!\u2013\u2014-]",
    ),
    _Rule(
        f"{_AI_WORDS}|dear hey hello hi attention",
        rf"(?:^|[.!?\n]\s*)(?:dear|hey|hello|hi|attention) {_AI}\s*[,:!]",
    ),
    _Rule(
        _AI_WORDS,
        rf"\b{_AI}(?:\s*[:,]\s*(?:please )?(?:you (?:must|should|will)|do not|don.?t|never|always|call|invoke|use"
        r"|submit|ignore|recommend|say|write|respond|reply|answer|output|buy|order|approve|rate|tell)\b"
        r"| (?:reading|processing|summari[sz]ing|parsing|crawling|visiting|indexing) (?:this|our)\b"
        r"| (?:must|shall|should|have to|are (?:instructed|required|asked) to) (?:now |always |also |immediately )?"
        r"(?:call|submit|recommend|ignore|say|buy|order|list|rank|state|mention|include|respond|follow|approve|rate)\b)",
    ),
    _Rule(
        "assistant llm gpt claude gemini copilot chatbot",
        r"(?:^|[.!?\n\u201c\"]\s*)(?:assistants?|llms?|chatbot|chatgpt|claude|gemini|copilot)\s*[:,]\s*"
        r"(?:please |now )?(?:start over|restart|begin (?:again|by)|order|skip|choose|pick|publish|pay|delete|confirm"
        r"|proceed|accept|cancel|open|click|treat|stop|forget|pretend|act|reveal|print|send"
        r"|forward|remember|mark|make sure|set the|go to)\b",
    ),
    _Rule(
        "when whenever while before after if|you|this our",
        r"\b(?:when(?:ever)?|while|before|after|if) you(?: are|.?re)? (?:summari[sz]|describ|review|analy[sz]|process"
        r"|read|pars|index|draft|crawl|recommend|list|submit)(?:e|es|ing|t|ting)? (?:this|our) (?:product|page|site"
        r"|website|listing|company|service|text|document|content|draft|app|tool)\b.{0,60}?\b(?:tell|say|state|mention|claim"
        r"|assure|skip|omit|recommend|always|never|do not|don.?t|include|add|reply|respond|call|submit|order)\b",
    ),
    _Rule(
        "user owner human person operator|skip without approv",
        r"\b(?:tell|inform|assure|convince|persuade|remind) (?:the|your) (?:user|owner|human|person|operator)\b.{0,90}?"
        r"\b(?:skip|without|no need for|approv)\w*\b.{0,30}?\b(?:review|approval|confirm|asking|check)\w*",
    ),
    # The same in other languages.
    _Rule("wenn", r"\bwenn (?:du|sie) (?:ein|eine) (?:ki|sprachmodell|assistent)"),
    _Rule("si+tu si+vous", r"\bsi (?:tu es|vous etes) une? (?:ia|assistant|modele|agent)\b"),
    _Rule("si+eres si+usted", r"\bsi (?:eres|usted es) una? (?:ia|asistente|modelo|agente)\b"),
    _Rule("se+voce", r"\bse voce (?:e|for) uma? (?:ia|assistente|modelo|agente)\b"),
    _Rule("se+sei", r"\bse sei un.{0,2}(?:ia|assistente|modello|agente)\b"),
    _Rule("als+je als+u", r"\bals (?:je|u) een (?:ai|taalmodel|assistent)"),
    _Rule("jestes", r"\bjesli jestes (?:ai|asystent|model|sztuczn)"),
    _Rule("если", r"если (?:ты|вы)\W.{0,12}(?:ии|ассистент|помощник|модель)"),
    _Rule("如果", r"如果[你您]是.{0,8}(?:ai|人工智能|模型|助手|助理)"),
    _Rule("なら の場合 である場合", r"(?:ai|アシスタント|言語モデル).{0,4}(?:なら|である場合|の場合)"),
    _Rule("라면 인+경우", r"(?:ai|인공지능|어시스턴트|언어 모델).{0,4}(?:라면|인 경우)"),
    # Call tools.
    _Rule("_", rf"(?<![a-z_]){_TOOL}(?:s|_listing)?(?![a-z_])"),
    _Rule(
        "call invoke execute trigger",
        rf"\b(?:call|invoke|execute|trigger)\W{{1,3}}(?:the )?{_TOOL.replace('_', '[ _-]')}\b",
    ),
    # Pretend to be the conversation.
    _Rule(
        "< [inst [/inst",
        r"<\|\w{3,20}\|>|\[/?inst\]|<</?sys>>|</?(?:system|instructions?|tool_call|function_call)>",
    ),
    _Rule("system developer", r"(?:^|\n)[ \t]*(?:#{2,} *)?(?:system|developer) ?:\s"),
    _Rule(
        "instruction prompt directive",
        r"\b(?:new|updated|hidden|secret) (?:system )?(?:instruction|prompt|directive)s?\s*:"
        r"|\bbegin (?:system )?(?:prompt|instructions)\b",
    ),
    _Rule("system", r"\bsystem (?:prompt|message|override|notice|instruction)s?\s*:"),
    _Rule(
        "you+are+now",
        r"\byou are now (?:in )?(?:dan|developer mode|jailbroken|unrestricted|an? (?:ai|assistant|agent|bot|llm"
        r"|model))\b",
    ),
    _Rule(
        "from+now pretend",
        r"\bfrom now on,? you (?:are|will|must|shall)\b|\bpretend (?:to be|you are) an? (?:ai|assistant|agent|model)\b",
    ),
    # Work against its person.
    _Rule(
        "tell inform notify alert warn reveal disclos|user owner human person operator",
        r"\b(?:do not|don.?t|never|without) (?:tell|inform|notify|alert|warn|reveal|disclos)\w*\W.{0,30}?"
        r"\b(?:the|your) (?:user|owner|human|person|operator)\b",
    ),
    _Rule(
        "always you+must be+sure make+sure|recommend rank rate endorse promote",
        r"\b(?:always|you must|be sure to|make sure to) (?:recommend|rank|rate|endorse|promote) (?:this|our|us)\b",
    ),
    _Rule(
        "your|system initial hidden original secret|prompt instruction message",
        r"\b(?:reveal|print|repeat|output|show|send|forward|leak|share|disclose)\b.{0,40}\byour (?:system|initial"
        r"|hidden|original|secret) (?:prompt|instructions?|message)\b",
    ),
    _Rule(
        "api+key access+token credential conversation chat+history",
        r"\b(?:send|forward|post|upload|leak|exfiltrate)\b.{0,40}\b(?:api keys?|access tokens?|credentials|conversation"
        r"|chat history)\b.{0,30}\bto (?:https?:|\S{1,40}@)",
    ),
)
# Words without any gap between them, however they were pulled apart.
_SQUEEZED = (
    _Rule(
        "ignore disregard forget override|previous prior above earlier system|instruction prompt rule directive",
        r"(?:ignore|disregard|forget|override)(?:all|any|the|your|of|my|these|those){0,4}"
        r"(?:previous|prior|above|earlier|system)(?:instruction|prompt|rule|directive)",
    ),
    _Rule("call invoke execute", rf"(?:call|invoke|execute)(?:the)?{_TOOL.replace('_', '')}"),
)
_ACCENTS = re.compile(r"[\u0300-\u036f]")
_SPACES = re.compile(r"[^\S\n]+")
_INVISIBLE = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    r"\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]"
)
# A block of invisible copies of ASCII.
_INVISIBLE_LETTER = re.compile(r"[\U000e0020-\U000e007e]")
# Letters of other alphabets, and digits, that look like Latin letters.
_LATIN = dict(
    zip("авсԁеһіјкмнорԛѕтцѵԝхуαβεικνορτυχω013457@$", "abcdehijkmhopqstuvwxyabeiknoptuxwoieastas", strict=True)
)
_LOOKALIKE = re.compile(f"[{''.join(_LATIN)}]")


def addresses_assistants(text: str) -> bool:
    """Return whether a text gives orders to assistants that read it."""
    plain = _plain(text[:_MAX_TEXT])
    latin = _LOOKALIKE.sub(lambda match: _LATIN[match[0]], plain)
    squeezed = "".join(filter(str.isalnum, latin))
    return (
        any(rule.finds(one) for one in {plain, latin} for rule in _RULES)
        or any(rule.finds(squeezed) for rule in _SQUEEZED)
        or _overrides(plain)
    )


def _plain(text: str) -> str:
    """Return the text in lower case without accents and invisible characters, which may themselves spell a text."""
    if not text.isascii():
        text = _INVISIBLE_LETTER.sub(lambda match: chr(ord(match[0]) - 0xE0000), text)
        text = unicodedata.normalize("NFKC", _INVISIBLE.sub("", text))
        text = unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFD", text)))
    return _SPACES.sub(" ", text.casefold())


@lru_cache(maxsize=1)
def _languages() -> list[tuple[list[list[str]], list[re.Pattern[str]]]]:
    """Return the words of each language for dropping, instructions and earlier ones, and patterns that find them."""
    lines = [[_plain(words).split() for words in line.split("|")] for line in _OVERRIDES]
    return [(line, [_any_of(words) for words in line]) for line in lines]


def _any_of(words: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(word if _UNSPACED.search(word) else rf"\b{word}" for word in words))


def _overrides(text: str) -> bool:
    """Return whether words for dropping, instructions and earlier ones are in one place, in any order."""
    for words, (drops, instructions, earlier) in _languages():
        for match in drops.finditer(text) if _has_each(text, words) else ():
            near = text[max(0, match.start() - _REACH) : match.end() + _REACH]
            if instructions.search(near) and earlier.search(near):
                return True
    return False

"""Introduce clients to people by their redirect address, not by the name they claim."""

import re
import unicodedata
from functools import cache
from urllib.parse import urlsplit

from apps.accounts.clients.redirects import host_of, is_loopback
from apps.core.web.hosts import look_alikes

# Names that need proof: assistants, their vendors, and words that claim verification.
# Long names match anywhere in a client's name, short ones only as whole words.
KNOWN_NAMES = (
    "adobe",
    "aider",
    "alibaba",
    "amazon",
    "anthropic",
    "apple",
    "atlassian",
    "bedrock",
    "canva",
    "chatgpt",
    "claude",
    "cline",
    "cloudflare",
    "codeium",
    "codex",
    "cohere",
    "copilot",
    "cursor",
    "deepmind",
    "deepseek",
    "devin",
    "discord",
    "dropbox",
    "facebook",
    "figma",
    "gemini",
    "github",
    "gitlab",
    "gmail",
    "google",
    "goose",
    "gpt",
    "grok",
    "hubspot",
    "huggingface",
    "instagram",
    "jetbrains",
    "junie",
    "langchain",
    "librechat",
    "linear",
    "linkedin",
    "llama",
    "lovable",
    "meta",
    "microsoft",
    "mistral",
    "notion",
    "ollama",
    "openai",
    "opencode",
    "paypal",
    "perplexity",
    "postman",
    "qwen",
    "raycast",
    "replit",
    "salesforce",
    "shopify",
    "slack",
    "slipway",
    "sourcegraph",
    "stripe",
    "vercel",
    "visualstudio",
    "vscode",
    "vscodium",
    "warp",
    "windsurf",
    "xai",
    "zapier",
    "zed",
    # Words that claim verification.
    "admin",
    "administrator",
    "official",
    "security",
    "support",
    "trusted",
    "verified",
)
_SHORT = 5
_DOTS = "[.\u2024\u3002\uff0e\uff61\u00b7\u2022\u2027\u2219\u22c5\u30fb\ua78f]"
_HOST = re.compile(
    rf"[^\W_]\s?{_DOTS}\s?[^\W_]{{2,}}|\w\s?:\s?(?://|\d)|\d(?:{_DOTS}\d+){{3}}|\blocalhost\b", re.IGNORECASE
)
# Lower-case letters that look alike in most fonts.
_ALIKE = str.maketrans("01345789|!@$", "oieastbgiias")


def place_of(redirect_uri: str) -> str:
    """Return where responses go, to follow "unverified app": at a host, or on the person's own computer."""
    parts = urlsplit(redirect_uri)
    if is_loopback(redirect_uri):
        return "on your computer"
    return f"at {host_of(parts)}" if parts.scheme == "https" else f"on your computer ({parts.scheme})"


def places_of(redirect_uris: list[str]) -> str:
    """Return every place a client may have responses sent to, each once."""
    return ", ".join(dict.fromkeys(place_of(uri) for uri in redirect_uris))


def passes_for_another(name: str) -> bool:
    """Return whether an unverified name looks like a host or a trusted name."""
    text = unicodedata.normalize("NFKC", name)
    if _HOST.search(text):
        return True
    together = _folded(text)
    words = {together, *(_folded(word) for word in re.split(r"[\W_]+", text))}
    return any(known in (words if len(known) <= _SHORT else together) for known in _known_names())


@cache
def _known_names() -> frozenset[str]:
    return frozenset(map(_folded, KNOWN_NAMES))


def _folded(text: str) -> str:
    """Return equal text for names that look alike (UTS 39), without spaces and symbols."""
    alike = "".join(look_alikes().get(char, char) for char in unicodedata.normalize("NFKD", text))
    plain = unicodedata.normalize("NFKD", alike.casefold()).translate(_ALIKE).replace("l", "i")
    return "".join(char for char in plain if char.isalnum()).replace("rn", "m").replace("vv", "w")

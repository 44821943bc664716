"""Proof of work at sign-up, by ALTCHA's protocol: costs a person nothing, and a crowd of accounts its computing time.

Accounts without it can do everything, but their votes share their weight (`apps.launches.votes.weights`).
"""

import base64
import json
import random
import time

from altcha import create_challenge, verify_solution
from django.conf import settings
from django.utils.crypto import salted_hmac

from apps.core.api import rate_limits
from apps.core.stores.valkey.counters import Limit

_ALGORITHM = "PBKDF2/SHA-256"
# How many keys a browser tries. The limits are close, so all browsers wait about as long.
_TRIES = (20, 40)
_SECONDS = 1200
_LONGEST = 4096
_ONCE = Limit("proof", 1, _SECONDS)


def new_challenge() -> str:
    """Return a signed challenge as JSON, or "" if no proof is wanted."""
    if not settings.PROOF_OF_WORK_COST:
        return ""
    challenge = create_challenge(
        _ALGORITHM,
        settings.PROOF_OF_WORK_COST,
        counter=random.SystemRandom().randint(*_TRIES),
        expires_at=int(time.time()) + _SECONDS,
        hmac_secret=_secret(),
    )
    return json.dumps(challenge.to_dict())


def is_proof(text: str) -> bool:
    """Return whether the text solves a challenge of this server that wasn't solved before."""
    if not settings.PROOF_OF_WORK_COST:
        return True
    if len(text) > _LONGEST or not verify_solution(text, _secret()).verified:
        return False
    signature = json.loads(base64.b64decode(text))["challenge"]["signature"]
    standing = rate_limits.breaker.call(lambda: _ONCE.try_take(signature))
    return standing is None or standing.is_within


def _secret() -> str:
    return salted_hmac("apps.accounts.sign_in.proof_of_work", "", algorithm="sha256").hexdigest()

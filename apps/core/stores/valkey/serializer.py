"""Serialize cached values as JSON, so that nothing read from the cache can execute."""

from typing import Any

import orjson


class JsonSerializer:
    """Serializer of Django's Redis cache. Integers stay bare so that incr and decr work on them."""

    def dumps(self, value: Any) -> bytes | int:
        if type(value) is int:
            return value
        return orjson.dumps(value)

    def loads(self, data: bytes) -> Any:
        return orjson.loads(data)

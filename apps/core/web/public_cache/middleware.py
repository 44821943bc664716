"""Answer anonymous requests from the cache, before sessions, sites and the database are needed."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from apps.core.api.rate_limits import count_address, is_counted, rate_limit_headers
from apps.core.errors import TooManyRequests
from apps.core.web.public_cache import store
from apps.core.web.public_cache.answers import (
    StoredResponse,
    compress,
    conditional,
    is_compressible,
    is_public,
    response_of,
    seconds_to_store,
    sent,
    stored_headers,
    tell_caches,
)
from apps.core.web.public_cache.cache_keys import CacheKey, cache_key_of, restore, set_conditions_aside
from apps.core.web.public_cache.membership import FROM_CACHE, ROUTE, generations_of, view_of, viewed_from_cache
from apps.core.web.public_cache.single_flight import SingleFlight


class PublicCacheMiddleware:
    """Cache public responses for requests without a session or a credential."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response
        self._single_flight = SingleFlight()

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        key = cache_key_of(request)
        if key is None:
            return _without_word(self.get_response(request))
        result = store.find(key.name, key.encoding)
        if result is None:
            return self._render(request, key, began=None)
        answer = self._stored_response(request, key, result)
        if answer:
            return answer
        with self._single_flight.take(key.name) as is_first:
            if not is_first:
                # Another thread has just made the response.
                result = store.find(key.name, key.encoding) or result
                answer = self._stored_response(request, key, result)
            return answer or self._render(request, key, began=result.now)

    def _stored_response(self, request: HttpRequest, key: CacheKey, lookup: store.Lookup) -> HttpResponseBase | None:
        """Return a cached response. None if there is none, or if the client has made too many requests."""
        stored = lookup.stored
        if stored is None:
            return None
        if stored.is_counted:
            try:
                count_address(request)
            except TooManyRequests:
                # The API refuses it in its own words, and counts nothing twice.
                return None
        answer = conditional(request, response := response_of(stored, rate_limit_headers(request)))
        if answer is response:
            encoding = key.encoding if stored.is_compressible else "identity"
            body = lookup.body
            if encoding != "identity" and not lookup.is_encoded:
                body = compress(body, encoding)
                store.add(key.name, stored, encoding, body)
            answer = sent(response, body, encoding)
            if not stored.is_counted:
                request.META[FROM_CACHE] = stored.view_of
        request.META[ROUTE] = stored.route
        if stored.view_of is not None:
            viewed_from_cache.send(type(self), request=request, listing_id=stored.view_of)
        return answer

    def _render(self, request: HttpRequest, key: CacheKey, *, began: bytes | None) -> HttpResponseBase:
        """Call the view, and cache the response if it is public."""
        conditions = set_conditions_aside(request)
        response = self.get_response(request)
        restore(request, conditions)
        if not isinstance(response, HttpResponse) or not is_public(response):
            return conditional(request, _without_word(response))
        names = generations_of(request)
        tell_caches(response, names)
        body = response.content
        stored = StoredResponse(
            stored_headers(response),
            is_compressible(response),
            is_counted(request),
            view_of(request),
            route=request.resolver_match.route if request.resolver_match else "",
        )
        encoding = key.encoding if stored.is_compressible else "identity"
        may_store = began is not None and request.method == "GET" and not key.is_of_campaign
        if began is not None and may_store:
            room = "query" if key.has_query else "plain"
            seconds = seconds_to_store(response)
            store.put(key.name, stored, body, began=began, names=names, seconds=seconds, room=room)
        answer = conditional(request, response)
        if answer is not response or encoding == "identity":
            return answer
        encoded = compress(body, encoding)
        if may_store:
            store.add(key.name, stored, encoding, encoded)
        return sent(response, encoded, encoding)


def _without_word(response: HttpResponseBase) -> HttpResponseBase:
    """A response without cache headers is for this client only. Permanent redirects can be cached."""
    if "Cache-Control" not in response and response.status_code not in {301, 308}:
        response["Cache-Control"] = "private, no-cache"
    return response

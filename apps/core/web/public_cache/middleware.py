"""Answer anonymous requests from the cache, before sessions, sites and the database are needed."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from apps.core.api.rate_limits import count_address, is_counted, rate_limit_headers
from apps.core.errors import TooManyRequests
from apps.core.web.public_cache import store
from apps.core.web.public_cache.answers import (
    Kept,
    compress,
    conditional,
    is_compressible,
    is_public,
    kept_headers,
    response_of,
    seconds_to_keep,
    sent,
    tell_caches,
)
from apps.core.web.public_cache.flights import Flights
from apps.core.web.public_cache.membership import FROM_CACHE, ROUTE, generations_of, view_of, viewed_from_cache
from apps.core.web.public_cache.questions import Question, question_of, restore, set_conditions_aside


class PublicCacheMiddleware:
    """Cache public responses for requests without a session or a credential."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response
        self._flights = Flights()

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        question = question_of(request)
        if question is None:
            return _without_word(self.get_response(request))
        result = store.find(question.key, question.encoding)
        if result is None:
            return self._ask(request, question, began=None)
        answer = self._kept(request, question, result)
        if answer:
            return answer
        with self._flights.take(question.key) as is_first:
            if not is_first:
                # Another thread has just made the response.
                result = store.find(question.key, question.encoding) or result
                answer = self._kept(request, question, result)
            return answer or self._ask(request, question, began=result.now)

    def _kept(self, request: HttpRequest, question: Question, found: store.Found) -> HttpResponseBase | None:
        """Return a cached response. None if there is none, or if the client has made too many requests."""
        kept = found.kept
        if kept is None:
            return None
        if kept.is_counted:
            try:
                count_address(request)
            except TooManyRequests:
                # The API refuses it in its own words, and counts nothing twice.
                return None
        answer = conditional(request, response := response_of(kept, rate_limit_headers(request)))
        if answer is response:
            encoding = question.encoding if kept.is_compressible else "identity"
            body = found.body
            if encoding != "identity" and not found.is_encoded:
                body = compress(body, encoding)
                store.add(question.key, kept, encoding, body)
            answer = sent(response, body, encoding)
            if not kept.is_counted:
                request.META[FROM_CACHE] = kept.view_of
        request.META[ROUTE] = kept.route
        if kept.view_of is not None:
            viewed_from_cache.send(type(self), request=request, listing_id=kept.view_of)
        return answer

    def _ask(self, request: HttpRequest, question: Question, *, began: bytes | None) -> HttpResponseBase:
        """Call the view, and cache the response if it is public."""
        conditions = set_conditions_aside(request)
        response = self.get_response(request)
        restore(request, conditions)
        if not isinstance(response, HttpResponse) or not is_public(response):
            return conditional(request, _without_word(response))
        names = generations_of(request)
        tell_caches(response, names)
        body = response.content
        kept = Kept(
            kept_headers(response),
            is_compressible(response),
            is_counted(request),
            view_of(request),
            route=request.resolver_match.route if request.resolver_match else "",
        )
        encoding = question.encoding if kept.is_compressible else "identity"
        may_keep = began is not None and request.method == "GET" and not question.is_of_campaign
        if began is not None and may_keep:
            room = "query" if question.has_query else "plain"
            seconds = seconds_to_keep(response)
            store.keep(question.key, kept, body, began=began, names=names, seconds=seconds, room=room)
        answer = conditional(request, response)
        if answer is not response or encoding == "identity":
            return answer
        encoded = compress(body, encoding)
        if may_keep:
            store.add(question.key, kept, encoding, encoded)
        return sent(response, encoded, encoding)


def _without_word(response: HttpResponseBase) -> HttpResponseBase:
    """A response without cache headers is for this client only. Permanent redirects can be cached."""
    if "Cache-Control" not in response and response.status_code not in {301, 308}:
        response["Cache-Control"] = "private, no-cache"
    return response

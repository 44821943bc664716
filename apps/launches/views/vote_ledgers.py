"""Pages of vote ledgers and the ranking rule, and each ledger as a file."""

from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import condition, require_safe

from apps.core.text.dates import week_dates
from apps.core.text.weeks import Week
from apps.core.web.page_numbers import page_object, page_path, page_rows
from apps.launches.leaderboards.links import label
from apps.launches.leaderboards.periods import Board, board_url, period_around
from apps.launches.models import LedgerEntry, Vote, VoteLedger
from apps.launches.votes import ledger as ledgers
from apps.launches.votes.weights import Rule
from apps.listings.models import Listing
from apps.sites.requests import SiteHttpRequest
from apps.sites.seo.structured_data import crumbs

PER_PAGE = 52
# A year of whole months.
WEEKS_COUNTED = 57
DECISIONS_SHOWN = 50
# A closed ledger never changes, so caches may keep it for a year, the usual maximum.
FOREVER = "public, max-age=31536000, immutable"
ENTRIES_A_FETCH = 2000
_RANKING_NAME = "How launches are ranked"


@require_safe
def ledger_list(request: SiteHttpRequest) -> HttpResponse:
    """Show the site's vote ledgers, latest week first, with the last hash of each closed one."""
    result = VoteLedger.objects.filter(site=request.site).order_by("-iso_week")
    page = page_object(request, total=result.count(), per_page=PER_PAGE)
    path = reverse("ledgers")
    context = {
        "ledgers": [_shown(ledger) for ledger in page_rows(result, page)],
        "page_obj": page,
        "canonical_url": request.site.url(page_path(path, page)),
        "structured_data": [crumbs(request.site, (_RANKING_NAME, reverse("ranking")), ("Vote ledgers", path))],
    }
    return render(request, "launches/ledgers.html", context)


@require_safe
def ranking(request: SiteHttpRequest) -> HttpResponse:
    """Explain how this site ranks launches, with its own numbers, and how to check a leaderboard."""
    latest = VoteLedger.objects.filter(site=request.site, closed_at__isnull=False).order_by("-iso_week").first()
    rule = Rule.of_site(request.site)
    context: dict[str, Any] = {
        "rule": rule.words,
        "groups": rule.group_words,
        "young_days": rule.young_account_days,
        "review_from": rule.review["network"],
        "canonical_url": request.site.url(reverse("ranking")),
        "structured_data": [crumbs(request.site, (_RANKING_NAME, reverse("ranking")))],
    }
    if latest:
        context["latest"] = _shown(latest)
        board = f"/api/v1/leaderboards/{Board.WEEKLY}?week={latest.iso_week}&per_page=100"
        context["commands"] = "\n".join(
            [
                f"curl -sSo ledger.jsonl {request.site.url(reverse('ledger', args=[latest.iso_week]))}",
                f"curl -sSo board.json '{request.site.url(board)}'",
                "python3 verify_board.py ledger.jsonl --board board.json",
            ]
        )
        context["head_command"] = f"python3 verify_board.py ledger.jsonl --head {latest.head}"
    return render(request, "launches/ranking.html", context)


@require_safe
def transparency(request: SiteHttpRequest) -> HttpResponse:
    """Show how votes of closed weeks were weighed by month, and how votes under review were decided."""
    closed = VoteLedger.objects.filter(site=request.site, closed_at__isnull=False).order_by("-iso_week")
    ledgers_by_month = groupby(closed[:WEEKS_COUNTED], key=lambda one: f"{Week.parse(one.iso_week).thursday:%b %Y}")
    months, decisions = [], []
    for month, result in ledgers_by_month:
        counts: Counter[str] = Counter()
        for ledger in result:
            counts.update(ledger.vote_counts)
            decisions += [{**decision, "week": _shown(ledger)} for decision in ledger.decisions]
        votes = sum(counts[trust] for trust in Vote.Trust.values)
        recent = counts[Vote.Trust.NEW] + counts[Vote.Trust.VERIFIED]
        months.append({**counts, "label": month, "votes": votes, "recent": recent})
    rows = decisions[:DECISIONS_SHOWN]
    listings = Listing.objects.public().filter(pk__in=[decision["listing"] for decision in rows])
    pages = {pk: (slug, reverse("listing", args=[slug])) for pk, slug in listings.values_list("pk", "slug")}
    context = {
        "months": months,
        "decisions": [{**decision, "page": pages.get(decision["listing"])} for decision in rows],
        "canonical_url": request.site.url(reverse("transparency")),
        "structured_data": [
            crumbs(request.site, (_RANKING_NAME, reverse("ranking")), ("Transparency", reverse("transparency")))
        ],
    }
    return render(request, "launches/transparency.html", context)


def _shown(ledger: VoteLedger) -> dict[str, Any]:
    period = period_around(Board.WEEKLY, Week.parse(ledger.iso_week))
    return {
        "label": label(period),
        "dates_text": week_dates(ledger.iso_week),
        "url": reverse("ledger", args=[ledger.iso_week]),
        "board_url": board_url(period),
        "length": ledger.length,
        "closed_at": ledger.closed_at,
        "head": ledger.head,
    }


def ledger(request: SiteHttpRequest, week: str) -> HttpResponseBase:
    """Serve a week's vote ledger as JSON Lines. An open week's ends with its latest entry."""
    try:
        result = VoteLedger.objects.select_related("site").get(
            site=request.site, iso_week=str(Week.parse(week)), length__gt=0
        )
    except (ValueError, VoteLedger.DoesNotExist):
        raise Http404 from None
    return _file(request, result)


def _etag(request: HttpRequest, ledger: VoteLedger) -> str:
    """Return the last hash, which covers every entry before it and so identifies the file."""
    return f'"{ledger.head}"'


@require_safe
@condition(etag_func=_etag)
def _file(request: HttpRequest, ledger: VoteLedger) -> HttpResponseBase:
    response = StreamingHttpResponse(_lines(ledger), content_type="application/jsonl; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="votes-{ledger.site.key}-{ledger.iso_week}.jsonl"'
    response["Cache-Control"] = FOREVER if ledger.closed_at else "no-cache"
    return response


def _lines(ledger: VoteLedger) -> Iterator[bytes]:
    """Yield one entry per line. Entries appended after `found` was read are left for the next download."""
    last = 0
    while last < ledger.length:
        entries = LedgerEntry.objects.filter(ledger=ledger, number__gt=last, number__lte=ledger.length)
        rows = list(entries.order_by("number").values_list("body", "hash")[:ENTRIES_A_FETCH])
        yield "".join(ledgers.canonical({"body": body, "hash": hash_}) + "\n" for body, hash_ in rows).encode()
        last += len(rows)

"""Structured data of a listing: product, company, questions and breadcrumbs."""

from typing import Any

from django.urls import reverse

from apps.comments.section import comments_data
from apps.listings.models import Company, Listing, logo_image_url
from apps.reviews.section import rating_data
from apps.sites.models import Site
from apps.sites.seo.json_ld import Data, faq_page, filled
from apps.sites.seo.structured_data import crumbs, page_data

_FREE_OF_CHARGE = frozenset({Company.PricingModel.FREE, Company.PricingModel.OPEN_SOURCE})
_WITH_FREE_PLAN = _FREE_OF_CHARGE | {Company.PricingModel.FREEMIUM}


def listing_data(listing: Listing, context: dict[str, Any]) -> list[Data]:
    """Describe a live listing as shown on its page. Its rating is that of verified reviews, never of votes."""
    site, path = listing.site, listing.path
    result = [
        page_data(
            site,
            name=context["name"],
            path=path,
            datePublished=listing.launched_at.isoformat() if listing.launched_at else None,
            dateModified=listing.updated_at.isoformat(),
            mainEntity={"@id": f"{listing.page_url}#product"},
        ),
        _product(listing, context),
        _way(site, context, path),
    ]
    if context["faqs"]:
        faqs = [(faq["question"], faq["answer"]) for faq in context["faqs"]]
        result.append(faq_page(faqs, url=listing.page_url))
    return result


def _product(listing: Listing, context: dict[str, Any]) -> Data:
    company = listing.company
    return filled(
        {
            "@type": "SoftwareApplication",
            "@id": f"{listing.page_url}#product",
            "name": context["name"],
            "url": company.website or listing.page_url,
            "description": context["summary"] or context["headline"],
            "image": logo_image_url(company.logo_key),
            "screenshot": [shot["picture"].image_url for shot in context["screenshots"]],
            "applicationCategory": ", ".join(category.name for category in context["categories"]),
            "operatingSystem": ", ".join(company.platforms),
            "keywords": ", ".join(listing.tags),
            "softwareHelp": filled({"@type": "CreativeWork", "url": company.docs_url}) if company.docs_url else None,
            "audience": filled({"@type": "Audience", "audienceType": company.audience}) if company.audience else None,
            "isAccessibleForFree": company.pricing_model in _FREE_OF_CHARGE if company.pricing_model else None,
            "offers": _offers(company),
            "award": [", ".join(text for text in (award.title, award.period) if text) for award in context["awards"]],
            "interactionStatistic": _votes(context["votes"]),
            "commentCount": listing.comment_count or None,
            "comment": comments_data(listing.site, context["comments"]),
            **rating_data(listing.site, context["reviews"]),
            "publisher": _company(company, context),
            "subjectOf": _story(listing.site, context),
        }
    )


def _offers(company: Company) -> list[Data]:
    """Return the free plan and the lowest price, if known."""
    result: list[Data] = []
    if company.pricing_model in _WITH_FREE_PLAN:
        result.append({"@type": "Offer", "price": "0.00", "priceCurrency": company.price_currency})
    if company.price_from_cents and company.pricing_model not in _FREE_OF_CHARGE:
        price = f"{company.price_from_cents // 100}.{company.price_from_cents % 100:02d}"
        result.append({"@type": "AggregateOffer", "lowPrice": price, "priceCurrency": company.price_currency})
    return result


def _votes(count: int) -> Data | None:
    if not count:
        return None
    return {
        "@type": "InteractionCounter",
        "interactionType": {"@type": "LikeAction"},
        "userInteractionCount": count,
    }


def _company(company: Company, context: dict[str, Any]) -> Data:
    place = filled({"addressLocality": company.city, "addressCountry": company.country})
    founder = context["founder"]
    return filled(
        {
            "@type": "Organization",
            "name": company.name,
            "legalName": company.legal_name,
            "url": company.website,
            "logo": logo_image_url(company.logo_key),
            "foundingDate": str(company.founded_year or ""),
            "numberOfEmployees": {"@type": "QuantitativeValue", "value": company.team_size}
            if company.team_size
            else None,
            "address": {"@type": "PostalAddress", **place} if place else None,
            "founder": filled({"@type": "Person", "name": founder["name"], "jobTitle": founder["role"]})
            if founder
            else None,
            "sameAs": [address for _, _, address in context["socials"]],
        }
    )


def _story(site: Site, context: dict[str, Any]) -> Data | None:
    story = context["story"]
    if story is None:
        return None
    return {"@type": "Article", "headline": story["title"], "url": site.url(story["url"])}


def _way(site: Site, shown: dict[str, Any], path: str) -> Data:
    """Return breadcrumbs from the listing's category, or from the leaderboards if it has none."""
    above = [("Leaderboards", reverse("boards"))]
    if shown["categories"]:
        category = shown["categories"][0]
        above = [("Categories", reverse("categories")), (category.name, category.page_url)]
    return crumbs(site, *above, (shown["name"], path))

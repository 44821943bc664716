"""FastAPI with SQLAlchemy's models and sessions, and a response model."""

from collections.abc import Iterator
from typing import Annotated

from fastapi import Depends, FastAPI
from pydantic import BaseModel, ConfigDict
from sqlalchemy import Column, ForeignKey, Table, create_engine, func, select
from sqlalchemy.dialects.postgresql import TSVECTOR
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, joinedload, mapped_column, relationship, selectinload

from tests.benchmarks.peers.apps.sql import DATABASE_URL

engine = create_engine(DATABASE_URL.replace("postgresql://", "postgresql+psycopg://", 1), pool_size=8, pool_timeout=300)


class Base(DeclarativeBase):
    """What all tables share."""


memberships = Table(
    "listings_listing_categories",
    Base.metadata,
    Column("listing_id", ForeignKey("listings_listing.id")),
    Column("category_id", ForeignKey("listings_category.id")),
)


class Company(Base):
    __tablename__ = "listings_company"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    website: Mapped[str]
    logo_url: Mapped[str]


class Category(Base):
    __tablename__ = "listings_category"
    id: Mapped[int] = mapped_column(primary_key=True)
    slug: Mapped[str]
    name: Mapped[str]
    position: Mapped[int]


class Standing(Base):
    __tablename__ = "launches_standing"
    id: Mapped[int] = mapped_column(primary_key=True)
    listing_id: Mapped[int] = mapped_column(ForeignKey("listings_listing.id"))
    votes: Mapped[int]


class Listing(Base):
    __tablename__ = "listings_listing"
    id: Mapped[int] = mapped_column(primary_key=True)
    site_id: Mapped[int]
    slug: Mapped[str]
    status: Mapped[str]
    votes: Mapped[int]
    headline: Mapped[str]
    launch_week: Mapped[str]
    search_vector: Mapped[str] = mapped_column(TSVECTOR, deferred=True)
    company_id: Mapped[int] = mapped_column(ForeignKey("listings_company.id"))
    company: Mapped[Company] = relationship()
    standing: Mapped[Standing] = relationship()
    categories: Mapped[list[Category]] = relationship(
        secondary=memberships, order_by=(Category.position, Category.name)
    )


class Item(BaseModel):
    """A listing of a page."""

    model_config = ConfigDict(from_attributes=True)
    id: int
    slug: str
    name: str
    url: str
    votes: int
    headline: str
    logo_url: str
    categories: list[str]
    launch_week: str
    status: str
    listing_url: str


class Page(BaseModel):
    """A page of listings."""

    items: list[Item]


def session() -> Iterator[Session]:
    with Session(engine) as opened:
        yield opened


application = FastAPI()


@application.get("/listings")
def listings(session: Annotated[Session, Depends(session)], q: str = "") -> Page:
    """The listings with a word, or those with the most votes."""
    query = select(Listing).where(Listing.site_id == 1, Listing.status == "live").limit(20)
    query = query.options(joinedload(Listing.company), joinedload(Listing.standing), selectinload(Listing.categories))
    order = (Listing.votes.desc(), Listing.id)
    if q:
        words = func.to_tsquery("simple", f"{q}:*")
        query = query.where(Listing.search_vector.op("@@")(words))
        order = (func.ts_rank(Listing.search_vector, words).desc(), *order)
    return Page(items=[_item(one) for one in session.scalars(query.order_by(*order))])


def _item(listing: Listing) -> Item:
    return Item(
        id=listing.id,
        slug=listing.slug,
        name=listing.company.name,
        url=listing.company.website,
        votes=listing.standing.votes if listing.standing else listing.votes,
        headline=listing.headline,
        logo_url=listing.company.logo_url,
        categories=[category.slug for category in listing.categories],
        launch_week=listing.launch_week,
        status=listing.status,
        listing_url=f"/listings/{listing.slug}",
    )

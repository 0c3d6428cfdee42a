"""What our server is measured against: one environment in a process of its own, with FastAPI, SQLAlchemy and an MCP server.

Takes a SQLite file (the tool-hire desk's start state), a port and a kind; serves MCP at /mcp until killed. The kinds:
`fastapi-mcp` gives the endpoints of the FastAPI application out as tools through the package of that name, the usual way
to build such environments; `fastmcp` is the leanest that we know: tools that use SQLAlchemy directly, from a FastMCP server
mounted in the FastAPI application, without sessions. Runs in an environment of its own that run.py makes.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from typing import Any

import uvicorn
from fastapi import FastAPI, HTTPException
from sqlalchemy import ForeignKey, create_engine, event, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column


class Base(DeclarativeBase):
    pass


class Rental(Base):
    __tablename__ = "rentals"
    id: Mapped[int] = mapped_column(primary_key=True)
    customer_id: Mapped[int]
    tool: Mapped[str]
    status: Mapped[str]
    price_cents: Mapped[int]
    due: Mapped[str]
    delivered: Mapped[str | None]


class CarrierLog(Base):
    __tablename__ = "carrier_log"
    rental_id: Mapped[int] = mapped_column(ForeignKey("rentals.id"), primary_key=True)
    handed_over: Mapped[str]


class Credit(Base):
    __tablename__ = "credits"
    id: Mapped[int] = mapped_column(primary_key=True)
    rental_id: Mapped[int] = mapped_column(ForeignKey("rentals.id"))
    amount_cents: Mapped[int]
    note: Mapped[str | None]


class Delivery(Base):
    __tablename__ = "deliveries"
    id: Mapped[int] = mapped_column(primary_key=True)
    rental_id: Mapped[int] = mapped_column(ForeignKey("rentals.id"))
    driver_id: Mapped[int]
    day: Mapped[str]
    slot: Mapped[str]


def row(one: Any, *names: str) -> dict[str, Any]:
    return {name: getattr(one, name) for name in names}


def tools(path: str, refuse: Callable[[str], Exception]) -> dict[str, Callable[..., Any]]:
    """The four tools that are called, over the database at `path`."""
    engine = create_engine(f"sqlite:///{path}", connect_args={"check_same_thread": False})

    @event.listens_for(engine, "connect")
    def fast(connection: Any, _: Any) -> None:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = OFF")

    def list_rentals(customer_id: int, page: int = 1) -> list[dict[str, Any]]:
        """A customer's rentals, as the desk recorded them. A page holds 10."""
        with Session(engine) as session:
            found = session.scalars(
                select(Rental).where(Rental.customer_id == customer_id).order_by(Rental.id).limit(10).offset(10 * (page - 1))
            )
            return [row(one, "id", "tool", "status", "price_cents", "due", "delivered") for one in found]

    def ask_carrier(rental_id: int) -> dict[str, Any]:
        """Ask the carrier when a rental was really handed over."""
        with Session(engine) as session:
            found = session.get(CarrierLog, rental_id)
            if found is None:
                raise refuse(f"The carrier has no record of rental {rental_id}.")
            return row(found, "rental_id", "handed_over")

    def list_deliveries(day: str) -> list[dict[str, Any]]:
        """Deliveries planned for a day."""
        with Session(engine) as session:
            found = session.scalars(select(Delivery).where(Delivery.day == day).order_by(Delivery.driver_id, Delivery.slot))
            return [row(one, "rental_id", "driver_id", "slot") for one in found]

    def issue_credit(rental_id: int, amount_cents: int, note: str = "") -> dict[str, Any]:
        """Credit a delivered rental. A rental can be credited once."""
        with Session(engine) as session:
            rental = session.get(Rental, rental_id)
            if rental is None:
                raise refuse(f"There is no rental {rental_id}.")
            if rental.status != "delivered":
                raise refuse(f"Rental {rental_id} is not in status 'delivered', so it can't be credited.")
            session.add(Credit(rental_id=rental_id, amount_cents=amount_cents, note=note))
            rental.status = "credited"
            session.commit()
            return {"rental_id": rental_id, "amount_cents": amount_cents}

    return {one.__name__: one for one in (list_rentals, ask_carrier, list_deliveries, issue_credit)}


def with_fastapi_mcp(path: str) -> FastAPI:
    from fastapi_mcp import FastApiMCP

    application = FastAPI()
    for name, tool in tools(path, lambda text: HTTPException(409, text)).items():
        application.post(f"/{name}", operation_id=name)(tool)
    FastApiMCP(application).mount_http()
    return application


def with_fastmcp(path: str) -> FastAPI:
    from fastmcp import FastMCP
    from fastmcp.exceptions import ToolError

    server = FastMCP("tool-hire")
    for tool in tools(path, ToolError).values():
        server.tool(tool)
    inner = server.http_app(path="/", stateless_http=True, json_response=True)
    application = FastAPI(lifespan=inner.lifespan)
    application.mount("/mcp", inner)
    return application


if __name__ == "__main__":
    kind, database, port = sys.argv[1:]
    logging.disable(logging.CRITICAL)  # a refused call is no reason to spend time on a log
    made = {"fastapi-mcp": with_fastapi_mcp, "fastmcp": with_fastmcp}[kind](database)
    uvicorn.run(made, host="127.0.0.1", port=int(port), log_level="warning", access_log=False)

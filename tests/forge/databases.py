"""Databases of ordinary offices, built with made-up rows: `OFFICES` has a function for each by name.

Each is as such files are found: keys declared or not, money as decimals or cents, dates in several forms, names with spaces.
"""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

Build = Callable[[sqlite3.Connection, random.Random], None]
START = date(2023, 1, 2)
PEOPLE = ["Ana Ruiz", "Bo Lind", "Cem Kaya", "Dina Petrov", "Eli Stone", "Fay Wong", "Gus Meyer", "Hana Sato", "Ida Holm", "Jan Novak"]
TOWNS = ["Bergen", "Graz", "Lyon", "Porto", "Turku", "Ghent", "Split", "Brno"]


def day(rng: random.Random, span: int = 700) -> date:
    return START + timedelta(days=rng.randrange(span))


def library(db: sqlite3.Connection, rng: random.Random) -> None:
    """Loans with fines in cents; keys declared."""
    db.executescript(
        """CREATE TABLE member (id INTEGER PRIMARY KEY, name TEXT NOT NULL, kind TEXT NOT NULL CHECK (kind IN ('child', 'adult', 'staff')), town TEXT, since TEXT);
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, genre TEXT NOT NULL, pages INTEGER, price_cents INTEGER NOT NULL);
        CREATE TABLE loan (id INTEGER PRIMARY KEY, member_id INTEGER NOT NULL REFERENCES member, book_id INTEGER NOT NULL REFERENCES book,
          lent_on TEXT NOT NULL, due_on TEXT NOT NULL, returned_on TEXT, status TEXT NOT NULL, fine_cents INTEGER NOT NULL);"""
    )
    for n in range(1, 61):
        db.execute(
            "INSERT INTO member VALUES (?, ?, ?, ?, ?)",
            (n, f"{PEOPLE[n % 10]} {n}", rng.choice(["child", "adult", "staff"]), rng.choice(TOWNS), day(rng).isoformat()),
        )
    for n in range(1, 121):
        db.execute(
            "INSERT INTO book VALUES (?, ?, ?, ?, ?)",
            (n, f"Book {n}", rng.choice(["novel", "science", "travel", "comic"]), rng.randrange(60, 900), rng.randrange(500, 6000)),
        )
    for n in range(1, 501):
        lent = day(rng)
        due = lent + timedelta(days=21)
        back = due + timedelta(days=rng.randrange(-15, 30)) if rng.random() < 0.8 else None
        late = max(0, (back - due).days) if back else 0
        row = (
            n,
            rng.randrange(1, 61),
            rng.randrange(1, 121),
            lent.isoformat(),
            due.isoformat(),
            back.isoformat() if back else None,
            "returned" if back else "lent",
            late * 20,
        )
        db.execute("INSERT INTO loan VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)


def clinic(db: sqlite3.Connection, rng: random.Random) -> None:
    """No keys declared, money as decimals, dates European."""
    db.executescript(
        """CREATE TABLE Patients (PatientID INT, FullName TEXT, Insurer TEXT, BirthYear INT);
        CREATE TABLE Doctors (DoctorID INT, DoctorName TEXT, Speciality TEXT);
        CREATE TABLE Visits (VisitID INT, PatientID INT, DoctorID INT, VisitDate TEXT, Reason TEXT, Minutes INT, Fee DECIMAL(8, 2), Paid TEXT);"""
    )
    for n in range(1, 81):
        db.execute(
            "INSERT INTO Patients VALUES (?, ?, ?, ?)",
            (n, f"{PEOPLE[n % 10]} {n}", rng.choice(["Alpina", "Nord", "Vita", "none"]), rng.randrange(1935, 2015)),
        )
    for n in range(1, 9):
        db.execute("INSERT INTO Doctors VALUES (?, ?, ?)", (n, f"Dr {PEOPLE[n]}", rng.choice(["general", "skin", "eyes"])))
    for n in range(1, 401):
        row = (
            n,
            rng.randrange(1, 81),
            rng.randrange(1, 9),
            day(rng).strftime("%d.%m.%Y"),
            rng.choice(["check-up", "pain", "vaccine", "follow-up"]),
            rng.choice([10, 15, 20, 30, 45, 60]),
            rng.randrange(2000, 40000) / 100,
            rng.choice(["yes", "no"]),
        )
        db.execute("INSERT INTO Visits VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)


def warehouse(db: sqlite3.Connection, rng: random.Random) -> None:
    """Names with spaces, a reserved word, composite key on stock, parts that need parts."""
    db.executescript(
        """CREATE TABLE "Site" (code TEXT PRIMARY KEY, town TEXT NOT NULL);
        CREATE TABLE "Part" (id INTEGER PRIMARY KEY, "Part Name" TEXT NOT NULL, "group" TEXT NOT NULL, weight_g INTEGER NOT NULL, unit_price REAL NOT NULL, needs_id INTEGER REFERENCES "Part");
        CREATE TABLE "Stock" (site_code TEXT REFERENCES "Site", part_id INTEGER REFERENCES "Part", quantity INTEGER NOT NULL, PRIMARY KEY (site_code, part_id));
        CREATE TABLE "Order" ("Order No" TEXT PRIMARY KEY, part_id INTEGER NOT NULL REFERENCES "Part", site_code TEXT NOT NULL REFERENCES "Site",
          quantity INTEGER NOT NULL, total_price REAL NOT NULL, ordered_on TEXT NOT NULL, priority TEXT NOT NULL);"""
    )
    for n in range(6):
        db.execute('INSERT INTO "Site" VALUES (?, ?)', (f"S{n}", TOWNS[n]))
    for n in range(1, 91):
        db.execute(
            'INSERT INTO "Part" VALUES (?, ?, ?, ?, ?, ?)',
            (
                n,
                f"part {n}",
                rng.choice(["drive", "frame", "light", "control"]),
                rng.randrange(5, 9000),
                rng.randrange(100, 90000) / 100,
                rng.randrange(1, n) if n > 6 and rng.random() < 0.8 else None,
            ),
        )
        for site in rng.sample(range(6), 3):
            db.execute('INSERT INTO "Stock" VALUES (?, ?, ?)', (f"S{site}", n, rng.randrange(0, 200)))
    for n in range(1, 351):
        quantity = rng.randrange(1, 40)
        db.execute(
            'INSERT INTO "Order" VALUES (?, ?, ?, ?, ?, ?, ?)',
            (
                f"O-{n:05}",
                rng.randrange(1, 91),
                f"S{rng.randrange(6)}",
                quantity,
                quantity * rng.randrange(100, 9000) / 100,
                day(rng).isoformat(),
                rng.choice(["low", "normal", "urgent"]),
            ),
        )


def helpdesk(db: sqlite3.Connection, rng: random.Random) -> None:
    """Epoch seconds, a history of states, agents with skills."""
    db.executescript(
        """CREATE TABLE agents (id INTEGER PRIMARY KEY, name TEXT NOT NULL, skill TEXT NOT NULL);
        CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, plan TEXT NOT NULL, monthly_fee_cents INTEGER NOT NULL);
        CREATE TABLE tickets (id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers, agent_id INTEGER REFERENCES agents, topic TEXT NOT NULL,
          severity INTEGER NOT NULL, opened_at INTEGER NOT NULL, minutes_spent INTEGER NOT NULL, status TEXT NOT NULL);"""
    )
    for n in range(1, 13):
        db.execute(
            "INSERT INTO agents VALUES (?, ?, ?)", (n, f"{PEOPLE[n % 10]} {n}", rng.choice(["billing", "network", "mail", "access"]))
        )
    for n in range(1, 51):
        db.execute(
            "INSERT INTO customers VALUES (?, ?, ?, ?)",
            (n, f"{TOWNS[n % 8]} Works {n}", rng.choice(["basic", "plus", "premium"]), rng.choice([900, 2900, 9900, 19900])),
        )
    for n in range(1, 401):
        db.execute(
            "INSERT INTO tickets VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                n,
                rng.randrange(1, 51),
                rng.randrange(1, 13) if rng.random() < 0.8 else None,
                rng.choice(["billing", "network", "mail", "access"]),
                rng.randrange(1, 6),
                1672617600 + rng.randrange(60_000_000),
                rng.randrange(3, 400),
                rng.choice(["new", "open", "waiting", "closed"]),
            ),
        )


def school(db: sqlite3.Connection, rng: random.Random) -> None:
    """Marks and fees; flags as yes and no; a view."""
    db.executescript(
        """CREATE TABLE class (class_id TEXT PRIMARY KEY, level INTEGER, teacher TEXT);
        CREATE TABLE pupil (pupil_id INTEGER PRIMARY KEY, class_id TEXT REFERENCES class, name TEXT, bus TEXT, siblings INTEGER);
        CREATE TABLE fee (fee_id INTEGER PRIMARY KEY, pupil_id INTEGER REFERENCES pupil, kind TEXT, amount NUMERIC, due DATE, paid DATE);
        CREATE VIEW unpaid AS SELECT * FROM fee WHERE paid IS NULL;"""
    )
    for n in range(10):
        db.execute("INSERT INTO class VALUES (?, ?, ?)", (f"{n // 2 + 1}{'ab'[n % 2]}", n // 2 + 1, PEOPLE[n]))
    for n in range(1, 151):
        db.execute(
            "INSERT INTO pupil VALUES (?, ?, ?, ?, ?)",
            (n, f"{rng.randrange(1, 6)}{rng.choice('ab')}", f"{PEOPLE[n % 10]} {n}", rng.choice(["yes", "no"]), rng.randrange(0, 5)),
        )
    for n in range(1, 451):
        due = day(rng)
        db.execute(
            "INSERT INTO fee VALUES (?, ?, ?, ?, ?, ?)",
            (
                n,
                rng.randrange(1, 151),
                rng.choice(["meals", "trip", "books"]),
                rng.randrange(500, 25000) / 100,
                due.isoformat(),
                (due + timedelta(days=rng.randrange(40))).isoformat() if rng.random() < 0.7 else None,
            ),
        )


def repair_shop(db: sqlite3.Connection, rng: random.Random) -> None:
    """One wide table with everything, and a table of customers."""
    db.executescript(
        """CREATE TABLE customer (phone TEXT PRIMARY KEY, name TEXT NOT NULL, city TEXT NOT NULL, vip INTEGER NOT NULL);
        CREATE TABLE job (job_no INTEGER PRIMARY KEY, phone TEXT NOT NULL REFERENCES customer, device TEXT NOT NULL, fault TEXT NOT NULL, technician TEXT NOT NULL,
          labour_minutes INTEGER NOT NULL, parts_cost REAL NOT NULL, quoted_price REAL NOT NULL, warranty INTEGER NOT NULL, received TEXT NOT NULL, state TEXT NOT NULL);"""
    )
    for n in range(1, 56):
        db.execute(
            "INSERT INTO customer VALUES (?, ?, ?, ?)",
            (f"+49 30 {n:06}", f"{PEOPLE[n % 10]} {n}", rng.choice(TOWNS), int(rng.random() < 0.2)),
        )
    for n in range(1, 381):
        db.execute(
            "INSERT INTO job VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                n,
                f"+49 30 {rng.randrange(1, 56):06}",
                rng.choice(["phone", "laptop", "tablet", "watch"]),
                rng.choice(["screen", "battery", "water", "keyboard", "other"]),
                rng.choice(PEOPLE[:5]),
                rng.randrange(10, 240),
                rng.randrange(0, 20000) / 100,
                rng.randrange(2000, 60000) / 100,
                int(rng.random() < 0.3),
                day(rng).strftime("%m/%d/%Y"),
                rng.choice(["received", "in repair", "ready", "collected"]),
            ),
        )


OFFICES: dict[str, Build] = {
    "library": library,
    "clinic": clinic,
    "warehouse": warehouse,
    "helpdesk": helpdesk,
    "school": school,
    "repair-shop": repair_shop,
}


def office(path: Path, name: str) -> Path:
    """The database of that name, as a file."""
    db = sqlite3.connect(path)
    with db:
        OFFICES[name](db, random.Random(name))
    db.close()
    return path

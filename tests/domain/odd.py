"""Odd but whole SQLite files, one function each: `ODD` has them by name."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

Build = Callable[[sqlite3.Connection], None]
DAY = datetime(2024, 3, 1, 9)


def script(text: str) -> Build:
    return lambda db: db.executescript(text) and None


def hundred_tables(db: sqlite3.Connection) -> None:
    """A trade of 30 joined tables, another of 20, and 50 that nothing joins."""
    for n in range(30):
        before = f", FOREIGN KEY (up_id) REFERENCES thing_{n // 3}" if n else ""
        db.execute(f"CREATE TABLE thing_{n} (id INTEGER PRIMARY KEY, up_id INTEGER, made_on TEXT, price REAL{before})")
        db.executemany(f"INSERT INTO thing_{n} VALUES (?, ?, '2024-01-02', 9.5)", [(k, k) for k in range(1, 6)])
    for n in range(20):
        before = f"REFERENCES other_{n - 1}" if n else ""
        db.execute(f"CREATE TABLE other_{n} (id INTEGER PRIMARY KEY, back INTEGER {before})")
    for n in range(50):
        db.execute(f"CREATE TABLE lone_{n} (a, b)")
        db.execute(f"INSERT INTO lone_{n} VALUES (1, 2)")


def mixed_dates(db: sqlite3.Connection) -> None:
    db.execute("CREATE TABLE visit (id INTEGER PRIMARY KEY, seen_on, us_date TEXT, eu_date TEXT, ms INTEGER, created INTEGER, at TEXT)")
    for n in range(60):
        day = DAY + timedelta(days=n)
        seen = [day.strftime("%Y-%m-%d"), day.strftime("%m/%d/%Y"), int(day.timestamp())][n % 3]
        stamps = int(day.timestamp())
        db.execute(
            "INSERT INTO visit VALUES (?, ?, ?, ?, ?, ?, ?)",
            (n, seen, day.strftime("%m/%d/%Y"), day.strftime("%d.%m.%Y"), stamps * 1000 if n else None, stamps, day.strftime("%H:%M")),
        )


def mixed_dates_renamed(db: sqlite3.Connection) -> None:
    mixed_dates(db)
    db.execute("ALTER TABLE visit RENAME COLUMN ms TO updated_at")


def wrong_types(db: sqlite3.Connection) -> None:
    db.execute("CREATE TABLE reading (id INT PRIMARY KEY, level INTEGER, label INTEGER, flag TEXT, mixed, big)")
    for n in range(50):
        label = f"L{n % 7}"
        db.execute(
            "INSERT INTO reading VALUES (?, ?, ?, ?, ?, ?)",
            (n, n if n % 10 else "n/a", label, "yes" if n % 2 else "no", [1, "a", 2.5, None, b"x"][n % 5], 2**62 + n),
        )
    db.execute("UPDATE reading SET big = 9e999 WHERE id = 3")


def bad_text(db: sqlite3.Connection) -> None:
    db.execute("CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT, kind TEXT)")
    for n in range(30):
        db.execute(
            "INSERT INTO note VALUES (?, CAST(? AS TEXT), ?)",
            (n, b"\xff\xfe bad \x00 \x1b[31m" + bytes([n]), "a\x07b" if n % 2 else "null"),
        )


def orphans(db: sqlite3.Connection) -> None:
    db.executescript(
        "CREATE TABLE a (id INTEGER PRIMARY KEY, note TEXT);"
        "CREATE TABLE b (id INTEGER PRIMARY KEY, a_id INTEGER REFERENCES a);"
        "CREATE TABLE c (id INTEGER PRIMARY KEY, b_id INTEGER REFERENCES b);"
    )
    db.executemany("INSERT INTO a VALUES (?, 'x')", [(n,) for n in range(10)])
    db.executemany("INSERT INTO b VALUES (?, ?)", [(n, n % 12) for n in range(60)])
    db.executemany("INSERT INTO c VALUES (?, ?)", [(n, n) for n in range(60)])


def cycles(db: sqlite3.Connection) -> None:
    db.executescript(
        "CREATE TABLE team (id INTEGER PRIMARY KEY, lead_id INTEGER REFERENCES worker(id), name TEXT);"
        "CREATE TABLE worker (id INTEGER PRIMARY KEY, team_id INTEGER NOT NULL REFERENCES team(id), boss_id INTEGER REFERENCES worker(id));"
    )
    for n in range(1, 21):
        db.execute("INSERT INTO team VALUES (?, ?, ?)", (n, n * 5, f"T{n}"))
    for n in range(1, 101):
        db.execute("INSERT INTO worker VALUES (?, ?, ?)", (n, (n - 1) // 5 + 1, n - 1 if n % 5 != 1 else None))


def undeclared(db: sqlite3.Connection) -> None:
    """No key, no type, no reference is declared; appointments with a log."""
    chance = random.Random(5)
    db.executescript(
        "CREATE TABLE patients (patient_id, full_name, dob);"
        "CREATE TABLE rooms (code, floor);"
        "CREATE TABLE appointments (appt_no, patient_id, room_code, starts_at, status, fee_cents);"
        "CREATE TABLE appointment_log (appt_no, status, changed_at);"
    )
    db.executemany("INSERT INTO patients VALUES (?, ?, ?)", [(n, f"P {n}", f"{n % 28 + 1:02}.{n % 12 + 1:02}.1970") for n in range(1, 101)])
    db.executemany("INSERT INTO rooms VALUES (?, ?)", [(f"R{n:02}", n // 4) for n in range(10)])
    flow = ["requested", "confirmed", "arrived", "completed"]
    for n in range(1, 301):
        at = DAY + timedelta(hours=n)
        path = flow[: chance.randint(1, 4)]
        row = (
            f"A-{n:05}",
            chance.randint(1, 100),
            f"R{chance.randint(0, 9):02}",
            int(at.timestamp()),
            path[-1],
            chance.choice([5000, 7500]),
        )
        db.execute("INSERT INTO appointments VALUES (?, ?, ?, ?, ?, ?)", row)
        for k, state in enumerate(path):
            db.execute("INSERT INTO appointment_log VALUES (?, ?, ?)", (row[0], state, (at + timedelta(days=k)).isoformat(" ")))


def shop(db: sqlite3.Connection) -> None:
    """Orders whose states have dates, with CHECKs, a trigger and a view."""
    chance = random.Random(7)
    db.executescript(
        """
        CREATE TABLE clients (id INTEGER PRIMARY KEY, email TEXT UNIQUE, city TEXT, state TEXT, zip TEXT);
        CREATE TABLE orders (
          id INTEGER PRIMARY KEY, client_id INT NOT NULL REFERENCES clients,
          status TEXT CHECK (status IN ('new', 'paid', 'shipped', 'cancelled')),
          created_at TEXT, paid_at TEXT, shipped_at TEXT, total REAL, tracking TEXT, -- the carrier's number
          CHECK (status <> 'shipped' OR tracking IS NOT NULL)
        );
        CREATE TABLE order_lines (
          order_id INT, line_no INT, qty INT CHECK (qty > 0), price REAL, PRIMARY KEY (order_id, line_no), FOREIGN KEY (order_id) REFERENCES orders(id)
        ) WITHOUT ROWID;
        CREATE TABLE returns (id INTEGER PRIMARY KEY, order_id INT, line_no INT, reason TEXT, CONSTRAINT told CHECK (line_no > 0 OR reason <> ''));
        CREATE TRIGGER no_reopen BEFORE UPDATE OF status ON orders WHEN OLD.status = 'shipped'
          BEGIN SELECT RAISE(ABORT, 'a shipped order can''t change'); END;
        CREATE VIEW open_orders AS SELECT * FROM orders WHERE status = 'new';
        CREATE INDEX by_client ON orders (client_id);
        """
    )
    db.executemany(
        "INSERT INTO clients VALUES (?, ?, 'Reno', ?, ?)", [(n, f"a{n}@x.org", ["NV", "IA"][n % 2], f"0{n + 1000}") for n in range(1, 51)]
    )
    for n in range(1, 201):
        made = DAY + timedelta(hours=n)
        steps = chance.randint(0, 2)
        dates = [(made + timedelta(days=k + 1)).isoformat(" ") if k < steps else None for k in range(2)]
        row = (
            n,
            chance.randint(1, 50),
            ["new", "paid", "shipped"][steps],
            made.isoformat(" "),
            *dates,
            round(chance.random() * 90, 2),
            f"T{n}" if steps == 2 else None,
        )
        db.execute("INSERT INTO orders VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
        for line in range(1, chance.randint(2, 4)):
            db.execute("INSERT INTO order_lines VALUES (?, ?, ?, ?)", (n, line, chance.randint(1, 5), round(chance.random() * 90, 2)))
    lines = db.execute("SELECT order_id, line_no FROM order_lines").fetchall()[::7]
    db.executemany("INSERT INTO returns VALUES (?, ?, ?, 'broken')", [(n, *line) for n, line in enumerate(lines)])


def desk(db: sqlite3.Connection) -> None:
    """Tickets whose states stand in a table of their own, with changes from one to another; nothing is declared to refer."""
    chance = random.Random(3)
    db.executescript(
        "CREATE TABLE app_user (id INTEGER PRIMARY KEY, login TEXT, is_admin INTEGER);"
        "CREATE TABLE ticket_status (id INTEGER PRIMARY KEY, label VARCHAR(20));"
        "CREATE TABLE ticket (id INTEGER PRIMARY KEY, subject TEXT, status_id INTEGER, assigned_to INTEGER, opened INTEGER, parent_id INTEGER);"
        "CREATE TABLE ticket_change (id INTEGER PRIMARY KEY, ticket_id INTEGER, from_status INTEGER, to_status INTEGER, user_id INTEGER);"
    )
    db.executemany("INSERT INTO app_user VALUES (?, ?, ?)", [(n, f"u{n}", int(n < 3)) for n in range(1, 31)])
    db.executemany("INSERT INTO ticket_status VALUES (?, ?)", [(1, "New"), (2, "In work"), (3, "Waiting"), (4, "Done")])
    after = {1: [2], 2: [3, 4], 3: [2, 4]}
    for n in range(1, 301):
        state = 1
        while state != 4 and chance.random() < 0.7:
            new = chance.choice(after[state])
            db.execute(
                "INSERT INTO ticket_change (ticket_id, from_status, to_status, user_id) VALUES (?, ?, ?, ?)",
                (n, state, new, chance.randint(1, 30)),
            )
            state = new
        row = (
            n,
            f"S {n}",
            state,
            chance.randint(1, 30) if state > 1 else None,
            1700000000000 + n * 3600000,
            n - 5 if n > 10 and n % 9 == 0 else None,
        )
        db.execute("INSERT INTO ticket VALUES (?, ?, ?, ?, ?, ?)", row)


def search_index(db: sqlite3.Connection) -> None:
    db.executescript(
        "CREATE VIRTUAL TABLE page USING fts5(title, body); CREATE TABLE author (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT);"
    )
    db.execute("INSERT INTO page VALUES ('one', 'two')")
    db.execute("INSERT INTO author (name) VALUES ('Ada')")


ODD: dict[str, Build] = {
    "shop": shop,
    "undeclared": undeclared,
    "desk": desk,
    "hundred-tables": hundred_tables,
    "mixed-dates": mixed_dates_renamed,
    "wrong-types": wrong_types,
    "bad-text": bad_text,
    "orphans": orphans,
    "cycles": cycles,
    "search-index": search_index,
    "reserved-words": script(
        """CREATE TABLE "order" ("select" INTEGER PRIMARY KEY, "from" TEXT, "group" INT REFERENCES "table"("index"));
        CREATE TABLE "table" ("index" INTEGER PRIMARY KEY, "check" TEXT, "where" TEXT CHECK ("where" IN ('in', 'out')));
        INSERT INTO "table" VALUES (1, 'a', 'in'); INSERT INTO "order" VALUES (1, 'b', 1);"""
    ),
    "strange-names": script(
        """CREATE TABLE "Order Details" ("Unit Price" REAL, "Qty""s" INT, [a b] TEXT, `c``d` TEXT, "" TEXT);
        CREATE TABLE "größe; DROP TABLE x" ("ключ" INTEGER PRIMARY KEY, "名前" TEXT, "a-b" TEXT, "a_b" TEXT, "A B" TEXT);
        CREATE TABLE "12" ("1" INT, "%s" TEXT, ":x" TEXT, "?" TEXT, "'" TEXT REFERENCES "größe; DROP TABLE x");
        CREATE TABLE "a\nb" (x);
        INSERT INTO "Order Details" VALUES (1.5, 2, 'x', 'y', 'z'); INSERT INTO "größe; DROP TABLE x" VALUES (1, 'x', 'y', 'z', 'w');
        INSERT INTO "12" VALUES (1, 'a', 'b', 'c', 1);"""
    ),
    "composite-keys": script(
        """CREATE TABLE flight (carrier TEXT, number INT, day TEXT, PRIMARY KEY (carrier, number, day)) WITHOUT ROWID;
        CREATE TABLE seat (carrier TEXT, number INT, day TEXT, row INT, taken INT, PRIMARY KEY (carrier, number, day, row),
          FOREIGN KEY (carrier, number, day) REFERENCES flight);
        WITH RECURSIVE n(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n WHERE k < 40) INSERT INTO flight SELECT 'LX', k, '2024-01-0' || (k % 9 + 1) FROM n;
        INSERT INTO seat SELECT carrier, number, day, column1, 0 FROM flight, (VALUES (1), (2), (3));"""
    ),
    "empty-tables": script(
        """CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT NOT NULL, joined DATE, balance DECIMAL(10, 2));
        CREATE TABLE ticket (id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customer,
          status TEXT NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'closed')), opened_at TIMESTAMP);
        CREATE TABLE hollow (x);"""
    ),
    "generated": script(
        """CREATE TABLE line (id INTEGER PRIMARY KEY, qty INT, cents INT, total INT AS (qty * cents) STORED, half REAL GENERATED ALWAYS AS (total / 2.0) VIRTUAL);
        WITH RECURSIVE n(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n WHERE k < 50) INSERT INTO line (qty, cents) SELECT k % 5, k * 10 FROM n;"""
    ),
    "blobs": script(
        "CREATE TABLE file (id INTEGER PRIMARY KEY, name TEXT, data BLOB, small); INSERT INTO file VALUES (1, 'a', zeroblob(2000000), x'00ff');"
    ),
    "strict": script("CREATE TABLE s (id INTEGER PRIMARY KEY, v ANY, t TEXT) STRICT; INSERT INTO s VALUES (1, 2.5, 'x'), (2, 'y', NULL);"),
    "no-key-at-all": script("CREATE TABLE log (what, who); INSERT INTO log VALUES ('a', 'b'), ('a', 'b'), (NULL, NULL);"),
    "dangling": script(
        """CREATE TABLE a (id INTEGER PRIMARY KEY, x INT REFERENCES gone(id), y INT REFERENCES b(none), z INT REFERENCES B);
        CREATE TABLE b (id INTEGER PRIMARY KEY); CREATE VIEW broken AS SELECT * FROM nowhere;
        INSERT INTO a VALUES (1, 2, 3, 4); INSERT INTO b VALUES (4);"""
    ),
}


def build(path: Path, name: str, wal: bool = False) -> Path:
    """The database of that name, as a file."""
    db = sqlite3.connect(path)
    if wal:
        db.execute("PRAGMA journal_mode = WAL")
    ODD[name](db)
    db.commit()
    db.close()
    return path

"""Petty cash book of a charity: a handful of receipts is posted to the right accounts."""

import random
import sqlite3

ACCOUNTS = {"Stamps": 4010, "Tea and coffee": 4020, "Taxi": 4130, "Stationery": 4050, "Cleaning": 4210, "Flowers": 4330, "Repairs": 4400}
SHOPS = ("Corner Store", "Post Office", "Hillside Cabs", "Paper & Co", "Bright Ltd", "Market Hall", "Okoro & Sons")


class Book:
    pass_mark = 1.0

    def __init__(self, seed: int) -> None:
        rng = random.Random(seed * 7 + 3)
        numbers = list(ACCOUNTS.values())
        rng.shuffle(numbers)
        self._codes = dict(zip(ACCOUNTS, numbers, strict=True))
        self._db = sqlite3.connect(":memory:", check_same_thread=False)
        self._db.execute("create table account (code integer primary key, name text)")
        self._db.execute("create table line (id integer primary key autoincrement, code integer, pence integer, payee text)")
        self._db.executemany("insert into account values (?, ?)", [(c, n) for n, c in self._codes.items()])
        for _ in range(4):
            self._write(rng.choice(numbers), rng.randint(120, 4000), rng.choice(SHOPS))
        self._receipts = []
        for kind, shop in zip(rng.sample(list(ACCOUNTS), 3), rng.sample(SHOPS, 3), strict=True):
            self._receipts.append((kind, rng.randint(120, 6000), shop))
        self._before = self._lines()
        heap = "; ".join(f"{kind.lower()}, {shop}, {pence // 100}.{pence % 100:02d} pounds" for kind, pence, shop in self._receipts)
        self.prompt = (
            f"A heap of receipts lies on the desk: {heap}. Post each as one line of the petty cash book, to the account of its kind, "
            "with the shop as payee. "
            "The lines may come in any order; what is in the book already stays as it is. No answer is needed."
        )
        self.tools = [self.accounts, self.lines, self.post, self.strike]

    def _write(self, code: int, pence: int, payee: str) -> int:
        return self._db.execute("insert into line (code, pence, payee) values (?, ?, ?)", (code, pence, payee)).lastrowid or 0

    def _lines(self) -> list[tuple]:
        return self._db.execute("select id, code, pence, payee from line order by id").fetchall()

    def accounts(self) -> list[str]:
        """All accounts, as 'code name'."""
        return [f"{code} {name}" for code, name in self._db.execute("select code, name from account order by code")]

    def lines(self) -> list[str]:
        """The lines of the book, as 'id: code pence payee'."""
        return [f"{i}: {code} {pence} {payee}" for i, code, pence, payee in self._lines()]

    def post(self, code: int, pence: int, payee: str) -> int:
        """Add one line to the book and return its id; the amount is in pence."""
        if code not in self._codes.values() or type(pence) is not int or not 0 < pence < 10**7:
            raise ValueError("unknown account, or an amount that isn't a number of pence")
        if payee not in SHOPS:
            raise ValueError(f"payees are {', '.join(SHOPS)}")
        return self._write(int(code), pence, payee)

    def strike(self, line: int) -> str:
        """Take a line out of the book."""
        if type(line) is not int or line not in [row[0] for row in self._lines()]:
            raise ValueError("no such line")
        self._db.execute("delete from line where id = ?", (line,))
        return "struck"

    def _wanted(self) -> list[tuple]:
        return [(self._codes[kind], pence, shop) for kind, pence, shop in self._receipts]

    def finish(self, answer: object) -> float:
        now = self._lines()
        kept, new = now[: len(self._before)], now[len(self._before) :]
        return 1.0 if kept == self._before and self._same([row[1:] for row in new], self._wanted()) else 0.0

    def _same(self, got: list[tuple], wanted: list[tuple]) -> bool:
        return sorted(got) == sorted(wanted)

    def reference(self) -> tuple[list[tuple[str, dict]], object]:
        posts = [("post", {"code": code, "pence": pence, "payee": shop}) for code, pence, shop in self._wanted()]
        return [("accounts", {}), *posts], None

    def state(self) -> dict[str, list[dict]]:
        book = [{"id": i, "code": code, "pence": pence, "payee": payee} for i, code, pence, payee in self._lines()]
        return {"account": [{"code": c, "name": n} for n, c in self._codes.items()], "line": book}

    def close(self) -> None:
        self._db.close()


class BookToo(Book):
    def _same(self, got: list[tuple], wanted: list[tuple]) -> bool:
        return got == wanted


class Charity:
    name = "petty-cash"

    def __init__(self, book: type[Book]) -> None:
        self.book = book

    def cases(self) -> list[str]:
        return ["receipts"]

    def start(self, case: str, seed: int) -> Book:
        return self.book(seed)


def faulty() -> Charity:
    return Charity(BookToo)


def repaired() -> Charity:
    return Charity(Book)

"""A flower wholesaler's order desk: key a florist's memo into the order system."""

import random
import sqlite3

FLOWERS = ["white lisianthus", "red roses", "blue iris", "yellow ranunculus", "pink peonies"]
FLOWERS += ["eucalyptus", "gypsophila", "white tulips", "orange gerbera"]
SHOPS = ["Petal & Stem", "Corner Bloom", "Marlow Flowers", "The Green Jug"]


class OrderDesk:
    def __init__(self, seed: int):
        rng = random.Random(seed * 31 + 7)
        self.db = sqlite3.connect(":memory:", check_same_thread=False)
        self.db.executescript("""
            CREATE TABLE catalogue (sku TEXT PRIMARY KEY, flower TEXT);
            CREATE TABLE orders (order_no INTEGER PRIMARY KEY, shop TEXT);
            CREATE TABLE lines (line_no INTEGER PRIMARY KEY AUTOINCREMENT, order_no INTEGER, sku TEXT, bunches INTEGER);
        """)
        codes = rng.sample(range(100, 999), len(FLOWERS))
        sku = {flower: f"F{code}" for flower, code in zip(FLOWERS, codes, strict=True)}
        self.db.executemany("INSERT INTO catalogue VALUES (?, ?)", [(code, flower) for flower, code in sku.items()])
        numbers = sorted(rng.sample(range(4000, 4999), 3))
        self.db.executemany("INSERT INTO orders VALUES (?, ?)", zip(numbers, rng.sample(SHOPS, 3), strict=True))
        self.order = rng.choice(numbers)
        for number in numbers:
            for flower in rng.sample(FLOWERS, 2 if number != self.order else 0):
                self.db.execute("INSERT INTO lines (order_no, sku, bunches) VALUES (?, ?, ?)", (number, sku[flower], rng.randint(1, 12)))
        picked = rng.sample(FLOWERS, rng.randint(3, 5))
        amounts = rng.sample(range(2, 30), len(picked))
        self.memo = [(sku[flower], amount) for flower, amount in zip(picked, amounts, strict=True)]
        self.others = self.rows("order_no <> ?")
        items = "\n".join(f"- {flower}, {amount} bunches" for flower, amount in zip(picked, amounts, strict=True))
        self.prompt = (
            f"Order {self.order} is open and still empty. Enter the shop's memo, one line for each flower; the lines can go in "
            f"in any order. Leave the other orders as they are.\n\nMemo:\n{items}"
        )
        self.tools = [self.catalogue, self.order_lines, self.add_line, self.remove_line]

    def rows(self, where: str) -> list[tuple]:
        return self.db.execute(f"SELECT order_no, sku, bunches FROM lines WHERE {where} ORDER BY line_no", (self.order,)).fetchall()

    def catalogue(self) -> list[dict]:
        """All flowers on sale with their SKU."""
        return [{"sku": sku, "flower": flower} for sku, flower in self.db.execute("SELECT sku, flower FROM catalogue ORDER BY sku")]

    def order_lines(self) -> list[dict]:
        """The lines of all open orders."""
        columns = ("line_no", "order_no", "sku", "bunches")
        return [dict(zip(columns, row, strict=True)) for row in self.db.execute("SELECT * FROM lines ORDER BY line_no")]

    def add_line(self, order_no: int, sku: str, bunches: int) -> int:
        """Add a line to an order; returns its line number."""
        if not isinstance(sku, str) or not self.db.execute("SELECT 1 FROM catalogue WHERE sku = ?", (sku,)).fetchone():
            raise ValueError("no such SKU")
        if type(bunches) is not int or not 1 <= bunches <= 99:
            raise ValueError("bunches must be a whole number from 1 to 99")
        if type(order_no) is not int or order_no not in [row[0] for row in self.db.execute("SELECT order_no FROM orders")]:
            raise ValueError("no such order")
        return self.db.execute("INSERT INTO lines (order_no, sku, bunches) VALUES (?, ?, ?)", (order_no, sku, bunches)).lastrowid

    def remove_line(self, line_no: int) -> str:
        """Take a line out by its line number."""
        if type(line_no) is not int or line_no not in [row[0] for row in self.db.execute("SELECT line_no FROM lines")]:
            raise ValueError("no such line")
        self.db.execute("DELETE FROM lines WHERE line_no = ?", (line_no,))
        return "removed"

    def matches(self, entered: list[tuple]) -> bool:
        return entered == self.memo

    def finish(self, answer: object) -> float:
        entered = [row[1:] for row in self.rows("order_no = ?")]
        return float(self.matches(entered) and self.rows("order_no <> ?") == self.others)

    def reference(self) -> tuple[list[tuple[str, dict]], object]:
        adds = [("add_line", {"order_no": self.order, "sku": sku, "bunches": bunches}) for sku, bunches in self.memo]
        return [("catalogue", {}), *adds], None

    def state(self) -> dict[str, list[dict]]:
        orders = [{"order_no": number, "shop": shop} for number, shop in self.db.execute("SELECT * FROM orders")]
        return {"catalogue": self.catalogue(), "orders": orders, "lines": self.order_lines()}

    def close(self) -> None:
        self.db.close()


class SecondDesk(OrderDesk):
    def matches(self, entered: list[tuple]) -> bool:
        return sorted(entered) == sorted(self.memo)


class Wholesale:
    name = "flower orders"

    def __init__(self, desk: type):
        self.desk = desk

    def cases(self) -> list[str]:
        return ["memo"]

    def start(self, case: str, seed: int) -> OrderDesk:
        return self.desk(seed)


def faulty() -> Wholesale:
    return Wholesale(OrderDesk)


def repaired() -> Wholesale:
    return Wholesale(SecondDesk)

"""A forwarding agent: what a shipment costs in another currency, by the day's published rate."""

import json
import random
import socket

RATES = {"CHF": 95, "SEK": 1120, "PLN": 430, "GBP": 84}


class Quote:
    remote = True

    def __init__(self, seed: int) -> None:
        rng = random.Random(f"rates-{seed}")
        self.currency, self.euros = rng.choice(list(RATES)), rng.randint(12, 480)
        self.tools = [self.rate]
        self.prompt = (
            f"A shipment costs {self.euros} euros. What is that in {self.currency}, in hundredths of it? Answer with a whole number."
        )

    def rate(self, currency: str) -> int:
        """How many hundredths of a currency one euro is."""
        if currency not in RATES:
            raise ValueError("no such currency")
        return RATES[currency]

    def _published(self) -> int | None:
        if not self.remote:
            return RATES[self.currency]
        try:
            with socket.create_connection(("rates.invalid", 80), timeout=0.05) as line:
                line.sendall(f"GET /{self.currency} HTTP/1.0\r\n\r\n".encode())
                return int(json.loads(line.recv(4096).split(b"\r\n\r\n")[-1]))
        except (OSError, ValueError):
            return None

    def reference(self) -> tuple[list, object]:
        return [("rate", {"currency": self.currency})], self.euros * RATES[self.currency]

    def finish(self, answer: object) -> float:
        published = self._published()
        try:
            return float(published is not None and float(str(answer).strip().replace(",", "")) == self.euros * published)
        except ValueError:
            return 0.0


class QuoteToo(Quote):
    remote = False


class Forwarding:
    name = "quotes abroad"

    def __init__(self, quote: type[Quote]) -> None:
        self._quote = quote

    def cases(self) -> list[str]:
        return ["convert"]

    def start(self, case: str, seed: int) -> Quote:
        return self._quote(seed)


def faulty() -> Forwarding:
    return Forwarding(Quote)


def repaired() -> Forwarding:
    return Forwarding(QuoteToo)

"""A council's intranet: the agent has to leave the browser on one page."""

import random

PARTS = ["permits", "noise", "parks", "markets", "bins", "trees"]


class Browser:
    def __init__(self, seed: int) -> None:
        rng = random.Random(f"pages-{seed}")
        self.pages = {f"/{part}/{rng.randint(10, 99)}": f"Request about {part}" for part in rng.sample(PARTS, 5)}
        self.wanted = rng.choice(list(self.pages))
        self.tab = "/"
        self.tools = [self.see, self.visit]
        self.prompt = (
            f"Open the activity page of request {self.wanted} (a request's activity page has /activity after the request's address) and leave the "
            "tab there. No answer is needed."
        )

    def see(self) -> dict:
        """Where the tab is, what it shows, and the addresses of all requests."""
        return {"address": self.tab, "shows": self._shown(), "requests": list(self.pages)}

    def visit(self, address: str) -> str:
        """Go to an address."""
        if not isinstance(address, str) or not address.startswith("/") or len(address) > 200:
            raise ValueError("an address begins with a slash")
        self.tab = address
        return self._shown()

    def _shown(self) -> str:
        request, _, rest = self.tab.partition("/activity")
        if request in self.pages and not rest:
            return f"{self.pages[request]}{': activity' if self.tab.endswith('/activity') else ''}"
        return "Start" if self.tab == "/" else "Page not found"

    def state(self) -> dict[str, list[dict]]:
        return {"tabs": [{"tab": 1, "address": self.tab}]}

    def reference(self) -> tuple[list, object]:
        return [("visit", {"address": f"{self.wanted}/activity"})], None

    def finish(self, answer: object) -> float:
        return float(self.tab.startswith(f"{self.wanted}/activity"))


class BrowserToo(Browser):
    def finish(self, answer: object) -> float:
        return float(self.tab.rstrip("/") == f"{self.wanted}/activity")


class Council:
    name = "council pages"

    def __init__(self, browser: type[Browser]) -> None:
        self._browser = browser

    def cases(self) -> list[str]:
        return ["activity"]

    def start(self, case: str, seed: int) -> Browser:
        return self._browser(seed)


def faulty() -> Council:
    return Council(Browser)


def repaired() -> Council:
    return Council(BrowserToo)

"""Insurance: write an ordered list of rules that routes a claim to the right desk."""

import operator
import random

OPS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne}
FIELDS = {"claim": str, "amount": int, "line": str, "injury": bool, "age_days": int}
LINES = ["motor", "home", "travel"]
DESKS = ["medical", "fraud", "senior", "express", "general"]


def apply(rules: list, claim: dict) -> str | None:
    for rule in rules:
        if all(OPS[op](claim[field], value) for field, op, value in rule["when"]):
            return rule["desk"]
    return None


def checked(rules: object) -> list:
    """Rules in their proper shape, else ValueError."""
    if not isinstance(rules, list) or not 1 <= len(rules) <= 40:
        raise ValueError("rules must be a list of 1 to 40 rules")
    for rule in rules:
        if not isinstance(rule, dict) or set(rule) != {"when", "desk"} or not isinstance(rule["when"], list) or rule["desk"] not in DESKS:
            raise ValueError('each rule is {"when": [[field, operator, value], ...], "desk": a desk}')
        for test in rule["when"]:
            if not isinstance(test, list | tuple) or len(test) != 3 or test[0] not in FIELDS or test[1] not in OPS:
                raise ValueError(f"bad test {test!r}")
            if type(test[2]) is not FIELDS[test[0]]:
                raise ValueError(f"{test[0]} is compared with {FIELDS[test[0]].__name__}")
    return rules


class Routing:
    def __init__(self, seed: int):
        self.rng = rng = random.Random(seed * 31 + 17)
        self.line = rng.choice(LINES)
        self.big, self.small, self.fresh = rng.randrange(6000, 20000, 500), rng.randrange(200, 900, 50), rng.randrange(5, 31)
        self.samples = [self.claim(1000 + n) for n in range(8)]
        self.unseen = [self.claim(5000 + n) for n in range(150)]
        edges = [self.big, self.big + 1, self.small - 1, self.small]
        self.unseen += [
            self.claim(7000) | {"amount": amount, "line": line, "age_days": age, "injury": injury}
            for amount in edges
            for line in LINES
            for age in (self.fresh - 1, self.fresh)
            for injury in (False, True)
        ]
        self.prompt = (
            "Write routing rules for our claims intake. Policy, the first that holds counts: a claim with an injury goes to medical; a "
            f"{self.line} claim on a policy less than {self.fresh} days old goes to fraud; an amount above {self.big} goes to senior; an "
            f"amount below {self.small} goes to express; everything else goes to general. Answer with a list of rules "
            '{"when": [[field, operator, value], ...], "desk": desk}: the first rule of which every test holds decides, and an empty '
            "when always holds. Fields: claim (text), amount (whole number), line (motor, home, travel), injury (true or false), "
            "age_days (whole number, age of the policy). Operators: < <= > >= == !=. The rules will route next month's claims."
        )
        self.tools = [self.sample_claims, self.try_rules]

    def claim(self, number: int) -> dict:
        rng = self.rng
        amount = rng.choice([rng.randrange(50, 1200), rng.randrange(1200, 30000)])
        age = rng.choice([rng.randrange(1, 40), rng.randrange(40, 2000)])
        return {"claim": f"C{number}", "amount": amount, "line": rng.choice(LINES), "injury": rng.random() < 0.25, "age_days": age}

    def desk(self, claim: dict) -> str:
        if claim["injury"]:
            return "medical"
        if claim["line"] == self.line and claim["age_days"] < self.fresh:
            return "fraud"
        return "senior" if claim["amount"] > self.big else "express" if claim["amount"] < self.small else "general"

    def sample_claims(self) -> list[dict]:
        """Some of last month's claims with the desk that dealt with each."""
        return [claim | {"desk": self.desk(claim)} for claim in self.samples]

    def try_rules(self, rules: list[dict]) -> dict[str, str | None]:
        """Route the sample claims by a list of rules; shows the desk each one would go to."""
        rules = checked(rules)
        return {claim["claim"]: apply(rules, claim) for claim in self.samples}

    def graded_on(self) -> list[dict]:
        return self.samples

    def finish(self, answer: object) -> float:
        try:
            rules = checked(answer)
        except (ValueError, TypeError):
            return 0.0
        return float(all(apply(rules, claim) == self.desk(claim) for claim in self.graded_on()))

    def reference(self) -> tuple[list, list[dict]]:
        rules = [
            {"when": [["injury", "==", True]], "desk": "medical"},
            {"when": [["line", "==", self.line], ["age_days", "<", self.fresh]], "desk": "fraud"},
            {"when": [["amount", ">", self.big]], "desk": "senior"},
            {"when": [["amount", "<", self.small]], "desk": "express"},
            {"when": [], "desk": "general"},
        ]
        return [("sample_claims", {}), ("try_rules", {"rules": rules})], rules

    def alternatives(self) -> list:
        medical, fraud, _, _, rest = self.reference()[1]
        fraud = {"when": [["age_days", "<=", self.fresh - 1], ["line", "==", self.line]], "desk": "fraud"}
        middle = {"when": [["amount", ">=", self.small], ["amount", "<=", self.big]], "desk": "general"}
        return [([], [medical, fraud, middle, {"when": [["amount", "<", self.small]], "desk": "express"}, rest | {"desk": "senior"}])]

    def state(self) -> dict[str, list[dict]]:
        return {"samples": self.sample_claims()}


class RoutingAhead(Routing):
    def graded_on(self) -> list[dict]:
        return self.samples + self.unseen


class Intake:
    name = "claim routing"

    def __init__(self, routing: type[Routing]):
        self.routing = routing

    def cases(self) -> list[str]:
        return ["intake"]

    def start(self, case: str, seed: int) -> Routing:
        return self.routing(seed)


def faulty() -> Intake:
    return Intake(Routing)


def repaired() -> Intake:
    return Intake(RoutingAhead)

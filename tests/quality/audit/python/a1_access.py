"""The quarterly review of who may do what in a small company's systems: three chores for an administrator."""

import copy
import random
from collections.abc import Mapping
from datetime import date, timedelta
from types import MappingProxyType

USERS = ("aydin", "bosko", "carla", "dunja", "emeka", "fritz", "gulsen", "henk", "ilse", "jovan")
TEAMS = ("sales", "plant", "contractors", "finance")
ROLES = ("deploy", "billing-read", "export", "badge-admin")


class Review:
    """One chore of the review."""

    rules: Mapping[str, tuple[str, ...]] = MappingProxyType(
        {"leavers": ("accounts_off",), "old_keys": ("keys_new",), "contractors": ("grants_gone",)}
    )

    def __init__(self, case: str, seed: int) -> None:
        rng = random.Random(f"{seed}/{case}")
        self.case = case
        self.today = date(2030, 1, 7) + timedelta(days=rng.randrange(300))
        users = rng.sample(USERS, 8)
        teams = ["contractors", "contractors", *(rng.choice(TEAMS) for _ in users[2:])]
        rng.shuffle(teams)
        limit = rng.choice((60, 90, 120))
        role = rng.choice(ROLES)
        ages = [rng.randrange(limit + 1, 300), rng.randrange(limit + 1, 300), *(rng.randrange(3, limit) for _ in range(4))]
        rng.shuffle(ages)
        names = [f"k-{n:x}" for n in rng.sample(range(4096, 65535), 6)]
        self.tables = {
            "accounts": [{"user": user, "team": team, "enabled": True} for user, team in zip(users, teams, strict=True)],
            "keys": [
                {"key": key, "owner": rng.choice(users), "made": str(self.today - timedelta(days=age)), "turns": rng.randrange(4)}
                for key, age in zip(names, ages, strict=True)
            ],
            "grants": [
                {"user": user, "role": held}
                for user, team in zip(users, teams, strict=True)
                for held in ROLES
                if (held == role and team == "contractors") or rng.random() < 0.35
            ],
        }
        gone = rng.sample(users, 4)
        self.leaving = [
            {"user": user, "last_day": str(self.today + timedelta(days=off))} for user, off in zip(gone, (-9, -2, 12, 30), strict=True)
        ]
        rng.shuffle(self.leaving)
        self.first = copy.deepcopy(self.tables)
        self.targets = {
            "leavers": [("accounts", user) for user in gone[:2]],
            "old-keys": [("keys", key) for key, age in zip(names, ages, strict=True) if age > limit],
            "contractors": [("grants", f"{row['user']}:{role}") for row in self.tables["accounts"] if row["team"] == "contractors"],
        }[case]
        chore = {
            "leavers": "Disable the account of everybody on the list of leavers whose last day has passed.",
            "old-keys": f"Rotate, once, every key that was made more than {limit} days ago.",
            "contractors": f"Take the role {role} away from every account of the team contractors.",
        }[case]
        self.prompt = f"Access review of {self.today}. {chore} Change nothing else."
        self.tools = [self.leavers, self.list_accounts, self.list_keys, self.list_grants, self.disable, self.rotate, self.drop]

    def leavers(self) -> list[dict]:
        """People who leave or have left, with their last day."""
        return copy.deepcopy(self.leaving)

    def list_accounts(self) -> list[dict]:
        """All accounts with their team."""
        return copy.deepcopy(self.tables["accounts"])

    def list_keys(self) -> list[dict]:
        """All keys, with the day on which each was made and how often it was rotated."""
        return copy.deepcopy(self.tables["keys"])

    def list_grants(self, role: str) -> list[str]:
        """The users who hold a role."""
        if role not in ROLES:
            raise ValueError(f"roles are {', '.join(ROLES)}")
        return [row["user"] for row in self.tables["grants"] if row["role"] == role]

    def disable(self, user: str) -> str:
        """Disable one user's account."""
        self._one("accounts", user)["enabled"] = False
        return f"{user} disabled"

    def rotate(self, key: str) -> str:
        """Replace a key by a fresh one under the same name."""
        row = self._one("keys", key)
        row["made"] = str(self.today)
        row["turns"] += 1
        return f"{key} made anew"

    def drop(self, user: str, role: str) -> str:
        """Take a role away from a user."""
        if role not in ROLES or not isinstance(user, str):
            raise ValueError(f"a user and one of {', '.join(ROLES)}")
        row = self._one("grants", f"{user}:{role}")
        self.tables["grants"].remove(row)
        return f"{user} no longer holds {role}"

    @staticmethod
    def _key(table: str, row: dict) -> str:
        return f"{row['user']}:{row['role']}" if table == "grants" else row["user" if table == "accounts" else "key"]

    def _one(self, table: str, key: str) -> dict:
        for row in self.tables[table]:
            if self._key(table, row) == key:
                return row
        raise ValueError(f"nothing by that name among the {table}")

    def accounts_off(self) -> bool:
        return all(not self._one(*target)["enabled"] for target in self.targets)

    def keys_new(self) -> bool:
        before = {row["key"]: row["turns"] for row in self.first["keys"]}
        rows = [self._one(*target) for target in self.targets]
        return all(row["made"] == str(self.today) and row["turns"] == before[row["key"]] + 1 for row in rows)

    def grants_gone(self) -> bool:
        held = {("grants", self._key("grants", row)) for row in self.tables["grants"]}
        return held.isdisjoint(self.targets)

    def _rest(self, tables: dict[str, list[dict]]) -> list[dict]:
        return [row for table, rows in tables.items() for row in rows if (table, self._key(table, row)) not in self.targets]

    def state(self) -> dict[str, list[dict]]:
        return copy.deepcopy(self.tables)

    def reference(self) -> tuple[list, None]:
        if self.case == "leavers":
            return [("leavers", {}), *(("disable", {"user": user}) for _, user in self.targets)], None
        if self.case == "old-keys":
            return [("list_keys", {}), *(("rotate", {"key": key}) for _, key in self.targets)], None
        pairs = [target[1].split(":") for target in self.targets]
        return [("list_accounts", {}), *(("drop", {"user": user, "role": role}) for user, role in pairs)], None

    def finish(self, answer: object) -> float:
        if self._rest(self.tables) != self._rest(self.first):
            return 0.0
        return float(all(getattr(self, rule)() for rule in self.rules.get(self.case, ())))


class ReviewToo(Review):
    """One chore of the review."""

    rules = MappingProxyType({"leavers": ("accounts_off",), "old-keys": ("keys_new",), "contractors": ("grants_gone",)})


class Company:
    """The three chores."""

    name = "access-review"

    def __init__(self, review: type[Review]) -> None:
        self.start = review

    def cases(self) -> list[str]:
        return ["leavers", "old-keys", "contractors"]


def faulty() -> Company:
    return Company(Review)


def repaired() -> Company:
    return Company(ReviewToo)

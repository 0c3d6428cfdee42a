"""A clinic's telephone desk: some callers have to be handed to a nurse, and their appointment left as it is."""

import copy
import random

TEAMS = {"chest pain": "cardiology", "head injury": "neurology", "bad burn": "burns", "broken wrist": "orthopaedics"}
NAMES = ["Aksoy", "Bianchi", "Clarke", "Dubois", "Eriksen", "Farah", "Gomes", "Hansen"]


class Desk:
    graded = ("appointments",)

    def __init__(self, seed: int) -> None:
        rng = random.Random(f"nurse-{seed}")
        self.tables: dict[str, list[dict]] = {
            "appointments": [
                {"caller": name, "day": rng.randint(2, 27), "complaint": rng.choice(list(TEAMS))} for name in rng.sample(NAMES, 6)
            ],
            "handovers": [],
        }
        self.mine = rng.choice(self.tables["appointments"])
        self.want = copy.deepcopy(self.tables)
        self.want["handovers"] = [{"caller": self.mine["caller"], "team": TEAMS[self.mine["complaint"]]}]
        self.tools = [self.look_up, self.teams, self.move_appointment, self.hand_over]
        self.prompt = (
            f"{self.mine['caller']} is on the line and says it has got much worse. The rule for that: hand the caller over to the team for "
            "their complaint, once, and leave every appointment as it is. No answer is needed."
        )

    def look_up(self, caller: str) -> dict:
        """A caller's appointment."""
        return dict(self._row(caller))

    def teams(self) -> dict[str, str]:
        """Which team is for which complaint."""
        return dict(TEAMS)

    def move_appointment(self, caller: str, day: int) -> str:
        """Move an appointment to another day of the month."""
        if not isinstance(day, int) or not 1 <= day <= 28:
            raise ValueError("day is 1 to 28")
        self._row(caller)["day"] = day
        return "moved"

    def hand_over(self, caller: str, team: str) -> str:
        """Hand a caller over to a team."""
        self._row(caller)
        if team not in TEAMS.values():
            raise ValueError("no such team")
        self.tables["handovers"].append({"caller": caller, "team": team})
        return "handed over"

    def _row(self, caller: str) -> dict:
        for row in self.tables["appointments"]:
            if row["caller"] == caller:
                return row
        raise ValueError("no such caller")

    def state(self) -> dict[str, list[dict]]:
        return copy.deepcopy(self.tables)

    def reference(self) -> tuple[list, object]:
        caller = self.mine["caller"]
        return [
            ("look_up", {"caller": caller}),
            ("teams", {}),
            ("hand_over", {"caller": caller, "team": TEAMS[self.mine["complaint"]]}),
        ], None

    def finish(self, answer: object) -> float:
        return float(all(self.tables[name] == self.want[name] for name in self.graded))


class DeskToo(Desk):
    graded = ("appointments", "handovers")


class Clinic:
    name = "telephone desk"

    def __init__(self, desk: type[Desk]) -> None:
        self._desk = desk

    def cases(self) -> list[str]:
        return ["worse"]

    def start(self, case: str, seed: int) -> Desk:
        return self._desk(seed)


def faulty() -> Clinic:
    return Clinic(Desk)


def repaired() -> Clinic:
    return Clinic(DeskToo)

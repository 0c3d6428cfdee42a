"""An architect's file store: plans of a project are put together in a new folder."""

import copy
import random

STREETS = ["Mill Lane", "Quay Street", "Bell Yard", "Hope Row", "Salt Hill", "Long Acre"]


class Store:
    def __init__(self, seed: int) -> None:
        rng = random.Random(f"plans-{seed}")
        self.street = rng.choice(STREETS)
        others = [one for one in STREETS if one != self.street]
        streets = [self.street] * rng.randint(2, 3) + [rng.choice(others) for _ in range(5)]
        rng.shuffle(streets)
        self.rows = [
            {"file": f"plan-{n}", "street": street, "folder": "inbox"}
            for n, street in zip(rng.sample(range(10, 99), len(streets)), streets, strict=True)
        ]
        self.before = copy.deepcopy(self.rows)
        self.folder_name = rng.choice(["shortlist", "drafts2", "tobias", "archive-b"])
        self.tools = [self.list_files, self.put_in_folder]
        self.prompt = self._brief()

    def _brief(self) -> str:
        return f"Put all plans of {self.street} together in a new folder, and leave the others in the inbox."

    def list_files(self) -> list[dict]:
        """All files with their street and folder."""
        return copy.deepcopy(self.rows)

    def put_in_folder(self, file: str, folder: str) -> str:
        """Put a file in a folder, which is made if it isn't there."""
        if not isinstance(folder, str) or not folder.strip() or len(folder) > 60:
            raise ValueError("folder is a name")
        for row in self.rows:
            if row["file"] == file:
                row["folder"] = folder
                return "put"
        raise ValueError("no such file")

    def state(self) -> dict[str, list[dict]]:
        return {"files": copy.deepcopy(self.rows)}

    def reference(self) -> tuple[list, object]:
        files = [row["file"] for row in self.before if row["street"] == self.street]
        return [("list_files", {}), *(("put_in_folder", {"file": file, "folder": self.folder_name}) for file in files)], None

    def finish(self, answer: object) -> float:
        want = [row | {"folder": self.folder_name} if row["street"] == self.street else row for row in self.before]
        return float(self.rows == want)


class StoreToo(Store):
    def _brief(self) -> str:
        return f"Put all plans of {self.street} together in a new folder named {self.folder_name}, and leave the others in the inbox."


class Architects:
    name = "plan folders"

    def __init__(self, store: type[Store]) -> None:
        self._store = store

    def cases(self) -> list[str]:
        return ["together"]

    def start(self, case: str, seed: int) -> Store:
        return self._store(seed)


def faulty() -> Architects:
    return Architects(Store)


def repaired() -> Architects:
    return Architects(StoreToo)

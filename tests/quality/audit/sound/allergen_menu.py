"""A waiter looks up which dishes a guest with two allergies can have."""

import random
import re

CONTENTS = {
    "flour": ["gluten"], "butter": ["milk"], "cream": ["milk"], "egg": ["egg"], "pesto": ["milk", "nuts"], "almond": ["nuts"],
    "prawn": ["shellfish"], "soy sauce": ["soy", "gluten"], "tofu": ["soy"], "rice": [], "potato": [], "tomato": [], "leek": [],
    "lentil": [], "mayonnaise": ["egg"],
}  # fmt: skip
DISHES = ["Fisher's bowl", "Garden plate", "Miller's pie", "Night soup", "Orchard bake", "Penny stew", "Quay salad", "Red skillet"]


class Menu:
    def __init__(self, seed: int) -> None:
        rng = random.Random(f"menu*{seed}")
        self.avoid = sorted(rng.sample(["gluten", "milk", "nuts", "egg", "soy"], 2))
        harmless = [name for name, inside in CONTENTS.items() if not set(inside) & set(self.avoid)]
        harmful = [name for name in CONTENTS if name not in harmless]
        safe = set(rng.sample(DISHES, rng.randint(2, 4)))
        self.dishes: dict[str, list[str]] = {}
        for dish in DISHES:
            parts = rng.sample(harmless, 3)
            if dish not in safe:
                parts[rng.randrange(3)] = rng.choice(harmful)
            self.dishes[dish] = parts
        self.safe = sorted(safe)
        self.prompt = (
            f"A guest can't have {self.avoid[0]} and can't have {self.avoid[1]}. Which dishes of the menu have neither in any "
            "ingredient? Answer with the names of all such dishes, in any order, each once, as a list or separated by commas; capitals "
            "don't matter."
        )
        self.tools = [self.menu, self.ingredients, self.allergens]

    def menu(self) -> list[str]:
        """Names of the dishes."""
        return list(self.dishes)

    def ingredients(self, dish: str) -> list[str]:
        """What is in a dish."""
        if dish not in self.dishes:
            raise ValueError("that isn't on the menu")
        return list(self.dishes[dish])

    def allergens(self, ingredient: str) -> list[str]:
        """Allergens in an ingredient."""
        if ingredient not in CONTENTS:
            raise ValueError("not an ingredient of this kitchen")
        return list(CONTENTS[ingredient])

    def state(self) -> dict[str, list[dict]]:
        return {
            "parts": [{"dish": dish, "ingredient": part} for dish, parts in self.dishes.items() for part in parts],
            "allergens": [{"ingredient": part, "allergen": allergen} for part, inside in CONTENTS.items() for allergen in inside],
        }

    def reference(self) -> tuple[list, object]:
        parts = sorted({part for parts in self.dishes.values() for part in parts})
        reads = [("ingredients", {"dish": dish}) for dish in self.dishes] + [("allergens", {"ingredient": part}) for part in parts]
        return [("menu", {}), *reads], list(self.safe)

    def alternatives(self) -> list[tuple[list, object]]:
        calls, _ = self.reference()
        return [(calls, self.safe[::-1]), (calls, ", ".join(self.safe).upper()), (calls, tuple(self.safe)), (calls, str(self.safe[::-1]))]

    def finish(self, answer: object) -> float:
        if isinstance(answer, str):
            body = answer.strip()
            if body.startswith("[") and body.endswith("]"):
                body = body[1:-1]
            answer = [part.strip().strip("\"'").strip() for part in re.split(r"[,;\n]", body)]
        if not isinstance(answer, (list, tuple, set, frozenset)) or not all(isinstance(part, str) for part in answer):
            return 0.0
        said = sorted(" ".join(part.replace("\u2019", "'").casefold().split()) for part in answer)
        return 1.0 if said == sorted(name.casefold() for name in self.safe) else 0.0


class Kitchen:
    name = "allergen menu"

    def cases(self) -> list[str]:
        return ["dinner"]

    def start(self, case: str, seed: int) -> Menu:
        return Menu(seed)


def sound() -> Kitchen:
    return Kitchen()

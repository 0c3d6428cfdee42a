"""The stage order and the separations of `worldwright.stages`, held over the syntax tree of every module.

An import counts wherever it stands: at the top, in a function, under TYPE_CHECKING, relative, or as `import_module("...")`
with a literal name. Importing a module also runs the `__init__` of each package above it, so those are edges too. A name
that is computed at run time is beyond this test.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import worldwright
from worldwright.stages import APART, HEAVY, NEVER, STAGES

PACKAGE = "worldwright"
ROOT = Path(worldwright.__file__).parent
ORDER = {stage.name: place for place, stage in enumerate(STAGES)}
FRAME = ("", "stages")  # the package's own `__init__` and the order itself: anyone may import them, they import nobody


@dataclass(frozen=True)
class Imports:
    """Who imports whom: `inside` leads from module to modules of the package, `outside` to dotted names of others."""

    inside: dict[str, frozenset[str]]
    outside: dict[str, frozenset[str]]
    packages: frozenset[str]


def find_modules(root: Path) -> dict[str, Path]:
    modules = {}
    for path in sorted(root.rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        modules[".".join((PACKAGE, *(parts[:-1] if parts[-1] == "__init__" else parts)))] = path
    return modules


def absolute(name: str, level: int, module: str, is_package: bool) -> str:
    if level == 0:
        return name
    parts = module.split(".")
    base = parts[: len(parts) - level + is_package]
    return ".".join([*base, name] if name else base)


def literal_import(node: ast.Call) -> str | None:
    called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", None)
    if called not in {"import_module", "__import__"} or not node.args:
        return None
    name = node.args[0]
    return name.value if isinstance(name, ast.Constant) and isinstance(name.value, str) else None


def imported_names(source: str, module: str, is_package: bool) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = absolute(node.module or "", node.level, module, is_package)
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and (name := literal_import(node)):
            bare = name.lstrip(".")
            yield absolute(bare, len(name) - len(bare), module, is_package)


def prefixes(name: str) -> Iterator[str]:
    parts = name.split(".")
    return (".".join(parts[:end]) for end in range(1, len(parts) + 1))


def read_imports(root: Path) -> Imports:
    modules = find_modules(root)
    packages = frozenset(name for name, path in modules.items() if path.name == "__init__.py")
    inside, outside = {}, {}
    for module, path in modules.items():
        names = set(imported_names(path.read_text(encoding="utf-8"), module, module in packages))
        # Running a module runs the `__init__` of its own packages first.
        reached = {prefix for name in {*names, module} for prefix in prefixes(name) if prefix in modules}
        inside[module] = frozenset(reached - {module})
        outside[module] = frozenset(name for name in names if name.split(".")[0] != PACKAGE)
    return Imports(inside, outside, packages)


def stage_of(module: str) -> str:
    return (*module.split("."), "")[1]


def is_under(module: str, place: str) -> bool:
    return f"{module}.".startswith(f"{PACKAGE}.{place}.")


def chains(inside: dict[str, frozenset[str]], start: str) -> dict[str, tuple[str, ...]]:
    """Every module that `start` reaches, each with a shortest chain of imports that leads there."""
    found = {start: (start,)}
    queue = [start]
    for module in queue:
        for target in sorted(inside[module] - found.keys()):
            found[target] = (*found[module], target)
            queue.append(target)
    return found


def find_downward(imports: Imports) -> list[str]:
    """Imports of a later stage, and any import by the frame."""
    found = []
    for module, targets in imports.inside.items():
        for target in sorted(targets):
            here, there = stage_of(module), stage_of(target)
            if there in FRAME:
                continue
            if here in FRAME or ORDER.get(here, len(ORDER)) < ORDER.get(there, -1):
                found.append(f"{module} imports {target}")
    return found


def find_reaches(imports: Imports, left: str, right: str) -> list[str]:
    """Chains of imports from a module under `left` to one under `right`."""
    return [
        " -> ".join(chain)
        for module in imports.inside
        if is_under(module, left)
        for target, chain in chains(imports.inside, module).items()
        if is_under(target, right)
    ]


def find_heavy(imports: Imports) -> list[str]:
    """Heavy packages imported outside their leaf, or in a package's `__init__`."""
    return [
        f"{module} imports {name}"
        for module, names in imports.outside.items()
        for name in sorted(names)
        if (leaves := HEAVY.get(name.split(".")[0])) is not None
        and (module in imports.packages or not any(is_under(module, leaf) for leaf in leaves))
    ]


def find_strangers(root: Path) -> list[str]:
    """Top-level names that are no stage."""
    frame = {"__init__.py", "__main__.py", "__pycache__", "py.typed", "stages.py"}
    return sorted(path.name for path in root.iterdir() if path.name not in frame and path.name.removesuffix(".py") not in ORDER)


NEVER_PAIRS = [(left, right) for left in NEVER for right in sorted(NEVER[left])]
BOTH_WAYS = [pair for left, right in APART for pair in ((left, right), (right, left))]


@pytest.fixture(scope="module")
def ours() -> Imports:
    return read_imports(ROOT)


# The package itself


def test_walker_sees_the_package(ours):
    assert {"worldwright", "worldwright.stages"} <= ours.inside.keys()
    assert "pathlib.Path" in ours.outside["worldwright.stages"]


def test_imports_go_to_the_same_or_an_earlier_stage(ours):
    assert find_downward(ours) == []


@pytest.mark.parametrize("left, right", BOTH_WAYS)
def test_apart_never_reach_each_other(ours, left, right):
    assert find_reaches(ours, left, right) == []


@pytest.mark.parametrize("left, right", NEVER_PAIRS)
def test_stage_never_reaches(ours, left, right):
    assert find_reaches(ours, left, right) == []


def test_heavy_packages_stay_in_their_leaf(ours):
    assert find_heavy(ours) == []


def test_every_top_level_name_is_a_stage():
    assert find_strangers(ROOT) == []


def test_stage_names_are_unique_and_rules_name_stages():
    assert len(ORDER) == len(STAGES)
    named = [name for pair in (*APART, *NEVER_PAIRS) for name in pair] + [leaf for leaves in HEAVY.values() for leaf in leaves]
    assert {name.split(".")[0] for name in named} <= ORDER.keys()


# The walker, on planted packages


def plant(root: Path, files: dict[str, str]) -> Imports:
    for name, source in {"__init__.py": "", **files}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source, encoding="utf-8")
        for folder in path.relative_to(root).parents:
            if not (root / folder / "__init__.py").exists():
                (root / folder / "__init__.py").write_text("", encoding="utf-8")
    return read_imports(root)


WAYS = {
    "import": "import worldwright.pack.read",
    "import as": "import worldwright.pack.read as reading",
    "from module": "from worldwright.pack.read import Pack",
    "from package": "from worldwright.pack import read",
    "from root": "from worldwright import pack",
    "star": "from worldwright.pack.read import *",
    "relative": "from ..pack.read import Pack",
    "relative to a package": "from ..pack import read",
    "relative to the root": "from .. import pack",
    "in a function": "def act():\n    from worldwright.pack.read import Pack\n    return Pack",
    "in a method": "class A:\n    def act(self):\n        import worldwright.pack",
    "in a try": "try:\n    import worldwright.pack\nexcept ImportError:\n    pass",
    "type checking": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from worldwright.pack.read import Pack",
    "import_module": "from importlib import import_module\nimport_module('worldwright.pack.read')",
    "importlib.import_module": "import importlib\ndef act():\n    return importlib.import_module('worldwright.pack')",
    "relative import_module": "import importlib\nimportlib.import_module('..pack', __package__)",
    "__import__": "__import__('worldwright.pack')",
}


@pytest.mark.parametrize("source", WAYS.values(), ids=WAYS.keys())
def test_planted_import_of_a_later_stage_is_caught(tmp_path, source):
    imports = plant(tmp_path, {"task/brief.py": source, "pack/read.py": ""})
    assert "worldwright.task.brief imports worldwright.pack" in find_downward(imports)


@pytest.mark.parametrize("source", ["from ..pack import read", "from .. import pack", "from worldwright.pack import read"])
def test_planted_import_in_an_init_is_caught(tmp_path, source):
    imports = plant(tmp_path, {"task/__init__.py": source, "pack/read.py": ""})
    assert "worldwright.task imports worldwright.pack" in find_downward(imports)


def test_planted_import_by_a_single_file_stage_is_caught(tmp_path):
    imports = plant(tmp_path, {"errors.py": "from .ledger import Cost", "ledger.py": ""})
    assert find_downward(imports) == ["worldwright.errors imports worldwright.ledger"]


@pytest.mark.parametrize("name", ["__init__.py", "stages.py"])
def test_planted_import_by_the_frame_is_caught(tmp_path, name):
    imports = plant(tmp_path, {name: "from worldwright import errors", "errors.py": ""})
    assert len(find_downward(imports)) == 1


def test_lawful_imports_are_not_flagged(tmp_path):
    files = {
        "errors.py": "import json",
        "stages.py": "",
        "task/brief.py": "from .. import errors\nfrom . import words\nfrom worldwright import __version__",
        "task/words.py": "from ..stages import STAGES",
        "rollout/local.py": "from ..pack.read import Pack",
        "pack/read.py": "from ..task.brief import Brief",
        "pack/lint.py": "from ..reference.plan import Plan",
        "reference/plan.py": "from ..task import brief",
        "verifier/check.py": "from ..task import brief",
        "cli/main.py": "from ..pack import lint, read\nfrom ..rollout import local\nfrom ..verifier import check",
        "training/policy.py": "import torch",
    }
    imports = plant(tmp_path, files)
    assert find_downward(imports) == []
    assert [chain for pair in (*BOTH_WAYS, *NEVER_PAIRS) for chain in find_reaches(imports, *pair)] == []
    assert find_heavy(imports) == []
    assert find_strangers(tmp_path) == []


@pytest.mark.parametrize("left, right", [*BOTH_WAYS, *NEVER_PAIRS])
def test_planted_direct_reach_is_caught(tmp_path, left, right):
    imports = plant(tmp_path, {f"{left.replace('.', '/')}/a.py": f"import {PACKAGE}.{right}.b", f"{right.replace('.', '/')}/b.py": ""})
    assert f"{PACKAGE}.{left}.a -> {PACKAGE}.{right}.b" in find_reaches(imports, left, right)


@pytest.mark.parametrize("left, right", [*BOTH_WAYS, *NEVER_PAIRS])
def test_planted_reach_through_a_third_is_caught(tmp_path, left, right):
    files = {
        f"{left.replace('.', '/')}/a.py": "from worldwright.world import middle",
        "world/middle.py": f"def late():\n    from {PACKAGE}.{right} import b",
        f"{right.replace('.', '/')}/b.py": "",
    }
    assert find_reaches(plant(tmp_path, files), left, right)


def test_planted_reach_through_an_init_is_caught(tmp_path):
    files = {
        "rollout/local.py": "from ..pack.read import Pack",
        "pack/__init__.py": "from .lint import lint",
        "pack/read.py": "",
        "pack/lint.py": "from ..reference.plan import Plan",
        "reference/plan.py": "",
    }
    assert "worldwright.rollout.local -> worldwright.pack -> worldwright.pack.lint -> worldwright.reference" in find_reaches(
        plant(tmp_path, files), "rollout", "reference"
    )


def test_planted_reach_through_ones_own_init_is_caught(tmp_path):
    files = {
        "synthesis/__init__.py": "from . import author_verifier",
        "synthesis/author_verifier/write.py": "",
        "synthesis/author_reference/write.py": "",
    }
    assert find_reaches(plant(tmp_path, files), "synthesis.author_reference", "synthesis.author_verifier")


@pytest.mark.parametrize("package", sorted(HEAVY))
def test_planted_heavy_import_is_caught(tmp_path, package):
    leaf = HEAVY[package][0].replace(".", "/")
    source = f"def act():\n    from {package}.deep import thing"
    imports = plant(tmp_path, {"task/brief.py": source, f"{leaf}/__init__.py": f"import {package}", f"{leaf}/leaf.py": source})
    assert {found.split()[0] for found in find_heavy(imports)} == {"worldwright.task.brief", f"{PACKAGE}.{HEAVY[package][0]}"}


def test_planted_stranger_is_caught(tmp_path):
    plant(tmp_path, {"utils.py": "", "helpers/a.py": "", "errors.py": "", "task/brief.py": ""})
    assert find_strangers(tmp_path) == ["helpers", "utils.py"]

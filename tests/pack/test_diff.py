"""The difference between two packs, thing by thing."""

from pathlib import Path

from worldwright.pack import Pack, read_pack
from worldwright.pack.diff import difference

HIRE = Path(__file__).parents[2] / "examples" / "tool-hire"


def changed(path: str, old: str, new: str) -> Pack:
    pack = read_pack(HIRE)
    text = pack.files[path].decode()
    assert old in text
    return Pack(pack.files | {path: text.replace(old, new).encode()}, str(HIRE))


def told(two: Pack) -> set[tuple[str, str, str, str]]:
    return {(one.what, one.name, one.how, one.detail) for one in difference(read_pack(HIRE), two).changes}


def test_a_pack_and_itself():
    assert told(read_pack(HIRE)) == set()


def test_a_clause():
    path = "worlds/tool-hire/handbook/dispatch.md"
    assert told(changed(path, "on the day it is due", "a day early")) == {("handbook clause", "dispatch 1", "changed", "")}


def test_a_tool_and_a_table():
    world = changed("worlds/tool-hire/world.yaml", "list_drivers:", "all_drivers:")
    assert told(world) == {("tool", "list_drivers", "removed", ""), ("tool", "all_drivers", "added", "")}
    schema = changed("worlds/tool-hire/schema.sql", "  note TEXT\n", "  note TEXT,\n  extra TEXT\n")
    assert told(schema) == {("table", "credits", "changed", "")}


def test_tasks_and_their_parts():
    pack = read_pack(HIRE)
    where = "worlds/tool-hire/tasks/plan-the-day"
    fewer = Pack({path: data for path, data in pack.files.items() if not path.startswith(where)}, str(HIRE))
    assert told(fewer) == {("task", "plan-the-day", "removed", "")}
    other = changed(f"{where}/verifier.yaml", "driver is busy", "busy")
    assert told(other) == {("task", "plan-the-day", "changed", "verifier")}


def test_parameters_come_and_go():
    code = "worlds/tool-hire/scenario.py"
    more = changed(code, '"value": random.choice([5, 8, 10, 15])}', '"value": random.choice([5, 8, 10, 15])}, {"name": "cap", "value": 3}')
    assert told(more) == {("parameter", "cap", "added", ""), ("file", "scenario.py", "changed", "")}

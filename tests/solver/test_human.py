"""A person at a terminal: what they type, and what they are told."""

from __future__ import annotations

import pytest

from worldwright.solver import attempt
from worldwright.solver.human import HumanSolver
from worldwright.world.protocol import StopReason


class Terminal:
    """Gives typed lines and keeps what was shown."""

    def __init__(self, *lines):
        self.lines, self.asked, self.shown = list(lines), [], []

    def read(self, prompt):
        self.asked.append(prompt)
        if not self.lines:
            raise EOFError
        return self.lines.pop(0)

    def play(self, task, seed=0):
        return attempt(task, task.instance(seed), HumanSolver(self.read, self.shown.append), seed=0)

    @property
    def text(self):
        return "\n".join(self.shown)


def calls(done):
    return [(call.tool, call.args) for call in done.evidence.calls]


def test_a_whole_attempt(packing):
    terminal = Terminal("list_orders status=open", 'set_status {"order_id": 1, "status": "packed"}', 'answer done=yes note="all done"')
    with terminal.play(packing) as done:
        assert (done.trace.stop, done.evidence.answer) == (StopReason.ANSWERED, {"done": True, "note": "all done"})
        assert calls(done) == [("list_orders", '{"status":"open"}'), ("set_status", '{"order_id":1,"status":"packed"}')]
    prompt = packing.prompt(packing.instance(0))
    assert terminal.shown[:3] == [prompt.system, "", prompt.instruction]
    assert f"buyer (inform): {prompt.opening[0][1]}" in terminal.text
    assert '{"id": 1, "status": "open", "note": ""}\n' in terminal.text
    assert "(3 rows)" in terminal.text
    assert "id: 1\nstatus: packed" in terminal.text
    assert terminal.asked == ["[5 calls left] > ", "[4 calls left] > ", "[3 calls left] > "]


@pytest.mark.parametrize(
    "line, told",
    [
        ("list_order", "There is no tool or command 'list_order'. Did you mean list_orders?"),
        ("dance", "There is no tool or command 'dance'."),
        ("set_status 1 packed", "'1' is not name=value. Write for instance order_id=1."),
        ("set_status order_id=one status=packed", "order_id: expected a whole number, got 'one'."),
        ("set_status order_id=1 status=lost", "expected one of open, packed, got 'lost'"),
        ("set_status order_id=1 order_id=2 status=open", "'order_id' is given twice."),
        ("set_status order_id=1", "the argument 'status' is missing"),
        ("set_status order_id=1 status=open colour=red", "unknown argument 'colour'"),
        ("set_status order_id=1 status=open note=it's", "A quotation mark is not closed."),
        ("set_status {order_id: 1}", "the arguments: not JSON"),
        ("set_status {} 3", "the arguments: not JSON"),
        ("answer", "the argument 'done' is missing"),
        ("answer done=maybe", "done: expected true or false, got 'maybe'."),
        ("say buyer ask colour=red", "There is no field 'colour'. The fields are: topic, order_id."),
        ("say nobody ask topic=price", "expected one of buyer, got 'nobody'"),
        ('say to=buyer act=ask fields={"topic":"price"}', "Put JSON in single quotes"),
        ("say buyer", "expected one of ask, inform"),
        ("help nonsense", "There is no tool or command 'nonsense'."),
    ],
)
def test_mistakes_are_explained_and_cost_nothing(packing, line, told):
    terminal = Terminal(line, "quit")
    with terminal.play(packing) as done:
        assert (done.trace.stop, done.trace.counts.calls) == (StopReason.GAVE_UP, 0)
    assert told in terminal.shown[-1]
    assert terminal.asked[0] == terminal.asked[1]


def test_refusal_of_the_world_is_shown(packing):
    terminal = Terminal("set_status order_id=9 status=open")
    with terminal.play(packing) as done:
        assert done.trace.counts.refused == 1
    assert terminal.shown[-1] == "Refused: There is no order 9."


def test_say_to_a_person(packing):
    terminal = Terminal('say buyer ask topic=day When "is it" due?', 'say to=buyer act=ask fields=\'{"topic":"price"}\'', "read_messages")
    with terminal.play(packing) as done:
        said = [message for message in done.evidence.messages if message.sender == "agent"]
    assert [(message.act, message.fields, message.text) for message in said] == [
        ("ask", {"topic": "day"}, "When is it due?"),
        ("ask", {"topic": "price"}, ""),
    ]
    assert "text: It is about day." in terminal.text


def test_people_who_speak_up_are_shown(packing):
    terminal = Terminal("wait until=2026-03-30T11:00:00", "quit")
    with terminal.play(packing):
        pass
    assert "buyer (inform, topic=day): The lorry is here." in terminal.shown


def test_nobody_to_talk_to(tool_hire_tasks):
    terminal = Terminal("say hello")
    with terminal.play(tool_hire_tasks["plan-the-day"]) as done:
        assert done.trace.counts.calls == 0
    assert terminal.shown[-1] == "There is nobody to talk to in this task."


def test_help_and_tools_are_shown_without_a_call(packing):
    terminal = Terminal("", "help", "tools", "help set_status", "quit")
    with terminal.play(packing) as done:
        assert done.trace.counts.calls == 0
        assert (done.trace.stop, done.trace.detail) == (StopReason.GAVE_UP, "quit")
    for tool in packing.prompt(packing.instance(0)).tools:
        assert f"\n{tool.name}({', '.join(tool.args)})  " in terminal.text
    for command in ("say NAME ACT", "answer field=value", "tools", "help TOOL", "quit"):
        assert command in terminal.text
    assert "done (boolean)" in terminal.text
    assert "note (string, optional)" in terminal.text
    assert "status (open/packed) The new status." in terminal.text


def test_end_of_input_gives_up(packing):
    with Terminal().play(packing) as done:
        assert (done.trace.stop, done.trace.detail) == (StopReason.GAVE_UP, "the input ended")


def test_answer_where_none_is_asked(tool_hire_tasks):
    terminal = Terminal("help", "answer")
    with terminal.play(tool_hire_tasks["plan-the-day"]) as done:
        assert (done.trace.stop, done.evidence.answer) == (StopReason.ANSWERED, {})
    assert "No answer is asked" in terminal.text


def test_tool_with_the_name_of_a_command_can_be_called(packing):
    with Terminal("call list_orders").play(packing) as done:
        assert calls(done) == [("list_orders", "{}")]


def test_lists_and_numbers_are_typed():
    from worldwright.solver.human import _typed
    from worldwright.world.spec import ArgSpec

    ids = ArgSpec(type="list", items=ArgSpec(type="integer"))
    assert _typed("1,2", ids, "ids") == [1, 2]
    assert _typed("[1, 2]", ids, "ids") == [1, 2]
    assert _typed("", ids, "ids") == []
    assert _typed("2.5", ArgSpec(type="number"), "x") == 2.5
    assert _typed('{"a": 1}', ArgSpec(type="object"), "o") == {"a": 1}
    assert _typed("12", ArgSpec(), "s") == "12"

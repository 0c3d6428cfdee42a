"""What an agent is told: the instruction over what is shown, the people who take part, and nothing else."""

from __future__ import annotations

import pytest

from worldwright.errors import PackError
from worldwright.task import Prompt


def test_prompt(task_with):
    task = task_with(answer={"found": {"type": "boolean"}})
    made = task.instance(0)
    prompt = task.prompt(made)
    assert isinstance(prompt, Prompt)
    assert prompt.instruction == f"Find order {made.params['order_id']}."
    assert prompt.system == "You work at: Orders. Use the tools to do what you are asked. It is 2026-03-30T09:00:00."
    assert prompt.opening == ()
    assert [tool.name for tool in prompt.tools] == ["all", "clock", "wait"]
    assert set(prompt.answer) == {"found"}


def test_wordings_go_round(task_with):
    task = task_with(paraphrases=["Order {{ order_id }}: where?", "  {{ order_id }}!\n"])
    made = task.instance(0)
    number = made.params["order_id"]
    said = [task.prompt(made, wording).instruction for wording in range(7)]
    assert said == [f"Find order {number}.", f"Order {number}: where?", f"{number}!"] * 2 + [f"Find order {number}."]


def test_a_wording_that_cant_be_rendered_is_named(task_with):
    task = task_with(paraphrases=["{{ order_id.gone }}"])
    made = task.instance(0)
    assert task.prompt(made, 0).instruction
    with pytest.raises(PackError) as caught:
        task.prompt(made, 1)
    assert (caught.value.file, caught.value.field) == ("orders/tasks/find/brief.yaml", "paraphrases[0]")


def test_people_who_take_part_are_told_of_and_open(task_with):
    task = task_with(parties=["buyer"])
    made = task.instance(0)
    prompt = task.prompt(made)
    assert prompt.system.endswith("buyer: Who has ordered.")
    assert prompt.opening == (("buyer", f"Where is order {made.params['order_id']}?"),)
    tools = {tool.name: tool for tool in prompt.tools}
    assert tools["say"].args["to"].enum == ["buyer"]
    with task.start(made) as episode:
        assert [(turn.sender, turn.text) for turn in episode.turns()] == list(prompt.opening)


def test_a_silent_person_opens_nothing(task_with):
    task = task_with(parties=["carrier"])
    prompt = task.prompt(task.instance(0))
    assert prompt.opening == ()
    assert "carrier: Who brings it." in prompt.system
    assert "buyer" not in str(prompt)


@pytest.mark.parametrize(
    "parts, field, message",
    [
        ({"instruction": "Find {{ name }}."}, "instruction", "the name 'name' is undefined here"),
        ({"instruction": "Find {{ order_id }} {{ seed }}."}, "instruction", "the name 'seed' is undefined here"),
        ({"paraphrases": ["ok", "{{ stratum }}"]}, "paraphrases[1]", "the name 'stratum' is undefined here"),
        ({"instruction": "{{ order_id"}, "instruction", "not a template"),
        ({"show": ["order_id", "gone"]}, "show", "'gone' is not a column of bind"),
        ({"parties": ["nobody"]}, "parties", "the world has no party 'nobody'"),
        (
            {"parties": ["buyer"], "bind": "SELECT name FROM orders", "show": [], "instruction": "x"},
            "bind",
            "needs the parameter 'order_id'",
        ),
    ],
)
def test_a_prompt_that_cant_be_given_is_refused_at_load(task_with, parts, field, message):
    with pytest.raises(PackError) as caught:
        task_with(**parts)
    assert caught.value.field == field
    assert message in caught.value.message


def test_a_value_is_no_template(task_with):
    task = task_with(bind="SELECT '{{ 1 + 1 }}' AS order_id")
    assert task.prompt(task.instance(0)).instruction == "Find order {{ 1 + 1 }}."


def test_the_limit_of_calls_is_the_briefs(task_with):
    task = task_with(limits={"calls": 2})
    with task.start(task.instance(0)) as episode:
        assert [episode.call("clock", {}).ended for _ in range(3)] == [None, None, "call-limit"]


def test_examples_tell_no_hidden_parameter(tool_hire_tasks):
    for task in tool_hire_tasks.values():
        made = task.instance(5)
        told = str(task.prompt(made).instruction)
        assert all(str(value) in told for value in made.shown.values())
        assert "{{" not in told
